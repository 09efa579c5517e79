//! Games whose positions are found before they are solved.

use std::process::Command;

/// How many positions there are is not known before they are found; the proof is of all of them.
#[test]
fn a_game_whose_positions_are_not_counted_yet_is_solved_and_proved_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut solve = Command::new(env!("CARGO_BIN_EXE_grundy"));
    solve.args(["solve", "rules:reversi", "--check", "--quiet", "--tables"]).arg(folder.path());
    let solved = solve.output().unwrap();
    let said = String::from_utf8_lossy(&solved.stdout).into_owned();
    assert!(solved.status.success(), "{said}{}", String::from_utf8_lossy(&solved.stderr));
    assert!(said.contains("proved: the values of all 28544 numbers follow from the rules"), "{said}");
}
