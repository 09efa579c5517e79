//! Draws in games of lines by a strategy of *Breaker*, who only wants a stone on every line of *Maker*.
//!
//! Whoever holds as Breaker does not lose the game in which his own lines count, too: they only restrict the other. Three
//! proofs are combined:
//!
//! * By **potential**: a line that lacks `n` stones counts `2^-n`. If the lines without a stone of Breaker count less than
//!   1/2 with Maker to move, or less than 1 with Breaker to move, Breaker holds.
//! * By **pairing**: disjoint pairs of free cells of which every line contains one. Breaker answers each stone on a pair by
//!   the other cell.
//! * By **search** of Maker's moves and of some answers, with relevance zones: a proof depends only on the cells that
//!   Breaker plays in it, so it also answers every move of Maker outside these.
//!
//! Sources: A. W. Hales and R. I. Jewett, "Regularity and positional games", 1963 (pairing); P. Erdős and J. L. Selfridge,
//! "On a combinatorial game", 1973 (potential); I-C. Wu and P.-H. Lin, "Relevance-zone-oriented proof search for Connect6",
//! 2010; W.-Y. Hsu, C.-L. Ko, J.-C. Hsueh and I-C. Wu, "Solving 7,7,5-game and 8,8,5-game", 2018.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use grundy_core::sorting;
use rustc_hash::FxHashMap;

/// The unit of potential: the share of a line that lacks no stone.
const WHOLE: u64 = 1 << 32;
/// Steps of one attempt to pair cells.
const STEPS: u32 = 60;
/// Breaker's answers that are tried: for a pairing at once, and by search.
const ANSWERS: [usize; 2] = [8, 10];

/// A search for a strategy of Breaker on a board of at most 64 cells.
pub struct Breaker<'a> {
    lines: &'a [u64],
    /// Attempts to pair cells that are left.
    attempts: u32,
    stop: &'a AtomicBool,
    /// By the stones of Maker, who is to move, and of Breaker: the cells of a proof, if there is one.
    zones: FxHashMap<(u64, u64), Option<u64>>,
}

/// Returns the potential that a line without a stone of Breaker adds if it lacks this number of stones.
#[inline]
pub fn potential(lacking: u32) -> u64 {
    WHOLE >> lacking.min(32)
}

/// Reports whether Breaker holds by the sum of the lines' [potentials](potential).
#[inline]
pub fn holds_by_potential(sum: u64, maker_moves: bool) -> bool {
    sum < if maker_moves { WHOLE / 2 } else { WHOLE }
}

