//! The results of an unfinished proof in a file, so that it can resume after a kill: the most expensive entries of its
//! table.
//!
//! Layout, words little-endian: magic number of eight bytes, length of the game's name, name, a fingerprint of the
//! keys, buckets of the table, number of entries, entries of three words (index of the entry, key
//! XOR data, data), XXH3 of all before. The
//! file is written atomically ([`write_whole`]).

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use super::ability::Reduced;
use super::table::{BoundsMemory, BoundsTable};
use grundy_core::files::{self, FileError};
use grundy_core::table::{Disk, TableError, write_whole};

const MAGIC: &[u8; 8] = b"grundyW1";

/// Maximum number of entries saved: a file of 24 MiB.
const MOST: usize = 1 << 20;

/// The file to which a proof saves its results.
#[derive(Clone, Debug)]
pub struct SearchFile {
    /// The file.
    pub path: PathBuf,
    /// The game's full name.
    pub name: String,
    /// Interval between saves.
    pub every: Duration,
}

/// The contents of a file.
struct SavedSearch {
    keys: u64,
    buckets: u64,
    entries: Vec<[u64; 3]>,
}

impl SearchFile {
    /// Checks whether a search of this game with a table of this size in megabytes can resume from the file: true if it
    /// can, false if there is no file yet.
    ///
    /// # Errors
    /// The file is damaged, or of another game or table.
    pub(super) fn check(&self, megabytes: usize) -> Result<bool, TableError> {
        let Some(kept) = self.read()? else { return Ok(false) };
        let expected = BoundsMemory::buckets(megabytes);
        if kept.buckets != expected {
            let other = kept.buckets.saturating_mul(64) >> 20;
            return Err(self.refusal(&format!("kept with a table of {other} MB, expected {megabytes} MB")));
        }
        Ok(true)
    }

    /// Loads the entries of the file into an empty table; returns their number.
    pub(super) fn load<G: Reduced>(&self, game: &G, table: &BoundsTable<'_>) -> Result<usize, TableError> {
        let Some(kept) = self.read()? else { return Ok(0) };
        if kept.keys != fingerprint(game) || kept.buckets != table.buckets() {
            return Err(self.refusal("kept by another version or with a table of another size"));
        }
        if !kept.entries.iter().all(|&entry| table.put(entry)) {
            return Err(self.refusal("an entry has no place in the table"));
        }
        Ok(kept.entries.len())
    }

    /// Saves the most expensive entries of a table that threads may be using.
    pub(super) fn save<G: Reduced>(&self, game: &G, table: &BoundsTable<'_>) -> Result<(), TableError> {
        let entries = table.dearest(MOST);
        let mut bytes = MAGIC.to_vec();
        let mut word = |word: u64| bytes.extend(word.to_le_bytes());
        word(self.name.len() as u64);
        bytes.extend(self.name.as_bytes());
        let mut word = |word: u64| bytes.extend(word.to_le_bytes());
        [fingerprint(game), table.buckets(), entries.len() as u64].into_iter().for_each(&mut word);
        entries.into_iter().flatten().for_each(&mut word);
        let sum = xxh3_64(&bytes);
        bytes.extend(sum.to_le_bytes());
        write_whole(&Disk, &self.path, |out| out.write_all(&bytes))
    }

    fn read(&self) -> Result<Option<SavedSearch>, TableError> {
        let most = 8 * (3 * MOST + 6) + self.name.len();
        let bytes = match files::read(&self.path, most as u64) {
            Ok(bytes) => bytes,
            Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(FileError::TooLong(_)) => return Err(self.refusal("longer than a kept search is")),
            Err(error) => return Err(TableError::new(&self.path, io::Error::from(error))),
        };
        self.parse(&bytes).map(Some)
    }

    fn parse(&self, bytes: &[u8]) -> Result<SavedSearch, TableError> {
        let damaged = || self.refusal("damaged, or not a kept search");
        let (all, sum) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
        let rest = all.strip_prefix(MAGIC).filter(|_| xxh3_64(all) == u64::from_le_bytes(*sum));
        let (length, rest) = rest.and_then(<[u8]>::split_first_chunk::<8>).ok_or_else(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
        let (name, rest) = rest.split_at_checked(length).ok_or_else(damaged)?;
        if name != self.name.as_bytes() {
            return Err(self.refusal(&format!("of another game, expected {}", self.name)));
        }
        let (words, odd) = rest.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [keys, buckets, count, entries @ ..] = words.as_slice() else { return Err(damaged()) };
        let (entries, more) = entries.as_chunks::<3>();
        if entries.len() as u64 != *count || !more.is_empty() || !odd.is_empty() {
            return Err(damaged());
        }
        Ok(SavedSearch { keys: *keys, buckets: *buckets, entries: entries.to_vec() })
    }

    fn refusal(&self, why: &str) -> TableError {
        TableError::new(&self.path, io::Error::new(io::ErrorKind::InvalidData, why.to_owned()))
    }
}

/// Returns a fingerprint that changes with the keys.
fn fingerprint<G: Reduced>(game: &G) -> u64 {
    let core = game.reduce(&game.start()).core;
    let [a, b] = game.key(&core);
    a ^ b.rotate_left(32)
}

/// Logs that a file was rejected or not written.
pub(super) fn tell(path: &Path, result: Result<(), TableError>) {
    if let Err(error) = result {
        log::warn!("{error}; the search goes on ({})", path.display());
    }
}
