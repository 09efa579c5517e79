//! The last plies: the winner of a game of placements that exclude each other, by depth-first search.
//!
//! Two placements fit together if their pieces differ and their cells are disjoint. A position is the set of the placements
//! left, and a move takes those that do not fit together with one of them: the game is Node Kayles on the graph of the
//! placements. A set is a few words of bits; where a move leaves a set that fits fewer words, its placements are numbered
//! anew. Moves that leave few placements come first.

use grundy_core::bits::indices;
use grundy_search::Visits;

/// The most placements that are searched.
pub const MOST: usize = 384;
/// Steps of a compression of 64 bits.
const STEPS: usize = 6;

/// For each placement the set of those that fit together with it.
struct Fitting<const N: usize> {
    rows: Vec<[u64; N]>,
}

/// Reports whether the attacker, who is to move if `own`, puts the last placement within `plies`. Counts the positions visited,
/// and means nothing once they are cut.
///
/// `placed` gives the cells and the piece of each placement left, at most [`MOST`].
pub fn wins_within(placed: &[(u64, u8)], own: bool, plies: u32, visits: &mut Visits<'_>) -> bool {
    match placed.len() {
        0..=64 => Fitting::<1>::new(placed).search(placed.len(), own, plies, visits),
        65..=128 => Fitting::<2>::new(placed).search(placed.len(), own, plies, visits),
        129..=256 => Fitting::<4>::new(placed).search(placed.len(), own, plies, visits),
        count => Fitting::<6>::new(placed).search(count, own, plies, visits),
    }
}

impl<const N: usize> Fitting<N> {
    fn new(placed: &[(u64, u8)]) -> Fitting<N> {
        let row = |&(cells, piece): &(u64, u8)| {
            let mut row = [0; N];
            for (bits, others) in row.iter_mut().zip(placed.chunks(64)) {
                for (i, &(taken, other)) in others.iter().enumerate() {
                    *bits |= u64::from(cells & taken == 0 && piece != other) << i;
                }
            }
            row
        };
        Fitting { rows: placed.iter().map(row).collect() }
    }

    /// Searches the set of the first `count` placements.
    fn search(&self, count: usize, own: bool, plies: u32, visits: &mut Visits<'_>) -> bool {
        let bits = |word: usize| match count.saturating_sub(64 * word) {
            0 => 0,
            rest => u64::MAX >> (64 - rest.min(64)),
        };
        self.wins(&std::array::from_fn(bits), count, own, plies, visits)
    }

    /// Searches a set of `count` placements as [`wins_within`].
    fn wins(&self, set: &[u64; N], count: usize, own: bool, plies: u32, visits: &mut Visits<'_>) -> bool {
        if !visits.enter() {
            return false;
        }
        if count == 0 {
            return !own;
        }
        if plies < if own { 1 } else { 2 } {
            return false;
        }
        let (mut kids, mut listed) = ([[0u32; 64]; N], 0);
        let kids = kids.as_flattened_mut();
        for (word, &bits) in set.iter().enumerate() {
            for i in indices(bits) {
                let m = 64 * word + i;
                let left = count_of(&self.after(set, m));
                if left == 0 {
                    return own;
                }
                kids[listed] = (left << 16 | m) as u32;
                listed += 1;
            }
        }
        // The last placement is not put by the next move; the attacker wants a third ply.
        if own && plies < 3 {
            return false;
        }
        let kids = &mut kids[..listed];
        kids.sort_unstable();
        let reached = kids.iter().any(|&kid| {
            let (left, next) = ((kid >> 16) as usize, self.after(set, (kid & 0xffff) as usize));
            let reached = if N > 1 && left <= 64 {
                self.renumbered::<1>(&next).search(left, !own, plies - 1, visits)
            } else if N > 2 && left <= 128 {
                self.renumbered::<2>(&next).search(left, !own, plies - 1, visits)
            } else if N > 4 && left <= 256 {
                self.renumbered::<4>(&next).search(left, !own, plies - 1, visits)
            } else {
                self.wins(&next, left, !own, plies - 1, visits)
            };
            reached == own || visits.cut
        });
        reached == own
    }

