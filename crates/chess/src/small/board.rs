//! The board of 3x3 seen by the player to move, and the moves of the men.

use grundy_core::game::{Flow, MORE};

/// Columns and rows of the board.
pub(super) const SIDE: usize = 3;
pub(super) const SQUARES: usize = SIDE * SIDE;
/// The last row.
pub(super) const LAST: std::ops::Range<usize> = 6..9;

/// The men; those of the player who is not to move have [`OTHER`] added. An empty square is 0.
pub(super) const KING: u8 = 1;
pub(super) const QUEEN: u8 = 2;
const ROOK: u8 = 3;
const BISHOP: u8 = 4;
const KNIGHT: u8 = 5;
pub(super) const PAWN: u8 = 6;
pub(super) const OTHER: u8 = 8;

/// Columns and rows of a step in each direction, the straight ones first.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
const UP: usize = 2;
/// The directions in which a pawn of the player to move takes, and those from which one of the other's takes.
const UP_SLANTING: [usize; 2] = [4, 5];
const DOWN_SLANTING: [usize; 2] = [6, 7];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// No square.
const NONE: u8 = u8::MAX;
const NEIGHBOURS: [[u8; 8]; SQUARES] = reached(DIRECTIONS);
const JUMPS: [[u8; 8]; SQUARES] = reached(KNIGHT_STEPS);

/// Returns the square that each of the steps reaches from each square.
const fn reached(steps: [(i8, i8); 8]) -> [[u8; 8]; SQUARES] {
    let mut squares = [[NONE; 8]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut at = 0;
        while at < steps.len() {
            let (column, row) = ((from % SIDE) as i8 + steps[at].0, (from / SIDE) as i8 + steps[at].1);
            if column >= 0 && column < SIDE as i8 && row >= 0 && row < SIDE as i8 {
                squares[from][at] = row as u8 * SIDE as u8 + column as u8;
            }
            at += 1;
        }
        from += 1;
    }
    squares
}

/// Returns the square at the same place of the board turned upside down.
#[inline]
pub(super) fn flipped(square: usize) -> usize {
    (SIDE - 1 - square / SIDE) * SIDE + square % SIDE
}

/// Returns the square next to `square` in a direction.
#[inline]
fn neighbour(square: usize, direction: usize) -> Option<usize> {
    let next = NEIGHBOURS[square][direction];
    (next != NONE).then_some(usize::from(next))
}

/// Returns the squares that a knight reaches.
#[inline]
fn jumps(square: usize) -> impl Iterator<Item = usize> {
    JUMPS[square].into_iter().filter(|&to| to != NONE).map(usize::from)
}

/// The men on the squares, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Board(pub(super) [u8; SQUARES]);

impl Board {
    /// Returns the square of a man of whom there is one.
    #[inline]
    pub(super) fn find(&self, man: u8) -> usize {
        self.0.iter().position(|&other| other == man).unwrap_or(0)
    }

    /// Returns the board seen by the other player.
    #[inline]
    pub(super) fn turned(&self) -> Board {
        let mut men = [0; SQUARES];
        for (square, &man) in self.0.iter().enumerate() {
            men[flipped(square)] = if man == 0 { 0 } else { man ^ OTHER };
        }
        Board(men)
    }

    /// Returns the mirror image, with the first column as the last.
    #[inline]
    pub(super) fn mirrored(&self) -> Board {
        let [a1, b1, c1, a2, b2, c2, a3, b3, c3] = self.0;
        Board([c1, b1, a1, c2, b2, a2, c3, b3, a3])
    }

    /// Reports whether a man of a side, 0 or [`OTHER`], attacks a square.
    #[inline]
    pub(super) fn attacks(&self, square: usize, side: u8) -> bool {
        // A pawn stands behind what it attacks.
        let pawns = if side == 0 { DOWN_SLANTING } else { UP_SLANTING };
        (0..8).any(|direction| {
            let Some(next) = neighbour(square, direction) else { return false };
            let slides = |man: u8| {
                let along = if direction < 4 { ROOK } else { BISHOP };
                man == QUEEN | side || man == along | side
            };
            match self.0[next] {
                0 => neighbour(next, direction).is_some_and(|far| slides(self.0[far])),
                man => man == KING | side || slides(man) || man == PAWN | side && pawns.contains(&direction),
            }
        }) || jumps(square).any(|from| self.0[from] == KNIGHT | side)
    }

