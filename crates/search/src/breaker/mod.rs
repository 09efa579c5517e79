//! Draws in games of lines by a strategy of *Breaker*, who only wants a stone on every line of *Maker*.
//!
//! Whoever holds as Breaker does not lose the game in which his own lines count, too: they only restrict the other. Three
//! proofs are combined:
//!
//! * By **potential**: a line that lacks `n` stones counts `2^-n`. If the lines without a stone of Breaker count less than
//!   1/2 with Maker to move, or less than 1 with Breaker to move, Breaker holds.
//! * By **pairing**: disjoint pairs of free cells of which every line contains one. Breaker answers each stone on a pair by
//!   the other cell.
//! * By **proof-number search** of Maker's moves and of some answers, with relevance zones: a proof depends only on the
//!   cells that Breaker plays in it. First Maker passes; the zone of that proof also answers every move outside it, and only
//!   the moves inside are searched, until all are outside the zone of some proof.
//!
//! The module `claims` lists a proof for a reader who does not trust the search.
//!
//! Only the lines without a stone of Breaker matter: positions that agree in them, up to symmetry, are one. The first proof
//! number of a position grows with these lines and the stones on them.
//!
//! Sources: A. W. Hales and R. I. Jewett, "Regularity and positional games", 1963 (pairing); P. Erdős and J. L. Selfridge,
//! "On a combinatorial game", 1973 (potential); I-C. Wu and P.-H. Lin, "Relevance-zone-oriented proof search for Connect6",
//! 2010; W.-Y. Hsu and others, "On solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815, 2020;
//! A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002.

pub mod claims;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use grundy_core::bits::{indices, places};
use grundy_core::grid::CellMap;
use grundy_core::sorting;
use rustc_hash::FxHashMap;

/// The unit of potential: the share of a line that lacks no stone.
const WHOLE: u64 = 1 << 32;
/// Steps of one attempt to pair cells.
const STEPS: u32 = 60;
/// Breaker's answers that are searched.
const ANSWERS: usize = 10;
/// The proof or disproof number of what is known to be false.
const ENDLESS: u32 = 1 << 30;
/// The first proof number of a position with Maker to move is the sum over its lines, by the stones that each lacks.
const EXPECTED: [u32; 10] = [45, 30, 20, 13, 9, 6, 4, 3, 2, 1];

/// A search for a strategy of Breaker on a board of at most 64 cells.
pub struct Breaker<'a> {
    lines: &'a [u64],
    symmetries: &'a [CellMap],
    /// Positions that may still be looked at for the first time.
    attempts: u32,
    stop: &'a AtomicBool,
    known: FxHashMap<Key, Known>,
}

/// The stones of both players.
#[derive(Clone, Copy)]
struct Stones {
    maker: u64,
    breaker: u64,
    maker_moves: bool,
}

/// The cells of lines without a stone of Breaker, with and without a stone of Maker, least under symmetry, and whether Maker
/// is to move.
type Key = (u64, u64, bool);

/// The knowledge of a position.
#[derive(Clone, Copy)]
struct Known {
    /// Positions that must still be looked at to show that Breaker holds; 0 if that is shown.
    proof: u32,
    /// Positions that must still be looked at to show that none of the answers searched holds.
    disproof: u32,
    /// The cells that Breaker plays in the proof.
    zone: u64,
}

impl Known {
    const LOST: Known = Known { proof: ENDLESS, disproof: 0, zone: 0 };

    fn held(zone: u64) -> Known {
        Known { proof: 0, disproof: ENDLESS, zone }
    }

    fn open(proof: u32, disproof: u32) -> Known {
        Known { proof: proof.min(ENDLESS - 1), disproof: disproof.min(ENDLESS - 1), zone: 0 }
    }
}

/// The numbers at which the search of a position ends: of the proof and of the disproof.
#[derive(Clone, Copy)]
struct Limits {
    proof: u32,
    disproof: u32,
}

impl Limits {
    const NONE: Limits = Limits { proof: ENDLESS, disproof: ENDLESS };

    fn reached(self, known: Known) -> bool {
        known.proof >= self.proof || known.disproof >= self.disproof
    }
}

/// Returns the limit of one child's number: that of the position less what the other children add to it.
fn share(limit: u32, all: u32, one: u32) -> u32 {
    limit.saturating_sub(all).saturating_add(one)
}

