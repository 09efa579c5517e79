//! Nimble: coins on a strip of squares, any number on one square.
//!
//! * A move takes one coin any number of squares, at least 1, to the left, past and onto other coins as it likes.
//!   Square 1 is the end. The player who cannot move loses.
//! * Position `2,3,3,12 1`: the coins' squares, counted from 1, rising; move `12-5`.
//!
//! Solved by formula: each coin is a heap of Nim, its squares to go (C. L. Bouton 1901). As a sum of coins by Sprague
//! and Grundy too, which is the witness.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;

/// The last square of the strip.
pub const MOST: u64 = 1_000_000_000_000_000_000;
/// Maximum number of coins.
pub const COINS: usize = 10_000;

/// The rules of Nimble.
#[derive(Clone, Debug)]
pub struct Nimble {
    coins: Vec<u64>,
}

/// The coins and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The square of each coin, counted from 1, rising.
    pub coins: Vec<u64>,
    /// The player to move.
    pub turn: Player,
}

/// Moves a coin to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square it leaves, counted from 1.
    pub from: u64,
    /// The square it goes to.
    pub to: u64,
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
        coins.sort_unstable();
        Ok(Nimble { coins })
    }

    fn number(position: &Position) -> u64 {
        position.coins.iter().fold(0, |sum, square| sum ^ (square - 1))
    }
}

impl Game for Nimble {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { coins: self.coins.clone(), turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        position.coins.iter().all(|&square| square == 1).then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let mut last = 0;
        for &from in &position.coins {
            // Coins on one square make the same moves.
            if from != last {
                (1..from).try_for_each(|to| visit(Move { from, to }))?;
            }
            last = from;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut coins = position.coins.clone();
        if let Ok(place) = coins.binary_search(&m.from) {
            coins[place] = m.to;
        }
        coins.sort_unstable();
        Position { coins, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }
}

impl Scored for Nimble {}

impl Notation for Nimble {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", words::join(&position.coins), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([coins], turn) = words::fields(text, "the coins' squares like 2,3,12")?;
        let coins = Nimble::new(words::list(coins, "squares", MOST, COINS)?)?.coins;
        Ok(Position { coins, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", m.from, m.to)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (from, to) = word.split_once('-')?;
        let (from, to) = (words::number(from, MOST)?, words::number(to, MOST)?);
        let there = position.coins.binary_search(&from).is_ok();
        (there && (1..from).contains(&to)).then_some(Move { from, to })
    }
}

impl Formula for Nimble {
    fn formula(&self, position: &Position) -> Value {
        if Nimble::number(position) == 0 { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = Nimble::number(position);
        let mut keeping = Vec::new();
        for &from in position.coins.iter().filter(|_| number != 0) {
            let m = Move { from, to: ((from - 1) ^ number) + 1 };
            if m.to < m.from && keeping.last() != Some(&m) {
                keeping.push(m);
            }
        }
        keeping
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(Nimble::number(position))
    }
}

impl Sum for Nimble {
    /// The square of a coin.
    type Part = u64;

    fn parts(&self, position: &Position) -> Vec<u64> {
        position.coins.clone()
    }

    fn options(&self, &square: &u64, visit: &mut dyn FnMut(&[u64]) -> Flow) -> Flow {
        (1..square).try_for_each(|to| visit(&[to]))
    }
}
