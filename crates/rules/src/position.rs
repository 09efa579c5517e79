//! Positions and moves as plain data, and the places in the rules where a position can be.

use grundy_core::game::Player;
use smallvec::SmallVec;

/// A position: cells, then scores and variables, and where the rules stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A byte for each cell, then one, two or four for each score and variable.
    pub data: SmallVec<[u8; 36]>,
    /// The place in the rules: a number of the entries of the rules.
    pub entry: u16,
    /// The cell where the rules stand; 0 where it makes no difference.
    pub cell: u16,
}

/// How many modifiers a move names; a longer one is known by its place among the legal moves.
pub const NAMED: usize = 6;

/// A move: its modifiers with their cells, the last one the switch. Numbers of modifiers count from 1, so that a zero
/// ends the list; behind a zero at the beginning stands the place of a long move among the legal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub [u32; NAMED]);

impl Move {
    /// The move as a word of digits.
    pub fn digits(self) -> String {
        self.0.map(|mark| mark.to_string()).join(":")
    }

    /// The move of a word of digits.
    pub fn from_digits(word: &str) -> Option<Move> {
        let mut parts = word.split(':');
        let mut marks = [0; NAMED];
        for mark in &mut marks {
            *mark = parts.next()?.parse().ok()?;
        }
        parts.next().is_none().then_some(Move(marks))
    }
}

/// A place in the rules where a player is to move, or the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The instruction that comes next; `None` is the end.
    pub at: Option<u32>,
    /// The player to move, or whose turn it would be.
    pub player: Player,
}
