//! Octal games by the sequence of their Grundy numbers, and by its period once that is proved.
//!
//! The theorem (R. K. Guy and C. A. B. Smith, "The G-values of various games", Proceedings of the Cambridge
//! Philosophical Society 52, 1956): if the code ends at digit `k` and `G(n + p) = G(n)` for `s <= n < 2s + p + k`, then
//! it holds for every `n >= s`. If no digit splits a heap, a number depends on the last `k` numbers alone, and `k`
//! equal ones in a row are proof. If nearly all numbers are of one kind a few more suffice (`sparse.rs`), which saves
//! heaps twice as large.

mod sparse;

use crate::sum::{MISERE, Sum};
use sparse::Sparse;
use std::sync::{PoisonError, RwLock};

use grundy_core::value::Value;
use grundy_session::{Need, SolveError, Work, at_once};
use grundy_tables::Oracle;

/// Heaps of counters in an octal game: a move takes `t` counters from one heap, and the code's digit `t` determines
/// what may be left of it.
pub trait Octal: Sum {
    /// Returns the code; `None` if the heaps are not those of an octal game.
    fn code(&self) -> Option<&dyn OctalCode>;

    /// Returns the heaps of a position, in the order in which moves name them.
    fn heaps(&self, position: &Self::Position) -> Vec<u64>;

    /// Returns the move that takes `take` counters from the heap with index `heap` in [`Octal::heaps`] and leaves two
    /// heaps, the smaller of `split` counters, or, if `split` is 0, one heap or none.
    fn take(&self, heap: usize, take: u64, split: u64) -> Self::Move;
}

/// The code of an octal game.
pub trait OctalCode {
    /// Returns the digit for taking `take` counters (0 too): the sum of 1 for nothing left, 2 for one heap, 4 for two.
    fn digit(&self, take: u64) -> u8;

    /// Returns the most that can be taken from a heap of `heap` counters.
    fn longest(&self, heap: u64) -> u64;

    /// Returns the last digit's index of a finite code, 0 being the digit before the point.
    fn code_length(&self) -> Option<u64>;

    /// Reports whether the two heaps of a split must differ (Grundy's game).
    fn unequal(&self) -> bool {
        false
    }

    /// Returns the Grundy number of a heap, if there is a formula for it; `None` asks for the sequence.
    fn number(&self, heap: u64) -> Option<u64>;
}

/// Options examined to extend a sequence: about a second.
const PATIENCE: u64 = 1 << 30;
/// Maximum length of a sequence, in heaps.
const LONGEST: u64 = 1 << 24;
/// Splits examined beyond that, if nearly all numbers of the sequence are of one kind.
const SPARSE_PATIENCE: u64 = 1 << 29;
/// Further splits examined if there is time left.
const MORE_SPLITS: u64 = 1 << 27;
/// Options between two checks of the deadline.
const SLICE: u64 = 1 << 22;
/// Options examined for a value that was not prepared.
const UNPREPARED: u64 = 1 << 20;
/// Moves examined to list those that keep a value.
const LISTED: u64 = 1 << 20;
/// Maximum number of splits of which all are listed that keep a value.
const WHOLE: u64 = 1 << 16;
/// Maximum length of a sequence by its sparse space.
const LONGEST_SPARSE: usize = 1 << 28;
/// Number of first heaps of a sequence computed together.
const SHORTEST: u64 = 64;

/// The oracle of sums of heaps with known Grundy numbers: heaps up to some tens of thousands of counters, millions if no move
/// splits a heap, and all heaps if the period is proved. In misere play it knows a single heap that no move splits.
#[derive(Debug)]
pub struct ByOctal {
    sequence: RwLock<Sequence>,
}

impl Default for ByOctal {
    fn default() -> ByOctal {
        ByOctal::with_patience(SPARSE_PATIENCE)
    }
}

/// A proved period: from heap `start` on numbers repeat after `length` heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first heap of the periodic part, in counters.
    pub start: u64,
    /// The length of the period, in counters.
    pub length: u64,
}

/// The numbers of the heaps by size from 0, as far as they are known.
#[derive(Debug, Default)]
struct Sequence {
    numbers: Vec<u32>,
    period: Option<Period>,
    sparse: Option<Sparse>,
    /// Splits left to extend the sequence by its sparse space.
    patience: u64,
    /// Length of the sequence at which a period is searched for again.
    aim: usize,
}

impl ByOctal {
    /// Returns an oracle that examines at most `splits` splits to extend a sequence by its sparse space: some 10^10 for
    /// periods that begin after ten million heaps.
    pub fn with_patience(splits: u64) -> ByOctal {
        ByOctal { sequence: RwLock::new(Sequence { patience: splits, ..Sequence::default() }) }
    }

