//! The choice of instruction set at run time: the one place where `std::arch` is used.
//!
//! `unsafe` is allowed here for two reasons: calling functions compiled for instructions that were first asked of the
//! processor, and those instructions themselves. The types that use them are private, so that nothing can reach them
//! but through [`run`], which has asked.
#![allow(unsafe_code)]

use super::lanes::{Lanes, Portable};

/// Work that is done on eight words at once.
pub trait Job {
    /// What comes of it.
    type Output;
    /// Does the work. Everything in it that matters must be `#[inline(always)]` to be compiled for the lanes' own
    /// instructions.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Which instructions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// What every processor of the family has.
    Portable,
    /// Plain code compiled for 256-bit registers.
    Avx2,
    /// 512-bit registers with byte and Galois field instructions.
    Avx512,
}

impl Isa {
    /// The best that this processor has.
    pub fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            if [Isa::Avx512, Isa::Avx2].into_iter().any(Isa::available) {
                return if Isa::Avx512.available() { Isa::Avx512 } else { Isa::Avx2 };
            }
        }
        Isa::Portable
    }

    /// Whether this processor has it.
    pub fn available(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => false,
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// Does the work with the best instructions of this processor.
pub fn run<J: Job>(job: J) -> J::Output {
    run_on(Isa::best(), job)
}

/// Does the work with these instructions, or the portable way where the processor does not have them.
pub fn run_on<J: Job>(isa: Isa, job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if isa == Isa::Avx2 && isa.available() {
        // SAFETY: the processor was asked for every feature that the function is compiled for.
        return unsafe { run_avx2(job) };
    }
    job.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<J: Job>(job: J) -> J::Output {
    job.run::<Portable>()
}
