//! The interface of methods that find the worth of positions in sums: Grundy numbers and canonical forms.

use grundy_core::game::Game;
use grundy_session::{Canonical, Grundy, Work};

/// What a position is worth in sums, whoever is to move in it.
pub trait Worth<G: Game>: Send + Sync {
    /// About how many bytes of memory the method keeps.
    fn bytes(&self) -> u64;

    /// The Grundy number of a position, or why there is none; the question is given up where the work ends.
    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy;

    /// The canonical form of a position; the question is given up where the work ends.
    fn canonical(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Canonical {
        Canonical::of(&self.grundy(game, position, work))
    }
}
