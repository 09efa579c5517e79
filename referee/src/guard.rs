//! Nothing of an engine outlives its game.
//!
//! On Linux every engine runs under a keeper: this program again, as the *subreaper* of the engine
//! (`PR_SET_CHILD_SUBREAPER`). Whatever the engine starts stays below the keeper, also what drops its environment, its
//! process group and its session. When the engine ends, the keeper kills all that is left below it and ends with the
//! engine's status; it does the same when the referee has died. The referee itself is the subreaper of the keepers:
//! what falls to it because a keeper was killed is killed as well. Elsewhere an engine is ended with its process group.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit};

/// The variable that names an engine's process to whoever looks at it from outside.
pub const TAG: &str = "GRUNDY_REFEREE_TAG";
/// The hidden subcommand of the keeper.
pub const KEEP_COMMAND: &str = "__keep";
/// The hidden subcommand that sets limits and becomes the engine.
pub const BECOME_COMMAND: &str = "__become";
/// The status of an engine that could not be started; why stands on its stderr behind [`NO_START`].
pub const CANNOT_START: u8 = 127;
/// How the line begins that says why an engine could not be started.
pub const NO_START: &str = "referee: cannot start ";

/// A tag for one engine process: the referee's number, and which of its engines it is.
pub fn new_tag() -> String {
    use std::sync::atomic::AtomicU64;
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Sets the limit of data memory on this process and becomes the engine; returns only where that fails.
///
/// Data memory and not address space: engines that map tables keep their maps.
pub fn become_engine(megabytes: Option<u64>, words: &[String]) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        // Should the keeper be killed, the engine is killed with it.
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }
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
fn limit_words(command: &mut Command, megabytes: Option<u64>) {
    if let Some(megabytes) = megabytes {
        command.args(["--megabytes", &megabytes.to_string()]);
    }
}

#[cfg(target_os = "linux")]
use linux as guarded;
#[cfg(target_os = "linux")]
pub use linux::keep;
#[cfg(not(target_os = "linux"))]
use other as guarded;
#[cfg(not(target_os = "linux"))]
pub use other::keep;

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
    if is_referee() { guarded::spawn(command) } else { command.spawn() }
}

