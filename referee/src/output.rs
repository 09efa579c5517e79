//! Where what the referee makes goes: a file that is written whole or not at all, or stdout.

use std::io::{self, Write};
use std::path::Path;

use grundy_core::table::{Disk, write_whole};

/// Writes a text to a file, or to stdout. A file that stood there stays as it was where the new one does not fit; a
/// device or a pipe is written to as it is.
///
/// # Errors
/// It cannot be written; one line.
pub fn deliver(text: &str, file: Option<&Path>) -> Result<(), String> {
    let Some(path) = file else {
        let mut out = io::stdout();
        return out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| format!("stdout: {e}"));
    };
    // What a link leads to is replaced, and not the link.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match std::fs::metadata(&path) {
        Ok(there) if !there.is_file() => {
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
        }
        _ => write_whole(&Disk, &path, |out| out.write_all(text.as_bytes())).map_err(|e| e.to_string()),
    }
}
