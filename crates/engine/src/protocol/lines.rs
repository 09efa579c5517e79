//! Lines from a stream of bytes, in bounded memory.

use std::io::BufRead;

/// Maximum length of a line, in bytes.
const LONGEST: usize = 16 << 20;

/// Reads the next line into `bytes` (cleared first) without its end. Returns `None` at the end of input, else whether
/// the line was longer than 16 MiB and therefore dropped. A last line without an end counts; a stream that fails counts
/// as ended.
pub fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> Option<bool> {
    bytes.clear();
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
