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

/// Problems, the plies to the mate, and the only move that gives it so soon: Paul Morphy's, by zugzwang, and ends of games.
const PROBLEMS: [(&str, u32, &str); 9] = [
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "a1a6"),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 3, "d5f6"),
    ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", 3, "b5d5"),
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", 3, "b3b8"),
    ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1", 3, "d5d8"),
    ("5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 1 1", 3, "g5g6"),
    ("1r1kr3/Nbppn1pp/1b6/8/6Q1/3B1P2/Pq3P1P/3RR1K1 w - - 1 1", 3, "g4d7"),
    ("5rk1/1p1q2bp/p2pN1p1/2pP2Bn/2P3P1/1P6/P4QKP/5R2 w - - 1 1", 3, "f2f8"),
    ("3q1r1k/2p4p/1p1pBrp1/p2Pp3/2PnP3/5PP1/PP1Q2K1/5R1R w - - 1 1", 5, "h1h7"),
];

#[test]
fn problems_are_solved_to_the_mate_under_a_limit() {
    let wire = Wire::game("chess");
    for (fen, plies, key) in PROBLEMS {
        wire.send(&format!("position fen {fen}"));
        wire.send("go nodes 40000");
        let lines = wire.until("bestmove");
        let [.., last, best] = &lines[..] else { panic!("{fen}: {lines:?}") };
        assert!(last.contains(&format!(" score mate {plies} value win:{plies} pv {key} ")), "{fen}: {last}");
        assert_eq!(*best, format!("bestmove {key}"), "{fen}");
    }
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
fn one_ply_before_the_fifty_move_rule_values_follow_from_the_moves() {
    let wire = Wire::game("chess");
    for (position, value) in [
        // No capture, and no move of a pawn.
        ("1nb1k1n1/8/8/8/8/8/8/RNB1K3 w - - 99 80", "draw"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 80", "win:1"),
    ] {
        wire.send(&format!("position fen {position}"));
        assert_eq!(wire.ask("query value"), format!("response {value}"), "{position}");
    }
    wire.end();
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
