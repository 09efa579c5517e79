//! The moves of positions by index, with the type of the game erased.

use std::ops::Range;

/// Receives a state with its children and whether the turn passes.
pub(super) type VisitMoves<'a> = dyn FnMut(u64, &[(u64, bool)]) + 'a;

/// A game whose moves are listed by indices.
pub(super) trait Children: Sync {
    /// Returns the number of states.
    fn size(&self) -> u64;

    /// Visits the positions of a range of states, rising, with their moves; a child may come more than once. Only positions
    /// whose bit is set in `wanted` are visited; the first bit stands for the first state of the range. `few` is a hint that
    /// few bits are set.
    fn each(&self, range: Range<u64>, wanted: &[u64], few: bool, visit: &mut VisitMoves<'_>);

    /// As [`Children::each`], for all positions that are not over.
    fn each_open(&self, range: Range<u64>, visit: &mut VisitMoves<'_>);
}
