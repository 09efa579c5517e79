//! What a game must know for this method.

use grundy_core::game::Game;
use grundy_core::value::Value;
use grundy_session::Loony;

/// A game in which who makes the next loony move decides games that are even otherwise.
pub trait LoonyStates: Game {
    /// Whether the rules, as they are settled, give the state a meaning.
    fn has_states(&self) -> bool;

    /// Whether the move that led here was loony, whichever it was.
    fn is_loony(&self, position: &Self::Position) -> bool;

    /// The state of an unfinished position and of its moves, as far as they can be had from what is known.
    fn loony_states(
        &self,
        position: &Self::Position,
        known: &mut Known<'_, Self::Position>,
    ) -> States<Self::Move>;
}

/// What is known of positions.
pub struct Known<'a, P> {
    /// Exact values, where they can be had.
    pub value: &'a mut dyn FnMut(&P) -> Option<Value>,
    /// Loony states for the player to move, where a table has them.
    pub state: &'a dyn Fn(&P) -> Option<Loony>,
}

/// The loony states of a position, for the player to move, and of its moves, each for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct States<M> {
    /// That of the position.
    pub position: Option<Loony>,
    /// Those of the moves.
    pub moves: Vec<(M, Option<Loony>)>,
}
