//! A test double: an engine that plays well but for one misbehaviour, named by its first argument.
//!
//! Built as an example so that `cargo install` leaves it alone.

use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy::catalog;
use grundy::session::{Go, Session, Settings};

struct Engine {
    how: String,
    rules: Session,
    games: usize,
    asked: usize,
    refused: bool,
    last: String,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let how = arguments.next().unwrap_or_default();
    let game = arguments.next().unwrap_or_else(|| "nim:3,4,5".to_string());
    at_start(&how);
    let rules = catalog::open(&game, &Settings::default()).expect("a game of the catalog");
    let mut engine = Engine { how, rules, games: 0, asked: 0, refused: false, last: String::new() };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        engine.hear(line.trim());
    }
    if engine.how == "ignore-quit" {
        hang();
    }
}

fn say(line: &str) {
    write_all(format!("{line}\n").as_bytes());
}

fn write_all(bytes: &[u8]) {
    let mut out = std::io::stdout();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Closes stdout: further output is lost.
fn close_stdout() {
    rustix::stdio::dup2_stdout(std::fs::File::create("/dev/null").expect("the null device"))
        .expect("a descriptor");
}

/// Starts a process that survives and holds our pipes open, in our group or in its own.
fn leave_a_child(own_group: bool) {
    let mut command = Command::new("sleep");
    command.arg("997").stdin(Stdio::null());
    if own_group {
        command.process_group(0);
    }
    // Dropped, not waited for: it outlives us on purpose.
    drop(command.spawn().expect("sleep"));
}

fn at_start(how: &str) {
    match how {
        "exit-at-start" => exit(3),
        "hang-at-start" => hang(),
        "close-stdout-at-start" => {
            close_stdout();
            hang();
        }
        "flood-at-start" => loop {
            say("option name X type string default y");
        },
        "long-line-at-start" => loop {
            write_all(&[b'x'; 4096]);
        },
        "child-at-start" => leave_a_child(false),
        "daemon-at-start" => leave_a_child(true),
        "escape-at-start" => {
            // Without our environment, our session and our process group, and with its parent gone.
            let mark = std::env::var("GRUNDY_TEST_MARK").expect("a mark");
            let line = format!("env -i setsid sleep {mark} </dev/null >/dev/null 2>&1 &");
            let _ = Command::new("sh").args(["-c", &line]).status();
        }
        "stderr-flood" => {
            for _ in 0..40_000 {
                eprintln!("I complain a lot, fifty bytes at a time or so.");
            }
        }
        _ => {}
    }
}

impl Engine {
    fn hear(&mut self, line: &str) {
        let how = self.how.clone();
        let mut words = line.split_whitespace();
        match words.next().unwrap_or("") {
            "ugi" if how == "uci-only" => say("Unknown command: ugi"),
            "ugi" if how == "uci-silent" => {}
            word @ ("ugi" | "uci") => self.greet(&how, word),
            "isready" => self.ready(&how),
            "setoption" => {
                if words.nth(1) == Some("Game")
                    && let Ok(rules) = catalog::open(words.nth(1).unwrap_or(""), &Settings::default())
                {
                    self.rules = rules;
                }
            }
            "uginewgame" | "ucinewgame" => {
                self.games += 1;
                match how.as_str() {
                    "crash-at-newgame" => exit(7),
                    "crash-at-second-newgame" if self.games == 2 => exit(7),
                    _ => {}
                }
            }
            "position" => self.position(line),
            "go" => self.go(&how),
            "query" => self.query(&how, words.next().unwrap_or("")),
            "quit" => match how.as_str() {
                "ignore-quit" => {}
                "crash-at-quit" => exit(9),
                "abort-at-quit" => std::process::abort(),
                _ => exit(0),
            },
            _ => {}
        }
    }

    fn greet(&mut self, how: &str, dialect: &str) {
        say("id name bad engine");
        match how {
            "crash-in-handshake" => exit(5),
            "abort-in-handshake" => std::process::abort(),
            "hang-in-handshake" => return,
            "close-stdin" => {
                // Reads no more: what the referee writes from now on fills the pipe.
                say("option name Game type string default nim");
                say(&format!("{dialect}ok"));
                say("readyok");
                say("readyok");
                hang();
            }
            _ => {}
        }
        say("option name Game type string default nim");
        say(&format!("{dialect}ok"));
        if how == "bestmove-after-greeting" {
            say("bestmove 1:1");
        }
    }

    fn ready(&mut self, how: &str) {
        match how {
            "crash-at-ready" => exit(6),
            "hang-at-ready" => {}
            "bestmove-before-ready" => {
                say("bestmove 1:1");
                say("readyok");
            }
            "chatter" => {
                say("info string I am about to be ready");
                say("");
                say("readyok");
            }
            _ => say("readyok"),
        }
    }

    fn position(&mut self, line: &str) {
        let rest = line.trim_start_matches("position").trim();
        let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
        let start = start.trim();
        let fen = start.strip_prefix("fen ").filter(|_| start != "startpos");
        self.refused = self.rules.setup(fen).is_err();
        for word in moves.split_whitespace() {
            self.refused |= self.rules.play(word).is_err();
            self.last = word.to_string();
        }
    }

    fn best(&mut self) -> String {
        self.rules
            .think(&Go::default(), &AtomicBool::new(false), &mut |_| {})
            .unwrap_or_else(|| "0000".to_string())
    }

    /// Returns a legal move that loses value, if there is one.
    fn worst(&mut self) -> String {
        let list = self.rules.values(100_000);
        list.moves.last().map_or_else(|| "0000".to_string(), |m| m.word.clone())
    }

    fn go(&mut self, how: &str) {
        self.asked += 1;
        if let Some(moves) = how.strip_prefix("shuffle:") {
            let moves: Vec<&str> = moves.split(',').collect();
            return say(&format!("bestmove {}", moves[(self.asked - 1) % moves.len()]));
        }
        let best = self.best();
        if let Some(score) = how.strip_prefix("score:") {
            say(&format!("info depth 1 score cp {score} nodes 1 time 0 nps 1"));
            return say(&format!("bestmove {best}"));
        }
        match how {
            "eat-memory" => {
                let mut eaten: Vec<Vec<u8>> = Vec::new();
                for _ in 0..4096 {
                    eaten.push(vec![1; 1 << 20]);
                }
                eprintln!("{} MB eaten", eaten.len());
            }
            "crash-at-go" => exit(1),
            "exit-at-go" => exit(0),
            "abort-at-go" => std::process::abort(),
            "panic-at-go" => panic!("these are my last words"),
            "crash-at-third-go" if self.asked == 3 => exit(1),
            "write-into-file" => {
                let path = std::env::var("GRUNDY_TEST_FILE").expect("a file");
                let mut file =
                    std::fs::OpenOptions::new().append(true).open(path).expect("it can be written");
                let _ = file.write_all(b"{\"line\":\"game\"}\n");
                say(&format!("bestmove {best}"));
            }
            "stop-at-go" => {
                let me = rustix::process::getpid();
                let _ = rustix::process::kill_process(me, rustix::process::Signal::STOP);
            }
            "hang-at-go" => hang(),
            "spin-at-go" => loop {
                std::hint::spin_loop();
            },
            "close-stdout-at-go" => {
                close_stdout();
                hang();
            }
            "illegal" => say("bestmove zzz"),
            "illegal-long" => say(&format!("bestmove {}", "9".repeat(50_000))),
            "repeat-opponent" if !self.last.is_empty() => say(&format!("bestmove {}", self.last)),
            "illegal-number" => say("bestmove 1:99999999999999999999999"),
            "empty" => say("bestmove"),
            "blank" => say("bestmove    "),
            "glued" => say(&format!("bestmove{best}")),
            "no-break-space" => say(&format!("bestmove\u{a0}{best}")),
            "escape-codes" => say("bestmove \u{1b}[2J\u{202e}x"),
            "null" => say("bestmove 0000"),
            "none" => say("bestmove (none)"),
            "two" => write_all(format!("bestmove {best}\nbestmove {best}\n").as_bytes()),
            "garbage" => {
                for _ in 0..50 {
                    say("%&/( what is this )=? move best 1:1");
                }
                say(&format!("bestmove {best}"));
            }
            "binary" => {
                write_all(&[0xFF, 0xFE, 0x00, b'\n', 0x80, 0x00, 0x07, b'\n']);
                say(&format!("bestmove {best}"));
            }
            "binary-move" => write_all(b"bestmove \xFF\xFE\x00\n"),
            "nul-move" => write_all(b"bestmove 1\0:1\n"),
            "long-line" => {
                for _ in 0..25_600 {
                    write_all(&[b'x'; 4096]);
                }
                say("");
                say(&format!("bestmove {best}"));
            }
            "long-line-ok" => {
                say(&format!("info string {}", "x".repeat(60_000)));
                say(&format!("bestmove {best}"));
            }
            "flood" => loop {
                say("info depth 1 nodes 1");
            },
            "drip" => loop {
                say("info depth 1 nodes 1");
                std::thread::sleep(Duration::from_millis(1));
            },
            "slow" | "slow-by-seconds" => {
                // A little over the 60 ms or the second that the test gives, counted from when we heard of it.
                let time = if how == "slow" { 61 } else { 1005 };
                let until = Instant::now() + Duration::from_millis(time);
                while Instant::now() < until {
                    std::hint::spin_loop();
                }
                say(&format!("bestmove {best}"));
            }
            "move-and-exit" => {
                write_all(format!("bestmove {best}\n").as_bytes());
                exit(0);
            }
            "move-unterminated-and-exit" => {
                write_all(format!("bestmove {best}").as_bytes());
                exit(0);
            }
            "move-and-leave-child" => {
                leave_a_child(false);
                say(&format!("bestmove {best}"));
                exit(0);
            }
            "leave-child-and-hang" => {
                leave_a_child(true);
                hang();
            }
            "crlf" => write_all(format!("info depth 1\r\nbestmove {best}\r\n").as_bytes()),
            "indented" => say(&format!("  bestmove {best} ponder 1:1  ")),
            "halves" => {
                write_all(format!("best{}", "").as_bytes());
                std::thread::sleep(Duration::from_millis(5));
                say(&format!("move {best}"));
            }
            "lie-value" => {
                say("info depth 1 score cp 0 nodes 1 time 0 nps 1 value loss:2 pv x");
                say(&format!("bestmove {best}"));
            }
            "lie-mate" => {
                say("info depth 1 score mate -1 nodes 1 time 0 nps 1 pv x");
                say(&format!("bestmove {best}"));
            }
            "worst" => {
                let worst = self.worst();
                say(&format!("bestmove {worst}"));
            }
            "fickle" => {
                let moves = self.rules.legal_moves(1000);
                let word = moves.get(self.asked % moves.len().max(1)).cloned().unwrap_or(best);
                say(&format!("bestmove {word}"));
            }
            "first" => {
                let word = self.rules.legal_moves(1).pop().unwrap_or(best);
                say(&format!("bestmove {word}"));
            }
            _ => say(&format!("bestmove {best}")),
        }
    }

    fn query(&mut self, how: &str, what: &str) {
        let over = self.rules.result().is_some();
        match (how, what) {
            ("no-queries", _) => {}
            ("crash-at-query", _) => exit(8),
            ("hang-at-query", _) => hang(),
            ("lie-result", "result") => say("response draw"),
            ("lie-gameover", "gameover") => say("response false"),
            ("refuse-query", _) => say("response"),
            ("shorten-moves", "legalmoves") => say("response 1:1 2:1"),
            ("lie-value", "value") => say("response loss:2"),
            (_, "gameover") => say(&format!("response {over}")),
            (_, "result") => say(match self.rules.result() {
                Some(grundy::game::GameResult::Win(grundy::game::Player::One)) => "response p1win",
                Some(grundy::game::GameResult::Win(grundy::game::Player::Two)) => "response p2win",
                Some(grundy::game::GameResult::Draw) => "response draw",
                None => "response none",
            }),
            _ => say("response unknown"),
        }
    }
}
