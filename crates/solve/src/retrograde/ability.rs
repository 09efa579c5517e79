//! What a game may know for retrograde analysis.

use grundy_core::game::Indexed;

/// The predecessors of a position, for retrograde analysis.
pub trait Reversible: Indexed {
    /// Visits positions from which one move leads to a position with the number of `position`: at least one position of
    /// every number that has such a move, and none of any other. Where symmetric positions share a number, the
    /// predecessors of one of them are enough.
    fn predecessors(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position));
}
