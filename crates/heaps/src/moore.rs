//! Moore's Nim: like Nim, but a move takes from up to `k` heaps at once.
//!
//! * From each of 1 to `k` heaps any number, at least 1, is taken. The last counter wins; `misere`: loses.
//! * Position `3,5,7 1`; move `1:2` takes 2 from heap 1, `1:2,3:4` also 4 from heap 3. Emptied heaps stay, written `0`.
//!
//! Solved by formula: the mover loses if every binary digit is 1 in a number of heaps that `k + 1` divides (E. H.
//! Moore, "A generalization of the game called Nim", Annals of Mathematics 11, 1910); in misere play, where no heap
//! is larger than 1, if the number of ones leaves 1 mod `k + 1`. The recursion over whole positions is the witness.

use grundy_core::game::{Flow, MORE};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, PLACES, Position};

/// Maximum number of counters in a heap.
pub const MOST: u64 = 1_000_000_000_000_000_000;
/// Maximum number of heaps.
pub const HEAPS: usize = 1_000;
/// Maximum number of heaps that one move takes from.
pub const AT_ONCE: usize = PLACES;
/// All winning moves are listed if there are at most this many moves.
const LISTED: u64 = 50_000;

/// The rules of Moore's Nim.
#[derive(Clone, Debug)]
pub struct MooreNim {
    heaps: Vec<u64>,
    k: usize,
    misere: bool,
}

/// Pairs of heap, counted from 0, rising, and number taken; unused ones at the end take 0.
impl Move {
    fn pairs(&self) -> impl Iterator<Item = (usize, u64)> {
        self.at.iter().zip(&self.by).filter(|p| *p.1 > 0).map(|(&heap, &take)| (heap as usize, take))
    }

    fn set(&mut self, place: usize, heap: usize, take: u64) {
        (self.at[place], self.by[place]) = (heap as u32, take);
    }
}

impl MooreNim {
    /// Returns Moore's Nim on these heaps, with up to `k` of them a move.
    ///
    /// # Errors
    /// There are no heaps or too many, a heap is too large, or `k` is.
    pub fn new(heaps: Vec<u64>, k: usize, misere: bool) -> Result<MooreNim, String> {
        if heaps.is_empty() || heaps.len() > HEAPS || heaps.iter().any(|&h| h > MOST) {
            return Err(format!(
                "moore-nim has 1 to {HEAPS} heaps of 0 to {MOST} counters: moore-nim:3,5,7:k=2"
            ));
        }
        match k {
            1..=AT_ONCE => Ok(MooreNim { heaps, k, misere }),
            _ => Err(format!("moore-nim takes from 1 to {AT_ONCE} heaps at once: k=2")),
        }
    }

    fn lost(&self, heaps: &[u64]) -> bool {
        let count = self.k as u64 + 1;
        if self.misere && heaps.iter().all(|&heap| heap <= 1) {
            return heaps.iter().sum::<u64>() % count == 1;
        }
        let ones = |bit: u32| heaps.iter().map(|heap| heap >> bit & 1).sum::<u64>();
        (0..u64::BITS).all(|bit| ones(bit).is_multiple_of(count))
    }

    fn visit_from(
        &self,
        heaps: &[u64],
        first: usize,
        place: usize,
        m: &mut Move,
        visit: &mut dyn FnMut(Move) -> Flow,
    ) -> Flow {
        for heap in first..heaps.len() {
            for take in 1..=heaps[heap] {
                m.set(place, heap, take);
                visit(*m)?;
                if place + 1 < self.k {
                    self.visit_from(heaps, heap + 1, place + 1, m, visit)?;
                }
            }
            m.set(place, 0, 0);
        }
        MORE
    }

