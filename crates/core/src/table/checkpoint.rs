//! Checkpoints: unfinished work saved to a file, from which it goes on after a crash or a kill.

use std::io::{self, Read};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use super::coding::Width;
use super::files::{Files, write_whole};
use super::flaw::TableError;
use crate::files;

/// Saves unfinished work, and gives back what an earlier run saved.
pub trait Checkpoints {
    /// What an earlier run saved of the same work. Asked once, at the beginning.
    fn resume(&mut self) -> Option<Checkpoint>;

    /// Whether it is time for the next checkpoint.
    fn due(&self) -> bool;

    /// Saves the work. The first failure is logged, and the work goes on.
    fn save(&mut self, snapshot: &Snapshot<'_>);
}

/// Unfinished work as it was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Where the method stood, in numbers of its own.
    pub stage: Vec<u64>,
    /// The width of a cell.
    pub width: Width,
    /// The cells as tables lay them out.
    pub cells: Vec<u8>,
}

/// Unfinished work to be saved.
pub struct Snapshot<'a> {
    /// Where the method stands, in numbers of its own.
    pub stage: &'a [u64],
    /// The width of a cell.
    pub width: Width,
    /// How many bytes the cells take.
    pub len: u64,
    /// Copies bytes of the cells, from an offset on.
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

/// Keeps every checkpoint in memory, and begins from one that it is given: for tests of work that goes on.
#[derive(Default)]
pub struct EveryCheckpoint {
    /// Where the work begins, until it has asked.
    pub from: Option<Checkpoint>,
    /// What was kept, in order.
    pub kept: Vec<Checkpoint>,
}

/// Bytes taken at a time, as a file is written: smaller than the tables of most tests.
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
    /// What the file must say of the game, or it is not taken: name, fingerprint, count.
    about: Vec<u8>,
    every: Duration,
    next: Instant,
    /// Whether a failure has been told.
    warned: bool,
}

const MAGIC: [u8; 8] = *b"\x89grpart\n";
const VERSION: u32 = 1;
/// Bytes copied at a time.
const CHUNK: usize = 1 << 20;
/// No stage has more numbers.
const LONGEST_STAGE: u64 = 1 << 10;

impl<'a> CheckpointFile<'a> {
    /// A checkpoint file of this work, written every so often.
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
        CheckpointFile { files, path, about, every, next: Instant::now() + every, warned: false }
    }

    /// Removes the file once the work is done.
    ///
    /// # Errors
    /// The file is there and cannot be removed.
    pub fn discard(self) -> Result<(), TableError> {
        match self.files.remove(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(TableError::new(&self.path, error)),
            _ => Ok(()),
        }
    }

    /// Reads the file; `None` where it is of other work or damaged.
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
        Instant::now() >= self.next
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
        // A disk that is full stays full: told once, and tried again all the same.
        if let Err(error) = written
            && !std::mem::replace(&mut self.warned, true)
        {
            log::warn!("no checkpoint: {error}");
        }
        // Keeping takes at most about a tenth of the time.
        self.next = Instant::now() + self.every.max(begun.elapsed() * 10);
    }
}

/// Reads and sums up what was read.
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
