//! Bit boards by AVX2: the four axes of the board are the four words of a register.
//!
//! `unsafe` is allowed here for one reason: to call functions compiled for instructions that not every processor has.
//! A value of [`Avx2`] is the proof that this processor has them.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::bits::{AXES, INNER, RAYS};
use super::geometry::Geometry;
use super::instructions::Instructions;

/// Proof that the processor has AVX2, the bit manipulation sets and `popcnt`.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the proof; `None` if the processor lacks any of them.
    pub fn new() -> Option<Avx2> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Avx2(()))
    }
}

/// [`AXES`] as words of a register.
const STEPS: [u64; 4] = [AXES[0] as u64, AXES[1] as u64, AXES[2] as u64, AXES[3] as u64];

// SAFETY of all blocks: an `Avx2` exists only if the processor has the instructions that the functions are compiled
// for.
impl Instructions for Avx2 {
    #[inline(always)]
    fn moves(self, mine: u64, other: u64) -> u64 {
        unsafe { moves(mine, other) }
    }
    #[inline(always)]
    fn flips(self, mine: u64, other: u64, cell: u32) -> u64 {
        unsafe { flips(mine, other, cell) }
    }
    #[inline(always)]
    fn full(self, board: &Geometry, discs: u64) -> [u64; 4] {
        unsafe { full(board, discs) }
    }
    #[inline(always)]
    fn stable(self, board: &Geometry, mine: u64, full: &[u64; 4]) -> u64 {
        unsafe { stable(board, mine, full) }
    }
    #[inline(always)]
    fn pack(self, set: u64, mask: u64) -> usize {
        unsafe { pack(set, mask) }
    }
    #[inline(always)]
    fn run<R>(self, job: impl FnOnce(Self) -> R) -> R {
        unsafe { run(self, job) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run<R>(isa: Avx2, job: impl FnOnce(Avx2) -> R) -> R {
    job(isa)
}

#[inline]
#[target_feature(enable = "bmi2")]
fn pack(set: u64, mask: u64) -> usize {
    _pext_u64(set, mask) as usize
}

#[inline]
#[target_feature(enable = "avx2")]
fn words(words: [u64; 4]) -> __m256i {
    bytemuck::cast(words)
}

#[inline]
#[target_feature(enable = "avx2")]
fn any(words: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// Returns the moves, by Kogge-Stone along four axes at once, both ways.
#[inline]
#[target_feature(enable = "avx2")]
fn moves(mine: u64, other: u64) -> u64 {
    let (one, two) = (words(STEPS), words(STEPS.map(|s| 2 * s)));
    let own = _mm256_set1_epi64x(mine as i64);
    let between = _mm256_and_si256(_mm256_set1_epi64x(other as i64), words([INNER, INNER, !0, INNER]));
    let and = |a, b| _mm256_and_si256(a, b);
    let or = |a, b| _mm256_or_si256(a, b);
    let mut up = and(between, _mm256_sllv_epi64(own, one));
    let mut down = and(between, _mm256_srlv_epi64(own, one));
    up = or(up, and(between, _mm256_sllv_epi64(up, one)));
    down = or(down, and(between, _mm256_srlv_epi64(down, one)));
    let pairs_up = and(between, _mm256_sllv_epi64(between, one));
    let pairs_down = _mm256_srlv_epi64(pairs_up, one);
    up = or(up, and(pairs_up, _mm256_sllv_epi64(up, two)));
    down = or(down, and(pairs_down, _mm256_srlv_epi64(down, two)));
    up = or(up, and(pairs_up, _mm256_sllv_epi64(up, two)));
    down = or(down, and(pairs_down, _mm256_srlv_epi64(down, two)));
    any(or(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one))) & !(mine | other)
}

/// Finds the flips like the portable code: the nearest cell that is not the other's ends a row, and must be one's own.
#[inline]
#[target_feature(enable = "avx2")]
fn flips(mine: u64, other: u64, cell: u32) -> u64 {
    let rays = &RAYS[cell as usize & 63];
    let (ahead, behind) =
        (words([rays[0], rays[1], rays[2], rays[3]]), words([rays[4], rays[5], rays[6], rays[7]]));
    let zero = _mm256_setzero_si256();
    let own = _mm256_set1_epi64x(mine as i64);
    let others = _mm256_set1_epi64x(other as i64);
    let ends = _mm256_andnot_si256(others, ahead);
    let end = _mm256_and_si256(_mm256_and_si256(ends, _mm256_sub_epi64(zero, ends)), own);
    let row = _mm256_and_si256(_mm256_add_epi64(end, _mm256_set1_epi64x(-1)), ahead);
    let up = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), row);
    // Downwards the cells beyond the nearest such cell are filled along the ray.
    let ends = _mm256_andnot_si256(others, behind);
    let one = words(STEPS);
    let beyond = _mm256_srlv_epi64(ends, one);
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, one));
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, words(STEPS.map(|s| 2 * s))));
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, words(STEPS.map(|s| 4 * s))));
    let end = _mm256_andnot_si256(beyond, _mm256_and_si256(ends, own));
    let row = _mm256_andnot_si256(_mm256_or_si256(beyond, ends), behind);
    let down = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), row);
    any(_mm256_or_si256(up, down))
}

