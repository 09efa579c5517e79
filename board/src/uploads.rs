//! Rules files that clients upload, in a folder that is deleted with the board; only if the board was started for it.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use grundy::session::files_of;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The longest rules file, in bytes.
pub const LONGEST_RULES: usize = 64 << 10;
/// The most files that are stored; the oldest is deleted first.
const MOST_FILES: usize = 200;
/// The most characters of a file's name that come from what the file says of itself.
const LONGEST_ABOUT: usize = 48;

/// The files that were uploaded.
pub struct Uploads {
    folder: TempDir,
    names: Mutex<VecDeque<String>>,
}

impl Uploads {
    /// Makes a new folder.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new() -> io::Result<Uploads> {
        let folder = tempfile::Builder::new().prefix("grundy-board-").tempdir()?;
        Ok(Uploads { folder, names: Mutex::default() })
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Stores a text and returns the name of its file, which depends on the text alone, and whether the file is new.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn store(&self, text: &str) -> io::Result<(String, bool)> {
        let file = file_name(text);
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.folder().join(&file);
        let new = !names.contains(&file);
        if new {
            std::fs::write(&path, text)?;
            names.push_back(file.clone());
        }
        if names.len() > MOST_FILES
            && let Some(oldest) = names.pop_front()
        {
            let _ = std::fs::remove_file(self.folder().join(oldest));
        }
        Ok((file, new))
    }

    /// Returns the text of the file that a game's name names; `None` if it was not uploaded here.
    pub fn text_of(&self, game: &str) -> Option<String> {
        let file = *files_of(game).first()?;
        let stored =
            self.names.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|name| name == file);
        stored.then(|| std::fs::read_to_string(self.folder().join(file)).ok())?
    }

    /// Deletes a file.
    pub fn delete(&self, file: &str) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).retain(|name| name != file);
        let _ = std::fs::remove_file(self.folder().join(file));
    }
}

/// Names a file by its line `//@ about` and 128 bits of its SHA-256, so that nobody can find another text of this name.
fn file_name(text: &str) -> String {
    let about = text.lines().find_map(|line| line.trim().strip_prefix("//@ about ")).unwrap_or("rules");
    let letters = about.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let words: String = letters.take(LONGEST_ABOUT).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
    let digest: String = Sha256::digest(text).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{digest}.rbg", words.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_what_they_say_and_by_their_digest() {
        let name = file_name("// x\n//@ about Four men: each, on 3x3\n#players = a(1)");
        let (words, digest) = name.rsplit_once('-').expect("two parts");
        assert_eq!((words, digest.len()), ("four-men-each-on-3x3", 32 + ".rbg".len()));
        assert!(file_name("").starts_with("rules-") && file_name("//@ about é/../x").starts_with("x-"));
        assert_ne!(file_name("a"), file_name("b"));
    }
}
