//! The log: requests leave their lines in a buffer, and a thread writes them to stderr.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The size of the buffer in bytes. Lines that do not fit are dropped, so that a slow reader of the log delays nobody.
const CAPACITY: usize = 4 << 20;
/// The time for which lines are collected before they are written together.
const INTERVAL: Duration = Duration::from_millis(50);

/// The end of the log that lines are written to.
#[derive(Clone, Default)]
pub struct LogWriter(Arc<Shared>);

#[derive(Default)]
struct Shared {
    buffer: Mutex<Buffer>,
    filled: Condvar,
    /// Held while lines are written, so that they stay in order.
    writing: Mutex<()>,
}

#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    /// Lines that did not fit.
    dropped: u64,
}

impl LogWriter {
    /// Starts the thread that writes to stderr.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn new() -> io::Result<LogWriter> {
        let writer = LogWriter::default();
        let shared = writer.clone();
        std::thread::Builder::new().name("log".to_owned()).spawn(move || {
            loop {
                shared.wait();
                shared.write_out();
            }
        })?;
        Ok(writer)
    }

    /// Waits until there are lines, and then for more.
    fn wait(&self) {
        let mut buffer = self.0.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        while buffer.bytes.is_empty() {
            buffer = self.0.filled.wait(buffer).unwrap_or_else(PoisonError::into_inner);
        }
        drop(buffer);
        std::thread::sleep(INTERVAL);
    }

    /// Writes the buffer to stderr.
    pub fn write_out(&self) {
        let _in_order = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let buffer = std::mem::take(&mut *self.0.buffer.lock().unwrap_or_else(PoisonError::into_inner));
        let mut err = io::stderr().lock();
        let _ = err.write_all(&buffer.bytes);
        if buffer.dropped > 0 {
            let _ = writeln!(err, "{} lines of the log were dropped", buffer.dropped);
        }
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut buffer = self.0.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.bytes.len() + line.len() > CAPACITY {
            buffer.dropped += 1;
        } else {
            if buffer.bytes.is_empty() {
                self.0.filled.notify_one();
            }
            buffer.bytes.extend_from_slice(line);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
