//! The transposition table, shared by threads without locks.
//!
//! An entry is two words: the data, and the key combined with the data by exclusive or. An entry that two threads wrote
//! at once does not match its key, and is ignored (Hyatt's method). There are two kinds of entries, under different
//! keys: *proved* bounds, and *estimates* of a depth-limited search.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::prefetch::prefetch;
use crate::zeroed::Zeroed;
use grundy_core::random::place;
use grundy_core::value::Value;

/// Entries per bucket, which is one cache line of 64 bytes.
const WAYS: usize = 4;
/// Marks an entry without a move.
pub(super) const NO_MOVE: u16 = 0xFFF;
/// Number of generations, counted from 1.
const GENERATIONS: u64 = 63;

/// The memory of a table.
pub(super) struct TableMemory {
    words: Zeroed,
    generation: u64,
}

/// A table in use.
#[derive(Clone, Copy)]
pub(super) struct TranspositionTable<'a> {
    words: &'a [AtomicU64],
    buckets: u64,
    generation: u64,
}

/// Proved bounds of a position, and the move that showed the lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    /// The value is this or better.
    pub lo: i32,
    /// The value is this or worse.
    pub hi: i32,
    /// The best move's index in the game's order of moves, or [`NO_MOVE`].
    pub best: u16,
}

impl Proof {
    /// Returns the bound that decides whether the value reaches `target`, if one does.
    pub(super) fn answers(&self, target: i32) -> Option<i32> {
        match () {
            () if self.lo >= target => Some(self.lo),
            () if self.hi < target => Some(self.hi),
            () => None,
        }
    }

    /// Returns the part that also holds with `left` plies before a rule draws the game: what is forced within them.
    pub(super) fn with_plies_left(self, left: Option<u32>) -> Proof {
        let Some(left) = left else { return self };
        let in_time = |bound: i32| Value::from_raw(bound).plies().is_some_and(|plies| plies <= left);
        Proof {
            lo: if self.lo > 0 && !in_time(self.lo) { i32::MIN } else { self.lo },
            hi: if self.hi < 0 && !in_time(self.hi) { i32::MAX } else { self.hi },
            ..self
        }
    }
}

/// Returns the part of bounds, proved with `left` plies before a rule draws the game, that holds for any number of
/// plies: nobody is beaten sooner.
pub(super) fn with_any_plies_left((lo, hi): (i32, i32), left: Option<u32>) -> (i32, i32) {
    let Some(left) = left else { return (lo, hi) };
    let lo = if lo > 0 { lo } else { lo.min(Value::loss_in(left + 1).raw()) };
    let hi = if hi < 0 { hi } else { hi.max(Value::win_in(left + 1).raw()) };
    (lo, hi)
}

/// The bound type of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Lower,
    Upper,
    Exact,
}

/// A result of the depth-limited search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub score: i32,
    /// Depth in plies, at most 63.
    pub depth: u8,
    pub bound: Bound,
    pub best: u16,
}

impl TableMemory {
    /// Allocates memory of this size in kilobytes, which is only touched as it fills.
    ///
    /// # Errors
    /// There is not enough memory; the text says how much was requested.
    pub(super) fn new(kilobytes: usize) -> Result<TableMemory, String> {
        let no_memory = || format!("cannot allocate {} MB for the transposition table", kilobytes >> 10);
        let bytes = kilobytes.max(4).checked_mul(1024).ok_or_else(no_memory)?;
        Ok(TableMemory { words: Zeroed::new(bytes).ok_or_else(no_memory)?, generation: 1 })
    }

    /// Allocates memory of this size in kilobytes, or less if there is not enough.
    pub(super) fn at_most(mut kilobytes: usize) -> TableMemory {
        loop {
            match TableMemory::new(kilobytes) {
                Ok(memory) => return memory,
                Err(error) => log::warn!("{error}, trying half of it"),
            }
            kilobytes /= 2;
        }
    }

    /// Begins a new generation: entries of earlier ones are replaced first.
    pub(super) fn age(&mut self) {
        self.generation = self.generation % GENERATIONS + 1;
    }

    /// Returns the table in this memory.
    pub(super) fn table(&mut self) -> TranspositionTable<'_> {
        let words = self.words.words();
        TranspositionTable { buckets: words.len() as u64 / 8, words, generation: self.generation }
    }
}