/// Kills an engine with what it has started; its status, where it had ended before.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    if is_referee() {
        return guarded::end(child);
    }
    // Before the child is reaped its number cannot belong to anybody else's group.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().ok()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashSet;
    use std::fs::OpenOptions;
    use std::sync::{Mutex, PoisonError};
    use std::time::{Duration, Instant};

    use rustix::process::{
        DumpableBehavior, WaitOptions, WaitStatus, getpid, getppid, kill_process, set_child_subreaper,
        set_dumpable_behavior, wait, waitpid,
    };

    use super::*;

    /// This program, even where its file has been replaced meanwhile.
    const MYSELF: &str = "/proc/self/exe";
    /// How often a keeper looks whether the referee still lives.
    const WATCH: Duration = Duration::from_millis(50);
    /// How long processes that do not die are waited for.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// Between two looks at processes that are being killed.
    const PAUSE: Duration = Duration::from_micros(200);

    /// Our children that are no orphans: the keepers, and what there was before the first of them. None before that.
    static KNOWN: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

    /// A command that starts an engine under a keeper.
    pub fn command(words: &[String], megabytes: Option<u64>, tag: &str) -> Command {
        let mut command = Command::new(MYSELF);
        command.args([KEEP_COMMAND, "--parent", &std::process::id().to_string(), "--tag", tag]);
        limit_words(&mut command, megabytes);
        command.arg("--").args(words);
        command
    }

    /// Starts a keeper; from the first one on this process is a subreaper.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            let before = children_of(getpid());
            set_child_subreaper(Some(getpid()))?;
            *known = Some(before.into_iter().collect());
        }
        let child = command.spawn()?;
        if let (Some(known), Some(pid)) = (known.as_mut(), pid_of(&child)) {
            known.insert(pid);
        }
        Ok(child)
    }

    /// Kills a keeper with all that stands below it; its status, where it had ended before.
    pub fn end(child: &mut Child) -> Option<ExitStatus> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let pid = pid_of(child);
        if let Some(pid) = pid {
            let _ = kill_process(pid, Signal::KILL);
        }
        let status = child.wait().ok();
        if let (Some(known), Some(pid)) = (known.as_mut(), pid) {
            known.remove(&pid);
            // What it kept has become ours by now, and so does what that has started.
            let deadline = Instant::now() + PATIENCE;
            loop {
                let orphans = children_of(getpid()).into_iter().filter(|pid| !known.contains(pid));
                let left: Vec<Pid> = orphans.collect();
                if left.is_empty() || Instant::now() > deadline {
                    break;
                }
                for orphan in left {
                    let _ = kill_process(orphan, Signal::KILL);
                    let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
                }
                std::thread::sleep(PAUSE);
            }
        }
        status
    }

    fn pid_of(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }

    /// The keeper's whole life: starts the engine, waits for its end or the referee's, and leaves nothing behind. Its
    /// status is the engine's; it ends by the same signal.
    pub fn keep(parent: u32, tag: &str, megabytes: Option<u64>, words: &[String]) -> u8 {
        let _ = set_child_subreaper(Some(getpid()));
        let mut command = Command::new(MYSELF);
        command.arg(BECOME_COMMAND);
        limit_words(&mut command, megabytes);
        command.arg("--").args(words).env(TAG, tag).process_group(0);
        let engine = match command.spawn() {
            Ok(child) => pid_of(&child),
            Err(_) => None,
        };
        let Some(engine) = engine else { return CANNOT_START };
        // The pipes are the engine's alone, so that their ends show its end.
        if let Ok(null) = OpenOptions::new().read(true).write(true).open("/dev/null") {
            let _ = rustix::stdio::dup2_stdin(&null);
            let _ = rustix::stdio::dup2_stdout(&null);
            let _ = rustix::stdio::dup2_stderr(&null);
        }
        std::thread::spawn(move || {
            let referee = i32::try_from(parent).ok().and_then(Pid::from_raw);
            while getppid() == referee {
                std::thread::sleep(WATCH);
            }
            let _ = kill_process(engine, Signal::KILL);
        });
        let status = loop {
            match wait(WaitOptions::empty()) {
                Ok(Some((pid, status))) if pid == engine => break status,
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return CANNOT_START,
            }
        };
        let _ = kill_process_group(engine, Signal::KILL);
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            for child in children_of(getpid()) {
                let _ = kill_process(child, Signal::KILL);
            }
            while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
            if matches!(wait(WaitOptions::NOHANG), Err(rustix::io::Errno::CHILD)) {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        end_like(status)
    }

    /// Ends as the engine has ended: by its signal, or with its status.
    fn end_like(status: WaitStatus) -> u8 {
        if let Some(signal) = status.terminating_signal() {
            // One core file of it is enough.
            let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
        status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
    }

    /// The processes whose parent is this one, those included that have ended and wait to be asked for.
    fn children_of(parent: Pid) -> Vec<Pid> {
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        let numbers = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let is_child = |number: &i32| {
            let stat = std::fs::read(format!("/proc/{number}/stat")).unwrap_or_default();
            // The name in brackets may hold anything, so what follows it is looked for from the end.
            let rest = stat.iter().rposition(|&b| b == b')').map_or(&[][..], |at| &stat[at + 1..]);
            let field = rest.split(|&b| b == b' ').filter(|field| !field.is_empty()).nth(1);
            field.and_then(|field| std::str::from_utf8(field).ok()?.parse().ok())
                == Some(parent.as_raw_nonzero().get())
        };
        numbers.filter(is_child).filter_map(Pid::from_raw).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::*;

    /// A command that starts an engine.
    pub fn command(words: &[String], megabytes: Option<u64>, tag: &str) -> Command {
        let myself = std::env::current_exe().unwrap_or_default();
        let mut command = Command::new(myself);
        command.arg(BECOME_COMMAND);
        limit_words(&mut command, megabytes);
        command.arg("--").args(words).env(TAG, tag);
        command
    }

    /// Starts an engine.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }

    /// Kills an engine and its process group; its status, where it had ended before.
    pub fn end(child: &mut Child) -> Option<ExitStatus> {
        // Before the child is reaped its number cannot belong to anybody else's group.
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        child.wait().ok()
    }

    /// There are no keepers here.
    pub fn keep(_parent: u32, _tag: &str, megabytes: Option<u64>, words: &[String]) -> u8 {
        let _ = become_engine(megabytes, words);
        CANNOT_START
    }
}
