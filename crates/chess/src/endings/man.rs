//! The men of an ending besides its kings, and the colouring of its table.

use crate::material::Material;

/// The squares of the first rank.
pub(super) const RANK_1: u64 = 0xff;
/// The squares of the last rank.
pub(super) const RANK_8: u64 = 0xff << 56;

/// The kind of a pawn.
pub(super) const PAWN: u8 = 4;

/// A man other than a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    /// 0 white, 1 black.
    pub(super) side: u8,
    /// Queen, rook, bishop, knight, pawn from 0.
    pub(super) kind: u8,
}

impl Man {
    pub(super) fn is_pawn(self) -> bool {
        self.kind == PAWN
    }

    /// Returns his possible squares, including those that encode, with `side` to move, a pawn that may be taken en
    /// passant.
    pub(super) fn squares(self, side: usize) -> u64 {
        match (self.is_pawn(), usize::from(self.side) == side) {
            (false, _) => !0,
            (true, true) => !(RANK_1 | RANK_8),
            (true, false) => !(RANK_1 | RANK_8) | 0xff << (8 * self.double_rank()),
        }
    }

    /// Returns the rank (from 0) that encodes a double step just made.
    pub(super) fn double_rank(self) -> u8 {
        7 * self.side
    }

    /// Returns a square's rank (from 0), seen from his side.
    pub(super) fn own_rank(self, square: u8) -> u8 {
        if self.side == 0 { square >> 3 } else { 7 - (square >> 3) }
    }

    /// Returns the first square of the rank `own` (from 0), seen from his side.
    pub(super) fn rank(self, own: u8) -> u8 {
        8 * self.own_rank(8 * own)
    }

    /// Returns the rank (from 0) on which a pawn is promoted.
    pub(super) fn last_rank(self) -> u8 {
        7 - 7 * self.side
    }
}

/// Returns the colouring in which the table of an ending is kept: the side with more men, or with the stronger ones, is
/// white.
pub(super) fn kept(material: Material) -> Material {
    let weight = |side: [u8; 5]| (side.iter().sum::<u8>(), side);
    if weight(material.0[0]) >= weight(material.0[1]) { material } else { material.swapped() }
}

pub(super) fn material(men: impl IntoIterator<Item = Man>) -> Material {
    let mut counts = [[0; 5]; 2];
    for man in men {
        counts[usize::from(man.side)][usize::from(man.kind)] += 1;
    }
    Material(counts)
}
