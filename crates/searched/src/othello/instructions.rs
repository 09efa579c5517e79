//! The board operations that depend on the processor's instructions, and their portable form.

use super::bits;
use super::geometry::Geometry;

/// A set of instructions.
pub(super) trait Instructions: Copy {
    /// Returns the free cells where a disc of the first player encloses discs of the second. The board may be smaller
    /// than 8x8.
    fn moves(self, mine: u64, other: u64) -> u64;
    /// Returns the discs of the second player that a disc of the first on this cell turns over.
    fn flips(self, mine: u64, other: u64, cell: u32) -> u64;
    /// Returns, for each axis, the cells whose line is full of these discs, and the bits off the board.
    fn full(self, board: &Geometry, discs: u64) -> [u64; 4];
    /// Returns stable discs of a player, which can never be turned over again; not necessarily all.
    fn stable(self, board: &Geometry, mine: u64, full: &[u64; 4]) -> u64;
    /// Returns the bits of a set under a mask, packed together.
    fn pack(self, set: u64, mask: u64) -> usize;
    /// Runs a job compiled for these instructions.
    fn run<R>(self, job: impl FnOnce(Self) -> R) -> R;

    /// Returns the free cells of a board where a disc of the first player encloses discs of the second.
    #[inline(always)]
    fn moves_on(self, board: &Geometry, mine: u64, other: u64) -> u64 {
        self.moves(mine, other) & board.cells
    }
}

/// Portable code for every processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl Instructions for Plain {
    #[inline]
    fn moves(self, mine: u64, other: u64) -> u64 {
        bits::moves(mine, other)
    }
    #[inline]
    fn flips(self, mine: u64, other: u64, cell: u32) -> u64 {
        bits::flips(mine, other, cell)
    }
    #[inline]
    fn full(self, board: &Geometry, discs: u64) -> [u64; 4] {
        board.full(discs)
    }
    #[inline]
    fn stable(self, board: &Geometry, mine: u64, full: &[u64; 4]) -> u64 {
        board.stable(mine, full)
    }
    #[inline]
    fn pack(self, set: u64, mut mask: u64) -> usize {
        // Neighbouring bits of the mask stay together.
        let (mut packed, mut place) = (0, 0);
        while mask != 0 {
            let low = mask.trailing_zeros();
            let run = (mask >> low).trailing_ones();
            let bits = u64::MAX >> (64 - run);
            packed |= (set >> low & bits) << place;
            place += run;
            mask &= !(bits << low);
        }
        packed as usize
    }
    #[inline]
    fn run<R>(self, job: impl FnOnce(Self) -> R) -> R {
        job(self)
    }
}
