//! Games that have loony moves.

use grundy_core::game::Game;
use grundy_core::value::Value;
use grundy_session::Loony;

/// A game in which who makes the next loony move decides games that are even otherwise.
pub trait LoonyStates: Game {
    /// Each legal move with its value and its loony state for the player who makes it; `value` gives exact values of
    /// positions where they can be had. `None` where the rules, as they are settled, leave the state without a meaning.
    fn loony_moves(
        &self,
        position: &Self::Position,
        value: &mut dyn FnMut(&Self::Position) -> Option<Value>,
    ) -> Option<Vec<MoveState<Self::Move>>>;
}

/// A move, its value and its state.
pub type MoveState<M> = (M, Option<Value>, Option<Loony>);

/// [`LoonyStates::loony_moves`] of a game that has it.
pub(super) type AskLoony<G> = fn(
    &G,
    &<G as Game>::Position,
    &mut dyn FnMut(&<G as Game>::Position) -> Option<Value>,
) -> Option<Vec<MoveState<<G as Game>::Move>>>;
