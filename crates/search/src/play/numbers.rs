//! The numbers of moves that a board has listed, and numberings of positions beside that of the table.

use std::hash::Hash;

use grundy_core::game::{Game, hash_of};
use grundy_session::{Move, Numbering};
use hashbrown::HashTable;

/// The listed moves of a position, by number: each move once, however often it is listed.
pub(super) struct NumberedMoves<M>(Vec<M>);

impl<M> Default for NumberedMoves<M> {
    fn default() -> NumberedMoves<M> {
        NumberedMoves(Vec::new())
    }
}

impl<M: Copy + Eq + Hash> NumberedMoves<M> {
    pub(super) fn all(&self) -> &[M] {
        &self.0
    }

    /// Returns the numbers of different moves.
    pub(super) fn number(&mut self, moves: Vec<M>) -> Vec<Move> {
        let listed = self.0.len();
        if listed == 0 {
            self.0 = moves;
            return (0..self.0.len() as u32).map(Move).collect();
        }
        let equal = |new: usize, old: usize| moves[new] == self.0[old];
        let hashes = |list: &[M], at: usize| hash_of(list[at]);
        let sizes = [listed, moves.len()];
        let numbers = numbers_of(sizes, &|at| hashes(&self.0, at), &|at| hashes(&moves, at), &equal);
        self.0
            .extend(moves.into_iter().zip(&numbers).filter(|(_, m)| m.0 as usize >= listed).map(|(m, _)| m));
        numbers
    }
}

/// Returns the numbers of the moves of a list: that of an equal one of the moves listed before, else the next ones. `sizes`
/// are the lengths of the old and of the new list; then follow the hashes of their moves, and whether a new move equals
/// an old one.
fn numbers_of(
    [old, new]: [usize; 2],
    old_hash: &dyn Fn(usize) -> u64,
    new_hash: &dyn Fn(usize) -> u64,
    equal: &dyn Fn(usize, usize) -> bool,
) -> Vec<Move> {
    let mut next = old as u32;
    let mut number = |found: Option<usize>| match found {
        Some(at) => Move(at as u32),
        None => {
            next += 1;
            Move(next - 1)
        }
    };
    if new == 1 {
        return vec![number((0..old).find(|&at| equal(0, at)))];
    }
    let mut table = HashTable::with_capacity(old);
    for at in 0..old {
        table.insert_unique(old_hash(at), at, |&at| old_hash(at));
    }
    (0..new).map(|at| number(table.find(new_hash(at), |&other| equal(at, other)).copied())).collect()
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
