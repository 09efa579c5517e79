//! Moves and positions under numbers: the moves that a board was asked about, and numberings of positions beside that of
//! the table.

use std::hash::Hash;

use grundy_core::game::Game;
use grundy_core::interner::Interner;
use grundy_session::{Move, Numbering};

/// The moves of a position that were asked about, by their numbers.
pub(super) enum NumberedMoves<M> {
    /// Those of one list, by their places.
    List(Vec<M>),
    /// Those of several lists; each move has one number, however often it is listed.
    Lists(Interner<M>),
}

impl<M> Default for NumberedMoves<M> {
    fn default() -> NumberedMoves<M> {
        NumberedMoves::List(Vec::new())
    }
}

impl<M: Copy + Eq + Hash> NumberedMoves<M> {
    pub(super) fn all(&self) -> &[M] {
        match self {
            NumberedMoves::List(list) => list,
            NumberedMoves::Lists(moves) => moves.list(),
        }
    }

    /// The numbers of these moves.
    pub(super) fn number(&mut self, moves: Vec<M>) -> Vec<Move> {
        if let NumberedMoves::List(list) = self {
            if list.is_empty() {
                *list = moves;
                return (0..list.len() as u32).map(Move).collect();
            }
            let mut interner = Interner::default();
            list.iter().for_each(|&m| {
                interner.insert(m);
            });
            *self = NumberedMoves::Lists(interner);
        }
        let NumberedMoves::Lists(interner) = self else { return Vec::new() };
        moves.into_iter().map(|m| Move(interner.insert(m).0)).collect()
    }
}

/// A numbering of positions beside that of the table.
pub struct NumberedBy<G: Game> {
    /// Its name, what it counts, and how far.
    pub facts: Numbering,
    /// The number of a position.
    pub index: fn(&G, &G::Position) -> u64,
    /// The position with a number; `None` where no position has it.
    pub position: fn(&G, u64) -> Option<G::Position>,
}
