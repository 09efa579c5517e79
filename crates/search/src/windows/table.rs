//! Proved bounds of cores by key, shared by threads without locks.
//!
//! The first word of a key selects the bucket. An entry is two words: the data, and the second word of the key combined
//! with the data by exclusive or. An entry that two threads wrote at once does not match its key (Hyatt's method).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::alpha_beta::prefetch;
use crate::zeroed::Zeroed;

/// Words per bucket: four entries on one cache line.
const BUCKET: usize = 8;
const BITS: u32 = 28;
const MASK: u64 = (1 << BITS) - 1;
const MIDDLE: i32 = 1 << (BITS - 1);

/// The memory of a table.
pub(super) struct BoundsMemory(Zeroed);

/// The table.
pub(super) struct BoundsTable<'m> {
    words: &'m [AtomicU64],
    buckets: u64,
}

impl BoundsMemory {
    /// Allocates memory of this size in megabytes, or less if there is not enough; it is only touched as it fills.
    /// `None` if there is none at all.
    pub fn new(megabytes: usize) -> Option<BoundsMemory> {
        let mut bytes = megabytes.clamp(1, 1 << 24) << 20;
        while bytes >= 4096 {
            if let Some(words) = Zeroed::new(bytes) {
                return Some(BoundsMemory(words));
            }
            bytes /= 2;
        }
        None
    }

    /// Returns the number of buckets of a table of this size in megabytes.
    pub fn buckets(megabytes: usize) -> u64 {
        ((megabytes.clamp(1, 1 << 24) << 20) / (8 * BUCKET)) as u64
    }

    /// Returns the table in this memory.
    pub fn table(&mut self) -> BoundsTable<'_> {
        let words = self.0.words();
        BoundsTable { buckets: (words.len() / BUCKET) as u64, words }
    }
}

impl BoundsTable<'_> {
    #[inline]
    fn first(&self, key: [u64; 2]) -> usize {
        let bucket = ((u128::from(key[0]) * u128::from(self.buckets)) >> 64) as usize;
        bucket * BUCKET
    }

    /// Prefetches a bucket.
    #[inline]
    pub fn prefetch(&self, key: [u64; 2]) {
        prefetch(&self.words[self.first(key)]);
    }

    /// Returns the proved bounds of a core, lower first.
    #[inline]
    pub fn find(&self, key: [u64; 2]) -> Option<(i32, i32)> {
        let first = self.first(key);
        let bucket = &self.words[first..first + BUCKET];
        for entry in bucket.chunks_exact(2) {
            let data = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ data == key[1] && data != 0 {
                return Some(bounds(data));
            }
        }
        None
    }

    /// Stores bounds, intersected with those already there; `work` is their cost as the bit length of the node count.
    /// The cheapest entry of a full bucket is replaced.
    pub fn store(&self, key: [u64; 2], mut lo: i32, mut hi: i32, mut work: u32) {
        let first = self.first(key);
        let bucket = &self.words[first..first + BUCKET];
        let (mut victim, mut least) = (0, u64::MAX);
        for (i, entry) in bucket.chunks_exact(2).enumerate() {
            let data = entry[1].load(Relaxed);
            if data == 0 {
                if least > 0 {
                    (victim, least) = (i, 0);
                }
            } else if entry[0].load(Relaxed) ^ data == key[1] {
                let (known_lo, known_hi) = bounds(data);
                (lo, hi) = (lo.max(known_lo), hi.min(known_hi));
                work = work.max((data >> (2 * BITS)) as u32);
                victim = i;
                break;
            } else if (data >> (2 * BITS)) + 1 < least {
                (victim, least) = (i, (data >> (2 * BITS)) + 1);
            }
        }
        let data = u64::from(work.min(255)) << (2 * BITS)
            | ((lo + MIDDLE) as u64 & MASK) << BITS
            | ((hi + MIDDLE) as u64 & MASK);
        bucket[2 * victim].store(key[1] ^ data, Relaxed);
        bucket[2 * victim + 1].store(data, Relaxed);
    }

    /// Returns the number of buckets.
    pub fn buckets(&self) -> u64 {
        self.buckets
    }

    /// Returns the most expensive entries, whole classes of cost that are at most `most` together: index, key XOR data, and
    /// data.
    pub fn dearest(&self, most: usize) -> Vec<[u64; 3]> {
        let entries = || {
            let words = self.words.chunks_exact(2).zip(0_u64..);
            words.map(|(entry, place)| [place, entry[0].load(Relaxed), entry[1].load(Relaxed)])
        };
        let cost = |data: u64| (data >> (2 * BITS)) as usize;
        let mut counts = [0_usize; 256];
        entries().filter(|[.., data]| *data != 0).for_each(|[.., data]| counts[cost(data)] += 1);
        let mut sum = 0;
        let dear = (0..256).rev().take_while(|&c| {
            sum += counts[c];
            sum <= most
        });
        let least = dear.last().unwrap_or(256);
        // The threads go on meanwhile, so that there may be some more by now.
        entries().filter(|&[.., data]| data != 0 && cost(data) >= least).take(most).collect()
    }

    /// Restores an entry at its index; returns false if the table has no such index.
    pub fn put(&self, [place, key, data]: [u64; 3]) -> bool {
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let entry = place.checked_mul(2).and_then(|first| self.words.get(first..)?.first_chunk::<2>());
        if let Some([first, second]) = entry {
            first.store(key, Relaxed);
            second.store(data, Relaxed);
        }
        entry.is_some()
    }

    /// Returns the fill level of the table, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let sample = (self.buckets as usize * 4).min(1000);
        let used = (0..sample).filter(|i| self.words[2 * i + 1].load(Relaxed) != 0).count();
        (used * 1000 / sample.max(1)) as u32
    }
}

#[inline]
fn bounds(data: u64) -> (i32, i32) {
    (((data >> BITS) & MASK) as i32 - MIDDLE, (data & MASK) as i32 - MIDDLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_only_grow_tighter() {
        let mut memory = BoundsMemory::new(1).expect("a megabyte");
        let table = memory.table();
        let key = [u64::MAX, 7];
        assert_eq!(table.find(key), None);
        table.store(key, -10_000_000, 4, 3);
        table.store(key, -2, 10_000_000, 1);
        assert_eq!(table.find(key), Some((-2, 4)));
        assert_eq!(table.find([u64::MAX, 8]), None);
    }

    #[test]
    fn the_dearest_entries_find_their_places_again() {
        let (mut memory, mut other) =
            (BoundsMemory::new(1).expect("a megabyte"), BoundsMemory::new(1).expect("a megabyte"));
        let (table, again) = (memory.table(), other.table());
        assert_eq!(table.buckets(), BoundsMemory::buckets(1));
        for n in 0..100 {
            table.store([n << 57, n + 1], 0, n as i32, n as u32);
        }
        let dearest = table.dearest(10);
        assert_eq!(dearest.len(), 10);
        assert!(dearest.iter().all(|&entry| again.put(entry)) && !again.put([1 << 60, 1, 1]));
        assert_eq!(again.find([99 << 57, 100]), Some((0, 99)));
        assert_eq!(again.find([89 << 57, 90]), None);
    }

    #[test]
    fn what_cost_least_is_lost_first() {
        let mut memory = BoundsMemory::new(1).expect("a megabyte");
        let table = memory.table();
        for n in 0..5 {
            table.store([0, n + 1], 0, n as i32, 9 - n as u32);
        }
        assert_eq!(table.find([0, 4]), None);
        assert_eq!(table.find([0, 1]), Some((0, 0)));
    }
}