    /// Reports whether the player to move is in check.
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        self.attacks(self.find(KING), OTHER)
    }

    /// Reports whether a board can occur: a king each, no pawn on its last row, and the player who has moved not in check.
    pub(super) fn is_legal(&self) -> bool {
        let count = |man: u8| self.0.iter().filter(|&&other| other == man).count();
        let misplaced = LAST.clone().any(|square| self.0[square] == PAWN)
            || (0..SIDE).any(|square| self.0[square] == PAWN | OTHER);
        count(KING) == 1
            && count(KING | OTHER) == 1
            && !misplaced
            && !self.attacks(self.find(KING | OTHER), 0)
    }

    /// Visits the moves of the player to move, those that leave his king in check included. A promotion is visited
    /// once, without the man that the pawn becomes.
    #[inline]
    pub(super) fn each_step(&self, visit: &mut impl FnMut(usize, usize) -> Flow) -> Flow {
        let free = |square: usize| self.0[square] == 0;
        let others = |square: usize| self.0[square] > OTHER;
        for from in 0..SQUARES {
            let directions = match self.0[from] {
                KING | QUEEN => 0..8,
                ROOK => 0..4,
                BISHOP => 4..8,
                KNIGHT => {
                    jumps(from).filter(|&to| free(to) || others(to)).try_for_each(|to| visit(from, to))?;
                    continue;
                }
                PAWN => {
                    if let Some(to) = neighbour(from, UP).filter(|&to| free(to)) {
                        visit(from, to)?;
                    }
                    UP_SLANTING
                        .into_iter()
                        .filter_map(|direction| neighbour(from, direction))
                        .filter(|&to| others(to))
                        .try_for_each(|to| visit(from, to))?;
                    continue;
                }
                _ => continue,
            };
            for direction in directions {
                let Some(next) = neighbour(from, direction) else { continue };
                if free(next) || others(next) {
                    visit(from, next)?;
                }
                if free(next) && self.0[from] != KING {
                    let far = neighbour(next, direction).filter(|&far| free(far) || others(far));
                    far.map_or(MORE, |far| visit(from, far))?;
                }
            }
        }
        MORE
    }

    /// Returns the board after a man has moved, seen by the same player.
    #[inline]
    pub(super) fn moved(&self, from: usize, to: usize) -> Board {
        let mut next = *self;
        next.0[to] = std::mem::take(&mut next.0[from]);
        next
    }

    /// Visits the legal moves as [`Board::each_step`] does.
    #[inline]
    pub(super) fn each_legal_step(&self, visit: &mut impl FnMut(usize, usize) -> Flow) -> Flow {
        self.each_step(&mut |from, to| if self.moved(from, to).in_check() { MORE } else { visit(from, to) })
    }

    /// Reports whether a step of a man makes a pawn another man.
    #[inline]
    pub(super) fn promotes(&self, from: usize, to: usize) -> bool {
        self.0[from] == PAWN && LAST.contains(&to)
    }

    /// Returns the image of the board that has an index.
    #[inline]
    pub(super) fn folded(&self) -> Board {
        match (self.find(KING) % SIDE, self.find(KING | OTHER) % SIDE) {
            (0, _) | (1, 0) => *self,
            (1, 1) => self.min(&self.mirrored()).to_owned(),
            _ => self.mirrored(),
        }
    }

    /// Visits the boards from which the other player has come here by a move that neither took nor promoted, seen by the
    /// player who is to move here.
    #[inline]
    pub(super) fn each_origin(&self, visit: &mut impl FnMut(Board)) {
        let free = |square: &usize| self.0[*square] == 0;
        for to in 0..SQUARES {
            let man = self.0[to];
            let mut from = |from: usize| visit(self.moved(to, from));
            let directions = match man.wrapping_sub(OTHER) {
                KING | QUEEN => 0..8,
                ROOK => 0..4,
                BISHOP => 4..8,
                KNIGHT => {
                    jumps(to).filter(free).for_each(from);
                    continue;
                }
                PAWN => {
                    // The other's pawns go down.
                    neighbour(to, UP).filter(free).into_iter().for_each(from);
                    continue;
                }
                _ => continue,
            };
            for direction in directions {
                let Some(next) = neighbour(to, direction).filter(free) else { continue };
                from(next);
                if man != KING | OTHER {
                    neighbour(next, direction).filter(free).into_iter().for_each(&mut from);
                }
            }
        }
    }
}
