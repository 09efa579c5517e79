//! Asks the processor for a cache line before it is needed. One of the few places with unsafe code: the intrinsic
//! takes a pointer, though it never reads through it.
#![allow(unsafe_code)]

/// Starts to load the line of `word` into the cache; does nothing where the processor has no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(word: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64 processor and is a hint that cannot fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}