    /// Returns a winning move, built from the highest binary digit down, in time independent of the number of moves.
    fn winning_move(&self, heaps: &[u64]) -> Option<Move> {
        let large: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > 1).collect();
        let wanted = match self.misere && large.len() <= self.k {
            true => self.to_ones(heaps, &large),
            false => self.to_zero_digits(heaps),
        };
        let mut m = Move::default();
        let taken = (0..heaps.len()).filter(|&i| wanted[i] < heaps[i]);
        for (place, heap) in taken.enumerate() {
            if place >= self.k {
                return None;
            }
            m.set(place, heap, heaps[heap] - wanted[heap]);
        }
        (m.by() > 0).then_some(m)
    }

    /// Returns heaps in which the number of ones of every digit is divisible by k + 1: below its highest changed digit
    /// a heap is free.
    fn to_zero_digits(&self, heaps: &[u64]) -> Vec<u64> {
        let mut wanted = heaps.to_vec();
        let mut touched: Vec<usize> = Vec::new();
        for bit in (0..u64::BITS).rev() {
            let one = 1u64 << bit;
            for &heap in &touched {
                wanted[heap] &= !one;
            }
            let set: Vec<usize> = (0..heaps.len()).filter(|&i| wanted[i] & one != 0).collect();
            let over = set.len() % (self.k + 1);
            let missing = self.k + 1 - over;
            if over > 0 && missing <= touched.len() {
                touched.iter().take(missing).for_each(|&heap| wanted[heap] |= one);
            } else {
                for &heap in &set[..over] {
                    wanted[heap] &= !one;
                    touched.push(heap);
                }
            }
        }
        wanted
    }

    /// Returns heaps for the end of misere play: the large heaps become ones or empty, so that the ones leave 1 mod k +
    /// 1.
    fn to_ones(&self, heaps: &[u64], large: &[usize]) -> Vec<u64> {
        let ones: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] == 1).collect();
        let mut wanted = heaps.to_vec();
        large.iter().for_each(|&heap| wanted[heap] = 0);
        for removed in 0..=ones.len().min(self.k - large.len()) {
            for kept in 0..=large.len() {
                if (ones.len() - removed + kept) % (self.k + 1) == 1 {
                    ones[..removed].iter().for_each(|&heap| wanted[heap] = 0);
                    large[..kept].iter().for_each(|&heap| wanted[heap] = 1);
                    return wanted;
                }
            }
        }
        wanted
    }

    /// Returns the number of moves, at most `u64::MAX`.
    fn count_moves(&self, heaps: &[u64]) -> u64 {
        let mut ways = vec![0u64; self.k + 1];
        ways[0] = 1;
        for &heap in heaps {
            for chosen in (0..self.k).rev() {
                ways[chosen + 1] = ways[chosen + 1].saturating_add(ways[chosen].saturating_mul(heap));
            }
        }
        ways[1..].iter().fold(0, |sum, &n| u64::saturating_add(sum, n))
    }
}

impl HeapRules for MooreNim {
    fn start(&self) -> Vec<u64> {
        self.heaps.clone()
    }

    fn misere(&self) -> bool {
        self.misere
    }

    fn is_over(&self, position: &Position) -> bool {
        position.is_empty()
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        self.visit_from(&position.heaps, 0, 0, &mut Move::default(), visit)
    }

    fn play(&self, position: &mut Position, m: Move) {
        m.pairs().for_each(|(heap, take)| position.heaps[heap] -= take);
    }

    fn make_canonical(&self, position: &mut Position) {
        sorting::sort_few(&mut position.heaps);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read_heaps(text, MOST, HEAPS)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let pairs: Vec<String> = m.pairs().map(|(heap, take)| format!("{}:{take}", heap + 1)).collect();
        pairs.join(",")
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let mut m = Move::default();
        let mut least = 0;
        for (place, pair) in word.split(',').enumerate() {
            let pair = Move::read(pair)?;
            let (heap, take) = (pair.at(), pair.by());
            if place >= self.k || heap < least || !(1..=*position.heaps.get(heap)?).contains(&take) {
                return None;
            }
            m.set(place, heap, take);
            least = heap + 1;
        }
        Some(m)
    }

    fn draw(&self, position: &Position) -> String {
        words::draw_heaps(&position.heaps)
    }

    fn formula(&self, position: &Position) -> Value {
        if self.lost(&position.heaps) { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        if !self.keeping_is_whole(position) {
            return self.winning_move(&position.heaps).into_iter().collect();
        }
        self.moves_to_lost(position)
    }

    fn keeping_is_whole(&self, position: &Position) -> bool {
        self.count_moves(&position.heaps).saturating_mul(position.heaps.len() as u64) <= 8 * LISTED
    }

    fn make_part(&self, heaps: &mut Vec<u64>) {
        heaps.retain(|&heap| heap > 0);
        sorting::sort_few(heaps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap_game::after;

    #[test]
    fn a_built_move_wins_wherever_a_listed_one_does() {
        for k in 1..=3 {
            for misere in [false, true] {
                let game = MooreNim::new(vec![0], k, misere).unwrap();
                for code in 0..6u64.pow(5) {
                    let heaps: Vec<u64> = (0..5).map(|i| code / 6u64.pow(i) % 6).collect();
                    let position = Position::new(heaps);
                    if game.lost(&position.heaps) || game.is_over(&position) {
                        continue;
                    }
                    let m = game.winning_move(&position.heaps).expect("a won position has a winning move");
                    assert!(game.lost(&after(&game, &position, m).heaps), "k {k} {position:?} {m:?}");
                }
            }
        }
    }
}
