//! Helpers for indexing: the rank of a subset, and the bits under a mask packed together.
//!
//! A subset of `k` cells out of `n` has the rank `C(c1, 1) + C(c2, 2) + .. + C(ck, k)`, its cells `c1 < c2 < ..`
//! (the combinatorial number system; Knuth, The Art of Computer Programming 4A, 7.2.1.3). Ranks of the subsets of
//! one size fill `0..C(n, k)` and rise with the subset read as a binary number.
//!
//! ```
//! use grundy_core::rank::Subsets;
//! let subsets = Subsets::new(16);
//! assert_eq!(subsets.rank(0b1011), 1); // C(0, 1) + C(1, 2) + C(3, 3): the second of 0111, 1011, 1101, ..
//! ```

use std::sync::LazyLock;

/// Binomial coefficients and ranks of the subsets of up to [`Subsets::MOST`] cells.
#[derive(Clone, Debug)]
pub struct Subsets {
    cells: usize,
    /// `C(n, k)` at `n * 64 + k`.
    binomials: Vec<u64>,
    /// The rank of a set of the first cells alone.
    low: Vec<u16>,
    /// Contribution of a byte of further cells to the rank, by the byte's position, the number of cells before it, and
    /// its bits.
    bytes: Vec<u64>,
}

/// Number of cells that are ranked in one step.
const LOW: usize = 16;

impl Subsets {
    /// Largest number of cells: every rank, and every product C(n, k) C(n - k, j), fits 64 bits.
    pub const MOST: usize = 40;

    /// Prepares the ranking of subsets of `cells` cells.
    ///
    /// # Panics
    /// There are more than [`Subsets::MOST`] cells.
    pub fn new(cells: usize) -> Subsets {
        assert!(cells <= Subsets::MOST, "ranks of {cells} cells do not fit 64 bits");
        let mut binomials = vec![0u64; (Subsets::MOST + 8) * 64];
        for n in 0..Subsets::MOST + 8 {
            binomials[n * 64] = 1;
            for k in 1..=n {
                binomials[n * 64 + k] = binomials[(n - 1) * 64 + k - 1] + binomials[(n - 1) * 64 + k];
            }
        }
        let mut low = vec![0; 1 << cells.min(LOW)];
        for set in 1..low.len() {
            let last = set.ilog2() as usize;
            low[set] = low[set ^ 1 << last] + binomials[last * 64 + set.count_ones() as usize] as u16;
        }
        let mut bytes = Vec::new();
        for place in LOW / 8..cells.div_ceil(8) {
            for before in 0..=8 * place {
                for bits in 0..256 {
                    let set = (0..8).filter(|b| bits >> b & 1 == 1);
                    bytes.push(set.zip(before + 1..).map(|(b, i)| binomials[(8 * place + b) * 64 + i]).sum());
                }
            }
        }
        Subsets { cells, binomials, low, bytes }
    }

    /// Returns `C(n, k)` for `n` up to [`Subsets::MOST`].
    #[inline]
    pub fn choose(&self, n: usize, k: usize) -> u64 {
        self.binomials[n * 64 + k]
    }

    /// Returns the rank of a subset among those of its size.
    #[inline]
    pub fn rank(&self, set: u64) -> u64 {
        let low = set as usize & ((1 << LOW) - 1);
        let mut rank = u64::from(self.low[low]);
        let mut rest = set >> LOW;
        let mut before = usize::from(COUNTS[low & 255]) + usize::from(COUNTS[low >> 8]);
        let (mut row, mut rows) = (0, LOW + 1);
        while rest != 0 {
            let bits = (rest & 255) as usize;
            rank += self.bytes[(row + before) << 8 | bits];
            before += usize::from(COUNTS[bits]);
            rest >>= 8;
            row += rows;
            rows += 8;
        }
        rank
    }

    /// Returns the subset of `size` cells with this rank, which must be below `C(cells, size)`.
    pub fn subset(&self, mut rank: u64, size: usize) -> u64 {
        let mut set = 0;
        let mut cell = self.cells;
        for i in (1..=size).rev() {
            while self.choose(cell, i) > rank {
                cell -= 1;
            }
            rank -= self.choose(cell, i);
            set |= 1 << cell;
        }
        set
    }
}

