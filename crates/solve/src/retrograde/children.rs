//! The moves of numbered positions, with the type of the game erased.

use std::ops::Range;

/// Is given a position by its number, with the numbers of its children and whether the turn passes.
pub(super) type VisitMoves<'a> = dyn FnMut(u64, &[(u64, bool)]) + 'a;

/// A game whose moves are listed by numbers.
pub(super) trait Children: Sync {
    /// How many numbers there are.
    fn size(&self) -> u64;

    /// Visits the positions of a range of numbers in rising order with their moves; one child may come more than once.
    /// Only positions are visited whose bit is set in `wanted`, where the first bit stands for the first number of the
    /// range. `few` says that these are few.
    fn each(&self, range: Range<u64>, wanted: &[u64], few: bool, visit: &mut VisitMoves<'_>);

    /// As [`Children::each`], for all positions that are not over.
    fn each_open(&self, range: Range<u64>, visit: &mut VisitMoves<'_>);
}