    /// Returns the number of a heap; `None` if it is too large and no period is proved, or the work ends before. Some
    /// progress is made even for work that has ended.
    pub fn number<G: Octal>(&self, game: &G, heap: u64, work: &Work<'_>) -> Option<u64> {
        let (code, mut unprepared) = (game.code()?, UNPREPARED);
        loop {
            if let Some(number) = self.known(code, heap) {
                return Some(number);
            }
            // The lock is held for a moment only, so that others look up meanwhile.
            let mut looks = if work.stopped() { unprepared } else { SLICE };
            let mut sequence = self.sequence.write().unwrap_or_else(PoisonError::into_inner);
            if looks == 0 || !sequence.grow(code, game.normal_play(), heap, &mut looks) {
                return sequence.get(heap);
            }
            unprepared = unprepared.min(looks);
        }
    }

    /// Returns the number of a heap, if the sequence is known so far.
    fn known(&self, code: &dyn OctalCode, heap: u64) -> Option<u64> {
        // What a sequence holds is true even if a thread died while it made it longer.
        let sequence = || self.sequence.read().unwrap_or_else(PoisonError::into_inner);
        code.number(heap).or_else(|| sequence().get(heap))
    }

    /// Returns the period if it is proved; extends the sequence as far as patience allows.
    pub fn period<G: Octal>(&self, game: &G) -> Option<Period> {
        let (code, normal) = (game.code()?, game.normal_play());
        // Without an end of the code no period can be proved.
        code.code_length()?;
        let mut sequence = self.sequence.write().unwrap_or_else(PoisonError::into_inner);
        while sequence.grow(code, normal, u64::MAX, &mut u64::MAX.clone()) {}
        sequence.period
    }

    /// Returns the number of a whole position, or of a single heap in misere play: the player to move loses if it is 0.
    fn sum<G: Octal>(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Option<u64> {
        let heaps = game.heaps(position);
        if !game.normal_play() && (heaps.len() > 1 || splits(game.code()?, u64::MAX)) {
            return None;
        }
        heaps.iter().try_fold(0, |sum, &heap| Some(sum ^ self.number(game, heap, work)?))
    }

    /// Visits the moves in the heap at a place that leave of it the number `aim`: with `whole` all of them, else splits with
    /// a part before the end of the first period. `None` if there are too many to examine.
    fn moves_to<G: Octal>(
        &self,
        game: &G,
        (place, heap): (usize, u64),
        aim: u64,
        whole: bool,
        looks: &mut u64,
        visit: &mut impl FnMut(G::Move),
    ) -> Option<()> {
        let code = game.code()?;
        let period = self.sequence.read().unwrap_or_else(PoisonError::into_inner).period;
        let number = |heap| self.known(code, heap) == Some(aim);
        for take in 0..=code.longest(heap).min(heap) {
            let (digit, rest) = (code.digit(take), heap - take);
            *looks = looks.checked_sub(1)?;
            if digit & (if rest == 0 { 1 } else { 2 }) != 0 && number(rest) {
                visit(game.take(place, take, 0));
            }
            if digit & 4 != 0 {
                // Beyond the first period a smaller part makes no number that was not made before.
                let most = if whole { rest } else { period.map_or(LONGEST, |p| p.start + p.length) };
                for part in 1..=(rest / 2).min(most) {
                    *looks = looks.checked_sub(1)?;
                    let allowed = !(code.unequal() && part * 2 == rest);
                    let of = |heap| self.known(code, heap);
                    let pair = of(part).zip(of(rest - part));
                    if allowed && pair.is_some_and(|(a, b)| a ^ b == aim) {
                        visit(game.take(place, take, part));
                    }
                }
            }
        }
        Some(())
    }
}

impl<G: Octal> Oracle<G> for ByOctal {
    fn bytes(&self) -> u64 {
        self.sequence.try_read().map_or(0, |sequence| 4 * sequence.numbers.capacity() as u64)
    }

    /// Extends the sequence within the time for automatic work, until every heap's number is known.
    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let work = need.work.within(need.automatic.min(need.quiet));
        for heap in game.heaps(position) {
            while self.number(game, heap, &work).is_none() && !work.stopped() {
                let mut sequence = self.sequence.write().unwrap_or_else(PoisonError::into_inner);
                if sequence.sparse.is_none() || sequence.numbers.len() >= LONGEST_SPARSE {
                    return Ok(());
                }
                sequence.patience = MORE_SPLITS;
            }
        }
        if need.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        Some(if self.sum(game, position, &at_once())? == 0 { Value::LOSS } else { Value::WIN })
    }