/// Returns the next larger number with as many one bits, if 64 bits hold one (Gosper's hack).
#[inline]
pub const fn next_of_its_size(set: u64) -> u64 {
    if set == 0 {
        return 0;
    }
    let low = set & set.wrapping_neg();
    let carried = set.wrapping_add(low);
    carried | (((set ^ carried) >> 2) / low)
}

/// Returns the bits of `set` that lie in `mask`, packed together: bit `i` of the result is the `i`-th bit of the mask.
///
/// ```
/// use grundy_core::rank::{compress, expand};
/// assert_eq!(compress(0b1010_0010, 0b1111_0010), 0b10101);
/// assert_eq!(expand(0b10101, 0b1111_0010), 0b1010_0010);
/// ```
#[inline]
pub fn compress(mut set: u64, mut mask: u64) -> u64 {
    let table = &*COMPRESSED;
    let (mut packed, mut count) = (0, 0);
    while mask != 0 {
        let bits = (mask & 255) as usize;
        packed |= u64::from(table[bits << 8 | (set & 255) as usize]) << count;
        count += COUNTS[bits];
        set >>= 8;
        mask >>= 8;
    }
    packed
}

/// Reverses [`compress`].
#[inline]
pub fn expand(mut packed: u64, mut mask: u64) -> u64 {
    let table = &*EXPANDED;
    let (mut set, mut shift) = (0, 0);
    while mask != 0 {
        let bits = (mask & 255) as usize;
        set |= u64::from(table[bits << 8 | (packed & 255) as usize]) << shift;
        packed >>= COUNTS[bits];
        shift += 8;
        mask >>= 8;
    }
    set
}

/// Number of one bits of each byte.
static COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        counts[bits] = (bits as u8).count_ones() as u8;
        bits += 1;
    }
    counts
};

/// [`compress`] of a byte, by mask and set.
static COMPRESSED: LazyLock<Box<[u8; 1 << 16]>> = LazyLock::new(|| {
    by_mask(|mask, set| {
        let of_mask = (0..8).filter(|b| mask >> b & 1 == 1);
        of_mask.enumerate().map(|(i, b)| (set >> b & 1) << i).sum()
    })
});

/// [`expand`] of a byte, by mask and packed bits.
static EXPANDED: LazyLock<Box<[u8; 1 << 16]>> = LazyLock::new(|| {
    by_mask(|mask, packed| {
        let of_mask = (0..8).filter(|b| mask >> b & 1 == 1);
        of_mask.enumerate().map(|(i, b)| (packed >> i & 1) << b).sum()
    })
});

fn by_mask(entry: impl Fn(usize, usize) -> usize) -> Box<[u8; 1 << 16]> {
    let mut table = Box::new([0; 1 << 16]);
    for (i, byte) in table.iter_mut().enumerate() {
        *byte = entry(i >> 8, i & 255) as u8;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_subsets_of_a_size_in_order() {
        let subsets = Subsets::new(19);
        for size in 0..=19 {
            let mut set = (1u64 << size) - 1;
            for rank in 0..subsets.choose(19, size) {
                assert_eq!(subsets.rank(set), rank);
                assert_eq!(subsets.subset(rank, size), set);
                set = next_of_its_size(set);
            }
        }
    }

    #[test]
    fn the_largest_ranks_fit() {
        let subsets = Subsets::new(Subsets::MOST);
        let top = ((1u64 << 20) - 1) << 20;
        assert_eq!(subsets.rank(top), subsets.choose(40, 20) - 1);
        assert_eq!(subsets.subset(subsets.choose(40, 20) - 1, 20), top);
    }

    #[test]
    fn expanding_undoes_compressing() {
        let mut set = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..10_000 {
            set ^= set << 13;
            set ^= set >> 7;
            set ^= set << 17;
            let mask = set.rotate_left(23) ^ set >> 5;
            assert_eq!(expand(compress(set, mask), mask), set & mask);
        }
    }
}
