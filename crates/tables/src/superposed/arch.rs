//! The choice of an instruction set at run time.
//!
//! `unsafe` is allowed here for two reasons: to call functions that are compiled for certain instructions, after
//! checking that the processor has them, and to use the instructions themselves. The types that use them are private,
//! and are reached only through [`run_on`], which makes the check.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::lanes::Words;
use super::lanes::{Lanes, Portable};

/// Work on eight words at once, compiled for each instruction set.
pub trait VectorWork {
    /// The result.
    type Output;
    /// Does the work. Everything performance-critical in it must be `#[inline(always)]` to be compiled for the
    /// instructions of the lanes.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// The instructions that every processor of the family has.
    Portable,
    /// 256-bit registers: plain code compiled for them, but for the operations on cells.
    Avx2,
    /// 512-bit registers with byte and Galois field instructions.
    Avx512,
}

impl Isa {
    /// Returns the best instruction set of this processor.
    pub fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(isa) = [Isa::Avx512, Isa::Avx2].into_iter().find(|isa| isa.available()) {
                return isa;
            }
        }
        Isa::Portable
    }

    /// Reports whether this processor has it.
    pub fn available(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("gfni")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// Does the work with these instructions, or with portable ones if the processor does not have them.
pub fn run_on<J: VectorWork>(isa: Isa, job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    match isa {
        // SAFETY: the processor has every feature that the functions are compiled for.
        Isa::Avx2 if isa.available() => return unsafe { run_avx2(job) },
        // SAFETY: as above.
        Isa::Avx512 if isa.available() => return unsafe { run_avx512(job) },
        _ => {}
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = isa;
    job.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
fn run_avx2<J: VectorWork>(job: J) -> J::Output {
    job.run::<Words<avx2::Bytes>>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni,bmi2")]
fn run_avx512<J: VectorWork>(job: J) -> J::Output {
    job.run::<avx512::Vector>()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! Thirty-two cells in one register.
    //!
    //! SAFETY of all blocks: the methods are only called inside `run_avx2`, which runs only where the processor has these
    //! instructions; loads and stores go through references to 64 bytes, aligned to 64.

    use std::arch::x86_64::*;

    use crate::superposed::lanes::Cells;
    use crate::superposed::words::WordCodes;

    #[derive(Clone, Copy)]
    pub struct Bytes;

    impl Cells for Bytes {
        #[inline(always)]
        fn mark(cells: &mut WordCodes, bits: u64, code: u8) {
            // SAFETY: see above.
            unsafe {
                // Byte `i` of the register gets the byte of the bits that has bit `i`, and of that byte only this bit.
                let bytes = _mm256_setr_epi64x(
                    0,
                    0x0101_0101_0101_0101,
                    0x0202_0202_0202_0202,
                    0x0303_0303_0303_0303,
                );
                let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
                let at: *mut __m256i = std::ptr::from_mut(cells).cast();
                for half in 0..2 {
                    let bits = _mm256_set1_epi32((bits >> (32 * half)) as i32);
                    let bits = _mm256_and_si256(_mm256_shuffle_epi8(bits, bytes), own);
                    let old = _mm256_load_si256(at.add(half));
                    let mask = _mm256_cmpeq_epi8(bits, own);
                    let marked = _mm256_blendv_epi8(old, _mm256_set1_epi8(code as i8), mask);
                    _mm256_store_si256(at.add(half), marked);
                }
            }
        }
        #[inline(always)]
        fn coded(cells: &WordCodes, code: u8) -> u64 {
            // SAFETY: see above.
            unsafe {
                let at: *const __m256i = std::ptr::from_ref(cells).cast();
                let code = _mm256_set1_epi8(code as i8);
                let half = |half: usize| {
                    let equal = _mm256_cmpeq_epi8(_mm256_load_si256(at.add(half)), code);
                    u64::from(_mm256_movemask_epi8(equal) as u32)
                };
                half(0) | half(1) << 32
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    //! Eight words in one register.
    //!
    //! SAFETY of all blocks: values of [`Vector`] are only made inside `run_avx512`, which runs only where the
    //! processor has these instructions; loads and stores go through references to rows of 64 bytes.

    use std::arch::x86_64::*;

    use crate::superposed::lanes::{BitBoards, Lanes};
    use crate::superposed::words::{BitRow, WordCodes};

    #[derive(Clone, Copy)]
    pub struct Vector(__m512i);

    /// The unit matrix of 8 by 8 bits as the Galois field instructions read it, for each word.
    const MIRROR: i64 = 0x8040_2010_0804_0201u64 as i64;

    impl BitBoards for Vector {
        #[inline(always)]
        fn splat(word: u64) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_set1_epi64(word as i64) })
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_and_si512(self.0, other.0) })
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_or_si512(self.0, other.0) })
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_xor_si512(self.0, other.0) })
        }
        #[inline(always)]
        fn without(self, other: Self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_andnot_si512(other.0, self.0) })
        }
        #[inline(always)]
        fn shl<const N: u32>(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_slli_epi64::<N>(self.0) })
        }
        #[inline(always)]
        fn shr<const N: u32>(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_srli_epi64::<N>(self.0) })
        }
        #[inline(always)]
        fn flip_files(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(MIRROR)) })
        }
        #[inline(always)]
        fn flip_ranks(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe {
                let order = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
                _mm512_shuffle_epi8(self.0, order)
            })
        }
        #[inline(always)]
        fn transpose(self) -> Self {
            // The board is the matrix here, and the unit matrix what it is applied to.
            // SAFETY: see above.
            Vector(unsafe {
                _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(MIRROR), self.flip_ranks().0)
            })
        }
    }

    impl Lanes for Vector {
        #[inline(always)]
        fn load(row: &BitRow) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_load_si512(std::ptr::from_ref(row).cast()) })
        }
        #[inline(always)]
        fn store(self, row: &mut BitRow) {
            // SAFETY: see above.
            unsafe { _mm512_store_si512(std::ptr::from_mut(row).cast(), self.0) }
        }
        #[inline(always)]
        fn column(rows: &[BitRow; 8], column: usize) -> Self {
            assert!(column < 8);
            // SAFETY: see above; the words 0, 8, .. 56 behind a word of the first row are in the eight rows.
            Vector(unsafe {
                let steps = _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56);
                let first: *const u64 = rows.as_ptr().cast();
                _mm512_i64gather_epi64::<8>(steps, first.add(column).cast())
            })
        }
        #[inline(always)]
        fn up<const K: usize>(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe {
                let zero = _mm512_setzero_si512();
                match K {
                    1 => _mm512_alignr_epi64::<7>(self.0, zero),
                    2 => _mm512_alignr_epi64::<6>(self.0, zero),
                    _ => _mm512_alignr_epi64::<4>(self.0, zero),
                }
            })
        }
        #[inline(always)]
        fn down<const K: usize>(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe {
                let zero = _mm512_setzero_si512();
                match K {
                    1 => _mm512_alignr_epi64::<1>(zero, self.0),
                    2 => _mm512_alignr_epi64::<2>(zero, self.0),
                    _ => _mm512_alignr_epi64::<4>(zero, self.0),
                }
            })
        }
        #[inline(always)]
        fn reverse(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), self.0) })
        }
        #[inline(always)]
        fn any(self) -> bool {
            // SAFETY: see above.
            unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
        }
        #[inline(always)]
        fn busy(self) -> u8 {
            // SAFETY: see above.
            unsafe { _mm512_test_epi64_mask(self.0, self.0) }
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_add_epi64(self.0, other.0) })
        }
        #[inline(always)]
        fn halves(self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_mul_epu32(self.0, _mm512_srli_epi64::<32>(self.0)) })
        }
        #[inline(always)]
        fn having(self, bit: u32) -> Self {
            // SAFETY: see above.
            Vector(unsafe {
                let have = _mm512_test_epi64_mask(self.0, _mm512_set1_epi64(1 << (bit & 63)));
                _mm512_maskz_set1_epi64(have, -1)
            })
        }
        #[inline(always)]
        fn equal(self, other: Self) -> Self {
            // SAFETY: see above.
            Vector(unsafe { _mm512_maskz_set1_epi64(_mm512_cmpeq_epi64_mask(self.0, other.0), -1) })
        }
        #[inline(always)]
        fn note(self, a: Self, b: Self, bits: Self) -> Self {
            // SAFETY: see above.
            Vector(unsafe {
                let equal = _mm512_cmpeq_epi64_mask(a.0, b.0);
                _mm512_mask_or_epi64(self.0, equal, self.0, bits.0)
            })
        }
        #[inline(always)]
        fn mark(cells: &mut WordCodes, bits: u64, code: u8) {
            // SAFETY: see above; cells are 64 bytes, aligned to 64.
            unsafe {
                let at: *mut __m512i = std::ptr::from_mut(cells).cast();
                let marked = _mm512_mask_mov_epi8(_mm512_load_si512(at), bits, _mm512_set1_epi8(code as i8));
                _mm512_store_si512(at, marked);
            }
        }
        #[inline(always)]
        fn coded(cells: &WordCodes, code: u8) -> u64 {
            // SAFETY: see above.
            unsafe {
                let all = _mm512_load_si512(std::ptr::from_ref(cells).cast());
                _mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8(code as i8))
            }
        }
    }
}
