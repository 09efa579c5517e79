//! Chess on a board of 3x3.
//!
//! * The rules of chess with any men on any squares, without castling and without the double step; a pawn promotes on the last
//!   row, and may stand on its first.
//! * Position: FEN with three rows, `KpN/bPk/BqN w - - 0 1`; moves as UCI, `a2a3q`.
//!
//! A position is seen by the player to move, whose pawns go up. Square 0 is a1, and the squares rise row by row. All positions
//! are solved, so the start is a matter of taste: it is a mate in 16, the longest there is.
//!
//! Source: K. Kryukov, "3x3 chess", kirill-kryukov.com/chess/3x3-chess, 2004.

mod notation;
mod numbering;

use grundy_core::game::{Flow, Game, MORE, Player, Scored};
use grundy_core::random::mix;
use grundy_core::rank::Subsets;
use grundy_core::value::Value;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// Columns and rows of the board.
const SIDE: usize = 3;
const SQUARES: usize = SIDE * SIDE;
/// The last row.
const LAST: std::ops::Range<usize> = 6..9;

/// The men; those of the player who is not to move have [`OTHER`] added. An empty square is 0.
const KING: u8 = 1;
const QUEEN: u8 = 2;
const ROOK: u8 = 3;
const BISHOP: u8 = 4;
const KNIGHT: u8 = 5;
const PAWN: u8 = 6;
const OTHER: u8 = 8;

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
struct Board([u8; SQUARES]);

impl Board {
    /// Returns the square of a man of whom there is one.
    #[inline]
    fn find(&self, man: u8) -> usize {
        self.0.iter().position(|&other| other == man).unwrap_or(0)
    }

    /// Returns the board seen by the other player.
    #[inline]
    fn turned(&self) -> Board {
        let mut men = [0; SQUARES];
        for (square, &man) in self.0.iter().enumerate() {
            men[(SIDE - 1 - square / SIDE) * SIDE + square % SIDE] = if man == 0 { 0 } else { man ^ OTHER };
        }
        Board(men)
    }

    /// Returns the mirror image, with the first column as the last.
    #[inline]
    fn mirrored(&self) -> Board {
        let [a1, b1, c1, a2, b2, c2, a3, b3, c3] = self.0;
        Board([c1, b1, a1, c2, b2, a2, c3, b3, a3])
    }

    /// Reports whether a man of a side, 0 or [`OTHER`], attacks a square.
    #[inline]
    fn attacks(&self, square: usize, side: u8) -> bool {
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
    fn in_check(&self) -> bool {
        self.attacks(self.find(KING), OTHER)
    }

    /// Reports whether a board can occur: a king each, no pawn on its last row, and the player who has moved not in check.
    fn is_legal(&self) -> bool {
        let count = |man: u8| self.0.iter().filter(|&&other| other == man).count();
        let misplaced = LAST.clone().any(|square| self.0[square] == PAWN)
            || (0..SIDE).any(|square| self.0[square] == PAWN | OTHER);
        count(KING) == 1
            && count(KING | OTHER) == 1
            && !misplaced
            && !self.attacks(self.find(KING | OTHER), 0)
    }

    /// Visits the moves of the player to move, those that leave his king in check included. Pawns are promoted to queens only.
    #[inline]
    fn each_step(&self, visit: &mut impl FnMut(usize, usize) -> Flow) -> Flow {
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
    fn moved(&self, from: usize, to: usize) -> Board {
        let mut next = *self;
        next.0[to] = std::mem::take(&mut next.0[from]);
        next
    }

    /// Visits the legal moves as [`Board::each_step`] does.
    #[inline]
    fn each_legal_step(&self, visit: &mut impl FnMut(usize, usize) -> Flow) -> Flow {
        self.each_step(&mut |from, to| if self.moved(from, to).in_check() { MORE } else { visit(from, to) })
    }

    /// Reports whether a step of a man makes a pawn another man.
    #[inline]
    fn promotes(&self, from: usize, to: usize) -> bool {
        self.0[from] == PAWN && LAST.contains(&to)
    }
}

/// A board and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    turn: Player,
}

/// A move, with squares as its player sees them; the man that a pawn becomes, else 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
    becomes: u8,
}

