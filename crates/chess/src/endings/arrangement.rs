//! The order of an ending's men in its layout, and the word and bit of each position.

use super::man::{Man, PAWN};
use super::pairs::{KingStep, Pairs, turned};
use crate::material::Material;

/// The men of an ending in the order of the layout, and the symmetry of its kings.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    pub(super) pairs: &'static Pairs,
    pub(super) men: Vec<Man>,
    /// `true` if the first man is a fixed pawn, on the files a to d.
    pub(super) sliced: bool,
    /// `true` if there are slices in which that pawn has just made a double step.
    pub(super) doubles: bool,
}

impl Arrangement {
    pub(super) fn new(material: Material) -> Arrangement {
        let mut men = Vec::with_capacity(3);
        for side in 0..2u8 {
            for kind in 0..5u8 {
                let count = material.0[usize::from(side)][usize::from(kind)];
                men.extend((0..count).map(|_| Man { side, kind }));
            }
        }
        men.sort_by_key(|man| man.is_pawn());
        let pawns = material.0.map(|side| side[usize::from(PAWN)]);
        let sliced = men.len() == 3 && material.has_pawns();
        if sliced {
            // A pawn of the side that has fewer, so that a position has few encodings.
            let side = u8::from(pawns[0] == 0 || (0 < pawns[1] && pawns[1] < pawns[0]));
            let fixed_pawn = men.iter().position(|man| man.is_pawn() && man.side == side);
            men[..=fixed_pawn.expect("there is a pawn")].rotate_right(1);
        }
        let symmetries = if sliced { 1 } else { Pairs::symmetries(material.has_pawns()) };
        Arrangement {
            pairs: Pairs::of(symmetries),
            men,
            sliced,
            doubles: sliced && pawns[0].min(pawns[1]) > 0,
        }
    }

    /// Returns the arrangement of the two other men of a sliced ending.
    pub(super) fn without_standing(&self) -> Arrangement {
        Arrangement { men: self.men[1..].to_vec(), sliced: false, doubles: false, ..*self }
    }

    /// Returns the lowest rank of the fixed pawn, seen from its side: 0 encodes a double step just made.
    pub(super) fn lowest_rank(&self) -> usize {
        usize::from(!self.doubles)
    }

    /// Returns the number of slices with the fixed pawn on one file.
    pub(super) fn ranks(&self) -> usize {
        7 - self.lowest_rank()
    }

    /// Returns the rank of the fixed pawn in the slice that a step of a chain solves: the double step comes after the
    /// fourth rank that it leads to, and before the second that it comes from.
    pub(super) fn rank_of(&self, step: usize) -> u8 {
        const RANKS: [u8; 7] = [6, 5, 4, 3, 2, 0, 1];
        let skips = usize::from(step >= 5 && !self.doubles);
        RANKS[(step + skips).min(6)]
    }

    /// Returns the lowest of the slices of a chain that its first steps solve; the number of slices for no steps.
    pub(super) fn lowest_slice(&self, steps: usize) -> usize {
        let ranks = (0..steps).map(|step| usize::from(self.rank_of(step)));
        ranks.min().map_or(self.ranks(), |rank| rank - self.lowest_rank())
    }

    /// Returns the steps of a chain that solve every slice that play within the ending can lead to from these squares.
    pub(super) fn steps(&self, squares: &[u8]) -> usize {
        // Of identical pawns on files of the same distance from the edge each may become the fixed one.
        let twins = self.men.iter().zip(squares).filter(|&(&man, &square)| {
            man == self.men[0] && Arrangement::seniority(square).0 == Arrangement::seniority(squares[0]).0
        });
        let ranks = twins.map(|(man, &square)| man.own_rank(square));
        let lowest = ranks.min().unwrap_or(0);
        (0..self.ranks()).find(|&step| self.rank_of(step) == lowest).map_or(self.ranks(), |step| step + 1)
    }

    /// Returns the index of a slice by the square of the fixed pawn; `None` if there is no such slice.
    #[inline]
    pub(super) fn slice(&self, square: u8) -> Option<usize> {
        let (file, rank) = (usize::from(square & 7), usize::from(self.men[0].own_rank(square)));
        let fits = file < 4 && (self.lowest_rank()..7).contains(&rank);
        fits.then(|| file * self.ranks() + rank - self.lowest_rank())
    }

