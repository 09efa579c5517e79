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

pub use crate::piles::Piles as Position;
use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::{MISERE, Sum};

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

/// Takes counters from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The heap, counted from 0.
    pub heap: u32,
    /// Number of counters.
    pub take: u64,
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
    pub(super) fn rest(&self, heap: u64) -> u64 {
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
        let heap = position.heaps.get(m.heap as usize).copied().unwrap_or(0);
        (1..=heap.min(self.max)).contains(&m.take)
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

impl Game for Nim {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position::start(&self.heaps)
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        position.is_empty().then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (heap, &counters) in (0..).zip(&position.heaps) {
            for take in 1..=counters.min(self.max) {
                visit(Move { heap, take })?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.passed_on(|heaps| heaps[m.heap as usize] -= m.take)
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }

    fn canonical(&self, position: &Position) -> Position {
        position.sorted()
    }
}

impl Scored for Nim {}

impl Notation for Nim {
    fn write_position(&self, position: &Position) -> String {
        position.to_string()
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, MOST, HEAPS)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}:{}", m.heap + 1, m.take)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (heap, take) = word.split_once(':')?;
        let heap = words::number(heap, HEAPS as u64)?.checked_sub(1)? as u32;
        let m = Move { heap, take: words::number(take, MOST)? };
        self.is_legal(position, m).then_some(m)
    }

    fn draw(&self, position: &Position) -> String {
        position.draw()
    }
}

impl Formula for Nim {
    fn formula(&self, position: &Position) -> Value {
        if self.lost(&self.census(&position.heaps)) { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let census = self.census(&position.heaps);
        let mut list = Vec::new();
        if self.lost(&census) {
            return list;
        }
        for (heap, &counters) in (0..).zip(&position.heaps) {
            let rest = self.rest(counters);
            let others = census.without(rest);
            // The only remainder that can leave the opponent a lost position.
            let aim = match self.misere && others.large == 0 {
                true => u64::from(others.ones.is_multiple_of(2)),
                false => others.xor,
            };
            let take = (rest + (self.max + 1) - aim.min(self.max + 1)) % (self.max + 1);
            let m = Move { heap, take };
            if aim <= self.max && self.is_legal(position, m) {
                list.push(m);
            }
        }
        list
    }

    fn no_grundy(&self) -> Option<&'static str> {
        self.misere.then_some(MISERE)
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        (!self.misere).then(|| self.census(&position.heaps).xor)
    }
}

impl Sum for Nim {
    type Part = u64;

    fn normal_play(&self) -> bool {
        !self.misere
    }

    fn parts(&self, position: &Position) -> Vec<u64> {
        position.heaps.clone()
    }

    fn options(&self, &heap: &u64, visit: &mut dyn FnMut(&[u64]) -> Flow) -> Flow {
        for take in 1..=heap.min(self.max) {
            visit(&[heap - take])?;
        }
        MORE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_finds_a_move_among_a_hundred_million() {
        let mut heaps = vec![1_000_000; 99];
        heaps.push(999_999);
        let nim = Nim::new(heaps, None, false).unwrap();
        let start = nim.start();
        let moves = nim.keeping_moves(&start);
        assert!(!moves.is_empty());
        for m in moves {
            assert_eq!(nim.formula(&nim.play(&start, m)), Value::LOSS);
        }
    }
}
