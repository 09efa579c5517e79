//! Supervision of engine processes: nothing that an engine starts outlives its game.
//!
//! On Linux every engine runs under a supervisor: this program again, as the *subreaper* of the engine
//! (`PR_SET_CHILD_SUBREAPER`). Whatever the engine starts remains a descendant of the supervisor, even if it changes
//! its environment, process group or session. When the engine ends, the supervisor kills all remaining descendants
//! and exits with the engine's status; it does the same when the referee dies. The referee is the subreaper of the
//! supervisors and kills what a killed supervisor leaves. On Windows a job object does this (`windows.rs`), on other
//! systems an engine is ended with its process group.
//!
//! If the system allows it, each engine has a user namespace and a PID namespace of its own (`namespaces.rs`): it can
//! neither see nor signal other engines, the supervisors or the referee, nor write to their files under `/proc`. The
//! init process of a namespace is this program once more, so that signals work on the engine as usual.

mod engine;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(target_os = "linux")]
use linux as guarded;
#[cfg(not(target_os = "linux"))]
use other as guarded;
#[cfg(unix)]
use unix as process;
#[cfg(windows)]
use windows as process;

pub use engine::{CANNOT_START, EXEC_COMMAND, INIT_COMMAND, NO_START, SUPERVISE_COMMAND, TAG, no_start};
pub use guarded::{init, supervise};
pub use process::exec_engine;

/// Returns a tag for one engine process: the referee's process number, and a running number.
pub fn new_tag() -> String {
    use std::sync::atomic::AtomicU64;
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Set if this program is a referee and has the hidden subcommands. Other programs start engines through this library
/// without a supervisor and without limits.
static ENABLED: AtomicBool = AtomicBool::new(false);

/// Turns supervision on: this program has the hidden subcommands.
pub fn enable() {
    ENABLED.store(true, Ordering::Relaxed);
}

fn enabled() -> bool {
    ENABLED.load(Ordering::Relaxed)
}

/// Returns a command that starts an engine, under a supervisor if possible.
pub fn command(words: &[String], megabytes: Option<u64>, tag: &str) -> Command {
    if enabled() {
        return guarded::command(words, megabytes, tag);
    }
    let (program, arguments) =
        words.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let mut command = Command::new(program);
    command.args(arguments).env(TAG, tag);
    command
}

/// Starts an engine.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    if enabled() { guarded::spawn(command) } else { command.spawn() }
}

/// Kills an engine with everything it started; returns its status, that of the kill if it was still running.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    if enabled() { guarded::end(child) } else { process::end_group(child) }
}
