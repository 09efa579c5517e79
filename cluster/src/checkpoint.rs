//! Checkpoints: each worker saves its shard under the number of a round, and a restart resumes from the newest round that all
//! workers can read.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Result;
use grundy::session::Shard;
use grundy::table::{CheckpointFile, Checkpoints, Disk};

use crate::transport::Transport;

/// The separator between the name of a shard and the number of a round in a file's name.
const ROUND: &str = ".round-";

/// A saved round: its number, and a random stamp that its shards share. Rounds of two runs may have the same number but end at
/// different points: their shards together would make a wrong table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Round {
    number: u64,
    stamp: u64,
}

impl Round {
    fn parse(text: &str) -> Option<Round> {
        let (number, stamp) = text.split_once('-')?;
        Some(Round { number: number.parse().ok()?, stamp: u64::from_str_radix(stamp, 16).ok()? })
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:016x}", self.number, self.stamp)
    }
}

/// The checkpoint files of one worker.
pub struct CheckpointFiles {
    folder: PathBuf,
    /// The name of the shard, with which the names of its files begin.
    shard: String,
    /// The text that the header of a file must have.
    about: String,
    fingerprint: u64,
    cells: u64,
    every: Duration,
    next: Instant,
}

impl CheckpointFiles {
    /// Names the files of a worker's shard in a folder.
    pub fn new(
        folder: &Path,
        game: &str,
        fingerprint: u64,
        transport: &Transport<'_>,
        every: Duration,
    ) -> CheckpointFiles {
        let (index, peers) = (transport.index(), transport.peers());
        let layout = transport.with(|shard| shard.layout());
        // Another version may distribute the positions, or visit them, in another way.
        let version = env!("CARGO_PKG_VERSION");
        let blocks = format!("blocks of 2^{}, version {version}", layout.shift());
        CheckpointFiles {
            folder: folder.to_owned(),
            shard: format!("shard-{index}-of-{peers}"),
            about: format!("{game} shard {index} of {peers}, {blocks}"),
            fingerprint,
            cells: layout.cells(index),
            every,
            next: Instant::now() + every,
        }
    }

    fn file(&self, round: Round) -> PathBuf {
        self.folder.join(format!("{}{ROUND}{round}", self.shard))
    }

    fn checkpoint(&self, round: Round) -> CheckpointFile<'static> {
        let about = format!("{}, round {round}", self.about);
        CheckpointFile::new(&Disk, self.file(round), &about, self.fingerprint, self.cells, self.every)
    }

    /// Lists the rounds that this worker has saved, and removes incomplete files.
    fn rounds(&self) -> Vec<Round> {
        let mut rounds = Vec::new();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(rest) =
                name.to_str().and_then(|name| name.strip_prefix(&self.shard)?.strip_prefix(ROUND))
            else {
                continue;
            };
            match Round::parse(rest) {
                Some(round) => rounds.push(round),
                None => drop(fs::remove_file(entry.path())),
            }
        }
        rounds
    }

    /// Resumes from the newest round that all workers have; returns its number, or 0. `anew` makes an empty shard.
    ///
    /// # Errors
    /// A worker has failed.
    pub fn go_on(&mut self, transport: &mut Transport<'_>, anew: impl Fn() -> Box<dyn Shard>) -> Result<u64> {
        if let Err(error) = fs::create_dir_all(&self.folder) {
            return Err(transport.fail(format!("{}: {error}", self.folder.display())));
        }
        let own: Vec<u64> = self.rounds().into_iter().flat_map(|round| [round.number, round.stamp]).collect();
        let all: Vec<Vec<Round>> = transport.exchange(own)?.iter().map(|words| read(words)).collect();
        let mut common = all[0].clone();
        common.retain(|round| all.iter().all(|rounds| rounds.contains(round)));
        common.sort_unstable();
        while let Some(round) = common.pop() {
            let kept = self.checkpoint(round).resume();
            let taken = kept.is_some_and(|kept| transport.with(|shard| shard.go_on(kept)));
            if transport.exchange(vec![taken.into()])?.iter().all(|taken| taken == &[1]) {
                self.forget_others(Some(round));
                return Ok(round.number);
            }
            transport.set(anew());
        }
        self.forget_others(None);
        Ok(0)
    }

    /// Returns a stamp for the round if a checkpoint is due, else 0.
    pub fn stamp_if_due(&self) -> u64 {
        if Instant::now() < self.next {
            return 0;
        }
        // Without random bytes the time tells two runs apart.
        let time = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        getrandom::u64().unwrap_or_else(|_| time() as u64).max(1)
    }

    /// Returns the time until the next checkpoint is due.
    pub fn until_due(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Saves the shard under the number of a round and the stamp of the first worker. A failed write is logged; the work goes on,
    /// and the last checkpoint stays.
    ///
    /// # Errors
    /// A worker has failed.
    pub fn save(&mut self, transport: &mut Transport<'_>, number: u64, stamp: u64) -> Result<()> {
        let begun = Instant::now();
        let round = Round { number, stamp };
        transport.with(|shard| shard.keep(&mut self.checkpoint(round)));
        let written = self.file(round).exists();
        if transport.exchange(vec![written.into()])?.iter().all(|written| written == &[1]) {
            self.forget_others(Some(round));
        } else {
            let _ = fs::remove_file(self.file(round));
        }
        // Checkpoints take at most about a tenth of the time.
        self.next = Instant::now() + self.every.max(begun.elapsed() * 10);
        Ok(())
    }

    /// Removes all rounds but one.
    fn forget_others(&self, than: Option<Round>) {
        for other in self.rounds().into_iter().filter(|&other| Some(other) != than) {
            let _ = fs::remove_file(self.file(other));
        }
    }

    /// Removes the worker's files once the table is written. The first worker also removes those of starts with another number of
    /// workers.
    pub fn discard(folder: &Path, transport: &Transport<'_>) {
        let (own, same) =
            (format!("shard-{}-of-{}.", transport.index(), transport.peers()), transport.peers());
        let same = format!("-of-{same}.");
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            if name.starts_with(&own) || transport.index() == 0 && !name.contains(&same) {
                let _ = fs::remove_file(entry.path());
            }
        }
        // The last worker of the machine removes the folder.
        let _ = fs::remove_dir(folder);
    }
}

/// Reads rounds from words, a number and a stamp each.
fn read(words: &[u64]) -> Vec<Round> {
    words.as_chunks().0.iter().map(|&[number, stamp]| Round { number, stamp }).collect()
}
