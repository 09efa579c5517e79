//! The trait of games that know their predecessors.

use grundy_core::game::Indexed;

/// The predecessors of a position, for retrograde analysis.
pub trait Reversible: Indexed {
    /// Visits the predecessors of `position`: at least one position of every state from which a move leads to the state of
    /// `position`, and none of any other state. If symmetric positions share a state, the predecessors of one of them
    /// suffice. A position that [`Indexed::child_count`] leaves out needs none.
    fn predecessors(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position));
}
