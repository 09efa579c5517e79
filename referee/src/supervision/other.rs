//! Engines without supervisors, on systems other than Linux.

use std::process::Command;

use super::engine::{CANNOT_START, EXEC_COMMAND, TAG, limit_words};
#[cfg(unix)]
use super::unix as process;
#[cfg(windows)]
use super::windows as process;
use process::exec_engine;
pub use process::{end_group as end, spawn};

/// Returns a command that starts an engine.
pub fn command(words: &[String], megabytes: Option<u64>, tag: &str) -> Command {
    let myself = std::env::current_exe().unwrap_or_default();
    let mut command = Command::new(myself);
    command.arg(EXEC_COMMAND);
    limit_words(&mut command, megabytes);
    command.arg("--").args(words).env(TAG, tag);
    command
}

/// Executes the engine: there are no supervisors here.
pub fn supervise(_parent: u32, _tag: &str, _isolated: bool, megabytes: Option<u64>, words: &[String]) -> u8 {
    let _ = exec_engine(false, megabytes, words);
    CANNOT_START
}

/// Reports that there are no namespaces here.
pub fn init(_probe: bool) -> u8 {
    CANNOT_START
}
