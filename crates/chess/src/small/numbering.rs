//! Indices and tiers: mirror images share an index, and a tier has the positions with given numbers of men and of pawns.

use std::ops::Range;

use grundy_core::rank::{Subsets, compress, expand};
use grundy_tables::tiers::Tier;

use super::board::{Board, KING, LAST, OTHER, PAWN, QUEEN, SIDE, SQUARES};

/// Squares of both kings, his own on the first two columns, that do not touch. If his own is on the second column, the other's
/// is not on the third.
const KINGS: [(usize, usize); 17] = [
    (0, 2),
    (0, 5),
    (0, 6),
    (0, 7),
    (0, 8),
    (1, 6),
    (1, 7),
    (3, 2),
    (3, 5),
    (3, 8),
    (6, 0),
    (6, 1),
    (6, 2),
    (6, 5),
    (6, 8),
    (7, 0),
    (7, 1),
];
/// The place of each pair of kings in [`KINGS`].
const PAIRS: [[u8; SQUARES]; SQUARES] = {
    let mut pairs = [[u8::MAX; SQUARES]; SQUARES];
    let mut at = 0;
    while at < KINGS.len() {
        pairs[KINGS[at].0][KINGS[at].1] = at as u8;
        at += 1;
    }
    pairs
};
/// Squares without a king.
const REST: usize = SQUARES - 2;
/// Men of either side that are neither kings nor pawns.
const KINDS: u64 = 8;

/// The positions with given numbers of men beside the kings, and of pawns among them.
#[derive(Clone, Debug)]
struct Men {
    men: usize,
    pawns: usize,
    first: u64,
    size: u64,
}

/// The indices of all boards with at most some number of men.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    subsets: Subsets,
    tiers: Vec<Men>,
}

/// Returns the tiers of at most `men` men, kings included, in an order in which moves lead to earlier ones.
fn tiers(men: usize, subsets: &Subsets) -> Vec<Men> {
    let mut first = 0;
    let mut tier = |men: usize, pawns: usize| {
        let placings = subsets.choose(REST, pawns) * subsets.choose(REST - pawns, men - pawns);
        let size = (KINGS.len() as u64 * placings) << pawns << (3 * (men - pawns));
        let tier = Men { men, pawns, first, size };
        first += size;
        tier
    };
    (0..=men - 2).flat_map(|men| (0..=men).map(move |pawns| (men, pawns))).map(|(m, p)| tier(m, p)).collect()
}

/// Returns the place of the tier with these numbers in the list.
fn place(men: usize, pawns: usize) -> usize {
    men * (men + 1) / 2 + pawns
}

/// Returns the squares without a king.
#[inline]
fn rest(kings: (usize, usize)) -> u64 {
    0x1ff & !(1 << kings.0) & !(1 << kings.1)
}

impl Numbering {
    /// Returns the indices of boards with at most `men` men.
    pub(super) fn new(men: usize) -> Numbering {
        let subsets = Subsets::new(SQUARES);
        Numbering { tiers: tiers(men, &subsets), subsets }
    }

    /// Returns the number of indices.
    pub(super) fn size(&self) -> u64 {
        self.tiers.last().map_or(0, |tier| tier.first + tier.size)
    }

    /// Returns the tiers in an order in which moves lead to earlier ones.
    pub(super) fn tiers(&self) -> Vec<Tier> {
        let tier = |tier: &Men| Tier {
            name: format!("{}m{}p", tier.men, tier.pawns),
            numbers: tier.first..tier.first + tier.size,
            leaves: tier.men > 0,
            stays: true,
            sections: Vec::new(),
        };
        self.tiers.iter().map(tier).collect()
    }

    /// Returns the tiers that moves lead to: a man is taken, which may be a pawn, or a pawn is promoted, or both.
    pub(super) fn exits(&self, tier: usize) -> Vec<usize> {
        let Men { men, pawns, .. } = self.tiers[tier];
        let fewer = |men: usize, pawns: Range<usize>| pawns.map(move |pawns| place(men, pawns));
        let taken = men.checked_sub(1).map(|left| fewer(left, pawns.saturating_sub(2)..pawns.min(left) + 1));
        taken.into_iter().flatten().chain(fewer(men, pawns.saturating_sub(1)..pawns)).collect()
    }

    /// Returns the index of a board.
    pub(super) fn index(&self, board: &Board) -> u64 {
        let board = board.folded();
        let kings = (board.find(KING), board.find(KING | OTHER));
        let (mut pawns, mut colours, mut others, mut kinds) = (0u64, 0, 0u64, 0);
        for (square, &man) in board.0.iter().enumerate() {
            match man & !OTHER {
                0 | KING => {}
                PAWN => {
                    pawns |= 1 << square;
                    colours = colours * 2 + u64::from(man / OTHER);
                }
                kind => {
                    others |= 1 << square;
                    kinds = kinds * KINDS + u64::from(kind - QUEEN + man / OTHER * 4);
                }
            }
        }
        let rest = rest(kings);
        let count = [pawns, others].map(|set| set.count_ones() as usize);
        let tier = &self.tiers[place(count[0] + count[1], count[0])];
        let ranks =
            [compress(pawns, rest), compress(others, rest & !pawns)].map(|set| self.subsets.rank(set));
        let pair = u64::from(PAIRS[kings.0][kings.1]);
        let placing = pair * self.subsets.choose(REST, count[0]) + ranks[0];
        let placing = (placing << count[0] | colours) * self.subsets.choose(REST - count[0], count[1]);
        tier.first + ((placing + ranks[1]) << (3 * count[1]) | kinds)
    }

    /// Returns the board of an index; `None` if none is legal.
    pub(super) fn board(&self, index: u64) -> Option<Board> {
        let tier = self.tiers.get(self.tiers.partition_point(|tier| tier.first + tier.size <= index))?;
        let mut left = index - tier.first;
        let mut next = |size: u64| {
            let digit = left % size;
            left /= size;
            digit
        };
        let count = [tier.pawns, tier.men - tier.pawns];
        let mut kinds = next(1 << (3 * count[1]));
        let others = self.subsets.subset(next(self.subsets.choose(REST - count[0], count[1])), count[1]);
        let mut colours = next(1 << count[0]);
        let pawns = self.subsets.subset(next(self.subsets.choose(REST, count[0])), count[0]);
        let kings = KINGS[left as usize];
        let rest = rest(kings);
        let pawns = expand(pawns, rest);
        let others = expand(others, rest & !pawns);
        let mut board = Board([0; SQUARES]);
        (board.0[kings.0], board.0[kings.1]) = (KING, KING | OTHER);
        for square in (0..SQUARES).rev() {
            if pawns >> square & 1 == 1 {
                let side = colours as u8 % 2;
                if side == 0 && LAST.contains(&square) || side == 1 && square < SIDE {
                    return None;
                }
                board.0[square] = PAWN + side * OTHER;
                colours /= 2;
            } else if others >> square & 1 == 1 {
                let kind = (kinds % KINDS) as u8;
                board.0[square] = QUEEN + kind % 4 + kind / 4 * OTHER;
                kinds /= KINDS;
            }
        }
        let legal = !board.attacks(kings.1, 0);
        (legal && board.folded() == board).then_some(board)
    }
}
