//! The folder of tables: which file holds which game, and who may write it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use xxhash_rust::xxh3::xxh3_64;

use super::files::TEMPORARY;
use super::flaw::{Flaw, TableError};
use crate::files;
use crate::sorting;

/// How file names of tables end.
const SUFFIX: &str = ".grundy";
/// Longer names are cut.
const LONGEST: usize = 80;

/// A folder of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder somebody named, else the one in `GRUNDY_TABLES`, else `grundy/tables` where the platform keeps
    /// caches (`~/.cache` on Linux). It need not exist.
    pub fn find(named: Option<&Path>) -> Folder {
        let from_env = || std::env::var_os("GRUNDY_TABLES").filter(|v| !v.is_empty()).map(PathBuf::from);
        let from_cache = || {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.cache_dir().join("grundy").join("tables"))
        };
        let path = named.map(Path::to_owned).or_else(from_env).or_else(from_cache);
        Folder { path: path.unwrap_or_else(|| PathBuf::from("tables")) }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder where it is missing.
    ///
    /// # Errors
    /// The folder cannot be made, or is no folder.
    pub fn make(&self) -> Result<(), TableError> {
        fs::create_dir_all(&self.path).map_err(|error| TableError::new(&self.path, error))
    }

    /// The file of a game: its full name with `_` for `:`; names that would not stay apart get a checksum.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(file_name(name) + SUFFIX)
    }

    /// The checkpoint of a game's table.
    pub fn part(&self, name: &str) -> PathBuf {
        self.path.join(file_name(name) + ".part")
    }

    /// All files that are named like tables, by name.
    ///
    /// # Errors
    /// The folder cannot be read; a missing one is empty.
    pub fn list(&self) -> Result<Vec<PathBuf>, TableError> {
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| TableError::new(&self.path, error))?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| TableError::new(&self.path, error))?.path();
            if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(SUFFIX)) {
                files.push(path);
            }
        }
        sorting::sort(&mut files);
        Ok(files)
    }

    /// Keeps other processes from making the same table until the lock is dropped.
    ///
    /// # Errors
    /// [`Flaw::Locked`] where another process makes it, or what the system said.
    pub fn lock(&self, name: &str) -> Result<Lock, TableError> {
        let path = self.path.join(file_name(name) + ".lock");
        let lock = Lock::take(path.clone()).map_err(|flaw| TableError::new(path, flaw))?;
        self.sweep(name);
        Ok(lock)
    }

    /// Removes what a killed process has left half written; only whoever holds the lock may.
    fn sweep(&self, name: &str) {
        let begins = [self.file(name), self.part(name)].map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            format!("{name}{TEMPORARY}")
        });
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let left = entry.file_name();
            if left.to_str().is_some_and(|left| begins.iter().any(|begin| left.starts_with(begin))) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// The right to make a table; given back when it is dropped, and by the system when the process dies.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Holds the lock.
    _file: File,
}

impl Lock {
    fn take(path: PathBuf) -> Result<Lock, Flaw> {
        loop {
            let mut options = OpenOptions::new();
            let file = files::open_with(options.write(true).create(true).truncate(false), &path)
                .map_err(io::Error::from)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(Flaw::Locked),
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Ok(()) => {}
            }
            // Whoever held it before us may have removed the file that we have just locked.
            if is_at(&file, &path) {
                return Ok(Lock { path, _file: file });
            }
        }
    }
}

/// Whether an open file is the one that a path names now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path)
        .is_ok_and(|now| file.metadata().is_ok_and(|ours| (now.dev(), now.ino()) == (ours.dev(), ours.ino())))
}

/// Where files have no numbers nobody removes another's lock.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ',' | '.' | '=' | '+' | '-');
    let mut file: String = name.chars().map(|c| if plain(c) { c } else { '_' }).take(LONGEST).collect();
    if file.starts_with('.') || name.chars().count() > LONGEST || !name.chars().all(|c| plain(c) || c == ':')
    {
        file = format!("{}-{:016x}", file.trim_start_matches('.'), xxh3_64(name.as_bytes()));
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_games_stay_apart_as_files() {
        assert_eq!(file_name("mnk:4,4,4:misere"), "mnk_4,4,4_misere");
        let odd =
            ["a:b", "a_b", "a/b", "a b", "../a", "", ".", "..", "é", &"x".repeat(300), &"x".repeat(301)];
        let files: std::collections::BTreeSet<_> = odd.iter().map(|name| file_name(name)).collect();
        assert_eq!(files.len(), odd.len(), "{files:?}");
        for file in files {
            assert!(file.len() < 120 && !file.contains('/') && !file.starts_with('.'), "{file}");
        }
    }
}
