//! Tools of the tests: starting the referee, and reading what it leaves behind.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Our own engine.
pub const GRUNDY: &str = env!("CARGO_BIN_EXE_grundy");

/// The engine that misbehaves.
pub fn bad_engine() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| doubles().join("bad_engine"))
}

/// The test double that spoils the lines of a good engine.
pub fn spoiler() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| doubles().join("spoiler"))
}

/// Returns the folder of the test doubles, which are built here if this test runs alone.
fn doubles() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let debug = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
        let examples = debug.join("examples");
        if are_fresh(&examples) {
            return examples;
        }
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--offline", "--example", "bad_engine", "--example", "spoiler"]);
        build.current_dir(env!("CARGO_MANIFEST_DIR")).env("CARGO_TARGET_DIR", debug.parent().unwrap());
        if debug.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the test doubles must build");
        examples
    })
}

/// Reports whether the test doubles exist and are newer than their sources.
fn are_fresh(examples: &Path) -> bool {
    let made = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/referee");
    ["bad_engine", "spoiler"].iter().all(|name| {
        let (double, source) = (made(&examples.join(name)), made(&sources.join(name).with_extension("rs")));
        double.is_some() && double >= source
    })
}

/// Creates a folder for one test.
pub fn folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("referee-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The result of a run of the referee.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub pid: u32,
}

impl Run {
    /// Returns its output, stdout first.
    pub fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Runs the referee to its end.
pub fn referee(arguments: &[&str]) -> Run {
    said_by(Command::new(env!("CARGO_BIN_EXE_referee")).args(arguments))
}

/// Runs a command to its end.
pub fn said_by(command: &mut Command) -> Run {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let pid = child.id();
    let output = child.wait_with_output().unwrap();
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run { code: output.status.code(), out: words(&output.stdout), err: words(&output.stderr), pid }
}

/// Returns the games of a record.
pub fn games(record: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(record).unwrap();
    assert!(text.ends_with('\n'), "the record ends with a whole line");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.into_iter().filter(|line| line["line"] == "game").collect()
}

/// Returns the processes that a referee's engines left running.
pub fn left_behind(referee: u32) -> Vec<u32> {
    let wanted = format!("GRUNDY_REFEREE_TAG={referee}-");
    let mut left = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(environment) = std::fs::read(entry.path().join("environ")) else { continue };
        if environment.split(|&b| b == 0).any(|variable| variable.starts_with(wanted.as_bytes())) {
            left.push(pid);
        }
    }
    left
}

/// Four deterministic engines of known strength.
pub fn four() -> Vec<String> {
    let bad = bad_engine().display();
    vec![
        format!("name=perfect {GRUNDY}"),
        format!("name=double {bad} plain"),
        format!("name=first {bad} first"),
        format!("name=worst {bad} worst"),
    ]
}

pub fn arguments<'a>(engines: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["match"];
    for engine in engines {
        all.extend(["--engine", engine]);
    }
    all.extend(more);
    all
}

/// Returns a game as text, without its times.
pub fn essence(game: &Value) -> String {
    let words: Vec<&str> =
        game["moves"].as_array().unwrap().iter().map(|m| m["word"].as_str().unwrap()).collect();
    format!("{} {} {} {} {words:?}", game["id"], game["players"], game["opening"], game["result"])
}

pub fn essences(record: &Path) -> BTreeSet<String> {
    games(record).iter().map(essence).collect()
}

pub fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

pub fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), signal).unwrap();
}

/// Waits until no process is left: supervisors need a moment to notice the referee's death.
pub fn soon_nothing_is_left_of(referee: u32) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !left_behind(referee).is_empty() {
        assert!(Instant::now() < patience, "engines outlive a killed referee");
        std::thread::sleep(Duration::from_millis(5));
    }
}
