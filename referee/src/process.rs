//! An engine in its own process: lines in, lines out with the time they were read, and an end that leaves nothing
//! behind.
//!
//! One thread reads the engine's output and timestamps it by the monotonic clock; input is written without blocking,
//! so that an engine that stops reading cannot block the referee. Every wait has an absolute deadline.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use grundy_core::text::{excerpt, visible};

use crate::clock;
use crate::output;
use crate::platform::{self, Input};
use crate::supervision;
use crate::traffic::Traffic;
use crate::verdict::EXCERPT;

/// The longest line an engine may write, in bytes: room for a list of 10,000 moves, the longest that engines are
/// asked for.
pub const LINE_LIMIT: usize = 1 << 20;
/// The most lines an engine may write from one question to its answer.
pub const LINES_LIMIT: usize = 100_000;
/// The most bytes an engine may write from one question to its answer.
const BYTES_LIMIT: usize = 32 << 20;
/// The time to end after `quit`.
pub const GRACE: Duration = Duration::from_millis(500);
/// The interval at which a silent engine is polled, to notice its death behind an open pipe.
const SLICE: Duration = Duration::from_millis(20);
/// Lines of an engine's stderr that are kept.
const STDERR_KEPT: usize = 100;
/// Lines that are read ahead; further ones stay in the engine's pipe.
const BACKLOG: usize = 32;
/// The longest line on stderr that is kept in one piece, in bytes.
const STDERR_LINE: usize = 4096;
/// The bytes of stderr that are read at once: as many as a pipe holds.
const STDERR_CHUNK: usize = 64 << 10;

/// The command and the environment of an engine.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Its working folder; `None` for the referee's.
    pub dir: Option<PathBuf>,
    /// Variables added to its environment.
    pub env: BTreeMap<String, String>,
    /// The most data memory it may have, in megabytes.
    pub memory_mb: Option<u64>,
    /// A file that its stderr is copied to.
    pub stderr_log: Option<PathBuf>,
}

/// A line of the engine's output and the time it was read.
#[derive(Clone, Debug)]
pub struct ReceivedLine {
    /// The line, trimmed; invalid UTF-8 is replaced.
    pub text: String,
    /// The time it was read.
    pub at: Instant,
}

/// Why no line came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceiveError {
    /// The deadline passed.
    Deadline,
    /// The engine has ended or closed its output; the text says how.
    Gone(String),
    /// A line, or the number of lines, exceeds the limit.
    Flood(String),
}

enum Said {
    Line(ReceivedLine),
    TooLong,
}

/// A running engine.
pub struct Process {
    child: Child,
    stdin: Option<Input>,
    inbox: Receiver<Said>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    traffic: Traffic,
    lines: usize,
    bytes: usize,
    /// When its end was noticed.
    dead: Option<Instant>,
    ended: bool,
}

impl Process {
    /// Starts an engine in a process group of its own.
    ///
    /// # Errors
    /// The program cannot be started; in words.
    pub fn start(launch: &Launch, traffic: Traffic) -> Result<Process, String> {
        let Some(program) = launch.words.first() else {
            return Err("an engine needs a command".to_string());
        };
        let mut command = supervision::command(&launch.words, launch.memory_mb, &supervision::new_tag());
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        platform::detach(command.envs(&launch.env));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The command is this program itself, which Linux has in `/proc`.
        let mut child = supervision::spawn(&mut command).map_err(|e| {
            let hint = if e.kind() == io::ErrorKind::NotFound { "; is /proc mounted?" } else { "" };
            format!("cannot start \"{}\": {e}{hint}", excerpt(program, EXCERPT))
        })?;
        let stdin = child.stdin.take().map(Input::new).transpose().map_err(|e| e.to_string())?;
        let (outbox, inbox) = bounded(BACKLOG);
        if let Some(stdout) = child.stdout.take() {
            let traffic = traffic.clone();
            reader(&mut child, move || read_lines(stdout, &outbox, &traffic))?;
        }
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(pipe) = child.stderr.take() {
            let kept = Arc::clone(&stderr);
            let log = launch.stderr_log.clone();
            let traffic = traffic.clone();
            reader(&mut child, move || keep_stderr(pipe, &kept, log, &traffic))?;
        }
        Ok(Process { child, stdin, inbox, stderr, traffic, lines: 0, bytes: 0, dead: None, ended: false })
    }

    /// Sends one line, and resets the limits of the output.
    ///
    /// # Errors
    /// The engine does not take it before the deadline, or its input was ended here. An engine that has closed its input is
    /// noticed when its answer is read.
    pub fn send(&mut self, line: &str, deadline: Instant) -> Result<(), ReceiveError> {
        self.lines = 0;
        self.bytes = 0;
        self.traffic.said(line);
        let Some(stdin) = &mut self.stdin else {
            return Err(ReceiveError::Gone("its input is closed".to_string()));
        };
        if stdin.send(format!("{line}\n").as_bytes(), deadline) {
            Ok(())
        } else {
            Err(ReceiveError::Deadline)
        }
    }