#[inline]
#[target_feature(enable = "avx2")]
fn full(board: &Geometry, discs: u64) -> [u64; 4] {
    let free = _mm256_set1_epi64x((board.cells & !discs) as i64);
    let (mut up, mut down) = (free, free);
    let mut step = words(STEPS);
    for (open_up, open_down) in board.open.iter() {
        up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, step), words(*open_up)));
        down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, step), words(*open_down)));
        step = _mm256_add_epi64(step, step);
    }
    let through = _mm256_or_si256(up, down);
    bytemuck::cast(_mm256_xor_si256(through, _mm256_set1_epi64x(-1)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn stable(board: &Geometry, mine: u64, full: &[u64; 4]) -> u64 {
    let safe = _mm256_or_si256(words(*full), words(board.edges));
    let one = words(STEPS);
    let mut stable = 0;
    loop {
        let s = _mm256_set1_epi64x(stable as i64);
        let near = _mm256_or_si256(_mm256_sllv_epi64(s, one), _mm256_srlv_epi64(s, one));
        let safe = _mm256_or_si256(safe, near);
        let half = _mm_and_si128(_mm256_castsi256_si128(safe), _mm256_extracti128_si256::<1>(safe));
        let all = _mm_cvtsi128_si64(_mm_and_si128(half, _mm_unpackhi_epi64(half, half))) as u64;
        let next = mine & board.cells & all;
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

#[cfg(test)]
mod tests {
    use super::super::instructions::Plain;
    use super::super::pattern::Patterns;
    use super::*;
    use grundy_core::random::SplitMix64;

    #[test]
    fn all_instructions_give_the_same_answers() {
        let Some(isa) = Avx2::new() else { return };
        let mut random = SplitMix64(3);
        for (columns, rows) in [(4, 4), (6, 4), (4, 8), (6, 6), (8, 6), (8, 8)] {
            let board = Geometry::new(columns, rows, false);
            for _ in 0..3_000 {
                let taken = (random.bits() | random.bits() | random.bits()) & board.cells;
                let mine = random.bits() & taken;
                let other = taken & !mine;
                assert_eq!(isa.moves(mine, other), Plain.moves(mine, other));
                let free = board.cells & !(mine | other);
                for cell in (0..64).filter(|cell| free >> cell & 1 == 1) {
                    assert_eq!(isa.flips(mine, other, cell), Plain.flips(mine, other, cell));
                }
                let full = Plain.full(&board, mine | other);
                assert_eq!(isa.full(&board, mine | other), full);
                assert_eq!(isa.stable(&board, mine, &full), Plain.stable(&board, mine, &full));
                assert_eq!(isa.pack(mine, free), Plain.pack(mine, free));
                if let Some(patterns) = board.side().and_then(Patterns::of) {
                    assert_eq!(
                        isa.run(|isa| patterns.worth(isa, mine, other)),
                        patterns.worth(Plain, mine, other)
                    );
                }
            }
        }
    }
}
