//! Indexing of the arrangements of stones in pits, those with fewer stones first.
//!
//! With `s1 <= s2 <= .. <= sn` the stones in the first pit, in the first two, and so on, an arrangement has the index
//! `C(s1, 1) + C(s2 + 1, 2) + .. + C(sn + n - 1, n)`: `s1 < s2 + 1 < ..` is a subset, and this is its rank in the
//! combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3). The last term counts the
//! arrangements with fewer stones in all.
//!
//! ```
//! use grundy_core::stones::Stones;
//! let stones = Stones::new(2, 3);
//! let ways: Vec<[u8; 2]> = (0..6).map(|number| stones.arrangement(number)).collect();
//! assert_eq!(ways, [[0, 0], [0, 1], [1, 0], [0, 2], [1, 1], [2, 0]]);
//! assert_eq!((stones.index(&[1, 1]), stones.count(2)), (4, 6));
//! ```

use std::ops::Range;

/// The indexing for a number of pits and a largest number of stones.
#[derive(Clone, Debug)]
pub struct Stones {
    pits: usize,
    /// `C(s + j, j + 1)` for pit `j` and `s` stones in the pits up to it, at `j * STRIDE + s`.
    terms: Vec<u64>,
}

/// Entries reserved for the terms of one pit.
const STRIDE: usize = Stones::MOST_STONES + 2;

impl Stones {
    /// Largest number of pits.
    pub const MOST_PITS: usize = 16;
    /// Largest number of stones.
    pub const MOST_STONES: usize = 160;

    /// Prepares the indexing for `pits` pits and up to `stones` stones.
    ///
    /// # Panics
    /// There are no pits, more than [`Stones::MOST_PITS`], or more than [`Stones::MOST_STONES`] stones.
    pub fn new(pits: usize, stones: usize) -> Stones {
        assert!((1..=Stones::MOST_PITS).contains(&pits) && stones <= Stones::MOST_STONES);
        let mut terms = vec![0u64; pits * STRIDE];
        for pit in 0..pits {
            for sum in 1..STRIDE {
                let fewer = terms[pit * STRIDE + sum - 1];
                // C(s + j, j + 1) = C(s + j - 1, j + 1) + C(s + j - 1, j).
                let before = if pit == 0 { 1 } else { terms[(pit - 1) * STRIDE + sum] };
                terms[pit * STRIDE + sum] = fewer.saturating_add(before);
            }
        }
        Stones { pits, terms }
    }

    /// Returns the number of arrangements of at most `stones` stones; `u64::MAX` if they are too many to index.
    pub fn count(&self, stones: usize) -> u64 {
        self.terms[(self.pits - 1) * STRIDE + stones + 1]
    }

    /// Returns the index of an arrangement; `u64::MAX` if it is too large.
    #[inline]
    pub fn index(&self, way: &[u8]) -> u64 {
        let (mut sum, mut number) = (0, 0);
        for (&pit, terms) in way[..self.pits].iter().zip(self.terms.chunks_exact(STRIDE)) {
            sum += usize::from(pit);
            number = u64::saturating_add(number, terms[sum]);
        }
        number
    }

    /// Returns the arrangement with a valid index; entries beyond the pits are 0.
    pub fn arrangement<const N: usize>(&self, mut number: u64) -> [u8; N] {
        let mut way = [0; N];
        let mut above = None;
        for pit in (0..self.pits).rev() {
            let terms = &self.terms[pit * STRIDE..(pit + 1) * STRIDE];
            let sum = terms.partition_point(|&term| term <= number) - 1;
            number -= terms[sum];
            if let Some(above) = above {
                way[pit + 1] = (above - sum) as u8;
            }
            above = Some(sum);
        }
        way[0] = above.unwrap_or(0) as u8;
        way
    }

    /// Visits the arrangements of a range of indices in rising order; entries beyond the pits are 0.
    #[inline]
    pub fn walk<const N: usize>(&self, range: Range<u64>, visit: &mut impl FnMut(u64, &[u8; N])) {
        if range.is_empty() {
            return;
        }
        let mut way = self.arrangement(range.start);
        for number in range {
            visit(number, &way);
            self.step(&mut way);
        }
    }

    /// Advances an arrangement to the next index.
    #[inline]
    pub fn step(&self, way: &mut [u8]) {
        let first = way[0];
        way[0] = 0;
        match way[1..self.pits].iter().position(|&pit| pit > 0) {
            // All stones are in the first pit: one stone more, in the last pit.
            None => way[self.pits - 1] = first + 1,
            Some(before) => {
                way[before + 1] -= 1;
                way[before] = first + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_by_one_and_are_read_back() {
        for pits in 1..=6 {
            let stones = Stones::new(pits, 7);
            let mut way = [0; 8];
            for number in 0..stones.count(7) {
                assert_eq!(stones.index(&way), number);
                assert_eq!(stones.arrangement(number), way);
                stones.step(&mut way);
            }
            assert_eq!(way[pits - 1], 8, "then come those with one stone more");
            let (from, end) = (stones.count(3) - 2, stones.count(7));
            let mut walked = from..end;
            stones.walk(from..end, &mut |number, way: &[u8; 8]| {
                assert_eq!((Some(number), *way), (walked.next(), stones.arrangement(number)));
            });
            assert!(walked.is_empty());
            stones.walk(end..end, &mut |_, _: &[u8; 8]| panic!("an empty range"));
        }
    }

    #[test]
    fn the_ways_of_twelve_pits_are_those_of_the_literature() {
        // C(s + 12, 12) for s stones and fewer.
        let stones = Stones::new(12, 48);
        assert_eq!([0, 1, 2, 15].map(|s| stones.count(s)), [1, 13, 91, 17_383_860]);
        assert_eq!(stones.count(48), 1_399_358_844_975);
        assert_eq!(Stones::new(16, 160).count(160), u64::MAX);
    }
}
