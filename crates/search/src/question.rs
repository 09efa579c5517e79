//! The question that a session puts to a search.

use std::sync::atomic::AtomicBool;

use grundy_core::game::Game;
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_session::{Distance, Limits, NEVER};

use crate::alpha_beta::Heuristic;
use crate::evaluator::Evaluator;
use grundy_tables::Oracle;

/// A search request: the best moves of an unfinished position and their values.
///
/// [`Question::new`] sets no limits; override single fields with struct update syntax. `OneHeap` is a heap from which a
/// move takes one or two counters; the player who takes the last one wins.
///
/// ```
#[doc = include_str!("../doc/one_heap.txt")]
/// use grundy_core::value::Score;
/// use grundy_search::{Question, alpha_beta::AlphaBeta};
///
/// let (game, position) = (OneHeap(10), (10, Player::One));
/// let question = Question { lines: 2, ..Question::new(&game, &position) };
/// let lines = AlphaBeta::<OneHeap>::new(1, 1).search(&question, &mut |_| {});
/// let scores: Vec<Score> = lines.iter().map(|line| line.score).collect();
/// assert_eq!(scores, [Score::Exact(Value::win_in(7)), Score::Exact(Value::loss_in(6))]);
/// ```
pub struct Question<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The position.
    pub position: &'a G::Position,
    /// The positions before it, oldest first, for games in which positions repeat.
    pub earlier: &'a [G::Position],
    /// Root moves to search; all legal moves if it contains none of them.
    pub only: &'a [G::Move],
    /// Number of lines to report, each with a different first move.
    pub lines: usize,
    /// Extent of the proof of a won or lost game.
    pub distance: Distance,
    /// When the search ends.
    pub limits: Limits,
    /// Flag that ends the search when set.
    pub stop: &'a AtomicBool,
    /// Source of exact values, asked at every position reached.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// Source of exact values or bounds, asked only at the root and its children.
    pub book: Option<&'a dyn Oracle<G>>,
    /// Evaluation of the depth-limited search, in place of the game's own.
    pub evaluator: Option<&'a dyn Evaluator<G>>,
    /// Proved lower bound of the position's value, if one is known.
    pub at_least: Option<Value>,
    /// Proved upper bound of the moves' values, if one is known.
    pub at_most: Option<Value>,
}

impl<G: Game> Clone for Question<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Question<'_, G> {}

impl<'a, G: Game> Question<'a, G> {
    /// Asks for the best of all moves and its exact value, without limits or oracle.
    pub fn new(game: &'a G, position: &'a G::Position) -> Question<'a, G> {
        Question {
            game,
            position,
            earlier: &[],
            only: &[],
            lines: 1,
            distance: Distance::Exact,
            limits: Limits::default(),
            stop: &NEVER,
            oracle: None,
            book: None,
            evaluator: None,
            at_least: None,
            at_most: None,
        }
    }
}

impl<G: Heuristic> Question<'_, G> {
    /// Returns the [keys](Heuristic::repetition_key) of the positions that have occurred twice, this one counted: the next
    /// time is the third. None where positions cannot repeat.
    pub(crate) fn twice(&self) -> Vec<u64> {
        if !self.game.cyclic() {
            return Vec::new();
        }
        let met = self.earlier.iter().chain([self.position]);
        let mut keys: Vec<u64> = met.map(|position| self.game.repetition_key(position)).collect();
        sorting::sort(&mut keys);
        keys.chunk_by(|a, b| a == b).filter(|met| met.len() >= 2).map(|met| met[0]).collect()
    }
}
