//! The hidden subcommands around an engine, and the line that says why it could not be started.

use std::process::Command;

use grundy_core::text::excerpt;

use crate::verdict::EXCERPT;

/// The environment variable that identifies an engine's processes from outside.
pub const TAG: &str = "GRUNDY_REFEREE_TAG";
/// The hidden subcommand of the supervisor.
pub const SUPERVISE_COMMAND: &str = "__supervise";
/// The hidden subcommand of a namespace's init process.
pub const INIT_COMMAND: &str = "__init";
/// The hidden subcommand that sets limits and executes the engine.
pub const EXEC_COMMAND: &str = "__exec";
/// The exit status if an engine could not be started; the reason follows [`NO_START`] on its stderr.
pub const CANNOT_START: u8 = 127;
/// The beginning of the line that says why an engine could not be started.
pub const NO_START: &str = "referee: cannot start ";

/// Returns the line that says why an engine could not be started.
pub fn no_start(words: &[String], why: &str) -> String {
    let program = words.first().map_or("", String::as_str);
    format!("{NO_START}\"{}\"{why}", excerpt(program, EXCERPT))
}

/// Adds the memory limit to a hidden command line.
pub fn limit_words(command: &mut Command, megabytes: Option<u64>) {
    if let Some(megabytes) = megabytes {
        command.args(["--megabytes", &megabytes.to_string()]);
    }
}
