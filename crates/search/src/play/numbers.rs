//! The numbers of moves that a board has listed, and numberings of positions beside that of the table.

use std::hash::Hash;

use grundy_core::game::{Game, hash_of};
use grundy_core::interner::HashIndex;
use grundy_session::{Move, Numbering};

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
        let hash = |list: &[M], at: u32| hash_of(list[at as usize]);
        let equal = |new: u32, old: u32| moves[new as usize] == self.0[old as usize];
        let sizes = [listed, moves.len()].map(|size| size as u32);
        let numbers = numbers_of(sizes, &|at| hash(&self.0, at), &|at| hash(&moves, at), &equal);
        self.0
            .extend(moves.into_iter().zip(&numbers).filter(|(_, m)| m.0 as usize >= listed).map(|(m, _)| m));
        numbers
    }
}

/// Returns the numbers of the moves of a list: that of an equal one of the moves listed before, else the next ones. `sizes`
/// are the lengths of the old and of the new list; then follow the hashes of their moves, and whether a new move equals
/// an old one.
fn numbers_of(
    [old, new]: [u32; 2],
    old_hash: &dyn Fn(u32) -> u64,
    new_hash: &dyn Fn(u32) -> u64,
    equal: &dyn Fn(u32, u32) -> bool,
) -> Vec<Move> {
    let mut next = old;
    let mut number = |found: Option<u32>| {
        Move(found.unwrap_or_else(|| {
            next += 1;
            next - 1
        }))
    };
    if new == 1 {
        return vec![number((0..old).find(|&at| equal(0, at)))];
    }
    let mut index = HashIndex::default();
    for at in 0..old {
        index.add(old_hash(at), old_hash);
    }
    (0..new).map(|at| number(index.find(new_hash(at), &|other| equal(at, other)))).collect()
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
