//! A pattern evaluation: a weight for every filling of a group of cells, fitted to exact results by
//! `dev/othello_weights.py`.
//!
//! Source: M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 1997.

use std::sync::LazyLock;

use super::instructions::Instructions;

/// Number of subsets of a group: a group has at most nine cells.
const SETS: usize = 1 << 9;
/// Unit of the weights in a file, in hundredths of a disc.
const UNIT: i16 = 20;

/// A group of cells by column and row; the first is the least significant digit in the index of a filling.
type Group = &'static [(usize, usize)];

/// The result of a fit.
struct Fit {
    side: usize,
    groups: &'static [Group],
    /// For each group a signed byte for every filling: digits of base 3, 0 for a free cell, 1 for a disc of the player
    /// to move, 2 for one of the other.
    weights: &'static [u8],
    general: General,
}

/// Weights in hundredths of a disc.
#[derive(Clone, Copy, Debug)]
pub(super) struct General {
    /// Weight of every position, and an additional one if the number of free cells is odd.
    pub constant: i32,
    pub odd: i32,
    /// Weight of each move that a player has more than the other, and of each disc beside a free cell.
    pub mobility: i32,
    pub frontier: i32,
}

/// Fitted to 500,000 positions of games with 9 to 17 free cells and to 160,000 of a proof.
static SIX: LazyLock<Patterns> = LazyLock::new(|| {
    Patterns::new(&Fit {
        side: 6,
        groups: &[
            &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (1, 1), (4, 1)],
            &[(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1)],
            &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)],
        ],
        weights: include_bytes!("weights6.bin"),
        general: General { constant: 399, odd: 96, mobility: 113, frontier: -53 },
    })
});

/// Fitted to 300,000 positions of games with 9 to 15 free cells.
static EIGHT: LazyLock<Patterns> = LazyLock::new(|| {
    Patterns::new(&Fit {
        side: 8,
        groups: &[
            &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)],
            &[(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1)],
            &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)],
            &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)],
        ],
        weights: include_bytes!("weights8.bin"),
        general: General { constant: 324, odd: 205, mobility: 182, frontier: -74 },
    })
});

/// An image of a group on the board.
#[derive(Debug)]
struct Image {
    mask: u64,
    /// By subset of the cells, packed together: its contribution to the index of a filling, if it has one's own discs.
    digits: Box<[u16; SETS]>,
    /// Index of the group's first weight.
    begin: usize,
}

/// The groups of a board with all their images, and their weights.
#[derive(Debug)]
pub(super) struct Patterns {
    images: Vec<Image>,
    weights: Vec<i16>,
    pub general: General,
}

impl Patterns {
    /// Returns the patterns of a board of this side, if there are any.
    pub fn of(side: usize) -> Option<&'static Patterns> {
        match side {
            6 => Some(&SIX),
            8 => Some(&EIGHT),
            _ => None,
        }
    }

    fn new(fit: &Fit) -> Patterns {
        let mut images: Vec<Image> = Vec::new();
        let mut begin = 0;
        for cells in fit.groups {
            for turn in 0..8 {
                let bits = cells.iter().map(|&cell| image(cell, turn, fit.side));
                let bits: Vec<u64> = bits.map(|(column, row)| 1 << (8 * row + column)).collect();
                let mask = bits.iter().fold(0, |set, bit| set | bit);
                if images.iter().all(|i| (i.mask, i.begin) != (mask, begin)) {
                    // The digit of each bit once the cells are packed together.
                    let mut places: Vec<(u64, u32)> = bits.into_iter().zip(0..).collect();
                    places.sort_unstable();
                    let sum = |set: usize| {
                        let there = places.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
                        there.map(|(_, &(_, digit))| 3u16.pow(digit)).sum()
                    };
                    images.push(Image { mask, digits: Box::new(std::array::from_fn(sum)), begin });
                }
            }
            begin += 3usize.pow(cells.len() as u32);
        }
        assert_eq!(begin, fit.weights.len(), "a weight for every filling");
        let weights = fit.weights.iter().map(|&byte| i16::from(byte.cast_signed()) * UNIT).collect();
        Patterns { images, weights, general: fit.general }
    }

    /// Returns the sum of the weights of all groups, in hundredths of a disc, for the first player, who is to move.
    #[inline(always)]
    pub fn worth<I: Instructions>(&self, isa: I, mine: u64, other: u64) -> i32 {
        let worth = |image: &Image| {
            let digits = |discs| usize::from(image.digits[isa.pack(discs, image.mask) % SETS]);
            i32::from(self.weights[image.begin + digits(mine) + 2 * digits(other)])
        };
        self.images.iter().map(worth).sum()
    }
}

/// Returns the cell turned and mirrored in one of eight ways.
fn image((column, row): (usize, usize), turn: u32, side: usize) -> (usize, usize) {
    let (column, row) = if turn & 1 == 0 { (column, row) } else { (row, column) };
    let flip = |place, bit| if turn & bit == 0 { place } else { side - 1 - place };
    (flip(column, 2), flip(row, 4))
}

#[cfg(test)]
mod tests {
    use super::super::instructions::Plain;
    use super::*;

    #[test]
    fn images_of_a_position_are_worth_the_same() {
        for (side, images) in [(6, 4 + 8 + 2), (8, 4 + 8 + 4 + 2)] {
            let patterns = Patterns::of(side).unwrap();
            assert_eq!(patterns.images.len(), images);
            turned_alike(patterns, side);
        }
    }

    fn turned_alike(patterns: &Patterns, side: usize) {
        let mut seed = 1u64;
        for _ in 0..1_000 {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                seed ^ seed >> 29
            };
            let taken = next() | next();
            let mine = next() & taken;
            let turned = |set: u64, turn| {
                let cells = (0..side * side).filter(|cell| set >> cell & 1 == 1);
                let cells = cells.map(|cell| image((cell % side, cell / side), turn, side));
                cells.fold(0, |set, (column, row)| set | 1 << (8 * row + column))
            };
            let worth = |turn| patterns.worth(Plain, turned(mine, turn), turned(taken & !mine, turn));
            assert!((1..8).all(|turn| worth(turn) == worth(0)));
        }
    }
}