    /// Returns the square of the fixed pawn in a slice.
    pub(super) fn fixed_pawn(&self, slice: usize) -> u8 {
        let rank = (slice % self.ranks() + self.lowest_rank()) as u8;
        self.men[0].rank(rank) + (slice / self.ranks()) as u8
    }

    /// Returns the words of the layout with one side to move.
    pub(super) fn words(&self) -> usize {
        let slices = if self.sliced { 4 * self.ranks() } else { 1 };
        slices * self.pairs.kings.len() * self.rows() * 8
    }

    /// Returns a sort key of the squares of identical men that decides which of them is the fixed one; mirror images
    /// have the same rank.
    pub(super) fn seniority(square: u8) -> (u8, u8) {
        ((square & 7).min(7 - (square & 7)), square >> 3)
    }

    /// Returns the kings and the men at a bit of a word; `None` if the bit is no placement.
    pub(super) fn squares(&self, word: usize, bit: usize) -> Option<([u8; 2], [u8; 3])> {
        let words = self.rows() * 8;
        let (block, word) = (word / words, word % words);
        let pairs = self.pairs.kings.len();
        let squares = match self.men.len() {
            0 => return None,
            1 if word > 0 => return None,
            1 => [bit as u8, 0, 0],
            2 => [word as u8, bit as u8, 0],
            _ if self.sliced => [self.fixed_pawn(block / pairs), word as u8, bit as u8],
            _ => [(word / 64) as u8, (word % 64) as u8, bit as u8],
        };
        Some((self.pairs.kings[block % pairs], squares))
    }

    /// Returns the bits of a word that may be positions with `side` to move; each position has exactly one bit.
    pub(super) fn stands(&self, side: usize, word: usize) -> u64 {
        let Some((&last, others)) = self.men.split_last() else { return 0 };
        let mut bits = last.squares(side);
        let Some((_, squares)) = self.squares(word, 0) else { return 0 };
        let still = usize::from(self.sliced);
        let senior = |&s: &u8| Arrangement::seniority(s) >= Arrangement::seniority(squares[0]);
        for (i, (&man, &square)) in others.iter().zip(&squares).enumerate() {
            let twin_above = |j: usize| others[j] == man && squares[j] >= square;
            if man.squares(side) >> square & 1 == 0 || (still..i).any(twin_above) {
                return 0;
            }
            if i < still {
                if man == last {
                    bits &= (0..64).filter(senior).fold(0, |bits, s| bits | 1 << s);
                }
            } else if still > 0 && man == others[0] && !senior(&square) {
                return 0;
            } else if man == last {
                bits &= !0 << square << 1;
            }
        }
        bits
    }

    /// Returns the rows of a block.
    pub(super) fn rows(&self) -> usize {
        match self.men.len() {
            0 | 1 => 1,
            3.. if !self.sliced => 512,
            _ => 8,
        }
    }

    /// Returns the word and the bit of a placement of kings and men; `None` if the kings are adjacent, or if there is
    /// no such slice.
    #[inline]
    pub(super) fn locate(&self, kings: [u8; 2], squares: &[u8]) -> Option<(usize, usize)> {
        let mut own = [0; 3];
        if self.sliced {
            let turn = u8::from(squares[0] & 7 > 3);
            for (to, &square) in own.iter_mut().zip(squares) {
                *to = turned(turn, square);
            }
            let step = self.pairs.find(turned(turn, kings[0]), turned(turn, kings[1]))?;
            return self.number(step.pair, &own);
        }
        let KingStep { pair, turn } = self.pairs.find(kings[0], kings[1])?;
        for (to, &square) in own.iter_mut().zip(squares) {
            *to = turned(turn, square);
        }
        self.number(pair, &own[..squares.len()])
    }

    /// Returns the word and the bit of squares already mapped by the symmetry of the pair of kings.
    #[inline]
    pub(super) fn number(&self, pair: u16, squares: &[u8]) -> Option<(usize, usize)> {
        let mut word = usize::from(pair);
        let Some((&last, mut others)) = squares.split_last() else { return Some((word, 0)) };
        if self.sliced {
            word += self.slice(others[0])? * self.pairs.kings.len();
            others = &others[1..];
        }
        for &square in others {
            word = word * 64 + usize::from(square);
        }
        if self.men.len() == 1 {
            word *= 8;
        }
        Some((word, usize::from(last)))
    }
}
