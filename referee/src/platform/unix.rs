//! Unix.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};

use super::signal::Signal;
use crate::clock;

/// The longest wait for an engine to read.
const SLICE: Duration = Duration::from_millis(20);

/// An engine's standard input, written without blocking.
pub struct Input(ChildStdin);

impl Input {
    /// Takes the pipe of a new process.
    ///
    /// # Errors
    /// The pipe cannot be made non-blocking.
    pub fn new(pipe: ChildStdin) -> io::Result<Input> {
        rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::NONBLOCK)?;
        Ok(Input(pipe))
    }

    /// Writes all of `bytes`. Returns false if the engine does not take them before `deadline`. A dead engine may have
    /// left an answer, so a broken pipe is no failure.
    pub fn send(&mut self, bytes: &[u8], deadline: Instant) -> bool {
        let mut done = 0;
        while done < bytes.len() {
            match self.0.write(&bytes[done..]) {
                Ok(count) => done += count,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    let left = deadline.saturating_duration_since(clock::now()).min(SLICE);
                    if left.is_zero() {
                        return false;
                    }
                    let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(left.subsec_nanos()) };
                    let _ = poll(&mut [PollFd::new(&self.0.as_fd(), PollFlags::OUT)], Some(&timeout));
                }
                Err(_) => return true,
            }
        }
        true
    }
}

/// Splits a command line into words as a shell does; `None` if a quote is not closed.
pub fn split_command(line: &str) -> Option<Vec<String>> {
    shlex::split(line)
}

/// Makes `command` start a process group of its own, which Ctrl-C does not reach.
pub fn detach(command: &mut Command) {
    command.process_group(0);
}

/// Reports whether a process has ended; it is not reaped, so that nothing else can have its number.
pub fn has_ended(child: &mut Child) -> bool {
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

/// Returns the signal that ended a process, if one did.
pub fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Reports whether a file is a named pipe.
pub fn is_pipe(data: &Metadata) -> bool {
    data.file_type().is_fifo()
}

/// Returns the device and the inode of a file.
pub fn identity(data: &Metadata) -> (u64, u64) {
    (data.dev(), data.ino())
}

/// Returns the time of the last change to a file, in seconds and nanoseconds.
pub fn changed(data: &Metadata) -> (i64, i64) {
    (data.ctime(), data.ctime_nsec())
}

/// Sets up `options` for a file that this process alone appends to; [`lock`] excludes others.
pub fn appending(options: &mut OpenOptions) -> &mut OpenOptions {
    options.read(true).append(true)
}

/// Locks a file that was opened with [`appending`].
///
/// # Errors
/// Another process has locked it, or it cannot be locked.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// Starts a thread that calls `heard` with each signal. Nothing is watched if the system refuses it.
pub fn watch_signals(heard: impl Fn(Signal) + Send + 'static) {
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGUSR1]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            heard(match signal {
                SIGUSR1 => Signal::Rest,
                SIGTERM => Signal::Terminate,
                _ => Signal::Interrupt,
            });
        }
    });
}
