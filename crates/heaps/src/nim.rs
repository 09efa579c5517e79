//! Nim: heaps of counters.
//!
//! * A move takes one or more counters from one heap, with `max=K` at most `K`.
//! * The player who takes the last counter wins; `misere`: loses. Emptied heaps stay, written `0`.
//! * Position `3,5,7 1`; move `2:4` takes 4 from the 2nd heap.
//!
//! Solved by formula: the exclusive or of the heaps mod `K+1`; in misere play, if all these remainders are 0 or 1, the
//! mover wins when the number of ones is even (C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals
//! of Mathematics 3, 1901; for `max` Winning Ways, chapters 3 and 13). In normal play also as a sum of heaps by Sprague
//! and Grundy, which is the formula's witness.

use grundy_core::game::{Flow, MORE};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// Maximum number of counters in a heap.
pub const MOST: u64 = 1_000_000_000_000_000_000;
/// Maximum number of heaps.
pub const HEAPS: usize = 10_000;

/// The rules of Nim.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: Vec<u64>,
    max: u64,
    misere: bool,
}

impl Nim {
    /// Returns Nim on these heaps, with at most `max` counters a move if it is given.
    ///
    /// # Errors
    /// There are no heaps or too many, a heap is too large, or `max` is 0.
    pub fn new(heaps: Vec<u64>, max: Option<u64>, misere: bool) -> Result<Nim, String> {
        if heaps.is_empty() || heaps.len() > HEAPS || heaps.iter().any(|&h| h > MOST) {
            return Err(format!("nim has 1 to {HEAPS} heaps of 0 to {MOST} counters: nim:3,5,7"));
        }
        match max {
            Some(0) => Err("nim: max is at least 1".to_string()),
            _ => Ok(Nim { heaps, max: max.unwrap_or(MOST).min(MOST), misere }),
        }
    }

    /// Returns the part of a heap that matters: all of it, or its remainder mod `max + 1`.
    fn rest(&self, heap: u64) -> u64 {
        heap % (self.max + 1)
    }

    fn census(&self, heaps: &[u64]) -> Census {
        let mut census = Census::default();
        for &heap in heaps {
            census.add(self.rest(heap));
        }
        census
    }

    /// Reports whether the player to move loses.
    fn lost(&self, census: &Census) -> bool {
        if self.misere && census.large == 0 { census.ones % 2 == 1 } else { census.xor == 0 }
    }

    fn is_legal(&self, position: &Position, m: Move) -> bool {
        let heap = position.heaps.get(m.at()).copied().unwrap_or(0);
        (1..=heap.min(self.max)).contains(&m.by())
    }
}

/// Summary of all remainders, for the formula.
#[derive(Default)]
struct Census {
    ones: u64,
    large: u64,
    xor: u64,
}

impl Census {
    fn add(&mut self, rest: u64) {
        self.ones += u64::from(rest == 1);
        self.large += u64::from(rest > 1);
        self.xor ^= rest;
    }

    fn without(&self, rest: u64) -> Census {
        Census {
            ones: self.ones - u64::from(rest == 1),
            large: self.large - u64::from(rest > 1),
            xor: self.xor ^ rest,
        }
    }
}

impl HeapRules for Nim {
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
        for (heap, &counters) in (0..).zip(&position.heaps) {
            for take in 1..=counters.min(self.max) {
                visit(Move::new(heap, take))?;
            }
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        position.heaps[m.at()] -= m.by();
    }

    fn make_canonical(&self, position: &mut Position) {
        sorting::sort_few(&mut position.heaps);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read_heaps(text, MOST, HEAPS)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        Move::read(word).filter(|&m| self.is_legal(position, m))
    }

    fn draw(&self, position: &Position) -> String {
        words::draw_heaps(&position.heaps)
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        (!self.misere).then(|| self.census(&position.heaps).xor)
    }

    fn formula(&self, position: &Position) -> Value {
        if self.lost(&self.census(&position.heaps)) { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let census = self.census(&position.heaps);
        let mut list = Vec::new();
        for (heap, &counters) in (0..).zip(&position.heaps) {
            let rest = self.rest(counters);
            let others = census.without(rest);
            // The only remainder that can leave the opponent a lost position.
            let aim = match self.misere && others.large == 0 {
                true => u64::from(others.ones.is_multiple_of(2)),
                false => others.xor,
            };
            let take = (rest + (self.max + 1) - aim.min(self.max + 1)) % (self.max + 1);
            let m = Move::new(heap, take);
            if aim <= self.max && self.is_legal(position, m) {
                list.push(m);
            }
        }
        list
    }

    fn heaps_are_parts(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use grundy_core::game::Game;
    use grundy_sums::formula::Formula;

    use super::*;
    use crate::heap_game::HeapGame;

    #[test]
    fn the_formula_finds_a_move_among_a_hundred_million() {
        let mut heaps = vec![1_000_000; 99];
        heaps.push(999_999);
        let nim = HeapGame::new(Nim::new(heaps, None, false).unwrap());
        let start = nim.start();
        let moves = nim.keeping_moves(&start);
        assert!(!moves.is_empty());
        for m in moves {
            assert_eq!(nim.formula(&nim.play(&start, m)), Value::LOSS);
        }
    }
}
