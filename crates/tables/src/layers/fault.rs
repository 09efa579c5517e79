//! Errors for games that break their promises.

use grundy_session::SolveError;

use crate::fault::Fault;

/// Reason why no width of cells holds the values of a game.
pub(super) const BEYOND: &str = "a value of unknown distance or beyond all cells";

/// Returns the error for a game that breaks a promise of [`Acyclic`](super::Acyclic) or
/// [`Indexed`](grundy_core::game::Indexed) at this state.
pub(super) fn broken(number: u64, how: &str) -> Fault {
    Fault::Error(SolveError::Broken(format!("the game breaks its order: position {number} {how}")))
}
