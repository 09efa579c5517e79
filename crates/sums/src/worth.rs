//! The interface of methods for the values of positions in sums: Grundy numbers and canonical forms.

use grundy_core::game::Game;
use grundy_session::{Canonical, Grundy, Work};

/// A method for the values of positions in sums, whichever player is to move.
pub trait Worth<G: Game>: Send + Sync {
    /// Returns the approximate memory of the method in bytes.
    fn bytes(&self) -> u64;

    /// Returns the Grundy number of a position, or why there is none; gives up when the work ends.
    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy;

    /// Returns the canonical form of a position; gives up when the work ends.
    fn canonical(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Canonical {
        Canonical::of(&self.grundy(game, position, work))
    }
}
