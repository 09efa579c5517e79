//! A game that breaks its promises.

use grundy_session::SolveError;

use crate::fault::Fault;

/// Why no width of cells holds the values of a game.
pub(super) const BEYOND: &str = "a value of unknown distance or beyond all cells";

/// A promise of [`Acyclic`](super::Acyclic) or [`Indexed`](grundy_core::game::Indexed) that the game breaks.
pub(super) fn broken(number: u64, how: &str) -> Fault {
    Fault::Error(SolveError::Broken(format!("the game breaks its order: position {number} {how}")))
}
