//! The trait of games that are solved by layers.

use std::ops::Range;

use grundy_core::game::Indexed;
use grundy_core::value::Step;

/// An order in which the table of an acyclic game can be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every move leads to a lower index: fill from 0 upwards.
    Lower,
    /// Every move leads to a higher index: fill from the top downwards.
    Higher,
    /// These ranges, in this order, cover all indices. Every move leads to an earlier range, so that the states of one
    /// range can be filled in parallel.
    Layers(Vec<Range<u64>>),
    /// An index is a set of bits, and every move removes some: fill subsets first, and sets of one size in parallel.
    Subsets,
}

/// An acyclic game: no position repeats.
pub trait Acyclic: Indexed {
    /// Returns an order in which the children of every position are filled before it.
    fn order(&self) -> Order;

    /// Visits the moves of state `_number` as sets of bits, each with the step of its moves; none if the game is over. For
    /// games for points in which every index is a position and every move removes one bit. A bit that only passes the turn
    /// in a state must do so in every state with more bits.
    ///
    /// Returns `false` without visiting anything if the game is not of this kind, as the default does.
    fn bit_moves(&self, _number: u64, _visit: &mut impl FnMut(u64, Step)) -> bool {
        false
    }
}
