//! Storage for the checkpoints of a long solve.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::checkpoint::{CheckpointFile, Checkpoints, NoCheckpoints, Request};
use super::files::Disk;
use super::flaw::TableError;
use super::folder::Folder;

/// Where checkpoints are written: beside the tables of a folder, or nowhere.
#[derive(Clone, Debug)]
pub struct Scratch {
    folder: Option<Folder>,
    every: Duration,
    request: Arc<Request>,
}

impl Scratch {
    /// Writes checkpoints to this folder, one every interval `every`.
    pub fn new(folder: Folder, every: Duration) -> Scratch {
        Scratch { folder: Some(folder), every, request: Arc::default() }
    }

    /// Saves nothing.
    pub fn none() -> Scratch {
        Scratch { folder: None, every: Duration::MAX, request: Arc::default() }
    }

    /// Returns the checkpoint of a game's table: one file that is overwritten each time.
    pub fn checkpoint(&self, name: &str, fingerprint: u64, count: u64) -> Box<dyn Checkpoints> {
        match &self.folder {
            None => Box::new(NoCheckpoints),
            Some(folder) => {
                let file =
                    CheckpointFile::new(&Disk, folder.part(name), name, fingerprint, count, self.every);
                Box::new(file.on_request(self.request.clone()))
            }
        }
    }

    /// Asks for a checkpoint as soon as the work can write one, before it is stopped.
    pub fn ask(&self) {
        self.request.ask();
    }

    /// Reports whether a checkpoint that was asked for is still to come; false if the work writes none.
    pub fn is_awaited(&self) -> bool {
        self.request.is_awaited()
    }

    /// Returns the interval between checkpoints.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Returns the folder for a table that is made in many files; `None` if nothing is saved.
    pub fn parts(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.part(name).with_extension("parts"))
    }

    /// Removes the checkpoints of a game's table, once the table is written.
    ///
    /// # Errors
    /// They exist and cannot be removed.
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
