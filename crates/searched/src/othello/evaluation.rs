//! Static evaluation of an unfinished position: bounds by stable discs, an estimate, and move ordering.

use super::bits;
use super::geometry::Geometry;
use super::instructions::Instructions;
use super::pattern::{General, Patterns};

/// With at least this many free cells, moves are ordered by the pattern evaluation of the position they lead to.
const PATTERNED: u32 = 10;

/// The weights of boards without fitted patterns, fitted to 6x6.
const PLAIN: General = [200, 0, 85, -96];

/// Returns bounds of the final difference for the first player by stable discs, if they can decide whether it reaches
/// `target`.
#[inline(always)]
pub(super) fn settled<I: Instructions>(
    isa: I,
    board: &Geometry,
    mine: u64,
    other: u64,
    target: i32,
) -> (i32, i32) {
    let all = board.size();
    let (mut lo, mut hi) = (-all, all);
    // Without a corner hardly a disc is stable, and the stable discs are at most all of a player's.
    let target = target.clamp(-all, all);
    let worth =
        |discs: u64, against: i32| discs & board.corners != 0 && 2 * discs.count_ones() as i32 > against;
    let (high, low) = (worth(other, all - target), worth(mine, all + target - 1));
    if high || low {
        let full = isa.full(board, mine | other);
        if high {
            hi = all - 2 * isa.stable(board, other, &full).count_ones() as i32;
        }
        if low {
            lo = 2 * isa.stable(board, mine, &full).count_ones() as i32 - all;
        }
    }
    (lo, hi)
}

/// Estimates for boards of one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluation {
    /// Weights of patterns, if they were fitted for this size.
    patterns: Option<&'static Patterns>,
}

impl Evaluation {
    /// Returns the evaluation of boards of this size.
    pub fn new(board: &Geometry) -> Evaluation {
        Evaluation { patterns: board.side().and_then(Patterns::of) }
    }

    /// Returns an estimate of the final difference for the player to move, in hundredths of a disc; `moves` are his.
    #[inline(always)]
    pub fn guess<I: Instructions>(&self, isa: I, board: &Geometry, mine: u64, other: u64, moves: u64) -> i32 {
        let weights = self.patterns.map_or(&PLAIN, |patterns| patterns.general((mine | other).count_ones()));
        let terms = general(isa, board, mine, other, moves);
        let worth = weights.iter().zip(terms).map(|(weight, term)| weight * term).sum::<i32>()
            + self.patterns.map_or(0, |patterns| patterns.worth(isa, mine, other));
        let most = 100 * board.size();
        worth.clamp(-most, most)
    }

    /// Returns the rank of a move to `cell` in the move order. The move leaves the other player the given discs and
    /// answers: the fewer answers, the earlier.
    #[inline(always)]
    pub fn hint<I: Instructions>(
        &self,
        isa: I,
        board: &Geometry,
        cell: u32,
        mine: u64,
        other: u64,
        answers: u64,
    ) -> i32 {
        let plain = self.plain_hint(board, cell, mine, other, answers);
        match self.patterns {
            Some(patterns) if board.size() as u32 - (mine | other).count_ones() >= PATTERNED => {
                plain - patterns.worth(isa, mine, other) / 25
            }
            _ => plain,
        }
    }

    /// Returns the rank of a move as [`Evaluation::hint`] does, without patterns.
    #[inline(always)]
    pub fn plain_hint(&self, board: &Geometry, cell: u32, mine: u64, other: u64, answers: u64) -> i32 {
        let free = board.cells & !(mine | other);
        let corner = if cell < 64 && board.corners >> cell & 1 == 1 { 24 } else { 0 };
        let open = (bits::around(other) & free).count_ones() as i32;
        corner - 16 * (answers.count_ones() + (answers & board.corners).count_ones()) as i32 - 4 * open
    }
}

/// Returns the general terms of a position; `moves` are those of the first player, who is to move.
#[inline(always)]
pub(super) fn general<I: Instructions>(
    isa: I,
    board: &Geometry,
    mine: u64,
    other: u64,
    moves: u64,
) -> General {
    let free = board.cells & !(mine | other);
    let more = |a: u64, b: u64| a.count_ones() as i32 - b.count_ones() as i32;
    let front = bits::around(free);
    let answers = isa.moves_on(board, other, mine);
    [1, free.count_ones() as i32 & 1, more(moves, answers), more(mine & front, other & front)]
}