impl TranspositionTable<'_> {
    /// Copies the entries of another table; returns false if `ended` became true before the end. It is called before
    /// every entry: the first touch of a large page may take milliseconds.
    pub(super) fn copy(&self, other: &TranspositionTable<'_>, ended: &dyn Fn() -> bool) -> bool {
        for pair in other.words.chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            if data != 0 && generation_of(data) == other.generation {
                if ended() {
                    return false;
                }
                let data = data & !(63 << 50) | self.generation << 50;
                self.write(pair[0].load(Relaxed) ^ pair[1].load(Relaxed), data);
            }
        }
        true
    }

    /// Returns the index of the bucket of this key.
    #[inline]
    fn spot(&self, key: u64) -> usize {
        place(key, self.buckets) * 8
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let spot = self.spot(key);
        &self.words[spot..spot + 8]
    }

    #[inline]
    fn find(&self, bucket: &[AtomicU64], key: u64) -> Option<u64> {
        for way in 0..WAYS {
            let data = bucket[2 * way + 1].load(Relaxed);
            if bucket[2 * way].load(Relaxed) ^ data == key && data != 0 {
                return Some(data);
            }
        }
        None
    }

    /// Returns index and data of the entry of this key, else of the one to replace: the oldest and cheapest of the
    /// bucket.
    #[inline]
    fn place(&self, key: u64) -> (&[AtomicU64], Option<u64>) {
        let bucket = self.bucket(key);
        let mut victim = 0;
        let mut least = u64::MAX;
        for way in 0..WAYS {
            let old = bucket[2 * way + 1].load(Relaxed);
            if bucket[2 * way].load(Relaxed) ^ old == key && old != 0 {
                return (&bucket[2 * way..2 * way + 2], Some(old));
            }
            let worth = match old {
                0 => 0,
                _ => 1 + work_of(old) + if generation_of(old) == self.generation { 64 } else { 0 },
            };
            if worth < least {
                (least, victim) = (worth, way);
            }
        }
        (&bucket[2 * victim..2 * victim + 2], None)
    }

    /// Replaces the entry of the same key, else the oldest and cheapest of the bucket.
    fn write(&self, key: u64, data: u64) {
        put(self.place(key).0, key, data);
    }

    /// Prefetches the entry for [`TranspositionTable::proof_at`] and returns its index.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) -> usize {
        let spot = self.spot(key);
        prefetch(&self.words[spot]);
        spot
    }

    /// Prefetches the entry for [`TranspositionTable::guess`].
    #[inline]
    pub(super) fn prefetch_guess(&self, key: u64) {
        self.prefetch(guess_key(key));
    }

    /// Returns the proved bounds of the position with this key.
    #[inline]
    pub(super) fn proof(&self, key: u64) -> Option<Proof> {
        self.proof_at(self.spot(key), key)
    }

    /// Returns the proved bounds of the position with this key; `spot` is from [`TranspositionTable::prefetch`] of this
    /// table.
    #[inline]
    pub(super) fn proof_at(&self, spot: usize, key: u64) -> Option<Proof> {
        let data = self.find(self.words.get(spot..spot + 8)?, key)?;
        Some(Proof {
            lo: unpack(data as u16 as i16, i32::MIN),
            hi: unpack((data >> 16) as u16 as i16, i32::MAX),
            best: (data >> 32) as u16 & NO_MOVE,
        })
    }

    /// Adds proved bounds to those already there. `nodes` is the cost of the proof.
    pub(super) fn prove(&self, key: u64, lo: i32, hi: i32, best: u16, nodes: u64) {
        let (mut low, mut high) = (pack_down(lo), pack_up(hi));
        let mut best = best.min(NO_MOVE);
        let mut work = u64::from(nodes.max(1).ilog2());
        let (place, old) = self.place(key);
        if let Some(old) = old {
            work = work.max(work_of(old));
            low = low.max(old as u16 as i16);
            high = high.min((old >> 16) as u16 as i16);
            if best == NO_MOVE {
                best = (old >> 32) as u16 & NO_MOVE;
            }
        }
        let data = u64::from(low as u16) | u64::from(high as u16) << 16 | u64::from(best) << 32;
        put(place, key, data | work << 44 | self.generation << 50);
    }

    /// Returns the estimate of the position with this key.
    #[inline]
    pub(super) fn guess(&self, key: u64) -> Option<Guess> {
        let key = guess_key(key);
        let data = self.find(self.bucket(key), key)?;
        let bound = match data >> 56 & 3 {
            0 => Bound::Lower,
            1 => Bound::Upper,
            _ => Bound::Exact,
        };
        // The depth takes the place of the work.
        Some(Guess {
            score: data as u32 as i32,
            depth: work_of(data) as u8,
            bound,
            best: (data >> 32) as u16 & NO_MOVE,
        })
    }

    /// Stores an estimate.
    pub(super) fn guessed(&self, key: u64, guess: Guess) {
        let data = u64::from(guess.score as u32)
            | u64::from(guess.best.min(NO_MOVE)) << 32
            | (guess.bound as u64) << 56
            | u64::from(guess.depth.min(63)) << 44
            | self.generation << 50;
        self.write(guess_key(key), data);
    }

    /// Returns the share of the table filled by this generation, in thousandths.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = self.buckets.min(500) as usize;
        let words = &self.words[..sample * 8];
        let used = words.iter().skip(1).step_by(2).filter(|w| {
            let data = w.load(Relaxed);
            data != 0 && generation_of(data) == self.generation
        });
        (used.count() * 1000 / (sample * WAYS)) as u32
    }
}

