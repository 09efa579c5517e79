//! The log's lines on their way out: requests leave them here, and a thread of its own writes them.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Bytes that wait at most. Lines that find no room are left out, so that nobody waits for whoever reads the log.
const MOST: usize = 4 << 20;
/// How long lines gather before they are written together.
const GATHERING: Duration = Duration::from_millis(50);

/// Where lines are left.
#[derive(Clone, Default)]
pub struct Lines(Arc<Shared>);

#[derive(Default)]
struct Shared {
    left: Mutex<Left>,
    comes: Condvar,
    /// Held while lines are written, so that they stay in order.
    out: Mutex<()>,
}

#[derive(Default)]
struct Left {
    bytes: Vec<u8>,
    /// Lines that found no room.
    missed: u64,
}

impl Lines {
    /// None yet, and a thread that writes them to stderr.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn new() -> io::Result<Lines> {
        let lines = Lines::default();
        let shared = lines.clone();
        std::thread::Builder::new().name("log".to_owned()).spawn(move || {
            loop {
                shared.wait();
                shared.write_out();
            }
        })?;
        Ok(lines)
    }

    /// Waits until there are lines, and then for more.
    fn wait(&self) {
        let mut left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner);
        while left.bytes.is_empty() {
            left = self.0.comes.wait(left).unwrap_or_else(PoisonError::into_inner);
        }
        drop(left);
        std::thread::sleep(GATHERING);
    }

    /// Writes what is there.
    pub fn write_out(&self) {
        let _in_order = self.0.out.lock().unwrap_or_else(PoisonError::into_inner);
        let left = std::mem::take(&mut *self.0.left.lock().unwrap_or_else(PoisonError::into_inner));
        let mut err = io::stderr().lock();
        let _ = err.write_all(&left.bytes);
        if left.missed > 0 {
            let _ = writeln!(err, "{} lines of the log found no room", left.missed);
        }
    }
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.bytes.len() + line.len() > MOST {
            left.missed += 1;
        } else {
            if left.bytes.is_empty() {
                self.0.comes.notify_one();
            }
            left.bytes.extend_from_slice(line);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
