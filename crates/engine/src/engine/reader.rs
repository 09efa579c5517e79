//! The reader thread: bytes from outside to lines with the instant they were read.

use std::io::{BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crossbeam_channel::Sender;

use super::prompt;
use crate::protocol::read_line;

/// What the reader found.
pub(super) enum Input {
    /// A line without its end, broken UTF-8 replaced.
    Line(String, Instant),
    /// A line longer than can be kept.
    TooLong,
}

/// The stop flag of the search that began last. A `stop` is for no later one, so the reader may set the flag before
/// the loop has its turn at a processor that the search keeps busy.
#[derive(Clone, Default)]
pub(super) struct Latest(Arc<Mutex<Arc<AtomicBool>>>);

impl Latest {
    /// A search with this flag begins.
    pub(super) fn begin(&self, stop: &Arc<AtomicBool>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
    }

    fn stop(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
    }
}

/// Reads until the end of input, or until the loop is gone. The channel closes at the end.
pub(super) fn run(input: impl Read, lines: &Sender<Input>, search: &Latest) {
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
            let text = if first { text.trim_start_matches('\u{feff}') } else { text.as_ref() };
            if text.split_ascii_whitespace().next() == Some("stop") {
                search.stop();
            }
            lines.send(Input::Line(text.trim_end_matches('\r').to_owned(), read))
        };
        first = false;
        if sent.is_err() {
            return;
        }
    }
}
