//! What a game may know for retrograde analysis.

use grundy_core::game::Indexed;

/// Moves backwards, for retrograde analysis.
pub trait Reversible: Indexed {
    /// Visits positions from which one move leads to a position of the same number as `position`: every number
    /// that has such a move at least once, and no number that has none. (With symmetry in the numbering, the
    /// predecessors of one representative reach all numbers.)
    fn predecessors(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position));
}
