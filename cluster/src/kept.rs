//! Work half done: each worker keeps its shard by the number of a round, and a new start goes on from the last round that
//! all workers have.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use grundy::session::Shard;
use grundy::table::{CheckpointFile, Checkpoints, Disk};

use crate::carry::Carrier;

/// Between the name of a shard and the number of a round.
const ROUND: &str = ".round-";

/// The files of one worker.
pub struct Kept {
    folder: PathBuf,
    /// The name of the shard, as it begins the names of its files.
    shard: String,
    /// What a file must say of itself.
    about: String,
    fingerprint: u64,
    cells: u64,
    every: Duration,
    next: Instant,
    /// The round that all workers have.
    last: Option<u64>,
}

impl Kept {
    /// The files of a worker's shard in a folder, which is made.
    pub fn new(folder: &Path, game: &str, fingerprint: u64, carrier: &Carrier<'_>, every: Duration) -> Kept {
        let (index, peers) = (carrier.index(), carrier.peers());
        let cells = carrier.with(|shard| shard.layout().cells(index));
        Kept {
            folder: folder.to_owned(),
            shard: format!("shard-{index}-of-{peers}"),
            about: format!("{game} shard {index} of {peers}"),
            fingerprint,
            cells,
            every,
            next: Instant::now() + every,
            last: None,
        }
    }

    fn file(&self, round: u64) -> PathBuf {
        self.folder.join(format!("{}{ROUND}{round}", self.shard))
    }

    fn checkpoint(&self, path: PathBuf) -> CheckpointFile<'static> {
        CheckpointFile::new(&Disk, path, &self.about, self.fingerprint, self.cells, self.every)
    }

    /// The rounds that this worker has kept; what it had written half is removed.
    fn rounds(&self) -> Vec<u64> {
        let mut rounds = Vec::new();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(rest) =
                name.to_str().and_then(|name| name.strip_prefix(&self.shard)?.strip_prefix(ROUND))
            else {
                continue;
            };
            match rest.parse() {
                Ok(round) => rounds.push(round),
                Err(_) => drop(fs::remove_file(entry.path())),
            }
        }
        rounds
    }

    /// Goes on from the last round that all workers have; gives its number, or 0. `anew` makes an empty shard.
    pub fn go_on(
        &mut self,
        carrier: &mut Carrier<'_>,
        anew: impl Fn() -> Result<Box<dyn Shard>>,
    ) -> Result<u64> {
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        let all = carrier.exchange(self.rounds())?;
        let mut common: Vec<u64> = all[0].clone();
        common.retain(|round| all.iter().all(|rounds| rounds.contains(round)));
        common.sort_unstable();
        while let Some(round) = common.pop() {
            let kept = self.checkpoint(self.file(round)).resume();
            let taken = kept.is_some_and(|kept| carrier.with(|shard| shard.go_on(kept)));
            if carrier.exchange(vec![taken.into()])?.iter().all(|taken| taken == &[1]) {
                self.forget_others(round);
                self.last = Some(round);
                return Ok(round);
            }
            carrier.replace(anew()?);
        }
        // What some workers have of an earlier run must not be taken for a round of this one.
        self.forget_all();
        Ok(0)
    }

    /// Whether it is time to keep the work.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// The time until then.
    pub fn until_due(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Keeps the shard under the number of a round. A file that cannot be written is told of, and the work goes on: what
    /// was kept before stays.
    pub fn save(&mut self, carrier: &mut Carrier<'_>, round: u64) -> Result<()> {
        let begun = Instant::now();
        let path = self.file(round);
        carrier.with(|shard| shard.keep(&mut self.checkpoint(path.clone())));
        let written = path.exists();
        if carrier.exchange(vec![written.into()])?.iter().all(|written| written == &[1]) {
            self.forget_others(round);
            self.last = Some(round);
        } else {
            let _ = fs::remove_file(path);
        }
        // Keeping takes at most about a tenth of the time.
        self.next = Instant::now() + self.every.max(begun.elapsed() * 10);
        Ok(())
    }

    fn forget_others(&self, round: u64) {
        for other in self.rounds().into_iter().filter(|&other| other != round) {
            let _ = fs::remove_file(self.file(other));
        }
    }

    fn forget_all(&self) {
        for round in self.rounds() {
            let _ = fs::remove_file(self.file(round));
        }
    }

    /// Removes everything, once the table is written.
    pub fn discard(self) {
        self.forget_all();
        // The last worker of the machine removes the folder.
        let _ = fs::remove_dir(&self.folder);
    }
}
