//! Positions and moves as plain data, and the entries of the rules.

use grundy_core::game::Player;
use smallvec::SmallVec;

/// A position: cells, then scores and variables, the entry and the current cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A byte for each cell, then one, two or four for each score and variable.
    pub data: SmallVec<[u8; 36]>,
    /// Index of the entry: the place in the rules where a player is to move.
    pub entry: u16,
    /// The current cell; 0 if it makes no difference.
    pub cell: u16,
}

/// Maximum number of modifiers that a move names; a longer one is identified by its index among the legal moves.
pub const NAMED: usize = 6;

/// A move: its modifiers with their cells, the last one the switch. Indices of modifiers count from 1, so that a zero
/// ends the list; after a zero at the beginning comes the index of a long move among the legal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub [u32; NAMED]);

impl Move {
    /// Returns the move as a word of digits.
    pub fn digits(self) -> String {
        self.0.map(|mark| mark.to_string()).join(":")
    }

    /// Returns the move of a word of digits.
    pub fn from_digits(word: &str) -> Option<Move> {
        let mut parts = word.split(':');
        let mut marks = [0; NAMED];
        for mark in &mut marks {
            *mark = parts.next()?.parse().ok()?;
        }
        parts.next().is_none().then_some(Move(marks))
    }
}

/// An entry of the rules: a point where a player is to move, or the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The next instruction; `None` at the end.
    pub at: Option<u32>,
    /// The player to move, or whose turn it would be.
    pub player: Player,
}
