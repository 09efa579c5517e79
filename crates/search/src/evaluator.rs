//! Evaluations from outside of a game's rules.

use std::sync::Arc;

use grundy_core::game::{Game, Notation};
use grundy_core::weights::{Accumulators, Weights};

/// A static evaluation that a depth-limited search uses in place of the game's own.
pub trait Evaluator<G: Game>: Send + Sync {
    /// Returns an estimate of an unfinished position for the player to move, in hundredths of a point. `memory` belongs to
    /// one thread, and makes the estimate of a position close to the last one cheaper.
    fn guess(&self, game: &G, position: &G::Position, memory: &mut Accumulators) -> i32;
}

/// A learned evaluation.
pub(crate) struct ByWeights(pub Arc<Weights>);

impl<G: Notation> Evaluator<G> for ByWeights {
    fn guess(&self, game: &G, position: &G::Position, memory: &mut Accumulators) -> i32 {
        let mut cells = std::mem::take(&mut memory.cells);
        cells.clear();
        game.cells(position, &mut cells);
        let guess = self.0.guess(game.turn(position), &cells, memory);
        memory.cells = cells;
        guess
    }
}
