//! Chess on the command line: the fifty-move rule beside the value, and answers in standard algebraic notation.

use crate::wire::{Wire, output};

const SAMPLE: &str = include_str!("../../crates/chess/tests/truth/kqkr_sample.tsv");

#[test]
fn analysis_says_the_value_without_the_rule_beside_the_other() {
    let input = "8/8/r7/8/3k4/8/8/K1Q5 w - - 31 90\n8/8/r7/8/3k4/8/8/K1Q5 w - - 42 90\n";
    let out = output(&["analyze", "--game", "chess:KQvKR:rule50", "--json"], input);
    let text = String::from_utf8(out.stdout).unwrap();
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["value"], rows[0].get("without_rule")), (&"win:69".into(), None));
    assert_eq!((&rows[1]["value"], rows[1].get("without_rule")), (&"draw".into(), Some(&"win:69".into())));
}

#[test]
fn the_command_line_answers_the_problem_as_it_was_set() {
    let rows: Vec<Vec<&str>> =
        SAMPLE.lines().skip(1).step_by(10).map(|row| row.split('\t').collect()).collect();
    let input: String = rows.iter().map(|fields| format!("{}\n", fields[2])).collect();
    let out = output(&["analyze", "--game", "chess", "--format", "san"], &input);
    assert!(out.status.success());
    let answers = String::from_utf8(out.stdout).unwrap();
    assert_eq!(answers.lines().count(), rows.len());
    for (answer, fields) in answers.lines().zip(&rows) {
        let san = fields[6].replace([',', ' '], " ");
        assert_eq!(answer, format!("{}\t{san}", fields[3]), "{}", fields[2]);
    }
}

#[test]
fn a_mate_by_zugzwang_is_found() {
    // Paul Morphy's problem: mate in two.
    let wire = Wire::game("chess");
    wire.send("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    wire.send("go nodes 20000");
    let best = std::iter::repeat_with(|| wire.line()).find(|line| line.starts_with("bestmove"));
    assert_eq!(best.as_deref(), Some("bestmove a1a6"));
    wire.end();
}