    /// Returns all such moves, except that of very many splits of heaps in the periodic part only those with a part before
    /// the end of the first period are listed.
    fn keeping_moves(&self, game: &G, position: &G::Position) -> Option<Vec<G::Move>> {
        let mut keeping = Vec::new();
        let sum = self.sum(game, position, &at_once()).unwrap_or(0);
        let (mut looks, whole) = (LISTED, self.keeping_is_whole(game, position));
        if sum != 0 && game.over(position).is_none() {
            let mut heaps = Vec::new();
            for (place, heap) in game.heaps(position).into_iter().enumerate() {
                let number = self.known(game.code()?, heap)?;
                heaps.push((sum ^ number >= number, place, heap, sum ^ number));
            }
            if !whole {
                // A heap with an option of the number comes first.
                grundy_core::sorting::sort_by_key(&mut heaps, |&(worse, ..)| worse);
            }
            for (_, place, heap, aim) in heaps {
                let all =
                    self.moves_to(game, (place, heap), aim, whole, &mut looks, &mut |m| keeping.push(m));
                if all.is_none() {
                    return Some(keeping).filter(|keeping| !keeping.is_empty());
                }
            }
        }
        Some(keeping)
    }

    fn keeping_is_whole(&self, game: &G, position: &G::Position) -> bool {
        let Some(code) = game.code() else { return true };
        let splits = |heap: u64| {
            let takes = (0..=code.longest(heap).min(heap)).filter(|&take| code.digit(take) & 4 != 0);
            takes.map(|take| (heap - take) / 2).try_fold(0, u64::checked_add)
        };
        let all =
            game.heaps(position).into_iter().try_fold(0, |sum: u64, heap| sum.checked_add(splits(heap)?));
        all.is_some_and(|all| all <= WHOLE)
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Option<u64> {
        if game.normal_play() { self.sum(game, position, work) } else { None }
    }

    fn no_grundy(&self, game: &G) -> Option<String> {
        Some(match game.normal_play() {
            true => "a heap is too large for its number to be found, and no period is proved".to_owned(),
            false => MISERE.to_owned(),
        })
    }
}

/// Reports whether a move can split a heap of this size.
fn splits(code: &dyn OctalCode, heap: u64) -> bool {
    let last = code.code_length().unwrap_or(0).min(code.longest(heap));
    (0..=last).any(|take| code.digit(take) & 4 != 0)
}

impl Sequence {
    fn get(&self, heap: u64) -> Option<u64> {
        let at = match self.period {
            Some(Period { start, length }) if heap >= start => start + (heap - start) % length,
            _ => heap,
        };
        usize::try_from(at).ok().and_then(|at| self.numbers.get(at)).map(|&number| u64::from(number))
    }

    /// Extends the sequence within `looks` options examined, until it is long enough for a heap or its period is found;
    /// returns false if nothing is left to do.
    fn grow(&mut self, code: &dyn OctalCode, normal: bool, heap: u64, looks: &mut u64) -> bool {
        if self.period.is_some() || self.get(heap).is_some() {
            return false;
        }
        let (most, known) = (affordable(code), self.numbers.len() as u64);
        if known < most {
            // Whoever was interrupted goes on to the same length.
            let length = (known + 1).next_power_of_two().max(SHORTEST).min(most);
            if self.extend(code, normal, length, looks) {
                self.period = self.find_period(code);
            }
            return true;
        }
        let sparse = code.code_length().is_some() && splits(code, u64::MAX) && !code.unequal();
        sparse && normal && self.grow_sparsely(code, looks)
    }

    /// Extends the sequence by the sparse space, if there is one, as [`Sequence::grow`] does.
    fn grow_sparsely(&mut self, code: &dyn OctalCode, looks: &mut u64) -> bool {
        if self.numbers.len() >= LONGEST_SPARSE || self.patience == 0 {
            return false;
        }
        let Some(mut sparse) = self.sparse.take().or_else(|| Sparse::find(&self.numbers)) else {
            self.patience = 0;
            return false;
        };
        let takes: Vec<sparse::Take> = (0..=code.code_length().unwrap_or(0))
            .map(|take| (take as usize, code.digit(take)))
            .filter(|&(_, digit)| digit != 0)
            .collect();
        if self.aim <= self.numbers.len() {
            self.aim = (self.numbers.len() / 4 * 5).min(LONGEST_SPARSE);
        }
        let slice = self.patience.min(*looks);
        let mut left = slice;
        sparse.extend(&mut self.numbers, &takes, self.aim, &mut left);
        self.sparse = Some(sparse);
        self.patience -= slice - left;
        if self.numbers.len() >= self.aim || self.patience == 0 {
            self.period = self.find_period(code);
        }
        true
    }

