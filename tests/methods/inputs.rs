//! Positions in the form of the sources, classes of moves, loony states, searches by option.

use std::io::Write;
use std::process::{Command, Stdio};

/// Returns what the program prints for these lines of input.
pub fn fed(args: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A program that refuses its input does not read it to the end.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn a_row_is_read_with_its_count_and_a_count_is_no_row() {
    let row = |input: &str| fed(&["analyze", "--game", "row"], input);
    let known = row("4,7,2,9\n");
    assert!(known.starts_with("4,7,2,9 0-0 1\t+10\t"), "{known}");
    for counted in ["4\n4 7 2 9\n", "4\n4\n7\n2\n9\n", " 4 \r\n4 7\r\n2 9", "4\n\n4 7 2 9\n"] {
        assert_eq!(row(counted), known, "{counted:?}");
    }
    assert_eq!(row("4\n4 7 2 9\n4,7,2,9\n"), known.repeat(2));
    for wrong in ["4\n", "4", "4\n1 2 3\n", "4\n1 2 3 4 5\n", "0\n\n", "2\n1 x\n"] {
        assert!(row(wrong).starts_with("error "), "{wrong:?}: {}", row(wrong));
    }
}

#[test]
fn a_map_may_say_its_sizes_first() {
    let folder = tempfile::tempdir().unwrap();
    let value = |text: &str| {
        let path = folder.path().join("map");
        std::fs::write(&path, text).unwrap();
        fed(&["analyze", "--game", &format!("police:file={}", path.display())], "startpos\n")
    };
    let plain = value("C..\n.*T\n");
    assert!(plain.contains('\t'), "{plain}");
    assert_eq!(value("2 3\nC..\n.*T\n"), plain);
    assert_eq!(value("3 2\nC..\n.*T\n"), plain);
    assert_eq!(value("3 3\nC..\n.*T\n"), "", "the sizes are wrong");
}

#[test]
fn essentially_different_moves_are_listed_once() {
    let classes = fed(&["analyze", "--game", "tictactoe", "--classes", "--json"], "startpos\n");
    assert_eq!(classes.matches("\"move\"").count(), 3, "{classes}");
    let all = fed(&["analyze", "--game", "tictactoe", "--json"], "startpos\n");
    assert_eq!(all.matches("\"move\"").count(), 9, "{all}");
}

#[test]
fn loony_states_stand_in_json_and_answer_a_query() {
    let json = fed(&["analyze", "--game", "dots:1x3", "--json"], "---/..../--- 0-0 1\n");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["loony"], "v");
    assert!(json["moves"].as_array().unwrap().iter().all(|m| m["loony"] == "v"), "{json}");
    let said = fed(
        &["--game", "dots:1x3"],
        "ugi\nposition fen ---/..../--- 0-0 1\nquery loony\nquery loony moves\nquit\n",
    );
    assert!(said.contains("response v\n") && said.contains("a1a2=v"), "{said}");
    assert!(
        fed(&["--game", "nim"], "ugi\nposition startpos\nquery loony\nquit\n").contains("response unknown\n")
    );
    let fined = fed(&["analyze", "--game", "dots:1x3:penalty=2", "--json"], "startpos\n");
    assert!(!fined.contains("loony"), "{fined}");
}

#[test]
fn loony_states_are_kept_in_a_table_and_read_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let solve = |game: &str| fed(&["solve", game, "--loony", "--check", "--quiet", "--tables", tables], "");
    let said = solve("dots:2x2");
    assert_eq!(said.matches("proved: all 4,096 values").count(), 2, "{said}");
    assert!(said.contains("dots:2x2:loony: 4,096 values"), "{said}");
    let query = |position: &str| {
        let script = format!("ugi\nposition {position}\nquery loony\nquery loony moves\nquit\n");
        fed(&["--game", "dots:2x2", "--tables", tables], &script)
    };
    assert!(!query("startpos").contains("response ?"));
    assert!(query("fen --/|.|/--/|||/.- 0-0 1").contains("response -"));
    // In a loony position the opponent has just made a loony move.
    assert!(query("fen --/|.|/.-/|||/-- 0-0 1").contains("response ^"));
    let states = fed(&["tables", "verify", "dots:2x2:loony", "--quiet", "--tables", tables], "");
    assert!(states.contains("proved"), "{states}");
    assert!(!solve("nim").contains("positions in"));
}

#[test]
fn monte_carlo_tree_search_says_what_it_has_proved_and_no_more() {
    let go = |game: &str, position: &str| {
        let input = format!("ugi\nsetoption name Method value mcts\n{position}\ngo nodes 3000\n");
        fed(&["--game", game], &input)
    };
    let open = go("hex:9", "position startpos");
    assert!(
        open.contains("bestmove ") && open.contains("score cp") && !open.contains(" value win"),
        "{open}"
    );
    // Two steps from the goal, and to move.
    let won = go("breakthrough:4x6", "position fen ..../.X../..../..../..O./.... 1");
    assert!(won.contains("value win") && won.contains("bestmove "), "{won}");
    // Their values are known from a table or a formula, which playouts do not use.
    for known in ["dots:2x2", "tictactoe", "nim:3,5,7"] {
        let said = go(known, "position startpos");
        assert!(said.contains("score cp") && said.contains("bestmove "), "{known}: {said}");
    }
}

#[test]
fn the_textbook_evaluation_judges_the_leaves_of_a_shallow_search() {
    let said = fed(
        &["--game", "tictactoe"],
        "ugi\nsetoption name Evaluation value lines\nposition startpos\ngo depth 2\n",
    );
    // Nilsson's figure: the centre is worth 1 line after the best reply, and every other move less.
    assert!(said.contains("depth 2") && said.contains("score cp 100 "), "{said}");
    assert!(said.contains("bestmove b2"), "{said}");
}
