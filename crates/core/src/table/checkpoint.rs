//! Checkpoints: unfinished work saved to a file, to resume after a crash or a kill.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use super::coding::Width;
use super::files::{Files, write_whole};
use super::flaw::TableError;
use crate::files;

/// Saves unfinished work, and loads what an earlier run saved.
pub trait Checkpoints {
    /// Returns the checkpoint that an earlier run saved of the same work. Called once, at the beginning.
    fn resume(&mut self) -> Option<Checkpoint>;

    /// Reports whether it is time for the next checkpoint.
    fn due(&self) -> bool;

    /// Saves the work. The first failure is logged; the work continues.
    fn save(&mut self, snapshot: &Snapshot<'_>);
}

/// A checkpoint as it was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// State of the method besides the cells, in the method's own encoding.
    pub stage: Vec<u64>,
    /// The width of a cell.
    pub width: Width,
    /// The cells as tables lay them out.
    pub cells: Vec<u8>,
}

/// A checkpoint to be saved.
pub struct Snapshot<'a> {
    /// State of the method besides the cells, in the method's own encoding.
    pub stage: &'a [u64],
    /// The width of a cell.
    pub width: Width,
    /// Size of the cells in bytes.
    pub len: u64,
    /// Copies bytes of the cells, starting at an offset.
    pub copy: &'a dyn Fn(u64, &mut [u8]),
}

/// Saves nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCheckpoints;

impl Checkpoints for NoCheckpoints {
    fn resume(&mut self) -> Option<Checkpoint> {
        None
    }
    fn due(&self) -> bool {
        false
    }
    fn save(&mut self, _snapshot: &Snapshot<'_>) {}
}

/// Keeps every checkpoint in memory and may resume from a given one, for tests.
#[derive(Default)]
pub struct EveryCheckpoint {
    /// The checkpoint to resume from, until it is taken.
    pub from: Option<Checkpoint>,
    /// The saved checkpoints, in order.
    pub kept: Vec<Checkpoint>,
}

/// Bytes copied at a time, as a file is written: fewer than most tests' tables have.
const PIECE: usize = 1 << 12;

impl Checkpoints for EveryCheckpoint {
    fn resume(&mut self) -> Option<Checkpoint> {
        self.from.take()
    }
    fn due(&self) -> bool {
        true
    }
    fn save(&mut self, snapshot: &Snapshot<'_>) {
        let mut cells = vec![0; snapshot.len as usize];
        for (piece, at) in cells.chunks_mut(PIECE).zip((0..).step_by(PIECE)) {
            (snapshot.copy)(at, piece);
        }
        self.kept.push(Checkpoint { stage: snapshot.stage.to_vec(), width: snapshot.width, cells });
    }
}

/// Saves unfinished work to a file at regular intervals.
pub struct CheckpointFile<'a> {
    files: &'a dyn Files,
    path: PathBuf,
    /// Identity of the work: name, fingerprint and count. A file with another one is ignored.
    about: Vec<u8>,
    every: Duration,
    next: Instant,
    /// `true` once a failure was logged.
    warned: bool,
    /// Asks for a checkpoint before it is time.
    request: Option<Arc<Request>>,
    /// `true` from [`Checkpoints::resume`] on: the work that precedes it has nothing to save.
    begun: bool,
}

/// A request for a checkpoint, shared by those who ask and the files that may be written.
#[derive(Debug, Default)]
pub(super) struct Request {
    asked: AtomicBool,
    /// Number of files of work that has begun.
    files: AtomicU32,
}

