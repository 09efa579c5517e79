//! The positions of a game as the numbers that a method knows them by: what their values depend on, and no more.

use grundy_core::game::{Game, Indexed, Scored};
use grundy_core::value::{Step, Value};

/// Is given the number of a position that a move leads to, and the step of the move.
pub type VisitNumber<'a> = dyn FnMut(u128, Step) + 'a;

/// A numbering of positions, its bounds on the game erased. Positions of one [essence](Game::essence) share a number,
/// and images of a board may.
pub struct StateNumbers<G: Game> {
    /// All numbers are below this.
    pub size: fn(&G) -> u128,
    /// The number of a position; `None` if it has none.
    pub number: fn(&G, &G::Position) -> Option<u128>,
    /// Visits the numbers that the moves of a number lead to. Returns the value, with none visited, if the game is over.
    ///
    /// # Errors
    /// No position has the number.
    pub expand: fn(&G, u128, &mut VisitNumber<'_>) -> Result<Option<Value>, NoPosition>,
}

/// A number that no position has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPosition;

impl<G: Game> Clone for StateNumbers<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for StateNumbers<G> {}

impl<G: Scored + Indexed> StateNumbers<G> {
    /// The numbers of the game's table.
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
                    game.child_numbers(&position, &mut |child, step| visit(child.into(), step));
                }
                Ok(over)
            },
        }
    }
}