    /// Adds the numbers of all heaps below `length`, or of some if the looks are used up; returns whether all are
    /// there.
    fn extend(&mut self, code: &dyn OctalCode, normal: bool, length: u64, looks: &mut u64) -> bool {
        let takes: Vec<(usize, u8)> = (0..=code.longest(length))
            .map(|take| (take as usize, code.digit(take)))
            .filter(|&(_, digit)| digit != 0)
            .collect();
        // Which heap a number was last seen among the options of: nothing has to be cleared between heaps.
        let mut seen: Vec<u32> = vec![u32::MAX; 64];
        let mut largest = self.numbers.iter().copied().max().unwrap_or(0);
        for heap in self.numbers.len()..length as usize {
            if *looks == 0 {
                return false;
            }
            let size = (largest as usize + 2).next_power_of_two() * 2;
            if size > seen.len() {
                seen = vec![u32::MAX; size];
            }
            let (mask, stamp) = (seen.len() - 1, heap as u32);
            let mut moves = false;
            for &(take, digit) in takes.iter().take_while(|t| t.0 <= heap) {
                let rest = heap - take;
                *looks = looks.saturating_sub(1 + if digit & 4 == 0 { 0 } else { rest as u64 / 2 });
                if digit & (if rest == 0 { 1 } else { 2 }) != 0 {
                    seen[self.numbers[rest] as usize & mask] = stamp;
                    moves = true;
                }
                if digit & 4 != 0 && rest >= 2 {
                    let half = if code.unequal() { (rest - 1) / 2 } else { rest / 2 };
                    let small = &self.numbers[1..=half];
                    let large = &self.numbers[rest - half..rest];
                    for (&a, &b) in small.iter().zip(large.iter().rev()) {
                        seen[(a ^ b) as usize & mask] = stamp;
                    }
                    moves |= half > 0;
                }
            }
            let number = match moves {
                true => (0..).find(|&n| seen[n as usize & mask] != stamp).unwrap_or(0),
                // Who cannot move loses, or, in misere play, wins.
                false => u32::from(!normal),
            };
            largest = largest.max(number);
            self.numbers.push(number);
        }
        true
    }

    /// Returns the shortest period that the numbers so far prove.
    fn find_period(&self, code: &dyn OctalCode) -> Option<Period> {
        let last = usize::try_from(code.code_length()?).ok()?;
        let known = self.numbers.len();
        let splits = splits(code, u64::MAX);
        // No longer period could be proved by as many numbers.
        let most = match (splits, self.sparse.is_some()) {
            (true, true) => known,
            (true, false) => known.saturating_sub(last) / 2 + 1,
            (false, _) => (known + 1).saturating_sub(2 * last),
        };
        (1..most.min(known / 2)).zip(repeats(&self.numbers)).find_map(|(length, equal)| {
            let start = known - length - equal;
            let needed = if splits { 2 * start + length + last } else { start.max(last) + last };
            let period = Period { start: start as u64, length: length as u64 };
            let sparse = || self.sparse.as_ref().is_some_and(|s| s.proves(start, length, last, known));
            (known - length >= needed || sparse()).then_some(period)
        })
    }
}

/// Returns for each length from 1 on how many of the last numbers are equal to those that stand `length` before them: the
/// Z-function of the reversed sequence (D. Gusfield, "Algorithms on strings, trees and sequences", 1997), in linear time.
fn repeats(numbers: &[u32]) -> impl Iterator<Item = usize> {
    let known = numbers.len();
    let from_end = move |at: usize| numbers[known - 1 - at];
    let mut equal = vec![0u32];
    // The stretch that was compared furthest: it repeats the end from `begin` to `end`.
    let (mut begin, mut end) = (0, 0);
    (1..known).map(move |length| {
        let mut count = if length < end { (equal[length - begin] as usize).min(end - length) } else { 0 };
        while length + count < known && from_end(count) == from_end(length + count) {
            count += 1;
        }
        if length + count > end {
            (begin, end) = (length, length + count);
        }
        equal.push(count as u32);
        count
    })
}

/// Returns the maximum length of the sequence.
fn affordable(code: &dyn OctalCode) -> u64 {
    let takes = |digits: u8| {
        let last = code.code_length().unwrap_or(0);
        (0..=last).filter(|&take| code.digit(take) & digits != 0).count() as u64
    };
    let (plain, splitting) = (takes(3).max(1), takes(4));
    let by_splits = (PATIENCE * 4).checked_div(splitting).map_or(LONGEST, u64::isqrt);
    by_splits.min(PATIENCE / plain).min(LONGEST)
}
