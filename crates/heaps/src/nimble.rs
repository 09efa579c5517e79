//! Nimble: coins on a strip of squares, any number on one square.
//!
//! * A move takes one coin any number of squares, at least 1, to the left, past and onto other coins as it likes.
//!   Square 1 is the end. The player who cannot move loses.
//! * Position `2,3,3,12 1`: the coins' squares, counted from 1, rising; move `12-5`.
//!
//! Solved by formula: each coin is a heap of Nim, its squares to go (C. L. Bouton 1901). As a sum of coins by Sprague
//! and Grundy too, which is the witness.

use grundy_core::game::{Flow, MORE};
use grundy_core::sorting;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// The last square of the strip.
pub const MOST: u64 = 1_000_000_000_000_000_000;
/// Maximum number of coins.
pub const COINS: usize = 10_000;

/// The rules of Nimble.
#[derive(Clone, Debug)]
pub struct Nimble {
    coins: Vec<u64>,
}

impl Nimble {
    /// Returns Nimble with coins on these squares.
    ///
    /// # Errors
    /// There are no coins or too many, or a square is 0 or too far.
    pub fn new(mut coins: Vec<u64>) -> Result<Nimble, String> {
        if !(1..=COINS).contains(&coins.len()) || coins.iter().any(|c| !(1..=MOST).contains(c)) {
            return Err(format!("nimble has 1 to {COINS} coins on squares 1 to {MOST}: nimble:2,3,12"));
        }
        sorting::sort_few(&mut coins);
        Ok(Nimble { coins })
    }
}

fn number(coins: &[u64]) -> u64 {
    coins.iter().fold(0, |sum, square| sum ^ (square - 1))
}

/// A position is the squares of the coins, counted from 1, rising; a move is the square that a coin leaves and the one it
/// goes to.
impl HeapRules for Nimble {
    fn start(&self) -> Vec<u64> {
        self.coins.clone()
    }

    fn is_over(&self, position: &Position) -> bool {
        position.heaps.iter().all(|&square| square == 1)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let mut last = 0;
        for &from in &position.heaps {
            // Coins on one square make the same moves.
            if from != last {
                (1..from).try_for_each(|to| visit(Move::pair(from, to)))?;
            }
            last = from;
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        if let Ok(place) = position.heaps.binary_search(&m.by[0]) {
            position.heaps[place] = m.by[1];
        }
        sorting::sort_few(&mut position.heaps);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "the coins' squares like 2,3,12", |coins| {
            Ok(Nimble::new(words::list(coins, "squares", MOST, COINS)?)?.coins)
        })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", m.by[0], m.by[1])
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (from, to) = Move::read_dash(word)?;
        let there = position.heaps.binary_search(&from).is_ok();
        (there && (1..from).contains(&to)).then(|| Move::pair(from, to))
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(number(&position.heaps))
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = number(&position.heaps);
        let to_zero = position.heaps.iter().map(|&from| Move::pair(from, ((from - 1) ^ number) + 1));
        let mut keeping: Vec<Move> = to_zero.filter(|m| m.by[1] < m.by[0]).collect();
        keeping.dedup();
        keeping
    }

    fn heaps_are_parts(&self) -> bool {
        true
    }
}
