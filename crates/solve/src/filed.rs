//! A value that is read from a file when it is first needed, as soon as there is such a file. A file that cannot be used is
//! logged once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use grundy_core::table::TableError;

/// What a file holds, opened when it is first needed.
#[derive(Debug)]
pub(crate) struct Filed<T> {
    opened: OnceLock<T>,
    /// Files that could not be believed: each is told of once.
    refused: Mutex<Vec<PathBuf>>,
}

impl<T> Default for Filed<T> {
    fn default() -> Filed<T> {
        Filed { opened: OnceLock::new(), refused: Mutex::default() }
    }
}

impl<T> Filed<T> {
    /// What was opened.
    pub(crate) fn get(&self) -> Option<&T> {
        self.opened.get()
    }

    /// Takes something that needs no file.
    pub(crate) fn set(&self, made: T) -> &T {
        // Where another thread was faster its table is the same.
        self.opened.get_or_init(|| made)
    }

    /// Opens a file, unless that was done or tried before; `None` where it is not there or cannot be believed.
    pub(crate) fn open(&self, path: &Path, open: impl FnOnce(&Path) -> Result<T, TableError>) -> Option<&T> {
        if let Some(opened) = self.opened.get() {
            return Some(opened);
        }
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.iter().any(|other| other == path) || !path.exists() {
            return None;
        }
        match open(path) {
            Ok(opened) => {
                log::debug!("opened {}", path.display());
                Some(self.set(opened))
            }
            Err(error) => {
                log::warn!("{error}");
                refused.push(path.to_owned());
                None
            }
        }
    }
}
