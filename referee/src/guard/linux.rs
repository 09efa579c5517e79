//! Keepers, on Linux.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process,
    kill_process_group, set_child_subreaper, set_dumpable_behavior, wait, waitpid,
};

use super::engine::{BECOME_COMMAND, CANNOT_START, KEEP_COMMAND, TAG, limit_words};

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
