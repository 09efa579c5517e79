//! Nothing of an engine outlives its game.
//!
//! On Linux every engine runs under a keeper: this program again, as the *subreaper* of the engine
//! (`PR_SET_CHILD_SUBREAPER`). Whatever the engine starts stays below the keeper, also what drops its environment, its
//! process group and its session. When the engine ends, the keeper kills all that is left below it and ends with the
//! engine's status; it does the same when the referee has died. The referee itself is the subreaper of the keepers:
//! what falls to it because a keeper was killed is killed as well. Elsewhere an engine is ended with its process group.
//!
//! Where the system allows it each engine has a user namespace and a PID namespace of its own (`fence.rs`): it can neither
//! see nor stop nor kill other engines, the keepers or the referee, nor write to what they read. The first process of a
//! namespace is this program once more, so that an engine is a process like others and not the one that no signal ends.

mod engine;
#[cfg(target_os = "linux")]
mod fence;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};

use engine::end_group;
pub use engine::{
    BECOME_COMMAND, CANNOT_START, FIRST_COMMAND, KEEP_COMMAND, NO_START, TAG, become_engine, no_start,
};

/// A tag for one engine process: the referee's number, and which of its engines it is.
pub fn new_tag() -> String {
    use std::sync::atomic::AtomicU64;
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(target_os = "linux")]
use linux as guarded;
#[cfg(target_os = "linux")]
pub use linux::{first, keep};
#[cfg(not(target_os = "linux"))]
use other as guarded;
#[cfg(not(target_os = "linux"))]
pub use other::{first, keep};

/// Whether this program is a referee, which knows the hidden subcommands. Other programs that use this library start
/// engines without a keeper and without limits: their own children are not ours to look after.
static REFEREE: AtomicBool = AtomicBool::new(false);

/// Says that this program is a referee.
pub fn this_is_a_referee() {
    REFEREE.store(true, Ordering::Relaxed);
}

fn is_referee() -> bool {
    REFEREE.load(Ordering::Relaxed)
}

/// A command that starts an engine, under a keeper where there can be one.
pub fn command(words: &[String], megabytes: Option<u64>, tag: &str) -> Command {
    if is_referee() {
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
    #[cfg(target_os = "linux")]
    if is_referee() {
        return linux::spawn(command);
    }
    command.spawn()
}

/// Kills an engine with what it has started; its status, where it had ended before.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    if is_referee() { guarded::end(child) } else { end_group(child) }
}