impl Request {
    pub(super) fn ask(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Reports whether a checkpoint was asked for that a file in use has not saved yet.
    pub(super) fn is_awaited(&self) -> bool {
        self.asked.load(Ordering::Relaxed) && self.files.load(Ordering::Relaxed) > 0
    }
}

impl Drop for CheckpointFile<'_> {
    fn drop(&mut self) {
        if let (Some(request), true) = (&self.request, self.begun) {
            request.files.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

const MAGIC: [u8; 8] = *b"\x89grpart\n";
const VERSION: u32 = 1;
/// Bytes copied at a time.
const CHUNK: usize = 1 << 20;
/// Largest number of words in a stage.
const LONGEST_STAGE: u64 = 1 << 10;

impl<'a> CheckpointFile<'a> {
    /// Prepares the checkpoint file of this work, written once every interval `every`.
    pub fn new(
        files: &'a dyn Files,
        path: PathBuf,
        name: &str,
        fingerprint: u64,
        count: u64,
        every: Duration,
    ) -> CheckpointFile<'a> {
        let mut about = Vec::new();
        about.extend(MAGIC);
        about.extend(VERSION.to_le_bytes());
        about.extend(fingerprint.to_le_bytes());
        about.extend(count.to_le_bytes());
        about.extend((name.len() as u64).to_le_bytes());
        about.extend(name.as_bytes());
        let next = Instant::now() + every;
        CheckpointFile { files, path, about, every, next, warned: false, request: None, begun: false }
    }

    /// Returns the same file, also written when `request` asks for it.
    #[must_use]
    pub(super) fn on_request(mut self, request: Arc<Request>) -> Self {
        self.request = Some(request);
        self
    }

    /// Removes the file once the work is done.
    ///
    /// # Errors
    /// The file exists and cannot be removed.
    pub fn discard(self) -> Result<(), TableError> {
        match self.files.remove(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(TableError::new(&self.path, error)),
            _ => Ok(()),
        }
    }

    /// Reads the file; `None` if it belongs to other work or is damaged.
    fn read(&self) -> io::Result<Option<Checkpoint>> {
        let file = files::open(&self.path)?;
        let len = file.metadata()?.len();
        let mut from = Summed { inner: io::BufReader::with_capacity(CHUNK, file), sum: Xxh3::new() };
        let mut about = vec![0; self.about.len()];
        from.read_exact(&mut about)?;
        if about != self.about {
            return Ok(None);
        }
        let words = from.word()?;
        if words > LONGEST_STAGE {
            return Ok(None);
        }
        let stage = (0..words).map(|_| from.word()).collect::<io::Result<Vec<u64>>>()?;
        let width = match from.word()? {
            1 => Width::One,
            2 => Width::Two,
            4 => Width::Four,
            _ => return Ok(None),
        };
        let bytes = from.word()?;
        let head = self.about.len() as u64 + 8 * (words + 3);
        if head.checked_add(bytes).and_then(|n| n.checked_add(16)) != Some(len) {
            return Ok(None);
        }
        let mut cells = vec![0; bytes as usize];
        from.read_exact(&mut cells)?;
        let sum = from.sum.digest128();
        let mut said = [0; 16];
        from.inner.read_exact(&mut said)?;
        Ok((said == sum.to_le_bytes()).then_some(Checkpoint { stage, width, cells }))
    }
}

impl Checkpoints for CheckpointFile<'_> {
    fn resume(&mut self) -> Option<Checkpoint> {
        if let (Some(request), false) = (&self.request, std::mem::replace(&mut self.begun, true)) {
            request.files.fetch_add(1, Ordering::Relaxed);
        }
        match self.read() {
            Ok(Some(kept)) => Some(kept),
            Ok(None) => {
                log::warn!("{}: damaged or of other work, begun anew", self.path.display());
                None
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    log::warn!("{}: {error}, begun anew", self.path.display());
                }
                None
            }
        }
    }

    fn due(&self) -> bool {
        Instant::now() >= self.next || self.request.as_ref().is_some_and(|request| request.is_awaited())
    }

    fn save(&mut self, snapshot: &Snapshot<'_>) {
        let begun = Instant::now();
        let written = write_whole(self.files, &self.path, |out| {
            let mut sum = Xxh3::new();
            let mut head = self.about.clone();
            head.extend((snapshot.stage.len() as u64).to_le_bytes());
            head.extend(snapshot.stage.iter().flat_map(|word| word.to_le_bytes()));
            let width: u64 = match snapshot.width {
                Width::Quarter | Width::One => 1,
                Width::Two => 2,
                Width::Four => 4,
            };
            head.extend(width.to_le_bytes());
            head.extend(snapshot.len.to_le_bytes());
            sum.update(&head);
            out.write_all(&head)?;
            let mut chunk = vec![0; CHUNK];
            let mut at = 0;
            while at < snapshot.len {
                let part = &mut chunk[..(snapshot.len - at).min(CHUNK as u64) as usize];
                (snapshot.copy)(at, part);
                sum.update(part);
                out.write_all(part)?;
                at += part.len() as u64;
            }
            out.write_all(&sum.digest128().to_le_bytes())
        });
        // A full disk stays full: logged once, and tried again all the same.
        if let Err(error) = written
            && !std::mem::replace(&mut self.warned, true)
        {
            log::warn!("no checkpoint: {error}");
        }
        // Saving takes at most about a tenth of the time.
        self.next = Instant::now() + self.every.max(begun.elapsed() * 10);
        if let Some(request) = &self.request {
            request.asked.store(false, Ordering::Relaxed);
        }
    }
}

/// A reader that computes the checksum of what it read.
struct Summed<R> {
    inner: R,
    sum: Xxh3,
}

impl<R: Read> Summed<R> {
    fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        self.sum.update(&into[..n]);
        Ok(n)
    }
}
