//! Sets of lines, and the boxes by their number of open lines.

use grundy_core::bits::Bits;

/// A set of lines: horizontals and verticals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lines<B> {
    /// Horizontal lines.
    pub h: B,
    /// Vertical lines.
    pub v: B,
}

impl<B: Bits> Lines<B> {
    /// Reports whether the set is empty.
    #[inline]
    pub fn none(self) -> bool {
        (self.h | self.v).none()
    }

    /// Returns the number of lines in the set.
    #[inline]
    pub fn count(self) -> u32 {
        self.h.count() + self.v.count()
    }

    /// Returns the lines of this set that are not in the other.
    #[inline]
    pub fn without(self, other: Lines<B>) -> Lines<B> {
        Lines { h: self.h.without(other.h), v: self.v.without(other.v) }
    }

    /// Reports whether the sets intersect.
    #[inline]
    pub fn meets(self, other: Lines<B>) -> bool {
        !((self.h & other.h) | (self.v & other.v)).none()
    }
}

/// The boxes of a position by their number of open lines.
#[derive(Clone, Copy, Debug)]
pub struct Degrees<B> {
    /// Boxes with exactly one open line: they can be taken.
    pub one: B,
    /// Boxes with exactly two.
    pub two: B,
    /// Boxes with one or more.
    pub any: B,
}
