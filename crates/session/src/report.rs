//! Reports of a session: lines of a search, lists of moves, refusals.

use std::fmt;

use grundy_core::text::visible;
use grundy_core::value::{Score, Step, Unit, Value};

/// One line of a search's report. Its moves are words, or inside a search moves of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info<M = String> {
    /// Plies searched to the full.
    pub depth: u32,
    /// Greatest depth reached, in plies.
    pub seldepth: u32,
    /// Nodes visited so far.
    pub nodes: u64,
    /// Fill level of the transposition table, in thousandths.
    pub hashfull: u32,
    /// 1 for the best move, 2 for the second best and so on (`MultiPV`).
    pub rank: u32,
    /// The score of the first move of `pv` for the player to move, as far as it is known.
    pub score: Score,
    /// The unit of the score.
    pub unit: Unit,
    /// The principal variation; empty if the game is over.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// Returns the report of one node with a line of rank 1, searched to its length.
    pub fn new(score: Score, unit: Unit, pv: Vec<M>) -> Info<M> {
        let depth = pv.len() as u32;
        Info { depth, seldepth: depth, nodes: 1, hashfull: 0, rank: 1, score, unit, pv }
    }

    /// Returns the same report with `pv` as its principal variation.
    pub fn with_pv<N>(&self, pv: Vec<N>) -> Info<N> {
        let Info { depth, seldepth, nodes, hashfull, rank, score, unit, .. } = *self;
        Info { depth, seldepth, nodes, hashfull, rank, score, unit, pv }
    }
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move in its standard spelling.
    pub word: String,
    /// True if the turn passed, and what the mover gained.
    pub step: Step,
}

/// Legal moves with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList {
    /// The moves, best first.
    pub moves: Vec<MoveValue>,
    /// True if moves were left out.
    pub truncated: bool,
}

impl MoveList {
    /// Returns a list from which every move was left out.
    pub(crate) fn omitted() -> MoveList {
        MoveList { moves: Vec::new(), truncated: true }
    }
}

/// A legal move and its value for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move in words.
    pub word: String,
    /// Its value counted from before the move, with the points that it gains.
    pub value: Option<Value>,
    /// A proved bound of a value that is not known.
    pub bound: Option<Score>,
}

impl MoveValue {
    /// Returns a move of unknown value.
    pub fn open(word: String) -> MoveValue {
        MoveValue { word, value: None, bound: None }
    }

    /// Adds what is proved of the value.
    pub fn learn(&mut self, score: Score) {
        match score.settled() {
            Some(value) if self.value.is_none_or(Value::is_unmeasured) => {
                (self.value, self.bound) = (Some(value), None);
            }
            None if self.value.is_none() => self.bound = Some(score),
            _ => {}
        }
    }

    /// Returns what is known of the value as text: `win:12`, `>=draw`, `<=+3`, or `?`.
    pub fn show(&self, unit: Unit) -> String {
        show(self.value, self.bound, unit)
    }

    /// Returns the key by which moves are sorted, best last: what is sure to be reached, then what may be. A move that is open
    /// may be better than a loss.
    pub(crate) fn rank(&self) -> (Option<Value>, Option<Value>) {
        let best = Some(Value::win_in(0));
        match (self.value, self.bound) {
            (Some(value), _) | (None, Some(Score::Exact(value)))
                if value.margin().is_none() && value < Value::DRAW =>
            {
                (None, Some(value))
            }
            (Some(value), _) | (None, Some(Score::Exact(value))) => (Some(value), Some(value)),
            (None, Some(Score::AtLeast(least))) => (Some(least), best),
            (None, Some(Score::AtMost(most))) => (None, Some(most)),
            (None, Some(Score::Guess(_)) | None) => (None, best),
        }
    }
}

/// Returns a value as text, else its bound (`>=draw`), else `?`.
pub(crate) fn show(value: Option<Value>, bound: Option<Score>, unit: Unit) -> String {
    match (value, bound) {
        (Some(value), _) | (None, Some(Score::Exact(value))) => value.show(unit).to_string(),
        (None, Some(Score::AtLeast(least))) => format!(">={}", least.show(unit)),
        (None, Some(Score::AtMost(most))) => format!("<={}", most.show(unit)),
        (None, Some(Score::Guess(_)) | None) => "?".to_owned(),
    }
}

/// A legal move and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The move in words.
    pub word: String,
    /// The position after it, as one line.
    pub position: String,
    /// True if the turn passes, and what the mover gains.
    pub step: Step,
    /// If the game is over after the move: the value there, for the player whose turn it would be.
    pub over: Option<Value>,
}

/// A position of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing<'a> {
    /// The position, as one line.
    pub position: &'a str,
    /// Its value for the player to move, with the strategy's moves fixed.
    pub value: Value,
    /// The strategy's move; `None` where the other player is to move.
    pub word: Option<&'a str>,
}

/// Why a session refused a position or a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is no position of the game.
    Position {
        /// The text.
        text: String,
        /// The fault, and what was expected.
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
    /// The game's rules cannot be followed to their end.
    Rules {
        /// Where, and why.
        why: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // An excerpt is visible already, and is not escaped again.
            Refusal::Position { text, why } => write!(f, "bad position \"{}\": {why}", visible(text)),
            Refusal::Move { word, position } => write!(f, "illegal move {word:?} in position {position}"),
            Refusal::Rules { why } => f.write_str(why),
            Refusal::Over { word } => write!(f, "illegal move {word:?}: the game is over"),
        }
    }
}

impl std::error::Error for Refusal {}
