//! Events that a run must survive or end well from: kills, signals, a full disk, unreadable and unwritable files.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::tools::{
    GRUNDY, Run, arguments, bad_engine, essences, folder, four, games, referee, said_by, signal,
    soon_nothing_is_left_of, start,
};

/// Kills a tournament `kills` times, resumes it each time, and compares it with one that was not killed.
fn killed_and_resumed(games_each: &str, total: usize, kills: u64) {
    let folder = folder();
    let engines = four();
    let (whole, broken) = (folder.join("whole.jsonl"), folder.join("broken.jsonl"));
    let settings =
        ["--game", "nim:2,3,4,5,6", "--games", games_each, "--openings", "random:1", "--seed", "5"];
    let mut begin = arguments(&engines, &settings);
    begin.extend(["--movetime", "20000", "--concurrency", "2", "--record"]);
    let mut uninterrupted = begin.clone();
    uninterrupted.push(whole.to_str().unwrap());
    let began = Instant::now();
    let table = referee(&uninterrupted);
    assert_eq!(table.code, Some(1), "{}", table.said());
    // The longest time between a start and a kill, so that all kills together come before the last game.
    let longest = began.elapsed().mul_f64(1.25 / kills as f64);

    begin.push(broken.to_str().unwrap());
    let resume = ["match", "--resume", broken.to_str().unwrap()];
    let mut killed = 0;
    for attempt in 0..kills {
        let exists = std::fs::read_to_string(&broken).is_ok_and(|text| text.contains('\n'));
        if !exists {
            let _ = std::fs::remove_file(&broken);
        }
        let mut child = start(if exists { &resume } else { &begin });
        // Moments that differ, from before the first game to well into it.
        let share = (attempt * 7919 % 150) as f64 / 150.0;
        std::thread::sleep(Duration::from_millis(15) + longest.mul_f64(share));
        signal(&child, Signal::KILL);
        killed += u32::from(child.wait().unwrap().code().is_none());
        soon_nothing_is_left_of(child.id());
    }
    assert!(u64::from(killed) > kills / 4, "the tournament was over too soon: killed {killed} times");
    let last = referee(&resume);
    assert_eq!(last.code, Some(1), "{}", last.said());
    assert_eq!(games(&broken).len(), total);
    assert_eq!(essences(&broken), essences(&whole));
    let counts = |out: &str| -> Vec<String> {
        let lines = out.lines().skip_while(|line| !line.starts_with("engine ")).skip(1).take(4);
        lines.map(|line| line.split_whitespace().take(9).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(counts(&last.out), counts(&table.out));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn five_hundred_games_killed_at_twenty_moments_are_five_hundred_games() {
    killed_and_resumed("84", 504, 20);
}

#[test]
#[ignore = "minutes: ten times as many games, so that all of the kills find a game to interrupt"]
fn a_hundred_kills_lose_no_game_and_count_none_twice() {
    killed_and_resumed("840", 5040, 100);
}

/// A long tournament, with its record.
fn long_run(record: &Path) -> Child {
    let engines = &four()[..2];
    let more = ["--game", "nim:9,9,9,9", "--games", "100000", "--record", record.to_str().unwrap()];
    let child = start(&arguments(engines, &more));
    let patience = Instant::now() + Duration::from_secs(60);
    while !std::fs::read_to_string(record).is_ok_and(|text| text.lines().count() > 3) {
        assert!(Instant::now() < patience, "no games are played");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn one_interrupt_ends_it_after_the_running_games_and_sigterm_at_once() {
    for how in [Signal::INT, Signal::TERM] {
        let folder = folder();
        let record = folder.join("record.jsonl");
        let mut child = long_run(&record);
        signal(&child, how);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(games(&record).len() >= 2, "what ended is kept");
        soon_nothing_is_left_of(child.id());
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn sigusr1_ends_it_softly_and_says_how_to_go_on() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    let engines = &four()[..2];
    let more = ["--game", "nim:9,9,9,9", "--games", "100000", "--record", path];
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments(engines, &more)).stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !std::fs::read_to_string(&record).is_ok_and(|text| text.lines().count() > 3) {
        assert!(Instant::now() < patience, "no games are played");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, Signal::USR1);
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{out}");
    let played = games(&record).len();
    assert_eq!(out.matches("Started game").count(), played, "no game is broken off");
    let go_on = format!("Ended after {played} of 100,000 games; resume with: referee match --resume {path}");
    assert!(out.contains(&go_on), "{out}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn two_interrupts_end_it_at_once() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let engines =
        [format!("name=hangs {} hang-at-go", bad_engine().display()), format!("name=good {GRUNDY}")];
    let more = ["--game", "nim", "--movetime", "60000", "--record", record.to_str().unwrap()];
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command
        .args(arguments(&engines, &more))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // Only a game that runs is waited for: between the record's first line and the first game there is none.
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    assert!(lines.any(|line| line.contains("Started game")), "no game begins");
    let rest = std::thread::spawn(move || lines.for_each(drop));
    signal(&child, Signal::INT);
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "once waits for the running game");
    signal(&child, Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    rest.join().unwrap();
    soon_nothing_is_left_of(child.id());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_record_has_one_writer_and_is_not_overwritten() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    let mut child = long_run(&record);
    let second = referee(&["match", "--resume", path]);
    assert_eq!(second.code, Some(2), "{}", second.said());
    assert!(second.err.contains("in use by another referee"), "{}", second.err);
    let engines = &four()[..2];
    let anew = arguments(engines, &["--game", "nim", "--record", path]);
    let third = referee(&anew);
    assert_eq!(third.code, Some(2), "{}", third.said());
    assert!(third.err.contains("in use by another referee"), "{}", third.err);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let fourth = referee(&anew);
    assert_eq!(fourth.code, Some(2), "{}", fourth.said());
    assert!(fourth.err.contains("exists: expected a new file, or --resume"), "{}", fourth.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_record_is_refused_but_half_a_line_at_its_end_is_cut_off() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    let engines = &four()[..2];
    let run = referee(&arguments(engines, &["--game", "nim:1,2", "--games", "6", "--record", path]));
    assert_eq!(run.code, Some(0), "{}", run.said());
    let text = std::fs::read_to_string(&record).unwrap();
    let half = &text[..text.len() - 40];
    std::fs::write(&record, half).unwrap();
    let run = referee(&["match", "--resume", path]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("6 games of nim:1,2, 5 played before"), "{}", run.out);
    assert_eq!(games(&record).len(), 6);

    let lines: Vec<&str> = text.lines().collect();
    let twice = format!("{text}{}\n", lines[1]);
    let swapped = text.replacen("\"result\":\"1-0\"", "\"result\":\"0-1\"", 1);
    let larger = text.replacen("\"games\":6", "\"games\":8", 1);
    for (spoilt, why) in [
        (twice, "line 8 is damaged: its checksum is wrong"),
        (swapped.clone(), "line 2 is damaged: its checksum is wrong"),
        (larger, "line 1 is damaged: its checksum is wrong"),
        (String::new(), "no record"),
    ] {
        std::fs::write(&record, spoilt).unwrap();
        for all in [
            vec!["match", "--resume", path],
            vec!["export", path, "--csv"],
            vec!["report", path, "-o", "/dev/null"],
        ] {
            let run = referee(&all);
            assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{all:?}: {}", run.said());
            assert!(run.err.contains(why), "{all:?}: {}", run.err);
        }
    }
    std::fs::write(&record, swapped).unwrap();
    let run = referee(&["match", "--resume", path, "--repair"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.err.contains("cut off from line 2 on: its checksum is wrong"), "{}", run.err);
    assert!(run.out.contains("6 games of nim:1,2, 0 played before"), "{}", run.out);
    assert_eq!(games(&record).len(), 6);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_match_that_is_over_needs_nothing_but_its_record() {
    let folder = folder();
    let (record, place) = (folder.join("record.jsonl"), folder.join("place"));
    let (path, dir) = (record.to_str().unwrap(), place.to_str().unwrap());
    std::fs::create_dir(&place).unwrap();
    let engines =
        [format!("name=a movetime=20000 {GRUNDY}"), format!("name=b dir={dir} movetime=20000 {GRUNDY}")];
    let more = ["--game", "nim:1,2", "--games", "2", "--tables", dir, "--record", path];
    let run = referee(&arguments(&engines, &more));
    assert_eq!(run.code, Some(0), "{}", run.said());
    std::fs::remove_dir_all(&place).unwrap();
    let over = referee(&["match", "--resume", path]);
    assert_eq!(over.code, Some(0), "{}", over.said());
    assert!(over.out.contains("2 games of nim:1,2, 2 played before"), "{}", over.out);
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, &text[..text.len() - 40]).unwrap();
    let run = referee(&["match", "--resume", path]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("engine b: dir: no folder "), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nobody_reading_along_does_not_end_a_tournament() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let engines = &four()[..2];
    let more = ["--game", "nim:1,2", "--games", "20", "--record", record.to_str().unwrap()];
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments(engines, &more)).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(games(&record).len(), 20);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_that_writes_into_the_record_is_noticed_before_the_next_game() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    let (bad, good) = (bad_engine().display(), format!("name=good {GRUNDY}"));
    let bad = format!("name=bad env.GRUNDY_TEST_FILE={path} {bad} write-into-file");
    let run = referee(&arguments(&[good, bad], &["--game", "nim:3,4,5", "--games", "20", "--record", path]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("another program has written to the record"), "{}", run.err);
    assert!(run.out.matches("Started game").count() < 3, "{}", run.out);
    let run = referee(&["match", "--resume", path]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("line 2 is damaged"), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let folder = folder();
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let engines = &four()[..2];
    let pipe = pipe.to_str().unwrap();
    for file in [pipe, "/dev/zero", folder.to_str().unwrap()] {
        let graph = format!("graph:file={file}");
        for all in [
            arguments(engines, &["--game", "nim:1,2", "--record", file]),
            arguments(engines, &["--game", "nim:1,2", "--openings", file]),
            arguments(engines, &["--game", &graph]),
            vec!["match", "--resume", file],
            vec!["match", "--resume", file, "--repair"],
            vec!["match", "--config", file],
            vec!["export", file, "--pgn"],
            vec!["report", file, "-o", "/dev/null"],
            vec!["suite", file, "--engine", GRUNDY],
        ] {
            let run = referee(&all);
            assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{all:?}: {}", run.said());
            assert!(run.err.contains("expected a regular file, this is a "), "{all:?}: {}", run.err);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_run_beyond_all_bounds_is_refused() {
    let engines = &four()[..2];
    for (more, why) in [
        (["--games", "1000000000000"], "too many games: expected at most 1000000"),
        (["--rounds", "18446744073709551615"], "too many games"),
        (["--concurrency", "100000000"], "expected 1 to 256"),
        (["--openings", "random:1000000000000"], "expected a number of plies, 0 to 1000"),
        (["--openings", "all:1000000000000"], "expected a number of plies, 0 to 1000"),
    ] {
        let mut all = arguments(engines, &["--game", "lgame"]);
        all.extend(more);
        let run = referee(&all);
        assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{more:?}: {}", run.said());
        assert!(run.err.contains(why), "{more:?}: {}", run.err);
    }
}

/// Plays a tournament for a while, with further arguments.
fn nim<'a>(engines: &'a [String], games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = arguments(engines, &["--game", "nim:3,4,5", "--games", games]);
    all.extend(more);
    all
}

/// Runs the referee with files limited to `blocks` blocks of 512 bytes.
fn in_little_room(blocks: u32, arguments: &[&str]) -> Run {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_referee")]);
    said_by(shell.args(arguments))
}

#[test]
fn a_full_disk_ends_a_run_in_one_line_and_loses_no_game_that_stood_there() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    let engines = &four()[..2];
    let run = in_little_room(16, &nim(engines, "40", &["--record", path]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    let complaint: Vec<&str> = run.err.lines().collect();
    assert_eq!(complaint.len(), 1, "{}", run.err);
    assert!(
        complaint[0].contains("could not be written") && complaint[0].contains("--resume"),
        "{}",
        run.err
    );
    assert!(run.out.contains("Results of perfect vs double"), "the table is shown all the same: {}", run.out);
    let kept = games(&record).len();
    let finished = run.out.matches("Finished game").count();
    assert!(kept > 2 && kept + 1 == finished, "{kept} kept of {finished}: all but that of the full disk");
    soon_nothing_is_left_of(run.pid);
    // With room again it goes on.
    let run = referee(&["match", "--resume", path]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert_eq!(games(&record).len(), 40);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_record_that_cannot_be_written_ends_a_run_before_it_begins() {
    let folder = folder();
    let engines = &four()[..2];
    let inside_a_file = folder.join("file/record");
    std::fs::write(folder.join("file"), "").unwrap();
    for (path, why) in [
        ("/dev/full", "/dev/full: expected a regular file, this is a device"),
        (folder.to_str().unwrap(), "expected a regular file, this is a folder"),
        (inside_a_file.to_str().unwrap(), "is no folder: expected one"),
    ] {
        let run = referee(&nim(engines, "2", &["--record", path]));
        assert_eq!(run.code, Some(2), "{path}: {}", run.said());
        assert!(run.err.contains(why) && run.err.lines().count() == 1, "{path}: {}", run.err);
        assert!(!run.out.contains("Started game"), "{path}: {}", run.out);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_empty_file_is_a_new_record_and_any_other_is_left_alone() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    let engines = &four()[..2];
    // What a kill leaves behind between the making of the file and its first line.
    std::fs::write(&record, "").unwrap();
    let run = referee(&nim(engines, "2", &["--record", path]));
    assert_eq!((run.code, games(&record).len()), (Some(0), 2), "{}", run.said());
    std::fs::write(&record, "my diary").unwrap();
    let run = referee(&nim(engines, "2", &["--record", path]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "my diary");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_log_or_an_output_without_room_does_not_end_a_run_and_is_told_at_its_end() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let engines = &four()[..2];
    let more = ["--record", record.to_str().unwrap(), "--log", "/dev/full"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(nim(engines, "4", &more)).stdin(Stdio::null());
    command.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.starts_with("referee: cannot write "), "{said}");
    assert_eq!(games(&record).len(), 4);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_output_without_room_gives_a_code_and_a_closed_one_none() {
    let folder = folder();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let (record, certificate, suite) = (path("record"), path("certificate"), path("suite"));
    let two = ["--engine", GRUNDY, "--engine", GRUNDY];
    let engine = ["--engine", GRUNDY];
    std::fs::write(&suite, "game nim:1,2\n1,2 1 ; best 2:1\n").unwrap();
    let audit = ["audit", "--game", "nim:1,2", "--engine", GRUNDY, "--certificate", &certificate];
    assert_eq!(referee(&audit).code, Some(0));
    let commands: [Vec<&str>; 10] = [
        [&["match", "--game", "nim:1,2", "--games", "2", "--record", &record][..], &two].concat(),
        vec!["--help"],
        audit.to_vec(),
        vec!["check", &certificate],
        [&["compare", "--game", "nim:1,2"][..], &two].concat(),
        vec!["conformance", "--list"],
        [&["conformance", "--only", "no-banner"][..], &engine].concat(),
        [&["suite", &suite][..], &engine].concat(),
        vec!["export", &record, "--pgn"],
        vec!["prove", &record, "--seconds", "0.1"],
    ];
    let run = |words: &[&str], out: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        let output =
            command.args(words).stdin(Stdio::null()).stdout(out).stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for words in &commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (code, said) = run(words, full.into());
        assert_eq!(code, Some(2), "{words:?}: {said}");
        assert!(
            said.lines().count() == 1 && said.contains("cannot write to stdout: No space left"),
            "{words:?}: {said}"
        );
        if words[0] == "match" {
            std::fs::remove_file(&record).unwrap();
        }
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(words, writer.into()), (Some(0), String::new()), "{words:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_record_that_another_program_has_rewritten_is_read_or_refused_for_that() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    assert_eq!(referee(&nim(&four()[..2], "2", &["--record", path])).code, Some(0));
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, format!("\u{feff}{text}")).unwrap();
    let run = referee(&["export", path, "--csv"]);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 3), "{}", run.said());
    let run = referee(&["match", "--resume", path]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    std::fs::write(&record, text.replace('\n', "\r\n")).unwrap();
    let run = referee(&["export", path, "--csv"]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("its lines end in CRLF"), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_made_of_a_record_is_written_whole_or_not_at_all() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let path = record.to_str().unwrap();
    let engines = &four()[..2];
    assert_eq!(referee(&nim(engines, "6", &["--record", path])).code, Some(0));
    let page = folder.join("page.html");
    let file = page.to_str().unwrap();
    std::fs::write(&page, "what stood there before").unwrap();
    let run = in_little_room(4, &["report", path, "-o", file]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains(file) && run.err.lines().count() == 1, "{}", run.err);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "what stood there before");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    for all in [
        vec!["export", path, "--pgn", "-o", "/dev/full"],
        vec!["report", path, "-o", folder.to_str().unwrap()],
        vec!["audit", "--game", "nim:1,2", "--engine", GRUNDY, "--certificate", "/dev/full"],
    ] {
        let run = referee(&all);
        assert_eq!((run.code, run.err.lines().count()), (Some(2), 1), "{all:?}: {}", run.said());
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn on_a_terminal_a_bar_shows_how_it_goes_and_the_lines_are_the_same() {
    let folder = folder();
    let typescript = folder.join("typescript");
    let engines = &four()[..2];
    let quoted: Vec<String> = nim(engines, "4", &[]).iter().map(|word| format!("'{word}'")).collect();
    let line = format!("{} {}", env!("CARGO_BIN_EXE_referee"), quoted.join(" "));
    let mut script = Command::new("script");
    script.args(["-qec", &line, typescript.to_str().unwrap()]).env("TERM", "xterm").stdin(Stdio::null());
    match script.stdout(Stdio::null()).status() {
        Ok(status) => assert_eq!(status.code(), Some(0)),
        Err(_) => return eprintln!("SKIPPED: there is no `script` here that makes a terminal"),
    }
    let shown = std::fs::read_to_string(&typescript).unwrap();
    assert!(shown.contains(" of 4 games"), "{shown}");
    assert!(shown.contains("Finished game 4 (double vs perfect): "), "{shown}");
    assert!(shown.contains("perfect 1, double 0, value slips 0"), "{shown}");
    // Nothing of the kind in a pipe.
    let run = referee(&nim(engines, "4", &[]));
    assert!(!run.said().contains(" of 4 games") && !run.said().contains('\u{1b}'), "{}", run.said());
    std::fs::remove_dir_all(folder).unwrap();
}
