//! A small generator of numbers that look random and can be repeated.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): the same
/// numbers from the same seed on every machine, for ever.
///
/// ```
/// use grundy_core::random::SplitMix64;
/// let (mut a, mut b) = (SplitMix64(7), SplitMix64(7));
/// assert_eq!((a.bits(), a.below(6)), (b.bits(), b.below(6)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scatter(self.0)
    }

    /// The next number below `end`; 0 where `end` is 0.
    pub const fn below(&mut self, end: usize) -> usize {
        ((self.bits() as u128 * end as u128) >> 64) as usize
    }
}

/// The mixing function of SplitMix64: one-to-one, and each bit of the word changes about half of the result's.
#[inline]
pub const fn scatter(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The place of a key among so many places of a table, all keys spread evenly over them; 0 where there are none.
#[inline]
pub const fn place(key: u64, places: u64) -> usize {
    let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed as u128 * places as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference() {
        // The first outputs of the authors' splitmix64.c with seed 1234567.
        let mut random = SplitMix64(1_234_567);
        let wanted = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(wanted.map(|_| random.bits()), wanted);
    }

    #[test]
    fn numbers_below_an_end_are_spread_evenly() {
        let mut random = SplitMix64(1);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[random.below(6)] += 1);
        assert!(counts.iter().all(|&n| (9_600..10_400).contains(&n)), "{counts:?}");
    }
}
