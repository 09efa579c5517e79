//! Windows.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::os::windows::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{SendTimeoutError, Sender, bounded};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::signal::Signal;
use crate::clock;

/// `CREATE_NEW_PROCESS_GROUP` of CreateProcess.
const NEW_GROUP: u32 = 0x200;
/// `FILE_SHARE_READ` of CreateFile.
const SHARE_READ: u32 = 1;
/// `GENERIC_READ` and `GENERIC_WRITE` of CreateFile.
const READ_AND_WRITE: u32 = 0xC000_0000;
/// The interval at which signals are looked for.
const LOOK: Duration = Duration::from_millis(20);

/// An engine's standard input. A thread writes, since a write to a pipe blocks. A line counts as sent when the thread takes
/// it, so an engine that stops reading is noticed a line later than on Unix.
pub struct Input(Sender<Vec<u8>>);

impl Input {
    /// Takes the pipe of a new process.
    ///
    /// # Errors
    /// The system grants no thread.
    pub fn new(mut pipe: ChildStdin) -> io::Result<Input> {
        let (outbox, inbox) = bounded::<Vec<u8>>(0);
        thread::Builder::new().spawn(move || {
            // A dead engine may have left an answer, so a broken pipe is no failure.
            inbox.iter().for_each(|bytes| drop(pipe.write_all(&bytes)));
        })?;
        Ok(Input(outbox))
    }

    /// Writes all of `bytes`. Returns false if the engine does not take them before `deadline`.
    pub fn send(&mut self, bytes: &[u8], deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(clock::now());
        !matches!(self.0.send_timeout(bytes.to_vec(), left), Err(SendTimeoutError::Timeout(_)))
    }
}

/// Splits a command line into words as a shell does, but for backslashes, which separate folders; `None` if a quote is not
/// closed.
pub fn split_command(line: &str) -> Option<Vec<String>> {
    shlex::split(&line.replace('\\', r"\\"))
}

/// Makes `command` start a process group of its own, which Ctrl-C does not reach.
pub fn detach(command: &mut Command) {
    command.creation_flags(NEW_GROUP);
}

/// Reports whether a process has ended.
pub fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Returns `None`: processes end with a status.
pub fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Returns false: a named pipe has no path of a file.
pub fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Returns the same for all files: one that is open by [`appending`] cannot be moved, removed or replaced.
pub fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// Returns the time of the last write to a file, in 100 nanoseconds.
pub fn changed(data: &Metadata) -> (i64, i64) {
    (0, data.last_write_time() as i64)
}

/// Sets up `options` for a file that this process alone writes to: others can only read it while it is open.
pub fn appending(options: &mut OpenOptions) -> &mut OpenOptions {
    // Appending alone would not permit to cut the file off.
    options.read(true).append(true).access_mode(READ_AND_WRITE).share_mode(SHARE_READ)
}

/// Does nothing: [`appending`] excludes other writers, and a lock would exclude readers.
pub fn lock(_: &File) -> Result<(), TryLockError> {
    Ok(())
}

/// Starts a thread that calls `heard` with each signal. Nothing is watched if the system refuses it.
pub fn watch_signals(heard: impl Fn(Signal) + Send + 'static) {
    let watched = [(SIGINT, Signal::Interrupt), (SIGTERM, Signal::Terminate)];
    let mut flags = Vec::new();
    for (number, signal) in watched {
        let flag = Arc::new(AtomicBool::new(false));
        if signal_hook::flag::register(number, flag.clone()).is_ok() {
            flags.push((flag, signal));
        }
    }
    thread::spawn(move || {
        loop {
            flags.iter().filter(|(flag, _)| flag.swap(false, Ordering::SeqCst)).for_each(|&(_, s)| heard(s));
            thread::sleep(LOOK);
        }
    });
}

/// The key that ends a match is not watched here.
pub mod keyboard {
    use std::sync::atomic::AtomicBool;

    /// Returns false.
    pub fn watch(_: &'static AtomicBool) -> bool {
        false
    }

    /// Does nothing.
    pub fn restore() {}
}
