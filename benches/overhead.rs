//! The referee's own time for a move: from the `bestmove` of one engine to the `go` of the other, by the clock
//! of the engines, including pipes and the scheduling of processes.
//!
//! `cargo bench --bench overhead [GAMES]`. The bench is its own engine: it plays tic-tac-toe on the first free cell
//! and takes a few microseconds for it. On a loaded machine give it priority: `sudo nice -n -20 cargo bench ..`.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

const CELLS: [&str; 9] = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if arguments.first().is_some_and(|word| word == "engine") {
        return engine(&arguments.swap_remove(1));
    }
    let games: usize = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(1000);
    println!("{games} games of 7 moves each; microseconds: median, p99, worst");
    for (what, more) in [("rules only", vec!["--no-audit"]), ("every move audited", vec![])] {
        let (between, off) = measure(games, &more);
        println!(
            "{what:19} from bestmove to the next go {between}; time a move, ours above the engine's {off}"
        );
    }
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    u64::try_from(now.as_nanos()).expect("a clock before 2554")
}

/// Answers at once, and records when it was asked and when it answered.
fn engine(stamps: &str) {
    let (mut played, mut text) = (Vec::new(), String::new());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let asked = now();
        match line.split_whitespace().next() {
            Some("uci") => println!("id name echo\nid author grundy\nuciok"),
            Some("isready") => println!("readyok"),
            Some("position") => {
                played = line.split_whitespace().skip(3).map(str::to_string).collect();
            }
            Some("go") => {
                let free = CELLS.iter().find(|cell| !played.iter().any(|p| p == *cell)).unwrap();
                println!("bestmove {free}");
                let _ = writeln!(text, "{} {asked} {}", played.len(), now());
            }
            Some("quit") => break,
            _ => {}
        }
        std::io::stdout().flush().unwrap();
    }
    std::fs::write(stamps, text).unwrap();
}

/// Plays games; returns a text with the time between moves and the error of the referee's times.
fn measure(games: usize, more: &[&str]) -> (String, String) {
    let folder = std::env::temp_dir().join(format!("grundy-overhead-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let me = std::env::current_exe().unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    let mut command = Command::new(option_env!("CARGO_BIN_EXE_referee").unwrap_or("referee"));
    command.args([
        "match",
        "--game",
        "tictactoe",
        "--games",
        &games.to_string(),
        "--record",
        &file("record"),
    ]);
    for name in ["a", "b"] {
        let stamps = file(name);
        command.args(["--engine", &format!("name={name} proto=uci {} engine {stamps}", me.display())]);
    }
    let output = command.args(more).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));

    let mut stamps: Vec<[u64; 3]> = Vec::new();
    for name in ["a", "b"] {
        for line in std::fs::read_to_string(file(name)).unwrap().lines() {
            let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            stamps.push([numbers[0], numbers[1], numbers[2]]);
        }
    }
    stamps.sort_unstable_by_key(|&[_, asked, _]| asked);
    let turns = stamps.windows(2).filter(|pair| pair[1][0] == pair[0][0] + 1);
    let between: Vec<u64> = turns.map(|pair| pair[1][1].saturating_sub(pair[0][2])).collect();
    assert_eq!(between.len(), 6 * games, "a game has six moves that follow another");

    // The referee's own times stand in its record in the order of the games, as the stamps do.
    let record = std::fs::read_to_string(file("record")).unwrap();
    let times = record.split("\"us\":").skip(1);
    let times = times.map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<u64>());
    let off = stamps
        .iter()
        .zip(times)
        .map(|(&[_, asked, answered], us)| (1000 * us.unwrap()).saturating_sub(answered - asked))
        .collect();
    std::fs::remove_dir_all(folder).unwrap();
    (shown(between), shown(off))
}

fn shown(mut ns: Vec<u64>) -> String {
    ns.sort_unstable();
    let at = |percent: usize| ns[(ns.len() - 1) * percent / 100] as f64 / 1000.0;
    format!("{:.0}, {:.0}, {:.0}", at(50), at(99), at(100))
}
