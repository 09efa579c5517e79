//! What a session reports: lines of a search, lists of moves, refusals.

use std::fmt;

use grundy_core::value::{Score, Step, Unit, Value};

/// One line of a search's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Plies searched to the full.
    pub depth: u32,
    /// The most plies reached.
    pub seldepth: u32,
    /// Nodes visited so far.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// 1 for the best move, 2 for the second best and so on.
    pub rank: u32,
    /// The value of the first move of `pv` for the player to move, as far as it is known.
    pub score: Score,
    /// What the score counts.
    pub unit: Unit,
    /// The principal variation; empty where the game is over.
    pub pv: Vec<String>,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move in its standard spelling.
    pub word: String,
    /// Whether the turn passed, and what the mover gained.
    pub step: Step,
}

/// Legal moves with their values, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList {
    /// The moves, best first.
    pub moves: Vec<MoveValue>,
    /// Whether moves were left out.
    pub truncated: bool,
}

/// A legal move and what it is worth to the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move in words.
    pub word: String,
    /// Its value, counted from before the move, the points it gains included.
    pub value: Option<Value>,
}

/// A legal move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The move in words.
    pub word: String,
    /// The position after it, as one line.
    pub position: String,
    /// Whether the turn passes, and what the mover gains.
    pub step: Step,
    /// The value of the position after it for the player whose turn it would be, where the game is over there.
    pub over: Option<Value>,
}

/// Why a session refused a position or a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is no position of the game.
    Position {
        /// The text.
        text: String,
        /// What is wrong with it and what was expected.
        why: String,
    },
    /// The word is not a legal move.
    Move {
        /// The word.
        word: String,
        /// The position in which it was tried.
        position: String,
    },
    /// The game is over, so that no move is legal.
    Over {
        /// The word.
        word: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Position { text, why } => write!(f, "bad position {text:?}: {why}"),
            Refusal::Move { word, position } => write!(f, "illegal move {word:?} in position {position}"),
            Refusal::Over { word } => write!(f, "illegal move {word:?}: the game is over"),
        }
    }
}

impl std::error::Error for Refusal {}
