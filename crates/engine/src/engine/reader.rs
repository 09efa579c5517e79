//! The reader thread: bytes of the input to lines with the instant they were read.

use std::io::{BufReader, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::prompt;
use crate::protocol::read_line;
use grundy_core::files;

/// Input from the reader.
pub(super) enum Input {
    /// A line without its end, broken UTF-8 replaced.
    Line(String, Instant),
    /// A line above the length limit.
    TooLong,
}

/// Bytes of lines not yet taken by the loop above which the reader waits.
const ON_THE_WAY: usize = 64 << 20;
/// Polling interval of a waiting reader.
const PAUSE: Duration = Duration::from_millis(1);

/// State shared by the loop and its reader.
#[derive(Clone, Default)]
pub(super) struct Link {
    /// The stop flag of the latest search. A `stop` cannot be meant for a later one, so the reader sets the flag
    /// itself: the loop may have to wait for a processor that the search keeps busy.
    latest: Arc<Mutex<Arc<AtomicBool>>>,
    /// Bytes of lines not yet taken by the loop.
    on_the_way: Arc<AtomicUsize>,
}

impl Link {
    /// Registers the stop flag of a new search.
    pub(super) fn begin(&self, stop: &Arc<AtomicBool>) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
    }

    /// Registers that the loop has taken a line of `bytes` bytes.
    pub(super) fn taken(&self, bytes: usize) {
        self.on_the_way.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn stop(&self) {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
    }

    /// Registers a line of `bytes` bytes to be sent; waits while too many bytes are on the way.
    fn send(&self, bytes: usize) {
        while self.on_the_way.load(Ordering::Relaxed) > ON_THE_WAY {
            std::thread::sleep(PAUSE);
        }
        self.on_the_way.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Reads until the end of input, or until the loop is gone. The channel closes at the end.
pub(super) fn run(input: impl Read, lines: &Sender<Input>, link: &Link) {
    prompt::prompt();
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut bytes = Vec::new();
    let mut first = true;
    loop {
        let too_long = match read_line(&mut input, &mut bytes) {
            Some(too_long) => too_long,
            None => return,
        };
        let read = Instant::now();
        let sent = if too_long {
            lines.send(Input::TooLong)
        } else {
            let text = String::from_utf8_lossy(&bytes);
            let text = if first { files::without_mark(&text) } else { text.as_ref() };
            if text.split_ascii_whitespace().next() == Some("stop") {
                link.stop();
            }
            let line = text.trim_end_matches('\r').to_owned();
            link.send(line.len());
            lines.send(Input::Line(line, read))
        };
        first = false;
        if sent.is_err() {
            return;
        }
    }
}