#[inline]
fn put(entry: &[AtomicU64], key: u64, data: u64) {
    entry[0].store(key ^ data, Relaxed);
    entry[1].store(data, Relaxed);
}

fn guess_key(key: u64) -> u64 {
    key ^ 0xA5C3_5A3C_96E1_6B0D
}

fn work_of(data: u64) -> u64 {
    data >> 44 & 63
}

fn generation_of(data: u64) -> u64 {
    data >> 50 & 63
}

// A value takes 16 bits: margins up to `FAR` as they are, wins by their distance. What does not fit is stored as
// the weaker bound that does, which is just as true.

const FAR: i32 = 12_000;
const SOME_WIN: i16 = 12_500;
const MATE: i16 = 32_000;
const LONGEST: u32 = 19_000;

/// Returns the largest 16-bit value not above `value`.
fn pack_down(value: i32) -> i16 {
    if value == i32::MIN {
        return i16::MIN;
    }
    let value = Value::from_raw(value);
    match (value.plies(), value.margin()) {
        (_, Some(margin)) if margin > FAR => FAR as i16,
        (_, Some(margin)) if margin < -FAR => -SOME_WIN + 1,
        (_, Some(margin)) => margin as i16,
        (Some(plies), _) if value > Value::DRAW => {
            if plies <= LONGEST {
                MATE - plies as i16
            } else {
                SOME_WIN
            }
        }
        (Some(plies), _) => {
            if plies <= LONGEST {
                plies as i16 - MATE
            } else {
                LONGEST as i16 - MATE
            }
        }
        (None, None) if value > Value::DRAW => SOME_WIN,
        (None, None) => -SOME_WIN,
    }
}

/// Returns the smallest 16-bit value not below `value`.
fn pack_up(value: i32) -> i16 {
    if value == i32::MAX { i16::MAX } else { -pack_down(-value) }
}

