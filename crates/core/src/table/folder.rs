//! The folder of tables: the file of each game, and the lock of its writer.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use xxhash_rust::xxh3::xxh3_64;

use super::files::TEMPORARY;
use super::flaw::{Flaw, TableError};
use crate::files;
use crate::sorting;

/// Suffix of table files.
const SUFFIX: &str = ".grundy";
/// Suffix of files that games keep beside their tables; their names begin with that of the game and `_`.
pub const CLASS_SUFFIX: &str = ".class";
/// Longer names are truncated, in bytes.
const LONGEST: usize = 80;

/// A folder of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
    /// The beginning of the names of games, and what stands for it in the names of their files.
    alias: Option<(String, String)>,
}

impl Folder {
    /// Returns the folder `named`, else the one in `GRUNDY_TABLES`, else `grundy/tables` in the platform's cache folder
    /// (`~/.cache` on Linux). It need not exist.
    pub fn find(named: Option<&Path>) -> Folder {
        let from_env = || std::env::var_os("GRUNDY_TABLES").filter(|v| !v.is_empty()).map(PathBuf::from);
        let from_cache = || {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.cache_dir().join("grundy").join("tables"))
        };
        let path = named.map(Path::to_owned).or_else(from_env).or_else(from_cache);
        Folder { path: path.unwrap_or_else(|| PathBuf::from("tables")), alias: None }
    }

    /// Returns the folder in which files of games whose names begin with `name` are named as if they began with `alias`: those
    /// of a game that is read from a file depend on its rules, and not on the path of that file.
    #[must_use]
    pub fn with_alias(self, name: &str, alias: &str) -> Folder {
        Folder { alias: Some((name.to_owned(), alias.to_owned())), ..self }
    }

    /// Returns another folder that names files as this one does.
    #[must_use]
    pub fn moved(&self, path: &Path) -> Folder {
        Folder { path: path.to_owned(), alias: self.alias.clone() }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the folder if it is missing.
    ///
    /// # Errors
    /// The folder cannot be created, or the path is not a folder.
    pub fn make(&self) -> Result<(), TableError> {
        fs::create_dir_all(&self.path).map_err(|error| TableError::new(&self.path, error))
    }

    /// Returns the file of a game: its full name with `_` for `:`; a checksum keeps ambiguous names apart.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(self.stem(name) + SUFFIX)
    }

    /// Returns the checkpoint file of a game's table.
    pub fn part(&self, name: &str) -> PathBuf {
        self.path.join(self.stem(name) + ".part")
    }

    /// Returns the file of a game's weights.
    pub fn weights(&self, name: &str) -> PathBuf {
        self.path.join(self.stem(name) + ".weights")
    }

    /// Returns the name of a game's files without their suffix.
    fn stem(&self, name: &str) -> String {
        let alias =
            self.alias.as_ref().and_then(|(begin, alias)| Some((alias, name.strip_prefix(begin.as_str())?)));
        alias.map_or_else(|| file_name(name), |(alias, rest)| file_name(&(alias.clone() + rest)))
    }

    /// Lists all files that are named like tables, and those that games [keep](kept_by) beside them, by name.
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
            let named = |name: &str| name.ends_with(SUFFIX) || kept_by(&path).is_some();
            if path.file_name().and_then(|name| name.to_str()).is_some_and(named) {
                files.push(path);
            }
        }
        sorting::sort(&mut files);
        Ok(files)
    }

    /// Locks the table against other processes until the lock is dropped.
    ///
    /// # Errors
    /// [`Flaw::Locked`] if another process makes it, or the error of the system.
    pub fn lock(&self, name: &str) -> Result<Lock, TableError> {
        let path = self.path.join(self.stem(name) + ".lock");
        let lock = Lock::take(path.clone()).map_err(|flaw| TableError::new(path, flaw))?;
        self.sweep(name);
        Ok(lock)
    }

    /// Removes partial files of a killed process; only the holder of the lock may.
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

/// Returns the name of the game that keeps a file beside its tables; `None` if it is not named like one.
pub fn kept_by(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.strip_suffix(CLASS_SUFFIX)?.split_once('_').map(|(game, _)| game)
}

/// The right to make a table; released when it is dropped, and by the system when the process dies.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Holds the lock while it is open.
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
            // The previous holder may have removed the file that was just locked.
            if is_at(&file, &path) {
                return Ok(Lock { path, _file: file });
            }
        }
    }
}

/// Reports whether `file` is the file that `path` names now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path)
        .is_ok_and(|now| file.metadata().is_ok_and(|ours| (now.dev(), now.ino()) == (ours.dev(), ours.ino())))
}

/// Reports whether `path` exists: without inodes, nobody removes another's lock.
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
    fn files_of_a_game_with_an_alias_are_named_by_it() {
        let folder = Folder::find(Some(Path::new("t"))).with_alias("graph:file=/a/b.dot", "graph:file=0f");
        assert_eq!(folder.file("graph:file=/a/b.dot"), Path::new("t/graph_file=0f.grundy"));
        assert_eq!(folder.part("graph:file=/a/b.dot:tier=2"), Path::new("t/graph_file=0f_tier=2.part"));
        assert_eq!(folder.file("nim:3"), Path::new("t/nim_3.grundy"));
        assert_eq!(
            folder.moved(Path::new("u")).weights("graph:file=/a/b.dot").parent(),
            Some(Path::new("u"))
        );
    }

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
