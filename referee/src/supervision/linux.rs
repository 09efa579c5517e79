//! Supervisors, on Linux.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process,
    kill_process_group, pidfd_open, set_child_subreaper, set_dumpable_behavior,
    set_parent_process_death_signal, wait, waitpid,
};

use signal_hook::iterator::Signals;

use super::engine::{
    CANNOT_START, EXEC_COMMAND, INIT_COMMAND, SUPERVISE_COMMAND, TAG, limit_words, no_start,
};
use super::namespaces;

/// This program, even if its file has been replaced.
const MYSELF: &str = "/proc/self/exe";
/// The interval at which a supervisor checks that the referee lives.
const WATCH: Duration = Duration::from_millis(50);
/// The longest wait for killed processes.
const PATIENCE: Duration = Duration::from_secs(2);
/// The interval between checks of killed processes.
const PAUSE: Duration = Duration::from_micros(200);

/// Our children that are no orphans: the supervisors, and the children from before the first of them. `None` before
/// that.
static KNOWN: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

/// Returns a command that starts an engine under a supervisor.
pub fn command(words: &[String], megabytes: Option<u64>, tag: &str) -> Command {
    let mut command = Command::new(MYSELF);
    command.args([SUPERVISE_COMMAND, "--parent", &std::process::id().to_string(), "--tag", tag]);
    if namespaces_allowed() {
        command.arg("--isolated");
    }
    limit_words(&mut command, megabytes);
    command.arg("--").args(words);
    command
}

/// Reports whether the system allows namespaces; tried once.
fn namespaces_allowed() -> bool {
    static ALLOWED: OnceLock<bool> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        let mut probe = Command::new(MYSELF);
        probe.args([INIT_COMMAND, "--probe"]);
        probe.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let can = probe.status().is_ok_and(|status| status.success());
        if !can {
            log::debug!("the system allows no namespaces: engines of one user can reach each other");
        }
        can
    })
}

/// Runs the init process of an engine's namespace, which reaps orphans; its end ends all other processes. With
/// `probe` only reports whether namespaces are possible.
pub fn init(probe: bool) -> u8 {
    if probe {
        return match namespaces::enter_for_children() {
            Ok(()) => 0,
            Err(_) => CANNOT_START,
        };
    }
    // If the supervisor is killed, the namespace ends with it.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let Ok(mut signals) = Signals::new([signal_hook::consts::SIGCHLD]) else { return CANNOT_START };
    for _ in signals.forever() {
        while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
    }
    CANNOT_START
}

/// Starts a supervisor; from the first one on this process is a subreaper.
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

/// Kills a supervisor with all its descendants; returns its status, that of the kill if it was still running.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let pid = pid_of(child);
    if let Some(pid) = pid {
        let _ = kill_process(pid, Signal::KILL);
    }
    let status = child.wait().ok();
    if let (Some(known), Some(pid)) = (known.as_mut(), pid) {
        known.remove(&pid);
        // Its descendants are ours now.
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

/// Runs the supervisor: starts the engine, waits for its end or the referee's, and kills what is left. Exits with the
/// engine's status, or by the same signal.
pub fn supervise(parent: u32, tag: &str, isolated: bool, megabytes: Option<u64>, words: &[String]) -> u8 {
    let _ = set_child_subreaper(Some(getpid()));
    let first = match isolated.then(start_init).transpose() {
        Ok(first) => first,
        Err(error) => {
            let why = format!(" in a namespace of its own: {error}");
            let _ = writeln!(io::stderr(), "{}", no_start(words, &why));
            return CANNOT_START;
        }
    };
    let mut command = Command::new(MYSELF);
    command.arg(EXEC_COMMAND);
    if isolated {
        command.arg("--isolated");
    }
    limit_words(&mut command, megabytes);
    command.arg("--").args(words).env(TAG, tag).process_group(0);
    let engine = match command.spawn() {
        Ok(child) => pid_of(&child),
        Err(error) => {
            let _ = writeln!(io::stderr(), "{}", no_start(words, &format!(": {error}")));
            None
        }
    };
    let Some(engine) = engine else { return CANNOT_START };
    // Only the engine keeps the pipes open, so that their end shows its end.
    if let Ok(null) = OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
    let referee = i32::try_from(parent).ok().and_then(Pid::from_raw);
    let Some(status) = end_of(engine, referee) else { return CANNOT_START };
    let _ = kill_process_group(engine, Signal::KILL);
    if let Some(first) = first {
        // The system ends all processes of its namespace with it.
        let _ = kill_process(first, Signal::KILL);
        let _ = waitpid(Some(first), WaitOptions::empty());
    }
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
        if matches!(wait(WaitOptions::NOHANG), Err(rustix::io::Errno::CHILD)) {
            break;
        }
        for child in children_of(getpid()) {
            let _ = kill_process(child, Signal::KILL);
        }
        std::thread::sleep(PAUSE);
    }
    end_like(status)
}

/// Creates a namespace with its init process.
fn start_init() -> io::Result<Pid> {
    namespaces::enter_for_children()?;
    let mut command = Command::new(MYSELF);
    command.arg(INIT_COMMAND).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    pid_of(&command.spawn()?).ok_or_else(|| io::Error::other("it has no number"))
}

/// Waits for the end of the engine, and kills it if the referee ends. Uses no threads: none can be started after a
/// namespace was created.
fn end_of(engine: Pid, referee: Option<Pid>) -> Option<WaitStatus> {
    let ends = pidfd_open(engine, PidfdFlags::empty()).ok();
    loop {
        match &ends {
            Some(ends) => {
                let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(WATCH.subsec_nanos()) };
                let _ = poll(&mut [PollFd::new(ends, PollFlags::IN)], Some(&timeout));
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == engine => return Some(status),
                Ok(Some(_)) => {}
                Ok(None) | Err(rustix::io::Errno::INTR) => break,
                Err(_) => return None,
            }
        }
        if getppid() != referee {
            let _ = kill_process(engine, Signal::KILL);
        }
    }
}

/// Ends as the engine ended: by its signal, or with its status.
fn end_like(status: WaitStatus) -> u8 {
    if let Some(signal) = status.terminating_signal() {
        // The engine has left a core file already.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}

/// Returns the processes whose parent is `parent`, zombies included.
fn children_of(parent: Pid) -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |number: &i32| {
        let stat = std::fs::read(format!("/proc/{number}/stat")).unwrap_or_default();
        // The name in brackets may contain anything, so the fields are searched from the end.
        let rest = stat.iter().rposition(|&b| b == b')').map_or(&[][..], |at| &stat[at + 1..]);
        let field = rest.split(|&b| b == b' ').filter(|field| !field.is_empty()).nth(1);
        field.and_then(|field| std::str::from_utf8(field).ok()?.parse().ok())
            == Some(parent.as_raw_nonzero().get())
    };
    numbers.filter(is_child).filter_map(Pid::from_raw).collect()
}
