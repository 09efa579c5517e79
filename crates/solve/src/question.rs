//! The question that a session puts to a search, and the lines that the search reports.

use std::sync::atomic::AtomicBool;

use grundy_core::game::{Game, MORE, each_move};
use grundy_core::value::{Score, Value};
use grundy_session::{Distance, Limits, NEVER};

use crate::Oracle;

/// "What are the best moves of this unfinished position, and what are they worth?"
///
/// [`Question::new`] has no limits; fields that differ are set beside it. `OneHeap` is a heap of which a move takes one or
/// two counters; who takes the last one wins.
///
/// ```
#[doc = include_str!("../doc/one_heap.txt")]
/// use grundy_core::value::Score;
/// use grundy_solve::{Question, search::Searcher};
///
/// let (game, position) = (OneHeap(10), (10, Player::One));
/// let question = Question { lines: 2, ..Question::new(&game, &position) };
/// let lines = Searcher::<OneHeap>::new(1, 1).search(&question, &mut |_| {});
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
    /// The moves to consider; all, where this names no legal one.
    pub only: &'a [G::Move],
    /// How many lines are asked for, each with another first move.
    pub lines: usize,
    /// How much of a won or lost game is to be proved.
    pub distance: Distance,
    /// When the search ends.
    pub limits: Limits,
    /// Set from outside to end it.
    pub stop: &'a AtomicBool,
    /// A source of exact values, asked at every position that is reached.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// A source of exact values or bounds, asked only about the position and those after its moves.
    pub book: Option<&'a dyn Oracle<G>>,
    /// What the position is worth at least, where that is proved already.
    pub at_least: Option<Value>,
}

impl<G: Game> Clone for Question<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Question<'_, G> {}

impl<'a, G: Game> Question<'a, G> {
    /// The best of all moves and its exact value, without limits and without an oracle.
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
            at_least: None,
        }
    }
}

/// One line of a search's report: a variation with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Plies searched to the full.
    pub depth: u32,
    /// The most plies reached.
    pub seldepth: u32,
    /// Nodes visited so far.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// 1 for the best move, 2 for the second best and so on (`MultiPV`).
    pub rank: u32,
    /// The score of the first move of `pv`, for the player to move.
    pub score: Score,
    /// The principal variation. Each move is given by its index among the legal moves of its position.
    pub pv: Vec<u32>,
}

/// The index of each move of a line among the legal moves of its position.
pub fn places<G: Game>(game: &G, position: &G::Position, line: &[G::Move]) -> Vec<u32> {
    let mut now = position.clone();
    let mut places = Vec::with_capacity(line.len());
    for &m in line {
        let Some(place) = place_of(game, &now, m) else { break };
        places.push(place);
        now = game.play(&now, m);
    }
    places
}

/// The index of a move among the legal moves of an unfinished position.
pub(crate) fn place_of<G: Game>(game: &G, position: &G::Position, m: G::Move) -> Option<u32> {
    let mut place = 0;
    let found = each_move(game, position, &mut |other| {
        if other == m {
            return std::ops::ControlFlow::Break(());
        }
        place += 1;
        MORE
    });
    found.is_break().then_some(place)
}

/// The legal move of an unfinished position with this index.
pub fn at_place<G: Game>(game: &G, position: &G::Position, place: u32) -> Option<G::Move> {
    let (mut left, mut found) = (place, None);
    let _ = each_move(game, position, &mut |m| {
        if left == 0 {
            found = Some(m);
            return std::ops::ControlFlow::Break(());
        }
        left -= 1;
        MORE
    });
    found
}
