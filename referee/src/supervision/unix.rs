//! An engine's process on Unix: how it is executed, and how it ends with its process group.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit};

/// Limits the data memory of this process and executes the engine; returns only on failure. With `isolated` the
/// engine sees only the processes of its own namespace.
///
/// The limit is not on address space: engines that map tables keep their maps.
pub fn exec_engine(isolated: bool, megabytes: Option<u64>, words: &[String]) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        // If the supervisor is killed, the engine is killed with it.
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        if isolated {
            // If the system refuses it, other processes are visible but still out of reach.
            let _ = super::namespaces::hide_other_processes();
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = isolated;
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

/// Starts an engine.
#[cfg(not(target_os = "linux"))]
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Kills an engine's process group; returns its status, that of the kill if it was still running.
pub fn end_group(child: &mut Child) -> Option<ExitStatus> {
    // Until the child is reaped no other group can have its number.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().ok()
}
