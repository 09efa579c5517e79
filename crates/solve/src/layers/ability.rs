//! What a game must know to be solved by layers.

use std::ops::Range;

use grundy_core::game::Indexed;
use grundy_core::value::Step;

/// The order in which an acyclic game's table can be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every move leads to a lower number: fill from 0 upwards.
    Lower,
    /// Every move leads to a higher number: fill from the top downwards.
    Higher,
    /// These ranges, in this order, cover all numbers. Every move leads to an earlier range, so the numbers of one
    /// range can be filled in parallel.
    Layers(Vec<Range<u64>>),
    /// A number is a set of bits, and every move removes some: fill subsets first, and sets of one size in parallel.
    Subsets,
}

/// An acyclic game: no position repeats.
pub trait Acyclic: Indexed {
    /// An order in which the children of every position are filled before it.
    fn order(&self) -> Order;

    /// The moves of a number as bits, for games for points in which every number is a position and every move removes
    /// one bit. Visits sets of bits, each with the step of its moves; none where the game is over. A bit that only
    /// passes the turn in a number must do so in every number with more bits.
    ///
    /// Returns `false` without visiting anything where the game is not of this kind, as the default does.
    fn bit_moves(&self, _number: u64, _visit: &mut impl FnMut(u64, Step)) -> bool {
        false
    }
}