impl<'a> Breaker<'a> {
    /// Returns a search over these lines that tries at most `attempts` times to pair cells, about 10 microseconds each.
    pub fn new(lines: &'a [u64], attempts: u32, stop: &'a AtomicBool) -> Breaker<'a> {
        Breaker { lines, attempts, stop, zones: FxHashMap::default() }
    }

    /// Returns the cells that Breaker plays in a strategy that holds with Maker to move; `None` if none was found.
    pub fn holds(&mut self, maker: u64, breaker: u64) -> Option<u64> {
        if let Some(&zone) = self.zones.get(&(maker, breaker)) {
            return zone;
        }
        let zone = self.paired(maker, breaker).or_else(|| self.against_all(maker, breaker));
        // With nothing left to try, nothing was shown.
        if zone.is_some() || self.attempts > 0 {
            self.zones.insert((maker, breaker), zone);
        }
        zone
    }

    /// Returns the cells of a strategy that holds with Breaker to move; `None` if none was found.
    pub fn answers(&mut self, maker: u64, breaker: u64) -> Option<u64> {
        let mut needed = 0;
        for free in open(self.lines, maker, breaker) {
            match free.count_ones() {
                0 => return None,
                1 => needed |= free,
                _ => {}
            }
        }
        match needed.count_ones() {
            0 => {}
            1 => return self.holds(maker, breaker | needed).map(|zone| zone | needed),
            _ => return None,
        }
        let cells = self.by_weight(maker, breaker);
        if cells.is_empty() {
            return Some(0);
        }
        let paired = cells.iter().take(ANSWERS[0]).find_map(|&cell| {
            let zone = self.paired(maker, breaker | cell)?;
            Some(zone | cell)
        });
        paired.or_else(|| {
            cells.iter().take(ANSWERS[1]).find_map(|&cell| Some(self.holds(maker, breaker | cell)? | cell))
        })
    }

    /// Returns the cells of a strategy that answers every move of Maker; `None` if none was found.
    fn against_all(&mut self, maker: u64, breaker: u64) -> Option<u64> {
        if self.attempts == 0 {
            return None;
        }
        let cells = self.by_weight(maker, breaker);
        // The answer to one move is also the answer to every move that it does not depend on.
        let mut unanswered = cells.iter().fold(0, |set, cell| set | cell);
        let mut zone = 0;
        for cell in cells {
            if unanswered & cell != 0 {
                let used = self.answers(maker | cell, breaker)?;
                zone |= used;
                unanswered &= used & !cell;
            }
        }
        Some(zone)
    }

    /// Returns the free cells of the lines without a stone of Breaker, as sets of one cell, first those that most lines
    /// need, and lines that lack few stones.
    fn by_weight(&self, maker: u64, breaker: u64) -> Vec<u64> {
        let mut weights = [0u64; 64];
        for free in open(self.lines, maker, breaker) {
            let weight = potential(2 * free.count_ones());
            bits(free).for_each(|cell| weights[cell.trailing_zeros() as usize & 63] += weight);
        }
        let mut cells: Vec<usize> = (0..64).filter(|&cell| weights[cell] > 0).collect();
        sorting::sort_by_cached_key(&mut cells, |&cell| Reverse(weights[cell]));
        cells.into_iter().map(|cell| 1 << cell).collect()
    }

    /// Returns the cells of [pairs], unless the attempts are used up.
    fn paired(&mut self, maker: u64, breaker: u64) -> Option<u64> {
        if self.stop.load(Relaxed) {
            self.attempts = 0;
        }
        self.attempts = self.attempts.checked_sub(1)?;
        Some(pairs(self.lines, maker, breaker)?.iter().fold(0, |cells, pair| cells | pair))
    }
}

/// Returns the free cells of each line without a stone of Breaker.
fn open(lines: &[u64], maker: u64, breaker: u64) -> impl Iterator<Item = u64> {
    lines.iter().filter(move |&line| line & breaker == 0).map(move |line| line & !maker)
}

/// Returns disjoint pairs of free cells of which every line without a stone of Breaker contains one; `None` if none were
/// found. Takes about 10 microseconds.
pub fn pairs(lines: &[u64], maker: u64, breaker: u64) -> Option<Vec<u64>> {
    let mut lines: Vec<u64> = open(lines, maker, breaker).collect();
    if lines.iter().any(|line| line.count_ones() < 2) {
        return None;
    }
    // A pair in a line is also one in every line that contains it.
    lines.sort_unstable_by_key(|line| line.count_ones());
    let mut least: Vec<u64> = Vec::with_capacity(lines.len());
    for line in lines {
        if least.iter().all(|small| line & small != *small) {
            least.push(line);
        }
    }
    let (mut pairs, mut steps) = (Vec::new(), STEPS);
    pair(&least, 0, &mut pairs, &mut steps).then_some(pairs)
}