/// The rules of chess on 3x3, with at most some number of men.
#[derive(Clone, Debug)]
pub struct SmallChess {
    men: usize,
    start: Position,
    subsets: Subsets,
    tiers: Vec<numbering::Men>,
}

impl SmallChess {
    /// The most men that the board holds.
    pub const MOST: usize = SQUARES;

    /// Returns the game with at most `men` men, kings included. The start is one of the longest mates with as many men.
    ///
    /// # Errors
    /// There are not 2 to 9 men.
    pub fn new(men: usize) -> Result<SmallChess, String> {
        let board = match men {
            2 => "2k/3/K2",
            3 => "k2/3/KR1",
            4 => "1K1/3/kPB",
            5 => "1b1/1Bk/K1N",
            6 => "Npk/K1b/2B",
            7 => "1bN/KPk/Bb1",
            8 => "R1Q/KNP/Pqk",
            SmallChess::MOST => "KpN/bPk/BqN",
            _ => {
                return Err(format!("{men} men: expected 2men to {}men on a board of 3x3", SmallChess::MOST));
            }
        };
        let start = Position { board: notation::read_board(board)?, turn: Player::One };
        Ok(SmallChess { men, start, subsets: Subsets::new(SQUARES), tiers: numbering::tiers(men) })
    }
}

impl Game for SmallChess {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let board = &position.board;
        if board.each_legal_step(&mut |_, _| Flow::Break(())).is_break() {
            return None;
        }
        Some(if board.in_check() { Value::loss_in(0) } else { Value::DRAW })
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let board = &position.board;
        board.each_legal_step(&mut |from, to| {
            let becomes = if board.promotes(from, to) { QUEEN..PAWN } else { 0..1 };
            becomes
                .into_iter()
                .try_for_each(|becomes| visit(Move { from: from as u8, to: to as u8, becomes }))
        })
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut board = position.board.moved(usize::from(m.from), usize::from(m.to));
        if m.becomes != 0 {
            board.0[usize::from(m.to)] = m.becomes;
        }
        Position { board: board.turned(), turn: !position.turn }
    }

    fn canonical(&self, position: &Position) -> Position {
        Position { board: position.board.min(position.board.mirrored()), ..*position }
    }

    /// The board is seen by the player to move.
    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }
}

impl Scored for SmallChess {}

/// Hundredths of a pawn that a man is worth.
const WORTH: [i32; 7] = [0, 0, 600, 400, 250, 300, 150];

impl Heuristic for SmallChess {
    fn key(&self, position: &Position) -> u64 {
        let board = position.board.min(position.board.mirrored());
        mix(board.0.iter().fold(position.turn.index() as u64, |key, &man| key << 4 | u64::from(man)))
    }

    fn guess(&self, position: &Position) -> i32 {
        let worth = |&man: &u8| match man {
            OTHER.. => -WORTH[usize::from(man ^ OTHER)],
            _ => WORTH[usize::from(man)],
        };
        position.board.0.iter().map(worth).sum()
    }

    fn hint(&self, position: &Position, m: Move, child: &Position) -> i32 {
        let taken = position.board.0[usize::from(m.to)] & !OTHER;
        WORTH[usize::from(taken)] + WORTH[usize::from(m.becomes)] + 200 * i32::from(child.board.in_check())
    }

    fn noisy(&self, position: &Position, m: Move) -> bool {
        m.becomes != 0 || position.board.0[usize::from(m.to)] != 0
    }

    fn cyclic(&self) -> bool {
        true
    }
}

impl Bounds for SmallChess {}
