//! Tournaments: who plays whom, what is on disk when the referee is killed, and that it goes on from there.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::tools::{GRUNDY, bad_engine, folder, games, left_behind, referee};

/// Four engines of known strength that always play the same.
fn four() -> Vec<String> {
    let bad = bad_engine().display();
    vec![
        format!("name=perfect {GRUNDY}"),
        format!("name=double {bad} plain"),
        format!("name=first {bad} first"),
        format!("name=worst {bad} worst"),
    ]
}

fn arguments<'a>(engines: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["match"];
    for engine in engines {
        all.extend(["--engine", engine]);
    }
    all.extend(more);
    all
}

/// What a game was, its times left out.
fn essence(game: &Value) -> String {
    let words: Vec<&str> =
        game["moves"].as_array().unwrap().iter().map(|m| m["word"].as_str().unwrap()).collect();
    format!("{} {} {} {} {words:?}", game["id"], game["players"], game["opening"], game["result"])
}

fn essences(record: &Path) -> BTreeSet<String> {
    games(record).iter().map(essence).collect()
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), signal).unwrap();
}

/// The guard needs a moment to see that the referee has died.
fn soon_nothing_is_left_of(referee: u32) {
    let patience = Instant::now() + Duration::from_secs(10);
    while !left_behind(referee).is_empty() {
        assert!(Instant::now() < patience, "engines outlive a killed referee");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a tournament so many times, resumes it each time, and compares it with one that nobody killed.
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
    let table = referee(&uninterrupted);
    assert_eq!(table.code, Some(1), "{}", table.said());

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
        std::thread::sleep(Duration::from_millis(15 + attempt * 7919 % 150));
        signal(&child, Signal::KILL);
        killed += u32::from(child.wait().unwrap().code().is_none());
        soon_nothing_is_left_of(child.id());
    }
    assert!(u64::from(killed) > kills / 2, "the tournament was over too soon: killed {killed} times");
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
fn a_thousand_games_killed_at_twenty_moments_are_a_thousand_games() {
    killed_and_resumed("168", 1008, 20);
}

#[test]
fn everyone_meets_everyone_with_both_sides() {
    let engines = four();
    let run = referee(&arguments(&engines, &["--game", "nim:1,2", "--games", "2", "--concurrency", "2"]));
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.out.contains("Started game 12 of 12 (worst vs first)"), "{}", run.out);
    assert!(run.out.contains("points of"), "a crosstable: {}", run.out);
    assert!(run.out.contains("Results of perfect vs double (nim:1,2):"), "{}", run.out);
    for words in ["Elo: ", "LOS: ", "Ptnml(0-2): ["] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

#[test]
fn a_gauntlet_is_the_first_against_the_rest() {
    let engines = four();
    let run = referee(&arguments(&engines, &["--game", "nim:1,2", "--gauntlet", "--rounds", "2"]));
    assert!(run.out.contains("12 games of nim:1,2"), "{}", run.out);
    assert!(!run.out.contains("(double vs first)"), "{}", run.out);
}

#[test]
fn every_opening_is_played_with_both_sides_and_none_twice() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let engines = &four()[..2];
    let more = ["--game", "tictactoe", "--openings", "all:1", "--record", record.to_str().unwrap()];
    let run = referee(&arguments(engines, &more));
    assert_eq!(run.code, Some(0), "{}", run.said());
    let openings: BTreeSet<String> =
        games(&record).iter().map(|g| format!("{} {}", g["opening"], g["players"])).collect();
    assert_eq!((games(&record).len(), openings.len()), (18, 18));

    let file = folder.join("openings");
    std::fs::write(&file, "startpos moves b2 a1 # remark\n\nX../.O./... 1\nfen X../.O./... 1\n").unwrap();
    let run = referee(&arguments(engines, &["--game", "tictactoe", "--openings", file.to_str().unwrap()]));
    assert!(run.out.contains("4 games of tictactoe"), "{}", run.out);
    std::fs::write(&file, "X../.O./... 1\nnonsense\n").unwrap();
    let run = referee(&arguments(engines, &["--game", "tictactoe", "--openings", file.to_str().unwrap()]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains(":2: bad position \"nonsense\""), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_same_seed_makes_the_same_tournament() {
    let folder = folder();
    let engines = &four()[..2];
    let play = |name: &str, seed: &str| {
        let record = folder.join(name);
        let more = ["--game", "tictactoe", "--games", "8", "--openings", "random:3", "--seed", seed];
        let mut all = arguments(engines, &more);
        all.extend(["--record", record.to_str().unwrap()]);
        referee(&all);
        essences(&record)
    };
    assert_eq!(play("a", "1"), play("b", "1"));
    assert_ne!(play("c", "1"), play("d", "2"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_configuration_file_says_what_the_command_line_does_not() {
    let folder = folder();
    let file = folder.join("match.toml");
    let text =
        format!("game = [\"nim:1,2\"]\nengine = [\"{GRUNDY}\", \"{GRUNDY}\"]\ngames = 6\nmovetime = 500\n");
    std::fs::write(&file, text).unwrap();
    let run = referee(&["match", "--config", file.to_str().unwrap(), "--games", "4"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("4 games of nim:1,2"), "{}", run.out);
    assert!(run.out.contains("(grundy vs grundy-2)"), "{}", run.out);
    std::fs::write(&file, "gmae = [\"nim\"]\n").unwrap();
    let run = referee(&["match", "--config", file.to_str().unwrap()]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("gmae"), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn both_dialects_clocks_and_several_games_meet_in_one_tournament() {
    let folder = folder();
    let log = folder.join("log");
    let engines =
        [format!("name=ugi proto=ugi {GRUNDY}"), format!("name=uci proto=uci restart=on tc=20+0.1 {GRUNDY}")];
    let more = ["--game", "nim", "--game", "tictactoe", "--games", "2", "--tc", "40/20+0.1"];
    let mut all = arguments(&engines, &more);
    all.extend(["--log", log.to_str().unwrap()]);
    let run = referee(&all);
    assert_eq!(run.code, Some(0), "{}", run.said());
    let traffic = std::fs::read_to_string(&log).unwrap();
    for words in ["uci < go wtime 20000 winc 100", "ugi < go p1time 20000 p1inc 100", "movestogo 40"] {
        assert!(traffic.contains(words), "{words}: {traffic}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let bad = bad_engine().display();
    let engines = [format!("name=good {bad} plain"), format!("name=weak {bad} worst")];
    let more = ["--game", "nim:3,4,5", "--games", "2000", "--sprt", "0", "50", "0.05", "0.05"];
    let run = referee(&arguments(&engines, &more));
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.out.contains("SPRT: H1 was accepted"), "{}", run.out);
    assert!(run.out.contains("LLR: "), "{}", run.out);
    assert!(!run.out.contains("Started game 1000 "), "it stops early");
}

/// A tournament that lasts, with its record.
fn long_run(record: &Path) -> Child {
    let engines = &four()[..2];
    let more = ["--game", "nim:9,9,9,9", "--games", "100000", "--record", record.to_str().unwrap()];
    let child = start(&arguments(engines, &more));
    let patience = Instant::now() + Duration::from_secs(20);
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
fn two_interrupts_end_it_at_once() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let engines =
        [format!("name=hangs {} hang-at-go", bad_engine().display()), format!("name=good {GRUNDY}")];
    let more = ["--game", "nim", "--movetime", "60000", "--record", record.to_str().unwrap()];
    let mut child = start(&arguments(&engines, &more));
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, Signal::INT);
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "once waits for the running game");
    signal(&child, Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
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
    let third = referee(&arguments(engines, &["--game", "nim", "--record", path]));
    assert_eq!(third.code, Some(2), "{}", third.said());
    assert!(third.err.contains("exists"), "{}", third.err);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
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
    let garbled = text.replacen("\"line\":\"game\"", "\"line\":\"gime\"", 1);
    for (spoilt, why) in
        [(twice, "stands there twice"), (garbled, "line 2 is damaged"), (String::new(), "no record")]
    {
        std::fs::write(&record, spoilt).unwrap();
        let run = referee(&["match", "--resume", path]);
        assert_eq!(run.code, Some(2), "{}", run.said());
        assert!(run.err.contains(why), "{}", run.err);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn wrong_usage_is_told_in_one_line_before_anything_is_started() {
    let good = format!("name=a {GRUNDY}");
    let two = ["--engine", &good, "--engine", &good];
    for (more, why) in [
        (vec!["--game", "chequers"], "unknown game"),
        (vec![], "which game?"),
        (vec!["--game", "nim", "--tc", "soon"], "bad time control"),
        (vec!["--game", "nim", "--openings", "/nowhere"], "openings /nowhere"),
        (vec!["--game", "nim", "--openings", "all:x"], "bad openings"),
        (vec!["--game", "nim", "--position", "x"], "bad position"),
        (vec!["--game", "nim", "--sprt", "5", "0", "0.1", "0.1"], "bad --sprt"),
        (vec!["--game", "nim", "--record", "/nowhere/at/all"], "/nowhere/at/all"),
        (vec!["--resume", "/nowhere/at/all"], ""),
    ] {
        let mut all = vec!["match"];
        all.extend(two);
        all.extend(&more);
        let run = referee(&all);
        assert_eq!(run.code, Some(2), "{more:?}: {}", run.said());
        assert!(run.err.contains(why), "{more:?}: {}", run.err);
    }
    let run = referee(&["match", "--game", "nim", "--engine", &good]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("two engines"), "{}", run.err);
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
