//! The interface of methods that mark and explain positions beside their values.

use std::sync::atomic::AtomicBool;

use grundy_core::game::Game;
use grundy_core::value::Value;
use grundy_session::{Annotation, Work};

/// Returns the exact value of a position; `None` if it is not found in time.
pub type FindValue<'a, P> = dyn FnMut(&P) -> Option<Value> + 'a;

/// A method that marks positions and their moves, and explains positions to players.
pub trait Annotator<G: Game>: Send + Sync {
    /// Returns the name of the annotation, by which it is queried; `None` if it has no meaning under these rules.
    fn name(&self, game: &G) -> Option<&'static str>;

    /// Prepares the marks, if that can be done before the work ends.
    fn ready(&self, _game: &G, _work: &Work<'_>) {}

    /// Returns the mark of a position, for the player to move, and those of its moves.
    fn annotate(
        &self,
        game: &G,
        position: &G::Position,
        value: &mut FindValue<'_, G::Position>,
    ) -> Annotation<G::Move>;

    /// Returns comments on a position, one a line.
    fn remarks(
        &self,
        game: &G,
        position: &G::Position,
        value: &mut FindValue<'_, G::Position>,
    ) -> Vec<String>;

    /// Returns a certificate of a position's value in a form of its own; `None` if none is found before `stop`.
    fn certificate(&self, _game: &G, _position: &G::Position, _stop: &AtomicBool) -> Option<String> {
        None
    }
}
