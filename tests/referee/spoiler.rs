//! A test double between the referee and a good engine that spoils one thing, named by the check of the conformance
//! suite that must notice it: `spoiler CHECK ENGINE [ARGUMENT ..]`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio, exit};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grundy::catalog;
use grundy::session::{Session, Settings};

struct State {
    spoil: String,
    rules: Session,
    searching: bool,
    go: String,
    refused: bool,
    stopped: bool,
    ready: u32,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let spoil = arguments.next().expect("the name of a check");
    let mut child = Command::new(arguments.next().expect("an engine"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    if spoil == "no-banner" {
        say("Welcome!");
    }
    let rules = catalog::open("tictactoe", &Settings::default()).expect("tictactoe");
    let state =
        State { spoil, rules, searching: false, go: String::new(), refused: false, stopped: false, ready: 0 };
    let state = Arc::new(Mutex::new(state));
    let to_engine = child.stdin.take().expect("a pipe");
    let from_engine = BufReader::new(child.stdout.take().expect("a pipe"));
    let theirs = Arc::clone(&state);
    std::thread::spawn(move || forward(to_engine, &theirs));
    for line in from_engine.lines().map_while(Result::ok) {
        back(&line, &state);
    }
    end(child, &state);
}

/// Ends with the engine, unless that is what is spoilt.
fn end(mut child: Child, state: &Mutex<State>) {
    let status = child.wait().expect("a status");
    if matches!(state.lock().expect("no panics").spoil.as_str(), "quit" | "end-of-input") {
        std::thread::sleep(Duration::from_secs(3600));
    }
    exit(status.code().unwrap_or(1));
}

fn say(line: &str) {
    let mut out = std::io::stdout();
    if out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// Passes the referee's lines to the engine.
fn forward(mut to_engine: ChildStdin, state: &Mutex<State>) {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock();
    while input.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_string();
        bytes.clear();
        let passed = state.lock().expect("no panics").pass(&line);
        if let Some(line) = passed
            && to_engine.write_all(format!("{line}\n").as_bytes()).is_err()
        {
            break;
        }
    }
}

/// Passes the engine's lines to the referee.
fn back(line: &str, state: &Mutex<State>) {
    let mut state = state.lock().expect("no panics");
    if line.starts_with("bestmove") {
        state.searching = false;
    }
    state.refused |= line.starts_with("info string error");
    for line in state.spoilt(line) {
        say(&line);
    }
}

impl State {
    fn pass(&mut self, line: &str) -> Option<String> {
        let word = line.split_whitespace().next().unwrap_or("");
        if word == "stop" || word == "ponderhit" {
            self.stopped = true;
            if self.spoil == "idle-stop" && !self.searching {
                say("bestmove 0000");
            }
        }
        if word == "go" {
            (self.searching, self.stopped) = (true, false);
            self.go = line.to_string();
        }
        if let Some(rest) = line.strip_prefix("position startpos") {
            let _ = self.rules.setup(None);
            for word in rest.split_whitespace().skip(1) {
                let _ = self.rules.play(word);
            }
        }
        match (self.spoil.as_str(), word) {
            ("odd-options", "setoption") if line.contains("NoSuchOption") => say("error: no such option"),
            ("unknown-command", "xyzzy") => exit(1),
            ("busy", "position") if self.searching => say("bestmove 0000"),
            // To swallow it would be waited for in vain, as with `many-ready`.
            ("blanks", "go") if line.trim() != line => exit(1),
            ("blanks", _) if line.trim() != line => return None,
            ("garbage", _) if line.len() > 100_000 => exit(1),
            ("searchmoves", "go") => return Some("go movetime 20".to_string()),
            ("infinite", "go") => return Some("go movetime 10".to_string()),
            ("ponder", "go") => return Some(line.replace("ponder ", "")),
            ("new-game", "uginewgame" | "ucinewgame")
            | ("gomocup-end", "END")
            | ("xboard-quit" | "nboard-quit" | "hub-quit", "quit")
            | ("hub-stop", "stop") => return None,
            ("xboard-force", "usermove") => say("move a1h7"),
            ("nboard-unknown" | "hub-unknown", "frobnicate") => say("status Error: unknown command"),
            ("gomocup-info", "INFO") => say("OK"),
            ("gomocup-restart", "RESTART") => {
                say("ERROR no restart");
                return None;
            }
            _ => {}
        }
        Some(line.to_string())
    }

    fn spoilt(&mut self, line: &str) -> Vec<String> {
        let one = |line: String| vec![line];
        let same = || vec![line.to_string()];
        let word = line.split_whitespace().next().unwrap_or("");
        let refusal = line.starts_with("info string error");
        match (self.spoil.as_str(), word) {
            ("greeting", "id") => vec!["hello, world".to_string(), line.to_string()],
            // Not a rule of the protocol: an engine of the many that know only `UCI_Variant`.
            ("no-game-option", "option") if line.starts_with("option name Game ") => Vec::new(),
            ("options", "option") => one(line.replace("default 64 min 1", "default 0 min 1")),
            ("ready", "readyok") => vec![line.to_string(), line.to_string()],
            ("many-ready", "readyok") => {
                self.ready += 1;
                if self.ready == 500 { Vec::new() } else { same() }
            }
            ("bestmove", "bestmove") => one("bestmove no-such-move".to_string()),
            ("two-words", "bestmove") => one(format!("{line} ponder a1")),
            ("long-lines", "info") => vec!["info".to_string(), line.to_string()],
            ("last-info", "info") => one(line.replace(" nps ", " speed ")),
            ("pv", "info") => one(line.replace(" pv ", " pv no-such-move ")),
            ("short-pv", "info") => match line.split_once(" pv ") {
                Some((start, moves)) => {
                    one(format!("{start} pv {}", moves.split_whitespace().next().unwrap_or("")))
                }
                None => same(),
            },
            ("mate-score", "info") => one(line.replace("score mate ", "score mate 1")),
            ("true-value", "info") => one(line.replace("value draw", "value win:5")),
            ("best-play", "bestmove") => {
                let worst = self.rules.values(100).moves.pop().map(|m| m.word);
                one(worst.map_or(line.to_string(), |word| format!("bestmove {word}")))
            }
            ("movetime", "bestmove") => {
                std::thread::sleep(Duration::from_millis(30));
                same()
            }
            ("small-limits", "bestmove") if self.go == "go nodes 1" => one("bestmove 0000".to_string()),
            ("odd-go", "bestmove") if self.go.contains("-5") => one("bestmove 0000".to_string()),
            ("early-stop", "bestmove") if self.stopped => one("bestmove 0000".to_string()),
            ("ready-in-search", "readyok") if self.searching => {
                std::thread::sleep(Duration::from_millis(150));
                same()
            }
            ("after-bestmove", "bestmove") => vec![line.to_string(), "info string done".to_string()],
            ("bad-position", _) if refusal => Vec::new(),
            ("illegal-move", _) if refusal => one("info string error".to_string()),
            ("recovers", "bestmove") if self.refused => one("bestmove 0000".to_string()),
            ("game-over", "bestmove") if line == "bestmove 0000" => one("bestmove (none)".to_string()),
            ("game-over", "bestmove") if line == "bestmove (none)" => one("bestmove 0000".to_string()),
            ("turn-query", "response") => one(match line {
                "response true" => "response false".to_string(),
                "response false" => "response true".to_string(),
                _ => line.to_string(),
            }),
            ("end-query", "response") if line.contains("win") || line.contains("draw") => {
                one("response none".to_string())
            }
            ("moves-query", "response") => {
                one(line.rsplit_once(' ').map_or(line, |(start, _)| start).to_string())
            }
            ("fen-query", "response") => one(format!("{line} 9")),
            ("value-query", "response") => one(line.replace("draw", "win:5")),
            ("unknown-query", "response") => one("response what".to_string()),
            ("gomocup-board", "ERROR") => one("OK".to_string()),
            ("gomocup-about", _) if line.starts_with("name=") => one("grundy".to_string()),
            ("gomocup-unknown", "UNKNOWN") => one("OK".to_string()),
            ("gomocup-game" | "gomocup-positions", _) if line.as_bytes().get(1) == Some(&b',') => {
                one("0,0".to_string())
            }
            ("xboard-features", "feature") => one(line.replace("ping=1", "ping=0")),
            ("xboard-ping" | "nboard-ping" | "hub-ping", "pong") => one("pong 8".to_string()),
            ("xboard-unknown" | "xboard-illegal", "Error" | "Illegal") => one("what?".to_string()),
            ("xboard-game" | "xboard-positions", "move") => one("move a1h7".to_string()),
            ("hub-greeting", "id") => one("id version=1".to_string()),
            ("hub-positions" | "hub-moves", "done") => one("done move=1-32".to_string()),
            ("nboard-greeting", "set") => one("set name grundy".to_string()),
            ("nboard-game" | "nboard-position", "===") => one("=== A1".to_string()),
            ("nboard-hint", "search") => one("search A1 0.00 0 2".to_string()),
            _ => same(),
        }
    }
}