/// Returns the limit of a child's number beside the next best of its siblings: somewhat above, lest the search change
/// between the two at every step.
fn beside(second: u32) -> u32 {
    second.saturating_add(second / 4 + 1)
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
    /// Returns a search over these lines, which the symmetries map to each other, that looks at no more than `attempts`
    /// positions and keeps them in memory.
    pub fn new(
        lines: &'a [u64],
        symmetries: &'a [CellMap],
        attempts: u32,
        stop: &'a AtomicBool,
    ) -> Breaker<'a> {
        Breaker { lines, symmetries, attempts, stop, known: FxHashMap::default() }
    }

    /// Returns the cells that Breaker plays in a strategy that holds with Maker to move; `None` if none was found.
    pub fn holds(&mut self, maker: u64, breaker: u64) -> Option<u64> {
        self.prove(Stones { maker, breaker, maker_moves: true })
    }

    /// Returns the cells of a strategy that holds with Breaker to move; `None` if none was found.
    pub fn answers(&mut self, maker: u64, breaker: u64) -> Option<u64> {
        self.prove(Stones { maker, breaker, maker_moves: false })
    }

    fn prove(&mut self, stones: Stones) -> Option<u64> {
        let mut known = self.look(stones);
        if known.proof > 0 && known.disproof > 0 {
            known = self.search(stones, Limits::NONE);
        }
        (known.proof == 0).then_some(known.zone)
    }

    /// Searches a position until its numbers reach the limits, or no attempts are left.
    fn search(&mut self, stones: Stones, limits: Limits) -> Known {
        let cells = self.by_weight(stones);
        loop {
            let (known, next) = match stones.maker_moves {
                true => self.against_all(stones, &cells, limits),
                false => self.best(stones, &cells, limits),
            };
            match next.filter(|_| self.attempts > 0 && !limits.reached(known)) {
                Some((child, limits)) => _ = self.search(child, limits),
                None => {
                    self.store(stones, known);
                    return known;
                }
            }
        }
    }

    /// Returns what Breaker's answers show of a position in which he moves, and the answer to search next with its limits.
    fn best(&mut self, stones: Stones, cells: &[u64], limits: Limits) -> (Known, Option<(Stones, Limits)>) {
        let mut best: Option<(Stones, Known)> = None;
        let (mut second, mut hardest, mut open) = (ENDLESS, 0, 0);
        for &cell in cells.iter().take(ANSWERS) {
            let child = Stones { breaker: stones.breaker | cell, maker_moves: true, ..stones };
            let known = self.look(child);
            if known.proof == 0 {
                return (Known::held(known.zone | cell), None);
            }
            if known.disproof == 0 {
                continue;
            }
            hardest = hardest.max(known.disproof);
            open += 1;
            match best {
                Some((_, least)) if least.proof <= known.proof => second = second.min(known.proof),
                _ => {
                    second = best.map_or(ENDLESS, |(_, least)| least.proof);
                    best = Some((child, known));
                }
            }
        }
        let Some((child, least)) = best else { return (Known::LOST, None) };
        let known = Known::open(least.proof, hardest + open - 1);
        let disproof = share(limits.disproof, known.disproof, least.disproof);
        (known, Some((child, Limits { proof: limits.proof.min(beside(second)), disproof })))
    }

    /// Returns what Maker's moves show of a position in which he moves, and the move to search next with its limits.
    fn against_all(
        &mut self,
        stones: Stones,
        cells: &[u64],
        limits: Limits,
    ) -> (Known, Option<(Stones, Limits)>) {
        // Another stone never harms Maker: what Breaker cannot hold after a pass he cannot hold at all.
        let passed = Stones { maker_moves: false, ..stones };
        let known = self.look(passed);
        if known.proof > 0 {
            return (known, (known.disproof > 0).then_some((passed, limits)));
        }
        // The answer to one move is also the answer to every move that it does not depend on.
        let (mut zone, mut unanswered) = (known.zone, known.zone);
        let mut open: Vec<(u64, Known)> = Vec::new();
        for &cell in cells {
            if unanswered & cell == 0 {
                continue;
            }
            let known = self.look(Stones { maker: stones.maker | cell, ..passed });
            if known.proof > 0 {
                open.push((cell, known));
            } else {
                zone |= known.zone;
                unanswered &= known.zone & !cell;
            }
        }
        open.retain(|(cell, _)| unanswered & cell != 0);
        let Some(&(cell, least)) =
            open.iter().min_by_key(|(_, known)| (known.disproof, Reverse(known.proof)))
        else {
            return (Known::held(zone), None);
        };
        if least.disproof == 0 {
            return (Known::LOST, None);
        }
        let hardest = open.iter().map(|(_, known)| known.proof).max().unwrap_or(0);
        let known = Known::open(hardest + open.len() as u32 - 1, least.disproof);
        let others = open.iter().filter(|&&(other, _)| other != cell);
        let second = others.map(|(_, known)| known.disproof).min().unwrap_or(ENDLESS);
        let limits = Limits {
            proof: share(limits.proof, known.proof, least.proof),
            disproof: limits.disproof.min(beside(second)),
        };
        (known, Some((Stones { maker: stones.maker | cell, ..passed }, limits)))
    }

    /// Returns what is known of a position that was seen before.
    fn seen(&self, stones: Stones) -> Option<Known> {
        let (key, map) = self.key(stones);
        let known = *self.known.get(&key)?;
        let zone = map.map_or(known.zone, |map| {
            let map = &self.symmetries[map];
            let free = open(self.lines, stones.maker, stones.breaker).fold(0, |all, free| all | free);
            bits(free).filter(|&cell| map.apply(cell) & known.zone != 0).fold(0, |zone, cell| zone | cell)
        });
        Some(Known { zone, ..known })
    }

    /// Returns what is known of a position; one that was never seen costs an attempt.
    fn look(&mut self, stones: Stones) -> Known {
        if let Some(known) = self.seen(stones) {
            return known;
        }
        if self.stop.load(Relaxed) {
            self.attempts = 0;
        }
        let Some(left) = self.attempts.checked_sub(1) else { return Known::open(1, 1) };
        self.attempts = left;
        let known = self.first(stones);
        self.store(stones, known);
        known
    }

    /// Returns what lines and pairs show of a position.
    fn first(&self, Stones { maker, breaker, maker_moves }: Stones) -> Known {
        let (mut expected, mut needed) = (0, 0);
        let few = if maker_moves { 1 } else { 0 };
        for free in open(self.lines, maker, breaker) {
            let lacking = free.count_ones();
            if lacking <= few {
                return Known::LOST;
            }
            if lacking == 1 {
                needed |= free;
            }
            expected += EXPECTED[lacking.min(9) as usize];
        }
        if needed.count_ones() > 1 {
            Known::LOST
        } else if expected == 0 {
            Known::held(0)
        } else if !maker_moves {
            Known::open(1 + expected / 10, 1)
        } else if let Some(pairs) = pairs(self.lines, maker, breaker) {
            Known::held(pairs.iter().fold(0, |cells, pair| cells | pair))
        } else {
            Known::open(1 + expected, 1)
        }
    }

    fn store(&mut self, stones: Stones, known: Known) {
        let (key, map) = self.key(stones);
        let zone = map.map_or(known.zone, |map| self.symmetries[map].apply(known.zone));
        self.known.insert(key, Known { zone, ..known });
    }

    /// Returns the key of a position, and the symmetry that leads to it if that is not the identity.
    fn key(&self, Stones { maker, breaker, maker_moves }: Stones) -> (Key, Option<usize>) {
        let cells = self.lines.iter().filter(|&line| line & breaker == 0).fold(0, |all, line| all | line);
        let (own, free) = (maker & cells, cells & !maker);
        let images =
            self.symmetries.iter().enumerate().map(|(n, map)| (map.apply(own), map.apply(free), Some(n)));
        let (own, free, map) = std::iter::once((own, free, None))
            .chain(images)
            .min_by_key(|&(own, free, _)| (own, free))
            .unwrap_or((own, free, None));
        ((own, free, maker_moves), map)
    }

    /// Returns the free cells of the lines without a stone of Breaker, as sets of one cell, first those that most lines
    /// need, and lines that lack few stones; the only one that Breaker must have, if there is one.
    fn by_weight(&self, Stones { maker, breaker, maker_moves }: Stones) -> Vec<u64> {
        let mut weights = [0u64; 64];
        for free in open(self.lines, maker, breaker) {
            if !maker_moves && free.count_ones() == 1 {
                return vec![free];
            }
            let weight = potential(2 * free.count_ones());
            indices(free).for_each(|cell| weights[cell] += weight);
        }
        let mut cells: Vec<usize> = (0..64).filter(|&cell| weights[cell] > 0).collect();
        sorting::sort_by_cached_key(&mut cells, |&cell| Reverse(weights[cell]));
        cells.into_iter().map(|cell| 1 << cell).collect()
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
fn bits(set: u64) -> impl Iterator<Item = u64> {
    places(set).map(|place| 1 << place)
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

    use grundy_core::grid::Grid;
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
        let mut held = [0; 4];
        let images: Vec<CellMap> =
            Grid { columns: 3, rows: 3 }.symmetries().iter().map(|image| CellMap::new(image)).collect();
        for round in 0..600 {
            let all = (1u64 << 9) - 1;
            let size = 2 + round % 3;
            let mut lines: Vec<u64> = (0..2 + random.below(7))
                .map(|_| (0..size).fold(0, |line, _| line | 1 << random.below(9)))
                .collect();
            let symmetries = if round % 3 == 1 { &images[1..] } else { &[] };
            if !symmetries.is_empty() {
                lines.truncate(2);
                lines =
                    lines.iter().flat_map(|&line| images.iter().map(move |map| map.apply(line))).collect();
            }
            let (maker, breaker) = match round % 4 {
                0 => (1 << random.below(9), 0),
                _ => (0, 0),
            };
            let sum = lines.iter().map(|line| potential((line & !maker).count_ones())).sum();
            for maker_moves in [true, false] {
                let truth = truly(&lines, all, maker, breaker, maker_moves);
                let mut search = Breaker::new(&lines, symmetries, 10_000, &stop);
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
                    held[1] += usize::from(search.known.len() > 1);
                    held[3] += usize::from(search.known.len() > 1 && !symmetries.is_empty());
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
            assert_eq!(Breaker::new(&lines, &[], attempts, &stop).holds(0, 0).is_some(), holds);
        }
    }
}
