//! An engine in this process, driven line by line, and the program run as a whole.

use std::io::{self, Read, Write};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use grundy::catalog::CATALOG;
use grundy::engine::{Config, run};

/// Timeout: no answer takes longer, however loaded the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the program to its end with this input.
pub fn output(args: &[&str], input: &str) -> Output {
    output_to(args, input, Stdio::piped())
}

/// Runs the program to its end with this input and this stdout.
pub fn output_to(args: &[&str], input: &str, out: Stdio) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(args)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine runs");
    let mut stdin = child.stdin.take().expect("piped");
    std::thread::scope(|scope| {
        // The program may exit before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        child.wait_with_output().expect("it ends")
    })
}

/// Bytes that a test sends while the engine reads.
struct Pipe {
    chunks: Receiver<Vec<u8>>,
    left: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() {
            match self.chunks.recv() {
                Ok(chunk) => self.left = chunk,
                Err(_) => return Ok(0),
            }
        }
        let n = self.left.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.left[..n]);
        self.left.drain(..n);
        Ok(n)
    }
}

/// Receives every write of the engine separately.
struct Writes(Sender<String>);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8(bytes.to_vec()).expect("the engine writes UTF-8");
        self.0.send(text).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub struct Wire {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Wire {
    pub fn with(mut config: Config) -> Wire {
        // The engine's output must not depend on tables that exist on this machine.
        config.settings.tables.get_or_insert_with(|| std::env::temp_dir().join("grundy-no-tables"));
        let (input, chunks) = channel();
        let (out, output) = channel();
        let thread = std::thread::spawn(move || run(Pipe { chunks, left: Vec::new() }, Writes(out), config));
        Wire { input: Some(input), output, thread: Some(thread) }
    }

    pub fn game(name: &str) -> Wire {
        Wire::with(Config { game: Some(name.to_owned()), ..Config::new(&CATALOG) })
    }

    pub fn send(&self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes());
    }

    pub fn bytes(&self, bytes: &[u8]) {
        if let Some(input) = &self.input {
            // An engine that has exited reads nothing.
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Returns the next line. Every write must be exactly one line.
    pub fn line(&self) -> String {
        match self.output.recv_timeout(PATIENCE) {
            Ok(text) => {
                assert_eq!(text.matches('\n').count(), 1, "one line a write: {text:?}");
                text.trim_end_matches('\n').to_owned()
            }
            Err(error) => panic!("no answer: {error}"),
        }
    }

    /// Returns the lines up to and including the first with this beginning.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// Sends a line and returns the next answer.
    pub fn ask(&self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// Checks that there is no output for this long.
    pub fn silent_for(&self, time: Duration) {
        match self.output.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("expected silence, got {other:?}"),
        }
    }

    /// Closes the input; returns the remaining output and the time until the engine exited.
    pub fn end(mut self) -> (Vec<String>, Duration) {
        let began = Instant::now();
        self.input = None;
        let mut lines = Vec::new();
        while let Ok(text) = self.output.recv_timeout(PATIENCE) {
            lines.extend(text.lines().map(str::to_owned));
        }
        let ended = self.thread.take().expect("joined once").join().expect("the loop does not panic");
        ended.expect("the streams of a test do not fail");
        (lines, began.elapsed())
    }
}
