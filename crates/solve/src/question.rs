//! What a search is asked: one type from the session's door down to the last thread.

use std::sync::atomic::AtomicBool;

use grundy_core::game::{Game, MORE};
use grundy_core::value::Score;
use grundy_session::{Distance, Limits, NEVER};

use crate::Oracle;

/// The best moves of an unfinished position, and what they are worth.
pub struct Question<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The position.
    pub position: &'a G::Position,
    /// The positions before it, oldest first; of interest only where positions can come twice.
    pub earlier: &'a [G::Position],
    /// The moves that may be looked at; all, where this names no legal one.
    pub only: &'a [G::Move],
    /// How many lines are asked for, each with another first move.
    pub lines: usize,
    /// What of a won or lost game is to be proved.
    pub distance: Distance,
    /// When the search ends.
    pub limits: Limits,
    /// Set from outside to end it.
    pub stop: &'a AtomicBool,
    /// Who knows exact values: asked at every position that is reached.
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// Who may know exact values or bounds of the position and of those after its moves, and is asked of no others.
    pub book: Option<&'a dyn Oracle<G>>,
}

impl<G: Game> Clone for Question<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Question<'_, G> {}

impl<'a, G: Game> Question<'a, G> {
    /// The best of all moves and its exact value, without a limit and without help.
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
        }
    }
}

/// One line of a search's report: what is known at this depth, and the play that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Plies searched to the full.
    pub depth: u32,
    /// Plies reached at the most.
    pub seldepth: u32,
    /// Nodes visited so far.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// 1 for the best move, 2 for the second best and so on (`MultiPV`).
    pub rank: u32,
    /// The worth of the first move of `pv`, for the player to move.
    pub score: Score,
    /// The principal variation: legal to its end, never past the end of the game. Each move is given by its place
    /// among the legal moves of its position.
    pub pv: Vec<u32>,
}

/// The places of the moves of a line among the legal moves of their positions.
pub fn places<G: Game>(game: &G, position: &G::Position, line: &[G::Move]) -> Vec<u32> {
    let mut now = position.clone();
    let mut places = Vec::with_capacity(line.len());
    for &m in line {
        let mut place = 0;
        let _ = game.moves(&now, &mut |other| {
            if other == m {
                return std::ops::ControlFlow::Break(());
            }
            place += 1;
            MORE
        });
        places.push(place);
        now = game.play(&now, m);
    }
    places
}

/// The legal move of an unfinished position at this place.
pub fn at_place<G: Game>(game: &G, position: &G::Position, place: u32) -> Option<G::Move> {
    let (mut left, mut found) = (place, None);
    let _ = game.moves(position, &mut |m| {
        if left == 0 {
            found = Some(m);
            return std::ops::ControlFlow::Break(());
        }
        left -= 1;
        MORE
    });
    found
}
