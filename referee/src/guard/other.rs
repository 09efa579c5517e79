//! Engines without keepers, where there can be none.

use std::io;
use std::process::{Child, Command};

pub use super::engine::end_group as end;
use super::engine::{BECOME_COMMAND, CANNOT_START, TAG, become_engine, limit_words};

/// A command that starts an engine.
pub fn command(words: &[String], megabytes: Option<u64>, tag: &str) -> Command {
    let myself = std::env::current_exe().unwrap_or_default();
    let mut command = Command::new(myself);
    command.arg(BECOME_COMMAND);
    limit_words(&mut command, megabytes);
    command.arg("--").args(words).env(TAG, tag);
    command
}

/// There are no keepers here.
pub fn keep(_parent: u32, _tag: &str, _fenced: bool, megabytes: Option<u64>, words: &[String]) -> u8 {
    let _ = become_engine(false, megabytes, words);
    CANNOT_START
}

/// There are no namespaces here.
pub fn first(_probe: bool) -> u8 {
    CANNOT_START
}
