//! Tables made part by part, and searches of one position, by command line.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GAME: &str = "dots:1x8";

fn grundy(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(args)
        .env("GRUNDY_TABLES", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn estimates_are_printed_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    for (game, numbers) in
        [(GAME, "numbers in all parts: "), ("dots:3x4", "173408256"), ("dots:3x5", "22045261824")]
    {
        let printed = text(&grundy(folder.path(), &["solve", game, "--estimate"], ""));
        for word in [numbers, "disk: ", "memory: ", "time: "] {
            assert!(printed.contains(word), "{printed}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    for game in ["dots:5x5", "nim:3,5,7"] {
        assert!(!grundy(folder.path(), &["solve", game, "--estimate"], "").status.success(), "{game}");
    }
}

#[test]
fn a_search_tells_its_size_first_and_bounds_until_it_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let solve = ["solve", "dots:2x5", "--by", "search", "--hash", "16", "--threads", "2"];
    let printed = text(&grundy(folder.path(), &solve, ""));
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[1].contains("27 lines open: at most 2^27 positions"), "{printed}");
    assert!(
        printed.contains("value = -2") && lines.last().unwrap().starts_with("proved; best play "),
        "{printed}"
    );
    // 5x5 with nothing drawn is stopped by its time, with what is proved by then.
    let solve = ["solve", "dots:5x5", "--by", "search", "--hash", "16", "--seconds", "0.5"];
    assert!(text(&grundy(folder.path(), &solve, "")).contains("not proved in "));
}

#[test]
fn a_folder_of_tables_may_be_named_before_or_behind_the_subcommand() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tictactoe.grundy"), "no table").unwrap();
    let named = folder.path().to_str().unwrap();
    let behind = ["analyze", "--game", "tictactoe", "--tables", named];
    let before = ["--tables", named, "analyze", "--game", "tictactoe"];
    for args in [behind, before] {
        let output = grundy(Path::new("/nonexistent"), &args, "startpos\n");
        assert!(text(&output).contains("draw"), "{output:?}");
        let warned = String::from_utf8(output.stderr).unwrap();
        assert!(warned.contains("tictactoe.grundy"), "{warned}");
    }
}
