//! The numbers of moves that a board has listed, and numberings of positions beside that of the table.

use std::hash::Hash;

use grundy_core::game::Game;
use grundy_core::interner::Interner;
use grundy_session::{Move, Numbering};

/// The listed moves of a position, by number.
pub(super) enum NumberedMoves<M> {
    /// One list: numbers are indices.
    List(Vec<M>),
    /// Several lists: each move has one number, however often it is listed.
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

    /// Returns the numbers of these moves.
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
    /// Its name, description and size.
    pub facts: Numbering,
    /// Returns the number of a position.
    pub index: fn(&G, &G::Position) -> u64,
    /// Returns the position with a number; `None` if no position has it.
    pub position: fn(&G, u64) -> Option<G::Position>,
}
