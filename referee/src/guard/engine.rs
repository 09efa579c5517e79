//! An engine's process without a keeper: how it becomes the engine, and how it ends with its process group.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};

use grundy_core::text::excerpt;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit};

use crate::verdict::EXCERPT;

/// The variable that names an engine's process to whoever looks at it from outside.
pub const TAG: &str = "GRUNDY_REFEREE_TAG";
/// The hidden subcommand of the keeper.
pub const KEEP_COMMAND: &str = "__keep";
/// The hidden subcommand of the first process of an engine's own namespace.
pub const FIRST_COMMAND: &str = "__first";
/// The hidden subcommand that sets limits and becomes the engine.
pub const BECOME_COMMAND: &str = "__become";
/// The status of an engine that could not be started; why stands on its stderr behind [`NO_START`].
pub const CANNOT_START: u8 = 127;
/// How the line begins that says why an engine could not be started.
pub const NO_START: &str = "referee: cannot start ";

/// The line that says why an engine could not be started.
pub fn no_start(words: &[String], why: &str) -> String {
    let program = words.first().map_or("", String::as_str);
    format!("{NO_START}\"{}\"{why}", excerpt(program, EXCERPT))
}

/// Sets the limit of data memory on this process and becomes the engine; returns only where that fails. Where it is fenced
/// it sees no other processes than its own.
///
/// Data memory and not address space: engines that map tables keep their maps.
pub fn become_engine(fenced: bool, megabytes: Option<u64>, words: &[String]) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        // Should the keeper be killed, the engine is killed with it.
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        if fenced {
            // Where the system refuses it, the others are seen and cannot be touched all the same.
            let _ = super::fence::hide_others();
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = fenced;
    if let Some(megabytes) = megabytes {
        let bytes = megabytes.saturating_mul(1 << 20);
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        if let Err(e) = setrlimit(Resource::Data, limit) {
            return e.into();
        }
    }
    match words.split_first() {
        Some((program, arguments)) => Command::new(program).args(arguments).exec(),
        None => io::Error::from(io::ErrorKind::InvalidInput),
    }
}

/// The words of a limit of memory on the hidden command lines.
pub fn limit_words(command: &mut Command, megabytes: Option<u64>) {
    if let Some(megabytes) = megabytes {
        command.args(["--megabytes", &megabytes.to_string()]);
    }
}

/// Kills an engine and its process group; its status, where it had ended before.
pub fn end_group(child: &mut Child) -> Option<ExitStatus> {
    // Before the child is reaped its number cannot belong to anybody else's group.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().ok()
}
