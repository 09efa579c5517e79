//! The search of the last cells compiled for AVX2.
//!
//! `unsafe` is allowed here for the same reason as in [`avx2`](super::avx2): to call functions compiled for
//! instructions whose presence an [`Avx2`] proves.
#![allow(unsafe_code)]

use super::avx2::Avx2;
use super::geometry::Geometry;
use super::last::{self, Calls, Discs, Few, Sorted};

// SAFETY of all blocks: an `Avx2` exists only if the processor has the instructions that the functions are compiled
// for.
impl Calls for Avx2 {
    #[inline(always)]
    fn few(self, board: &Geometry, ask: Few, nodes: &mut u64) -> i32 {
        unsafe { few(self, board, ask.discs.mine, ask.discs.other, ask.odd, ask.left, ask.target, nodes) }
    }
    #[inline(always)]
    fn sorted(self, board: &Geometry, ask: Sorted, nodes: &mut u64) -> i32 {
        unsafe { sorted(self, board, ask, nodes) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[allow(clippy::too_many_arguments)]
fn few(
    isa: Avx2,
    board: &Geometry,
    mine: u64,
    other: u64,
    odd: u64,
    left: u32,
    target: i32,
    nodes: &mut u64,
) -> i32 {
    last::few(isa, board, Few { discs: Discs { mine, other }, odd, left, target }, nodes)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sorted(isa: Avx2, board: &Geometry, ask: Sorted, nodes: &mut u64) -> i32 {
    last::sorted(isa, board, ask, nodes)
}

#[cfg(test)]
mod tests {
    use super::super::instructions::{Instructions, Plain};
    use super::*;
    use grundy_core::random::SplitMix64;

    #[test]
    fn the_last_cells_are_played_alike() {
        let Some(isa) = Avx2::new() else { return };
        let mut random = SplitMix64(5);
        let board = Geometry::new(6, 6, false);
        for _ in 0..400 {
            let taken = (random.bits() | random.bits() | random.bits()) & board.cells;
            let mine = random.bits() & taken;
            let discs = Discs { mine, other: taken & !mine };
            let left = (board.cells & !(discs.mine | discs.other)).count_ones();
            if left > 9 {
                continue;
            }
            let moves = Plain.moves_on(&board, discs.mine, discs.other);
            let (mut a, mut b) = (0, 0);
            let fast = isa.run(|isa| last::last(isa, &board, discs, moves, left, 1, &mut a));
            let plain = last::last(Plain, &board, discs, moves, left, 1, &mut b);
            assert_eq!((fast, a), (plain, b));
        }
    }
}
