//! How the tests start the referee and look at what it leaves behind.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// Our own engine.
pub const GRUNDY: &str = env!("CARGO_BIN_EXE_grundy");

/// The engine that misbehaves.
pub fn bad_engine() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| doubles().join("bad_engine"))
}

/// What spoils the words of a good engine.
pub fn spoiler() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| doubles().join("spoiler"))
}

/// Where the test doubles are; built once, for a test run of this crate alone does not build examples.
fn doubles() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let debug = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--offline", "--example", "bad_engine", "--example", "spoiler"]);
        build.current_dir(env!("CARGO_MANIFEST_DIR")).env("CARGO_TARGET_DIR", debug.parent().unwrap());
        if debug.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the test doubles must build");
        debug.join("examples")
    })
}

/// A folder of its own for one test.
pub fn folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("referee-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// What a run of the referee left behind.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub pid: u32,
}

impl Run {
    /// Everything it said.
    pub fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Runs the referee to its end.
pub fn referee(arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let pid = child.id();
    let output = child.wait_with_output().unwrap();
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run { code: output.status.code(), out: words(&output.stdout), err: words(&output.stderr), pid }
}

/// The games of a record, each whole line of it.
pub fn games(record: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(record).unwrap();
    assert!(text.ends_with('\n'), "the record ends with a whole line");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.into_iter().filter(|line| line["line"] == "game").collect()
}

/// Processes that a referee's engines left running.
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
