//! Rules files that visitors bring, in a folder that goes with the board; only where the board was started for it.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// Files that are kept; the oldest goes first.
const MOST_FILES: usize = 200;

/// The files that were brought.
pub struct Uploads {
    folder: TempDir,
    names: Mutex<VecDeque<String>>,
}

impl Uploads {
    /// None yet, in a new folder.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new() -> io::Result<Uploads> {
        let folder = tempfile::Builder::new().prefix("grundy-board-").tempdir()?;
        Ok(Uploads { folder, names: Mutex::default() })
    }

    /// The folder that they are kept in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Keeps a text and gives the name of the game that it describes. The same text has the same name.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep(&self, text: &str) -> io::Result<String> {
        let file = format!("{}.rbg", digest(text));
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.folder().join(&file);
        if !names.contains(&file) {
            std::fs::write(&path, text)?;
            names.push_back(file);
        }
        if names.len() > MOST_FILES
            && let Some(oldest) = names.pop_front()
        {
            let _ = std::fs::remove_file(self.folder().join(oldest));
        }
        Ok(format!("rules:file={}", path.display()))
    }

    /// Forgets a text that describes no game.
    pub fn forget(&self, game: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.retain(|file| !game.ends_with(file.as_str()));
        if let Some(path) = game.strip_prefix("rules:file=") {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The SHA-256 of a text in hexadecimal digits: nobody can make another text that takes the place of this one.
fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
