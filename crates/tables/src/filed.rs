//! Values that are read from a file, or built, when they are first needed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use grundy_core::table::TableError;
use grundy_session::{Need, SolveError};

/// The content of a file, opened or built when it is first needed.
#[derive(Debug)]
pub struct Filed<T> {
    opened: OnceLock<T>,
    /// Files that could not be used: each is logged once.
    refused: Mutex<Vec<PathBuf>>,
    /// Held while the value is built.
    tried: Mutex<Tried>,
}

/// The most positions that were searched for automatically without finding all.
#[derive(Debug, Default)]
pub struct Tried(u64);

impl Tried {
    /// Calls `search` with the most positions and the end of its time, unless a search for as many has failed before. Returns
    /// whether all positions were found.
    ///
    /// # Errors
    /// The errors of `search`.
    pub fn search(
        &mut self,
        most: u64,
        need: &Need<'_>,
        search: &dyn Fn(u64, Option<Instant>) -> Result<bool, SolveError>,
    ) -> Result<bool, SolveError> {
        if most <= self.0 {
            return Ok(false);
        }
        // Positions are counted, so that every machine builds the same tables; the clock is for games of slow rules.
        let until = Instant::now().checked_add(need.automatic.saturating_mul(2));
        let found = search(most, until);
        if let Ok(false) | Err(SolveError::Broken(_)) = found {
            self.0 = most;
        }
        found
    }
}

impl<T> Default for Filed<T> {
    fn default() -> Filed<T> {
        Filed { opened: OnceLock::new(), refused: Mutex::default(), tried: Mutex::default() }
    }
}

impl<T> Filed<T> {
    /// Returns the value, if it is there.
    pub fn get(&self) -> Option<&T> {
        self.opened.get()
    }

    /// Sets the value without a file.
    pub fn set(&self, made: T) -> &T {
        // If another thread was faster, its value is the same.
        self.opened.get_or_init(|| made)
    }

    /// Opens a file, unless that was done or tried before; `None` if it is not there or cannot be used.
    pub fn open(&self, path: &Path, open: &dyn Fn(&Path) -> Result<T, TableError>) -> Option<&T> {
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

    /// Opens the game's file, or builds the value if `build` finds that cheap enough to be done automatically.
    ///
    /// # Errors
    /// [`SolveError::NoTable`] if there is no file and `build` returns `None`; or the errors of `build`.
    pub fn open_or_build(
        &self,
        need: &Need<'_>,
        open: &dyn Fn(&Path) -> Result<T, TableError>,
        build: &dyn Fn(&mut Tried) -> Result<Option<T>, SolveError>,
    ) -> Result<(), SolveError> {
        if self.open(&need.home.folder.file(&need.home.name), open).is_some() {
            return Ok(());
        }
        let mut tried = need.work.lock(&self.tried).ok_or(SolveError::Stopped)?;
        if self.opened.get().is_none() {
            self.set(build(&mut tried)?.ok_or_else(|| need.no_table())?);
        }
        Ok(())
    }
}
