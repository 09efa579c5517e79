//! The reader thread: bytes from outside to lines with the instant they were read.

use std::io::{BufRead, BufReader, Read};
use std::time::Instant;

use crossbeam_channel::Sender;

/// Longer lines are not kept; what they were is said in an error.
const LONGEST: usize = 16 << 20;

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
        bytes.clear();
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

/// Reads to the next line end; whether the line was too long, or `None` at the end of input. A last line without
/// an end counts. Memory stays bounded whatever comes.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> Option<bool> {
    let mut too_long = false;
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return any.then_some(too_long),
        };
        if buffer.is_empty() {
            return any.then_some(too_long);
        }
        any = true;
        let end = buffer.iter().position(|&b| b == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        too_long |= bytes.len() + part.len() > LONGEST;
        if too_long {
            bytes.clear();
        } else {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Some(too_long);
        }
    }
}
