//! The last cells of a game, played out: the same null-window question as the search asks, without a table and with
//! an order of moves that fits few cells (regions with an odd number of free cells first).

use super::Othello;
use super::bits::{around, flips};

/// The four quarters of the board; a player likes to move last in each.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// So many free cells and more have their moves sorted by what they leave the other.
const SORTED: u32 = 6;
/// So many and more have them sorted by potential mobility too.
const WIDE: u32 = 8;

impl Othello {
    /// A bound of the final difference for the first player, who is to move, that decides whether it reaches
    /// `target`. `free` are the free cells.
    pub(super) fn last(&self, mine: u64, other: u64, free: u64, target: i32, nodes: &mut u64) -> i32 {
        *nodes += 1;
        let after = free & free.wrapping_sub(1);
        if after == 0 {
            return self.very_last(mine, other, free);
        }
        if after & after.wrapping_sub(1) != 0 && free.count_ones() >= SORTED {
            return self.last_sorted(mine, other, free, target, nodes);
        }
        let odd = odd_quarters(free);
        let mut best = i32::MIN;
        for part in [free & odd, free & !odd] {
            let mut cells = part;
            while cells != 0 {
                let cell = cells.trailing_zeros();
                cells &= cells - 1;
                if NEAR[cell as usize & 63] & other == 0 {
                    continue;
                }
                let turned = flips(mine, other, cell);
                if turned == 0 {
                    continue;
                }
                let bit = 1 << cell;
                let value = -self.last(other ^ turned, mine ^ turned | bit, free ^ bit, 1 - target, nodes);
                best = best.max(value);
                if best >= target {
                    return best;
                }
            }
        }
        if best == i32::MIN { self.passed(mine, other, free, target, nodes) } else { best }
    }

    fn last_sorted(&self, mine: u64, other: u64, free: u64, target: i32, nodes: &mut u64) -> i32 {
        let odd = odd_quarters(free);
        let mut list = [(0i32, 0u64, 0u64); 16];
        let wide = free.count_ones() >= WIDE;
        let mut count = 0;
        let mut cells = self.moves_of(mine, other);
        while cells != 0 {
            let cell = cells.trailing_zeros();
            cells &= cells - 1;
            let (bit, turned) = (1 << cell, flips(mine, other, cell));
            let (theirs, ours) = (other ^ turned, mine ^ turned | bit);
            let answers = self.moves_of(theirs, ours);
            let mut weight =
                8 * answers.count_ones() as i32 + 16 * (answers & self.corners).count_ones() as i32;
            if odd & bit == 0 {
                weight += 2;
            }
            if wide {
                weight += 3 * (around(ours) & free & !bit).count_ones() as i32;
                if self.corners & bit != 0 {
                    weight -= 20;
                }
            }
            let mut at = count;
            while at > 0 && list[at - 1].0 > weight {
                list[at] = list[at - 1];
                at -= 1;
            }
            list[at] = (weight, bit, turned);
            count += 1;
        }
        let mut best = i32::MIN;
        for &(_, bit, turned) in &list[..count] {
            let value = -self.last(other ^ turned, mine ^ turned | bit, free ^ bit, 1 - target, nodes);
            best = best.max(value);
            if best >= target {
                return best;
            }
        }
        if count == 0 { self.passed(mine, other, free, target, nodes) } else { best }
    }

    /// The first player has no move.
    fn passed(&self, mine: u64, other: u64, free: u64, target: i32, nodes: &mut u64) -> i32 {
        if self.moves_of(other, mine) == 0 {
            return self.result(mine, other);
        }
        -self.last(other, mine, free, 1 - target, nodes)
    }

    /// One free cell at most: who can takes it.
    #[inline]
    fn very_last(&self, mine: u64, other: u64, free: u64) -> i32 {
        if free == 0 {
            return self.result(mine, other);
        }
        let cell = free.trailing_zeros();
        let near = NEAR[cell as usize & 63];
        let lead = 2 * mine.count_ones() as i32 - (self.side * self.side) as i32 + 1;
        if near & other != 0 {
            let turned = flips(mine, other, cell);
            if turned != 0 {
                return lead + 2 * turned.count_ones() as i32 + 1;
            }
        }
        if near & mine != 0 {
            let turned = flips(other, mine, cell);
            if turned != 0 {
                return lead - 2 * turned.count_ones() as i32 - 1;
            }
        }
        self.result(mine, other)
    }
}

/// The neighbours of each cell.
static NEAR: [u64; 64] = near();

const fn near() -> [u64; 64] {
    let mut near = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        near[cell] = around(1 << cell) & !(1 << cell);
        cell += 1;
    }
    near
}

/// The quarters with an odd number of free cells.
#[inline]
fn odd_quarters(free: u64) -> u64 {
    QUARTERS.iter().filter(|&&q| (free & q).count_ones() & 1 == 1).fold(0, |set, q| set | q)
}
