//! Output: files that are written whole or not at all, logs, and stdout.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use grundy_core::pack::write_as_named;
use grundy_core::table::{Disk, write_whole};
pub use grundy_core::text::WIDTH;
use grundy_core::text::{self, brief, visible, visible_lines};
use grundy_draw::escape;
use grundy_engine::output::{is_terminal, stdout};

use crate::platform;
use crate::setup::command;

/// Returns text for HTML and XML, invisible characters written out.
pub fn escaped(text: &str) -> String {
    escape(&visible(text))
}

/// Writes a message of the referee to stderr.
pub fn complain(message: &str) {
    // A closed stderr is no error.
    let _ = writeln!(io::stderr(), "referee: {}", brief(&visible_lines(message)));
}

/// Writes a text to a file or to stdout. A file keeps its old content if the new one cannot be written; devices and
/// pipes are written directly.
///
/// # Errors
/// It cannot be written; one line.
pub fn deliver(text: &str, file: Option<&Path>) -> Result<(), String> {
    let Some(path) = file else {
        return match stdout().write_all(visible_lines(text).as_bytes()).and_then(|()| stdout().flush()) {
            // The reader has closed the pipe.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done.map_err(|e| e.to_string()),
        };
    };
    // The target of a link is replaced, not the link.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match std::fs::metadata(&path) {
        Ok(there) if !there.is_file() => {
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
        }
        _ => {
            write_whole(&Disk, &path, |out| write_as_named(&path, out, |out| out.write_all(text.as_bytes())))
                .map_err(|e| e.to_string())
        }
    }
}

/// Breaks a text at blanks into lines of at most [`WIDTH`] characters; lines after the first are indented by `indent`, the first
/// by `first`.
pub fn wrapped(text: &str, first: usize, indent: usize) -> String {
    let lines = text::wrapped(&" ".repeat(first), &visible(text), indent);
    lines.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns lines for people, on a terminal without lines of more than [`WIDTH`] characters, but for commands to paste.
pub fn folded(text: &str) -> String {
    if is_terminal() { text.lines().map(fold).collect() } else { text.to_owned() }
}

/// Breaks a line that is longer than [`WIDTH`], but not the command in it that sets up a position.
fn fold(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return format!("{line}\n");
    }
    let line = visible(line);
    let begin = line.find(command::BEGINNING).unwrap_or(line.len());
    let end = line[begin..].find(';').map_or(line.len(), |length| begin + length);
    let kept = format!("{}{}{}", &line[..begin], text::unbroken(&line[begin..end]), &line[end..]);
    text::wrapped("", &kept, 4).lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Opens a log for appending: a file or a device. A pipe would block the referee until somebody reads.
///
/// # Errors
/// It is a pipe, or cannot be opened.
pub fn open_log(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path).is_ok_and(|there| platform::is_pipe(&there)) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file, this is a pipe"));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// Warns on stderr, once of the same.
pub fn warn_once(text: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned()) {
        log::warn!("{text}");
    }
}

/// A stream for people: invisible characters are written out, so that no engine, name or file can control a terminal.
pub struct Visible<W>(pub W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(visible_lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_broken_but_not_its_command() {
        let command = "position fen 5k2/6R1/4P2B/4K3/8/6n1/8/8 w - - 0 1";
        let line =
            format!("  slip: engine played g7g3 at ply 5, a win became a draw: {command}; kept by h6g5");
        let broken = "  slip: engine played g7g3 at ply 5, a win became a draw:\n    ";
        assert_eq!(fold(&line), format!("{broken}{command}; kept by h6g5\n"));
        assert_eq!(fold("short; position fen 1 1"), "short; position fen 1 1\n");
        let words = "  a word ".repeat(12);
        assert!(fold(&words).lines().count() == 2 && fold(&words).lines().all(|line| line.len() <= WIDTH));
    }
}
