//! The interface of methods that find the worth of positions in sums: Grundy numbers and canonical forms.

use std::time::Duration;

use grundy_core::game::Game;
use grundy_session::{Canonical, Grundy};

/// What a position is worth in sums, whoever is to move in it.
pub trait Worth<G: Game>: Send + Sync {
    /// The Grundy number of a position, or why there is none; after `time` the question is given up.
    fn grundy(&self, game: &G, position: &G::Position, time: Duration) -> Grundy;

    /// The canonical form of a position; after `time` the question is given up.
    fn canonical(&self, game: &G, position: &G::Position, time: Duration) -> Canonical {
        Canonical::of(&self.grundy(game, position, time))
    }
}
