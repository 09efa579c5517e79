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

/// Two rounds of knights out and back, after which the start has occurred three times.
const ROUNDS: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
/// A position after fifty moves without a capture or a pawn's move.
const FIFTY: &str = "8/8/8/8/8/4k3/8/4K2R w - - 100 80";

/// Sets up a position and searches it; returns the last line.
fn best(wire: &Wire, position: &str) -> String {
    wire.send(&format!("position {position}"));
    wire.send("go depth 2");
    let lines = wire.until("bestmove");
    assert!(!lines.iter().any(|line| line.contains("error")), "{position}: {lines:?}");
    lines.last().cloned().unwrap_or_default()
}

#[test]
fn uci_goes_on_after_a_draw_that_nobody_claims() {
    let wire = Wire::game("chess");
    wire.send("uci");
    wire.until("uciok");
    let four = format!("{ROUNDS} {ROUNDS}");
    for (position, drawn) in [
        (format!("startpos moves {ROUNDS}"), true),
        (format!("startpos moves {four}"), true),
        (format!("startpos moves {four} e2e4"), false),
        (format!("fen {FIFTY}"), true),
        (format!("fen {FIFTY} moves h1h2 e3d3 h2h1 d3e3"), true),
    ] {
        assert_ne!(best(&wire, &position), "bestmove (none)", "{position}");
        assert_eq!(wire.ask("query gameover"), format!("response {drawn}"), "{position}");
    }
    assert!(wire.ask("query fen").contains(" w - - 100 "));
    for ended in ["7k/5Q2/6K1/8/8/8/8/8 b - - 100 80", "R5k1/5ppp/8/8/8/8/8/7K b - - 100 80"] {
        assert_eq!(best(&wire, &format!("fen {ended}")), "bestmove (none)");
    }
    wire.send("setoption name UCI_Chess960 value true");
    assert_ne!(best(&wire, &format!("startpos moves {ROUNDS}")), "bestmove (none)");
    // The other dialect ends the game by these rules.
    wire.send("ugi");
    wire.until("ugiok");
    assert_eq!(best(&wire, &format!("fen {FIFTY}")), "bestmove 0000");
    assert_eq!(best(&wire, &format!("startpos moves {ROUNDS}")), "bestmove 0000");
    assert!(wire.ask(&format!("position startpos moves {ROUNDS} e2e4")).contains("the game is over"));
    wire.end();
}
