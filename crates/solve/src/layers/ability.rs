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
    /// These ranges, in this order, cover all numbers; every move leads from a range to one named earlier, so
    /// the numbers of one range can be filled in parallel.
    Layers(Vec<Range<u64>>),
    /// Numbers are sets of bits, and every move takes bits out: fill subsets before the sets that hold them, those
    /// that do not hold each other in parallel.
    Subsets,
}

/// An acyclic game: no position can come twice.
pub trait Acyclic: Indexed {
    /// The order in which every move leads to what is already filled.
    fn order(&self) -> Order;

    /// The moves by their bits, for games for points in which every number is a position and every move takes one bit
    /// out of the number: visits sets of such bits, each with what its moves mean; none where the game is over. A bit
    /// that gains nothing and passes the turn in a number does so in every number with more bits.
    ///
    /// `false`, nothing visited, says that the game is not so, which is the default.
    fn bit_moves(&self, _number: u64, _visit: &mut impl FnMut(u64, Step)) -> bool {
        false
    }
}