fn unpack(packed: i16, nothing: i32) -> i32 {
    let value = match packed {
        i16::MIN | i16::MAX => return nothing,
        SOME_WIN => Value::WIN,
        v if v == -SOME_WIN => Value::LOSS,
        v if v == SOME_WIN - 1 => Value::points(Value::MAX_POINTS),
        v if v == 1 - SOME_WIN => Value::points(-Value::MAX_POINTS),
        v if v > SOME_WIN => Value::win_in((MATE - v) as u32),
        v if v < -SOME_WIN => Value::loss_in((MATE + v) as u32),
        v => Value::from_raw(i32::from(v)),
    };
    value.raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_bounds_are_never_stronger_than_the_truth() {
        let mut values: Vec<i32> = (-20_000..20_000).step_by(7).collect();
        values.extend([0, 1, -1, FAR, FAR + 1, -FAR, -FAR - 1, Value::MAX_POINTS, -Value::MAX_POINTS]);
        for plies in (0..300).chain([18_999, 19_000, 19_001, 1_000_000]) {
            values.extend([Value::win_in(plies).raw(), Value::loss_in(plies).raw()]);
        }
        values.extend([Value::WIN.raw(), Value::LOSS.raw()]);
        for v in values {
            let (down, up) = (unpack(pack_down(v), i32::MIN), unpack(pack_up(v), i32::MAX));
            assert!(down <= v && v <= up, "{v}: {down}..{up}");
            let value = Value::from_raw(v);
            let fits = value.margin().map_or(value.plies().is_none_or(|p| p <= LONGEST), |m| m.abs() <= FAR);
            assert_eq!(fits, down == v && up == v, "{value:?}");
        }
        assert_eq!(unpack(pack_down(i32::MIN), i32::MIN), i32::MIN);
        assert_eq!(unpack(pack_up(i32::MAX), i32::MAX), i32::MAX);
    }

    #[test]
    fn proofs_of_another_clock_hold_as_far_as_they_are_forced_in_time() {
        let (win, loss) = (|n| Value::win_in(n).raw(), |n| Value::loss_in(n).raw());
        let proof = |lo, hi| Proof { lo, hi, best: 1 };
        assert_eq!(proof(win(61), win(61)).with_plies_left(None), proof(win(61), win(61)));
        assert_eq!(proof(win(61), win(61)).with_plies_left(Some(61)), proof(win(61), win(61)));
        assert_eq!(proof(win(61), win(61)).with_plies_left(Some(60)), proof(i32::MIN, win(61)));
        assert_eq!(proof(loss(62), loss(62)).with_plies_left(Some(61)), proof(loss(62), i32::MAX));
        assert_eq!(proof(Value::WIN.raw(), win(3)).with_plies_left(Some(99)), proof(i32::MIN, win(3)));
        // A draw by the rule is none where more plies are left; that nobody mates within them still holds.
        assert_eq!(with_any_plies_left((0, 0), Some(60)), (loss(61), win(61)));
        assert_eq!(with_any_plies_left((win(5), win(5)), Some(60)), (win(5), win(5)));
        assert_eq!(with_any_plies_left((0, 0), None), (0, 0));
    }

    #[test]
    fn proofs_and_guesses_of_one_key_live_side_by_side() {
        let mut memory = TableMemory::new(1024).unwrap();
        let table = memory.table();
        table.prove(77, 0, Value::win_in(9).raw(), 3, 100);
        table.prove(77, Value::win_in(15).raw(), i32::MAX, NO_MOVE, 100);
        let guess = Guess { score: -1234, depth: 57, bound: Bound::Exact, best: 5 };
        table.guessed(77, guess);
        let proof = Proof { lo: Value::win_in(15).raw(), hi: Value::win_in(9).raw(), best: 3 };
        assert_eq!(table.proof(77), Some(proof));
        assert_eq!(table.guess(77), Some(guess));
        assert_eq!(table.proof(78), None);
    }

    #[test]
    fn the_size_is_what_was_asked_for() {
        for kilobytes in [256, 1024, 3 << 10, 64 << 10] {
            let mut memory = TableMemory::new(kilobytes).unwrap();
            assert_eq!(memory.table().words.len() * 8, kilobytes << 10);
        }
        assert!(TableMemory::new(1 << 50).is_err());
        assert!(TableMemory::new(usize::MAX).is_err());
    }

    #[test]
    fn a_copy_holds_what_was_found_last() {
        let (mut small, mut large) = (TableMemory::new(64).unwrap(), TableMemory::new(1024).unwrap());
        small.table().prove(1, 5, 6, NO_MOVE, 1);
        small.age();
        small.table().prove(2, 7, 8, 3, 1);
        assert!(!large.table().copy(&small.table(), &|| true));
        assert_eq!(large.table().proof(2), None);
        assert!(large.table().copy(&small.table(), &|| false));
        assert_eq!(large.table().proof(1), None);
        assert_eq!(large.table().proof(2), Some(Proof { lo: 7, hi: 8, best: 3 }));
    }
}
