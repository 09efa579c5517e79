//! Pseudo-random numbers, the same in every run.

use grundy_core::random::SplitMix64;

/// A generator of pseudo-random numbers.
pub struct Dice(SplitMix64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SplitMix64(seed))
    }

    /// Returns 64 random bits.
    pub fn wide(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns a number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }
}
