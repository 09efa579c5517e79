//! Repeatable random numbers, and functions that mix the bits of words for hashes and keys.
//!
//! Every function gives the same results on every machine and in every version: the keys of transposition tables and
//! the fingerprints of table files depend on them.

/// 2^64 divided by the golden ratio, an odd word of irregular bits.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// The second prime of xxHash64.
pub const XXH_PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
/// The third prime of xxHash64.
pub const XXH_PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
/// The multiplier of degski's mixer of 64 bits.
pub const DEGSKI: u64 = 0xd6e8_feb8_6659_fd93;
/// The first multiplier of MurmurHash3's finalizer.
const MURMUR_1: u64 = 0xff51_afd7_ed55_8ccd;
/// The second multiplier of MurmurHash3's finalizer.
const MURMUR_2: u64 = 0xc4ce_b9fe_1a85_ec53;

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): one seed gives
/// the same numbers on every machine.
///
/// ```
/// use grundy_core::random::SplitMix64;
/// let (mut a, mut b) = (SplitMix64(7), SplitMix64(7));
/// assert_eq!((a.bits(), a.below(6)), (b.bits(), b.below(6)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// Returns the next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// Returns the next number below `end`; 0 if `end` is 0.
    pub const fn below(&mut self, end: usize) -> usize {
        ((self.bits() as u128 * end as u128) >> 64) as usize
    }

    /// Shuffles a list: every order is equally likely (R. A. Fisher and F. Yates, 1938; R. Durstenfeld, "Algorithm 235",
    /// 1964).
    ///
    /// ```
    /// use grundy_core::random::SplitMix64;
    /// let (mut list, mut other) = ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]);
    /// SplitMix64(7).shuffle(&mut list);
    /// SplitMix64(7).shuffle(&mut other);
    /// assert_eq!(list, other);
    /// ```
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// Mixes a word as SplitMix64 does: a bijection in which each input bit changes about half of the output bits.
#[inline]
pub const fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Spreads neighbouring words far apart (Fibonacci hashing). The high bits of the result are the best ones.
#[inline]
pub const fn fibonacci(word: u64) -> u64 {
    word.wrapping_mul(GOLDEN)
}

/// Mixes a word by one round, a bijection: faster than [`mix`] and less even.
#[inline]
pub const fn mix_once<const BEFORE: u32, const AFTER: u32>(word: u64) -> u64 {
    let word = (word ^ word >> BEFORE).wrapping_mul(MURMUR_1);
    word ^ word >> AFTER
}

/// Returns the finalizer of MurmurHash3 (A. Appleby), a bijection.
#[inline]
pub const fn murmur(word: u64) -> u64 {
    let word = (mix_once::<33, 33>(word)).wrapping_mul(MURMUR_2);
    word ^ word >> 33
}

/// Returns a key of two words: two pairs share one with probability about 2^-64.
#[inline]
pub const fn mix_pair(first: u64, second: u64) -> u64 {
    let mixed = (first ^ GOLDEN).wrapping_mul(MURMUR_1);
    let mixed = (mixed ^ mixed >> 32 ^ second.rotate_left(29)).wrapping_mul(MURMUR_2);
    (mixed ^ mixed >> 33).wrapping_add(second.wrapping_mul(DEGSKI))
}

/// Returns a key of two words like [`mix_pair`], by 128-bit products folded into 64 bits: faster where multiplication
/// is cheap.
#[inline]
pub const fn fold_pair(first: u64, second: u64) -> u64 {
    let a = fold((first ^ GOLDEN) as u128 * MURMUR_1 as u128);
    fold((second ^ XXH_PRIME_2 ^ a.rotate_left(23)) as u128 * MURMUR_2 as u128).wrapping_add(a)
}

/// Returns a key of two words of 128 bits.
#[inline]
pub const fn fold_wide_pair(first: u128, second: u128) -> u64 {
    let a = fold_wide(first ^ 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834);
    let b = fold_wide(second ^ 0xc2b2_ae3d_27d4_eb4f_1656_67b1_9e37_79f9);
    (a.rotate_left(21) ^ b).wrapping_mul(DEGSKI).wrapping_add(a)
}

/// Mixes a word of 128 bits into 64.
const fn fold_wide(word: u128) -> u64 {
    let product = (word as u64 | 1) as u128 * ((word >> 64) as u64 ^ MURMUR_1) as u128;
    fold(product).wrapping_mul(MURMUR_2) ^ fold(word)
}

/// Returns the exclusive or of the two halves of a word.
#[inline]
const fn fold(word: u128) -> u64 {
    word as u64 ^ (word >> 64) as u64
}

/// Returns a key of a word of 128 bits. Words with equal high halves have distinct keys.
#[inline]
pub const fn key_of_wide(word: u128) -> u64 {
    let high = fibonacci(((word >> 64) as u64).wrapping_add(1));
    (word as u64 ^ (high ^ high >> 29)).wrapping_mul(DEGSKI) ^ high
}

/// Returns the key `key` of several words extended by one word.
#[inline]
pub const fn chained(key: u64, word: u64) -> u64 {
    fibonacci(key ^ word).rotate_left(29)
}

/// Maps a key to a slot in `0..places` of a table, evenly; 0 if `places` is 0.
#[inline]
pub const fn place(key: u64, places: u64) -> usize {
    let mixed = (key ^ key >> 29).wrapping_mul(GOLDEN);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(DEGSKI);
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
    fn the_finalizer_is_that_of_the_reference() {
        // fmix64 of 1 and of 2^64 - 1 in the author's MurmurHash3.cpp.
        assert_eq!(
            [murmur(0), murmur(1), murmur(u64::MAX)],
            [0, 0xb456_bcfc_34c2_cb2c, 0x64b5_720b_4b82_5f21]
        );
    }

    #[test]
    fn a_shuffled_list_has_each_item_once_and_every_order_as_often() {
        let mut random = SplitMix64(2);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut list = [0, 1, 2, 3];
            random.shuffle(&mut list);
            *counts.entry(list).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24, "permutations alone");
        assert!(counts.values().all(|n| (850..1_150).contains(n)), "{counts:?}");
    }

    #[test]
    fn numbers_below_an_end_are_spread_evenly() {
        let mut random = SplitMix64(1);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[random.below(6)] += 1);
        assert!(counts.iter().all(|&n| (9_600..10_400).contains(&n)), "{counts:?}");
    }
}
