//! The states of a game as a method indexes them: what the value of a position depends on, and no more.

use grundy_core::game::{Game, Indexed, Scored};
use grundy_core::value::{Step, Value};

/// Receives the state that a move leads to, and the step of the move.
pub type VisitNumber<'a> = dyn FnMut(u128, Step) + 'a;

/// An indexing of positions, its bounds on the game erased. Positions of one [essence](Game::essence) share an index, and
/// symmetric ones may.
pub struct StateNumbers<G: Game> {
    /// Returns the number of states: all indices are below it.
    pub size: fn(&G) -> u128,
    /// Returns the index of a position; `None` if it has none.
    pub number: fn(&G, &G::Position) -> Option<u128>,
    /// Visits the states that the moves of a state lead to. Returns the value, with none visited, if the game is over.
    ///
    /// # Errors
    /// No position has the index.
    pub expand: fn(&G, u128, &mut VisitNumber<'_>) -> Result<Option<Value>, NoPosition>,
}

/// Error: no position has the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPosition;

impl<G: Game> Clone for StateNumbers<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for StateNumbers<G> {}

impl<G: Scored + Indexed> StateNumbers<G> {
    /// Returns the indexing of the game's table.
    pub const fn indexed() -> StateNumbers<G> {
        StateNumbers {
            size: |game| game.size().into(),
            number: |game, position| {
                let number = game.index(position);
                (number < game.size() && game.position(number).is_some()).then_some(number.into())
            },
            expand: |game, number, visit| {
                let position = u64::try_from(number).ok().and_then(|number| game.position(number));
                let position = position.ok_or(NoPosition)?;
                let over = game.over(&position);
                if over.is_none() {
                    game.child_indices(&position, &mut |child, step| visit(child.into(), step));
                }
                Ok(over)
            },
        }
    }
}