/// Returns the bits of a set.
fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// Adds disjoint pairs outside `used` to `found` until every line contains one; returns false if there are none or the steps
/// run out.
fn pair(lines: &[u64], used: u64, found: &mut Vec<u64>, steps: &mut u32) -> bool {
    let Some(&narrow) = lines.iter().min_by_key(|&line| (line & !used).count_ones()) else { return true };
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    let free = narrow & !used;
    let mut pairs: Vec<(i32, u64)> = Vec::new();
    for low in bits(free) {
        for high in bits(free & !(low | (low - 1))) {
            let both = low | high;
            // Pairs in many lines, and few cells of lines that have few.
            let cost = |line: &u64| match line & both {
                cells if cells == both => -100,
                cells => {
                    let scarce = match (line & !used).count_ones() {
                        ..=3 => 60,
                        4 => 20,
                        _ => 5,
                    };
                    scarce * cells.count_ones() as i32
                }
            };
            pairs.push((lines.iter().map(cost).sum(), both));
        }
    }
    pairs.sort_unstable();
    pairs.into_iter().any(|(_, both)| {
        let rest: Vec<u64> = lines.iter().copied().filter(|line| line & both != both).collect();
        found.push(both);
        let all = pair(&rest, used | both, found, steps);
        if !all {
            found.pop();
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use grundy_core::random::SplitMix64;

    /// Reports whether Breaker holds, by plain recursion.
    fn truly(lines: &[u64], all: u64, maker: u64, breaker: u64, maker_moves: bool) -> bool {
        if lines.iter().any(|line| line & !maker == 0) {
            return false;
        }
        let free = all & !(maker | breaker);
        if free == 0 {
            return true;
        }
        if maker_moves {
            bits(free).all(|cell| truly(lines, all, maker | cell, breaker, false))
        } else {
            bits(free).any(|cell| truly(lines, all, maker, breaker | cell, true))
        }
    }

    #[test]
    fn what_is_shown_to_hold_holds() {
        let stop = AtomicBool::new(false);
        let mut random = SplitMix64(7);
        let mut held = [0; 3];
        for round in 0..600 {
            let all = (1u64 << 9) - 1;
            let size = 2 + round % 3;
            let lines: Vec<u64> = (0..2 + random.below(7))
                .map(|_| (0..size).fold(0, |line, _| line | 1 << random.below(9)))
                .collect();
            let (maker, breaker) = match round % 4 {
                0 => (1 << random.below(9), 0),
                _ => (0, 0),
            };
            let sum = lines.iter().map(|line| potential((line & !maker).count_ones())).sum();
            for maker_moves in [true, false] {
                let truth = truly(&lines, all, maker, breaker, maker_moves);
                let mut search = Breaker::new(&lines, 10_000, &stop);
                let shown = match maker_moves {
                    true => search.holds(maker, breaker),
                    false => search.answers(maker, breaker),
                };
                assert_eq!(shown.is_some(), truth, "{lines:?} {maker:b} {maker_moves}");
                assert!(truth || !holds_by_potential(sum, maker_moves), "{lines:?} {maker:b} {maker_moves}");
                // The zone says all that the proof needs: any cell outside it may be Maker's already.
                if let Some(zone) = shown {
                    held[0] += 1;
                    for cell in bits(all & !(zone | maker)) {
                        assert!(truly(&lines, all, maker | cell, breaker, maker_moves), "{lines:?} {cell:b}");
                    }
                    held[1] += usize::from(search.zones.len() > 1);
                }
                held[2] += usize::from(holds_by_potential(sum, maker_moves));
            }
        }
        assert!(held.iter().all(|&count| count > 20), "{held:?}");
    }

    #[test]
    fn pairs_are_disjoint_and_every_line_has_one() {
        // The rows and columns of a board of 4 by 4.
        let lines: Vec<u64> = (0..4).flat_map(|i| [0xF << (4 * i), 0x1111 << i]).collect();
        let pairs = pairs(&lines, 0, 0).expect("there are eight pairs");
        assert_eq!(pairs.iter().fold(0, |all, pair| all | pair).count_ones() as usize, 2 * pairs.len());
        assert!(pairs.iter().all(|pair| pair.count_ones() == 2));
        assert!(lines.iter().all(|line| pairs.iter().any(|pair| line & pair == *pair)));
    }

    #[test]
    fn attempts_and_stop_end_the_search() {
        let lines: Vec<u64> = (0..8).map(|row| 0b11 << (2 * row)).collect();
        for (attempts, stopped, holds) in [(1, false, true), (0, false, false), (9, true, false)] {
            let stop = AtomicBool::new(stopped);
            assert_eq!(Breaker::new(&lines, attempts, &stop).holds(0, 0).is_some(), holds);
        }
    }
}
