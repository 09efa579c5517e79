//! Tests of refusals: in one line, before the work begins.

use crate::tools::{names, program, said};

/// The one line that a wrong call is answered with, and its exit code.
fn refusal(args: &[&str], token: Option<&str>) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program();
    command.args(args).arg("--tables").arg(folder.path());
    if let Some(token) = token {
        command.env("GRUNDY_CLUSTER_TOKEN", token);
    }
    let run = command.output().unwrap();
    let (out, log) = said(&run);
    assert_eq!((out.as_str(), log.lines().count()), ("", 1), "{args:?}: {log}");
    assert_eq!(names(folder.path()), Vec::<String>::new(), "{args:?}");
    (run.status.code().unwrap(), log)
}

#[test]
fn games_and_sizes_that_cannot_be_solved_so() {
    for (args, code, expected) in [
        (&["solve", "nogame"][..], 2, "unknown game"),
        (&["solve", "nim:3,5,7"], 2, "solved without a table"),
        (&["solve", "chess:KQvK"], 2, "makes the table in one piece"),
        (&["solve", "mnk:8,8,5"], 1, "more positions than can be numbered"),
        (&["solve", "teeko:5x5", "--memory-limit", "50"], 1, "the limit is 50 MB"),
        (&["launch", "nim:3,5,7", "--local", "1"], 2, "solved without a table"),
        (&["solve", "awari:20", "--memory-limit", "400"], 1, "the limit is 400 MB"),
    ] {
        let (status, line) = refusal(args, None);
        assert_eq!(status, code, "{args:?}: {line}");
        assert!(line.contains(expected), "{args:?}: {line}");
    }
}

#[test]
fn an_output_without_room_gives_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run =
        program().args(["solve", "tictactoe", "--tables"]).arg(folder.path()).stdout(full).output().unwrap();
    let log = said(&run).1;
    assert_eq!((run.status.code(), log.lines().count()), (Some(1), 1), "{log}");
    assert!(log.contains("cannot write to stdout: No space left"), "{log}");
}

#[test]
fn processes_without_addresses_or_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, "# two of them\n127.0.0.1:1\n\n127.0.0.1:2\n").unwrap();
    let hosts = hosts.to_str().unwrap();
    let list = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let twice = &*list("twice", "127.0.0.1:1\n127.0.0.1:1\n");
    let no_port = &*list("no port", "127.0.0.1:1\n127.0.0.1:0\n");
    let two = ["solve", "lgame", "--processes", "2"];
    for (more, token, expected) in [
        (&["--rank", "2"][..], Some("t"), "no rank 2 of 2 processes"),
        (&[], Some("t"), "need --hosts"),
        (&["--hosts", "/nowhere"], Some("t"), "cannot read"),
        (&["--hosts", hosts], None, "a secret"),
        (&["--hosts", hosts], Some("  "), "a secret"),
        (&["--hosts", hosts, "--processes", "3"], Some("t"), "has 2 hosts: expected 3"),
        (&["--hosts", twice], Some("t"), "names 127.0.0.1:1 twice"),
        (&["--hosts", no_port], Some("t"), "names 127.0.0.1:0: expected a port"),
    ] {
        let args: Vec<_> = if more.contains(&"--processes") { two[..2].to_vec() } else { two.to_vec() };
        let (status, line) = refusal(&[&args[..], more].concat(), token);
        assert_eq!(status, 2, "{line}");
        assert!(line.contains(expected), "{line}");
    }
}

#[test]
fn what_needs_more_than_the_system_allows() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = std::process::Command::new("sh");
    let limited = "ulimit -d 111940; exec \"$0\" \"$@\"";
    shell.args(["-c", limited, env!("CARGO_BIN_EXE_grundy-cluster"), "solve", "teeko:5x5", "--tables"]);
    let run = shell.arg(folder.path()).output().unwrap();
    let (out, log) = said(&run);
    assert_eq!((run.status.code(), out.as_str(), log.lines().count()), (Some(1), "", 1), "{log}");
    assert!(log.contains("MB of memory in each process, the limit is 109 MB"), "{log}");
}

#[test]
fn times_that_are_none() {
    for flag in ["--keep-every", "--patience", "--start-within"] {
        for word in ["0", "-1", "NaN", "inf", "soon"] {
            let run = program().args(["solve", "lgame", &format!("{flag}={word}")]).output().unwrap();
            let (out, log) = said(&run);
            assert_eq!((run.status.code(), out.as_str()), (Some(2), ""), "{flag} {word}: {log}");
            assert!(log.contains("expected a number of seconds above 0"), "{flag} {word}: {log}");
        }
    }
}
