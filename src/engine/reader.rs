//! The reader thread: bytes from outside to lines with the instant they were read.

use std::io::{BufReader, Read};
use std::time::Instant;

use crossbeam_channel::Sender;

use crate::protocol::read_line;

/// What the reader found.
pub(super) enum Input {
    /// A line without its end, broken UTF-8 replaced.
    Line(String, Instant),
    /// A line longer than can be kept.
    TooLong,
}

/// Reads until the end of input, or until the loop is gone. The channel closes at the end.
pub(super) fn run(input: impl Read, lines: &Sender<Input>) {
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
            lines.send(Input::Line(text.trim_end_matches('\r').to_owned(), read))
        };
        first = false;
        if sent.is_err() {
            return;
        }
    }
}