    /// Waits for the next line until `deadline`. A line may have been read later than that: see `ReceivedLine::at`.
    ///
    /// # Errors
    /// None came; why.
    pub fn line(&mut self, deadline: Instant) -> Result<ReceivedLine, ReceiveError> {
        loop {
            // Its last lines may still be in the reader when its death is noticed: they count. Lines of a process that
            // it left behind do not.
            if self.dead.is_none() && self.has_exited() {
                self.dead = Some(clock::now());
            } else if self.dead.is_some_and(|since| clock::since(since) >= SLICE) {
                return Err(ReceiveError::Gone(self.end_in_words()));
            }
            let left = deadline.saturating_duration_since(clock::now());
            match self.inbox.recv_timeout(left.min(SLICE)) {
                Ok(said) => return self.counted(said),
                Err(RecvTimeoutError::Disconnected) => return Err(ReceiveError::Gone(self.end_in_words())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.dead.is_none() && clock::now() >= deadline {
                return Err(ReceiveError::Deadline);
            }
        }
    }

    /// Returns a line that has been read already, if there is one.
    pub fn waiting_line(&mut self) -> Option<Result<ReceivedLine, ReceiveError>> {
        let said = self.inbox.try_recv().ok()?;
        Some(self.counted(said))
    }

    /// Counts a line of the answer to what was sent last.
    fn counted(&mut self, said: Said) -> Result<ReceivedLine, ReceiveError> {
        let Said::Line(heard) = said else {
            return Err(ReceiveError::Flood(format!("a line longer than {LINE_LIMIT} bytes")));
        };
        self.lines += 1;
        self.bytes += heard.text.len();
        if self.lines > LINES_LIMIT {
            return Err(ReceiveError::Flood(format!("more than {LINES_LIMIT} lines for one answer")));
        }
        if self.bytes > BYTES_LIMIT {
            return Err(ReceiveError::Flood(format!("more than {BYTES_LIMIT} bytes for one answer")));
        }
        Ok(heard)
    }

    /// Returns the last lines of the engine's stderr.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Says `quit`, closes the engine's input, waits for `GRACE`, then kills all of its processes.
    pub fn quit(&mut self) -> ExitKind {
        if !self.ended && !self.has_exited() {
            let _ = self.send("quit", clock::now() + GRACE);
        }
        self.end_input()
    }

    /// Says `quit` and keeps the engine's input open until it has ended or was killed.
    pub fn quit_only(&mut self) -> ExitKind {
        let _ = self.send("quit", clock::now() + GRACE);
        self.see_off()
    }

    /// Closes the engine's input, waits for `GRACE`, then kills all of its processes.
    pub fn end_input(&mut self) -> ExitKind {
        self.stdin = None;
        self.see_off()
    }

    fn see_off(&mut self) -> ExitKind {
        if self.ended {
            return ExitKind::Clean;
        }
        let deadline = clock::now() + GRACE;
        while !self.has_exited() && clock::now() < deadline {
            // The channel closes the instant the engine closes its output, usually its end.
            let left = deadline.saturating_duration_since(clock::now());
            match self.inbox.recv_timeout(left.min(SLICE)) {
                Err(RecvTimeoutError::Disconnected) => {
                    std::thread::sleep(left.min(Duration::from_micros(500)))
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let ended_itself = self.has_exited();
        match (ended_itself, self.kill()) {
            (false, _) => ExitKind::Killed,
            (true, Some(status)) if !status.success() => ExitKind::Failed(status_in_words(status)),
            _ => ExitKind::Clean,
        }
    }

    /// Kills the engine and everything it started; returns its status, that of the kill if it was still running; `None` if it
    /// was killed before.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        if self.ended {
            return None;
        }
        self.ended = true;
        supervision::end(&mut self.child)
    }

    /// Reports whether the engine's first process has ended; it is not reaped yet.
    fn has_exited(&mut self) -> bool {
        self.ended || platform::has_ended(&mut self.child)
    }

    fn end_in_words(&mut self) -> String {
        // An engine closes its output a moment before it is dead.
        let patience = clock::now() + 5 * SLICE;
        while !self.has_exited() && clock::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        if !self.has_exited() {
            return "it closed its output".to_string();
        }
        match self.kill() {
            None => "it has ended".to_string(),
            Some(status) if status.code() == Some(i32::from(supervision::CANNOT_START)) => {
                self.why_not_started().unwrap_or_else(|| status_in_words(status))
            }
            Some(status) => status_in_words(status),
        }
    }

    /// Returns the reason why a program could not be started.
    fn why_not_started(&self) -> Option<String> {
        let why = self.last_words()?.strip_prefix(supervision::NO_START)?.to_string();
        Some(format!("cannot start {why}"))
    }

    /// Returns the last line on stderr of a program that has ended.
    pub fn last_words(&self) -> Option<String> {
        // It arrives by another pipe than the end.
        let patience = clock::now() + 5 * SLICE;
        loop {
            let said = self.stderr_tail().pop();
            if said.is_some() || clock::now() > patience {
                return said;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts a thread that reads an engine's output; without a thread the engine is ended.
fn reader(child: &mut Child, read: impl FnOnce() + Send + 'static) -> Result<(), String> {
    match std::thread::Builder::new().spawn(read) {
        Ok(_) => Ok(()),
        Err(error) => {
            supervision::end(child);
            Err(format!("no thread to read what the engine says: {error}"))
        }
    }
}

/// The end of an engine's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// It ended in time, with status 0.
    Clean,
    /// It ended in time with a failure; the text is its status.
    Failed(String),
    /// It did not end and was killed.
    Killed,
}

fn status_in_words(status: ExitStatus) -> String {
    match (status.code(), platform::signal(status)) {
        (Some(code), _) => format!("exit status {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => "an unknown status".to_string(),
    }
}

/// Reads and timestamps lines, up to one that is too long.
fn read_lines(mut stdout: impl Read, outbox: &Sender<Said>, traffic: &Traffic) {
    let mut chunk = [0; 16 * 1024];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let count = match stdout.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = clock::now();
        let mut rest = &chunk[..count];
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            if line.len() > LINE_LIMIT {
                let _ = outbox.send(Said::TooLong);
                return;
            }
            if !hear(&mut line, at, outbox, traffic) {
                return;
            }
        }
        line.extend_from_slice(rest);
        if line.len() > LINE_LIMIT {
            let _ = outbox.send(Said::TooLong);
            return;
        }
    }
    // A last line without a line end counts.
    if !line.is_empty() {
        hear(&mut line, clock::now(), outbox, traffic);
    }
}

fn hear(line: &mut Vec<u8>, at: Instant, outbox: &Sender<Said>, traffic: &Traffic) -> bool {
    // Only ASCII whitespace separates: a no-break space is part of a word.
    let text = String::from_utf8_lossy(line).trim_ascii().to_string();
    line.clear();
    traffic.heard(&text, at);
    outbox.send(Said::Line(ReceivedLine { text, at })).is_ok()
}

/// Reads what an engine complains of until it ends. All that is there is read at once and then kept, since an engine waits
/// while its pipe is full.
fn keep_stderr(mut pipe: impl Read, kept: &Mutex<VecDeque<String>>, log: Option<PathBuf>, traffic: &Traffic) {
    let mut log = log.and_then(|path| output::open_log(&path).ok());
    let mut keep = |lines: Vec<String>| {
        traffic.complained(&lines);
        if let Some(file) = &mut log {
            let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            let _ = file.write_all(text.as_bytes());
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(lines);
        let excess = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..excess);
    };
    let mut chunk = vec![0; STDERR_CHUNK];
    let mut bytes = Vec::new();
    loop {
        match pipe.read(&mut chunk) {
            Ok(count) if count > 0 => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(_) | Err(_) => break,
        }
        keep(complete_lines(&mut bytes));
    }
    if !bytes.is_empty() {
        keep(vec![stderr_line(&bytes)]);
    }
}

/// Takes the complete lines out of `bytes`, those that are too long in pieces.
fn complete_lines(bytes: &mut Vec<u8>) -> Vec<String> {
    let (mut lines, mut from) = (Vec::new(), 0);
    loop {
        let piece = &bytes[from..bytes.len().min(from + STDERR_LINE)];
        let end = match piece.iter().position(|&byte| byte == b'\n') {
            Some(at) => at + 1,
            None if piece.len() == STDERR_LINE => STDERR_LINE,
            None => break,
        };
        lines.push(stderr_line(&piece[..end]));
        from += end;
    }
    bytes.drain(..from);
    lines
}

fn stderr_line(bytes: &[u8]) -> String {
    visible(&String::from_utf8_lossy(bytes.trim_ascii_end())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_complains_of_is_kept_by_lines_and_copied_whole() {
        let mut bytes = b"one\r\ntwo\x1b\n\nthr".to_vec();
        assert_eq!(complete_lines(&mut bytes), ["one", "two\\x1b", ""]);
        bytes.extend_from_slice(b"ee\n");
        assert_eq!((complete_lines(&mut bytes), bytes.len()), (vec!["three".to_owned()], 0));
        bytes = vec![b'x'; 2 * STDERR_LINE + 1];
        let pieces: Vec<usize> = complete_lines(&mut bytes).iter().map(String::len).collect();
        assert_eq!((pieces, bytes.len()), (vec![STDERR_LINE; 2], 1));

        let file = std::env::temp_dir().join(format!("grundy-stderr-{}", std::process::id()));
        let text: String = (0..50_000).map(|n| format!("{n}\n")).collect();
        let kept = Mutex::default();
        keep_stderr(format!("{text}end").as_bytes(), &kept, Some(file.clone()), &Traffic::default());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("{text}end\n"));
        let kept = kept.into_inner().unwrap();
        assert_eq!((kept.len(), kept[0].as_str(), kept[99].as_str()), (STDERR_KEPT, "49901", "end"));
        std::fs::remove_file(&file).unwrap();
    }
}