    /// Returns the placements of a set that fit together with one of them.
    #[inline]
    fn after(&self, set: &[u64; N], m: usize) -> [u64; N] {
        let row = &self.rows[m];
        std::array::from_fn(|word| set[word] & row[word])
    }

    /// Returns the placements of a set that fits `M` words, numbered anew in their order.
    fn renumbered<const M: usize>(&self, set: &[u64; N]) -> Fitting<M> {
        let masks = set.map(Compression::new);
        let mut rows = Vec::with_capacity(64 * M);
        for (word, &bits) in set.iter().enumerate() {
            for i in indices(bits) {
                let (mut row, mut at) = ([0; M], 0);
                for (&bits, mask) in self.rows[64 * word + i].iter().zip(&masks) {
                    let (word, shift) = (at / 64, at % 64);
                    let packed = mask.apply(bits);
                    at += mask.count;
                    // No bit is left where the words end.
                    row.iter_mut().skip(word).take(1).for_each(|low| *low |= packed << shift);
                    if shift > 0 {
                        row.iter_mut()
                            .skip(word + 1)
                            .take(1)
                            .for_each(|high| *high |= packed >> (64 - shift));
                    }
                }
                rows.push(row);
            }
        }
        Fitting { rows }
    }
}

/// Returns the number of placements in a set.
#[inline]
fn count_of<const N: usize>(set: &[u64; N]) -> usize {
    set.iter().map(|bits| bits.count_ones() as usize).sum()
}

/// Moves the bits of a word under a mask together, from the lowest on.
///
/// Source: H. S. Warren, "Hacker's Delight", 2nd edition, 2013, section 7-4.
struct Compression {
    mask: u64,
    count: usize,
    /// The bits that move by each power of two.
    moved: [u64; STEPS],
}

impl Compression {
    fn new(mask: u64) -> Compression {
        let (mut left, mut gaps) = (mask, !mask << 1);
        let moved = std::array::from_fn(|step| {
            // A bit is set where the number of gaps below it is odd.
            let odd = (0..6).fold(gaps, |odd, shift| odd ^ odd << (1 << shift));
            let moved = odd & left;
            left = left ^ moved | moved >> (1 << step);
            gaps &= !odd;
            moved
        });
        Compression { mask, count: mask.count_ones() as usize, moved }
    }

    #[inline]
    fn apply(&self, bits: u64) -> u64 {
        self.moved.iter().enumerate().fold(bits & self.mask, |bits, (step, moved)| {
            let moved = bits & moved;
            bits ^ moved | moved >> (1 << step)
        })
    }
}

#[cfg(test)]
mod tests {
    use grundy_core::random::SplitMix64;

    use super::*;

    /// Reports the same by plain search without order or numbers.
    fn plain(placed: &[(u64, u8)], own: bool, plies: u32) -> bool {
        if placed.is_empty() || plies == 0 {
            return placed.is_empty() && !own;
        }
        let reached = placed.iter().any(|&(cells, piece)| {
            let left: Vec<(u64, u8)> = placed
                .iter()
                .copied()
                .filter(|&(taken, other)| taken & cells == 0 && other != piece)
                .collect();
            plain(&left, !own, plies - 1) == own
        });
        reached == own
    }

    #[test]
    fn random_placements_are_decided_as_by_plain_search() {
        let mut random = SplitMix64(1);
        for round in 0..100 {
            let (cells, size) = (6 + random.below(10), 2 + random.below(3));
            let count = [5, 40, 90, 200, 350][round % 5];
            let placement = |random: &mut SplitMix64| {
                let set = (0..size).fold(0, |set, _| set | 1 << (random.below(cells) * 64 / cells));
                (set, random.below(12) as u8)
            };
            let mut placed: Vec<(u64, u8)> = (0..count).map(|_| placement(&mut random)).collect();
            placed.sort_unstable();
            placed.dedup();
            for plies in 0..5 {
                for own in [false, true] {
                    let mut visits = Visits::new(0, u64::MAX, None, &[]);
                    let found = wins_within(&placed, own, plies, &mut visits);
                    assert_eq!(found, plain(&placed, own, plies), "{placed:?} {own} {plies}");
                }
            }
        }
    }
}
