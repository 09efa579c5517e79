//! Where a long solve keeps its checkpoints.

use std::path::PathBuf;
use std::time::Duration;

use super::checkpoint::{CheckpointFile, Checkpoints, NoCheckpoints};
use super::files::Disk;
use super::flaw::TableError;
use super::folder::Folder;

/// The place for checkpoints: files beside the tables of a folder, or nowhere.
#[derive(Clone, Debug)]
pub struct Scratch {
    folder: Option<Folder>,
    every: Duration,
}

impl Scratch {
    /// Writes checkpoints to this folder, one after each such interval.
    pub fn new(folder: Folder, every: Duration) -> Scratch {
        Scratch { folder: Some(folder), every }
    }

    /// Keeps nothing.
    pub fn none() -> Scratch {
        Scratch { folder: None, every: Duration::MAX }
    }

    /// The checkpoint of a game's table: one file that is written again and again.
    pub fn checkpoint(&self, name: &str, fingerprint: u64, count: u64) -> Box<dyn Checkpoints> {
        match &self.folder {
            None => Box::new(NoCheckpoints),
            Some(folder) => {
                Box::new(CheckpointFile::new(&Disk, folder.part(name), name, fingerprint, count, self.every))
            }
        }
    }

    /// How often work is kept.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// The folder for a table that is made in many files.
    pub fn parts(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.part(name).with_extension("parts"))
    }

    /// Removes what was kept of a game's table, once the table itself is written.
    ///
    /// # Errors
    /// It is there and cannot be removed.
    pub fn discard(&self, name: &str) -> Result<(), TableError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let gone = |path: PathBuf, done: std::io::Result<()>| match done {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(TableError::new(path, error)),
            _ => Ok(()),
        };
        let part = folder.part(name);
        let parts = part.with_extension("parts");
        gone(part.clone(), std::fs::remove_file(&part))?;
        gone(parts.clone(), std::fs::remove_dir_all(&parts))
    }
}
