//! What a game must know to be solved by thresholds.

use grundy_core::game::Indexed;

/// A game for points in which positions may repeat, its numbers cut into parts. A move leads to an earlier part,
/// whatever it gains, or it stays in its part and gains nothing. A play that never ends is worth nothing from the last
/// gain on.
pub trait Parted: Indexed {
    /// Where each part ends, in rising order: the numbers below the first end are the first part, those from there to
    /// the second end the second part, and so on. The last end is [`Indexed::size`].
    fn parts(&self) -> Vec<u64>;

    /// Visits positions of the same part from which a move leads to a position with the number of `position`: at least
    /// one position of every number that has such a move, and none of any other.
    fn before(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position));

    /// Games whose tables are the beginning of this game's, with their full names, the largest first.
    fn smaller(&self) -> Vec<(String, Self)>
    where
        Self: Sized,
    {
        Vec::new()
    }
}

/// The part in which a number lies, by the ends of the parts.
#[inline]
pub(super) fn part_of(ends: &[u64], number: u64) -> usize {
    ends.partition_point(|&end| end <= number)
}
