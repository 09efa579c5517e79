//! The moves of a range of states as plain lists, with the type of the game erased: for methods whose table is distributed, so
//! that children are requested by their indices.

use std::ops::Range;

use grundy_core::game::{Indexed, Scored};
use grundy_core::value::{Step, Value};

/// Positions by rising index, with their moves.
#[derive(Default)]
pub(crate) struct Moves {
    /// Each position.
    pub(crate) positions: Vec<Place>,
    /// The children of all positions, one after another, with their steps.
    pub(crate) children: Vec<(u64, Step)>,
}

/// A position in a list of moves.
pub(crate) struct Place {
    pub(crate) number: u64,
    /// Its value, if the game is over.
    pub(crate) over: Option<Value>,
    /// The best value that a move out of the table leaves to the mover, if there is such a move.
    pub(crate) exit: Option<Value>,
    /// The end of its children; they begin at the end of those of the position before.
    pub(crate) end: usize,
}

impl Moves {
    /// Returns the range of the children of a position.
    pub(crate) fn of(&self, place: usize) -> Range<usize> {
        let begin = place.checked_sub(1).map_or(0, |before| self.positions[before].end);
        begin..self.positions[place].end
    }
}

/// A game whose moves are listed.
pub(crate) trait ListMoves: Sync {
    /// Appends the positions of a range of states with their moves.
    fn list(&self, range: Range<u64>, into: &mut Moves);
}

/// The rules of a game.
pub(crate) struct MovesOf<'a, G> {
    pub(crate) game: &'a G,
}

impl<G: Scored + Indexed> ListMoves for MovesOf<'_, G> {
    fn list(&self, range: Range<u64>, into: &mut Moves) {
        self.game.walk(range, &mut |number, position| {
            let over = self.game.settled(&position);
            if over.is_none() {
                self.game.child_indices(&position, &mut |child, step| into.children.push((child, step)));
            }
            into.positions.push(Place { number, over, exit: None, end: into.children.len() });
        });
    }
}
