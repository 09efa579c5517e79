//! The trait of games that are solved by thresholds.

use grundy_core::game::Indexed;

/// A game for points in which positions may repeat, its states divided into parts. A move leads to an earlier part,
/// whatever it gains, or stays in its part and gains nothing. Play that never ends is worth nothing from the last gain on.
pub trait Parted: Indexed {
    /// Returns the end of each part, rising: the first part has the states below the first end, the second those from
    /// there to the second end, and so on. The last end is [`Indexed::size`].
    fn parts(&self) -> Vec<u64>;

    /// Visits the predecessors of `position` in its part: at least one position of every state from which a move leads to
    /// the state of `position`, and none of any other state.
    fn before(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position));

    /// Returns the games whose tables are the beginning of this game's, with their full names, the largest first.
    fn smaller(&self) -> Vec<(String, Self)>
    where
        Self: Sized,
    {
        Vec::new()
    }
}
