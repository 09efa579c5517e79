//! Quarto: sixteen pieces of four properties each on 4x4; the other player says which piece is put.
//!
//! * The pieces are `0` to `f`, a bit for each property. The first move hands a piece to the other player; every later one
//!   puts the piece handed over on a free cell and hands over another.
//! * Who puts the fourth piece of a row, column or diagonal that share a property wins; with `squares` four that make a
//!   square of 2x2 do, too. A full board without such four is a draw.
//! * Position `..../.3../..../.... 7 1`: rows from the top, the piece handed over (`-` for none), the turn. Move `b2:9` puts
//!   and hands over 9, `:9` is the first move, and `b2` the last.
//!
//! Solved by search. The pieces are alike up to exchanging properties and their two sides, the board has 32 symmetries, with
//! `squares` 8; the search joins them while few pieces are put. Cell 0 is at the top left.
//!
//! Source: B. Muller's game, 1991. L. Goossens, 1998 and doi 10.5281/zenodo.20425801, 2026: a draw.

use grundy_core::bits::indices;
use grundy_core::game::{Flow, Player, hash_of};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Layout, Move, Position};

/// The board.
const GRID: Grid = Grid { columns: 4, rows: 4 };
/// No piece, and no cell.
const NONE: u64 = 16;
/// Up to this many pieces the search compares all images.
const FEW: u32 = 6;
/// The lowest of the four bits of each cell.
const LOWEST: u64 = 0x1111_1111_1111_1111;
/// The orders in which the rows and columns of the board may stand without changing its lines.
const LINE_ORDERS: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [0, 2, 1, 3], [2, 0, 3, 1]];

/// The rules. The sets of men in a position are the occupied cells and the piece handed over, the rest is the piece on each
/// cell, four bits each, 0 on free cells, the first cell lowest. A move is from the cell on which the piece is put to the
/// piece that is handed over, either of them 16 for none.
#[derive(Clone, Debug)]
pub struct Quarto {
    /// The cells of every four that win.
    fours: Vec<u64>,
    /// The images of all cells.
    symmetries: Vec<[u8; 16]>,
    /// The orders of the four properties: the bit to which each goes.
    orders: Vec<[u8; 4]>,
}

fn piece(position: &Position, cell: usize) -> u64 {
    position.rest >> (4 * cell) & 15
}

/// Returns the piece handed over, or [`NONE`].
fn hand(position: &Position) -> u64 {
    u64::from(position.men[1].trailing_zeros()).min(NONE)
}

/// Returns the pieces put or handed over, as bits.
fn used(position: &Position) -> u64 {
    indices(position.men[0]).fold(position.men[1], |used, cell| used | 1 << piece(position, cell))
}

/// Returns the cells whose pieces have each property, and those whose pieces lack it.
fn properties(position: &Position) -> [u64; 8] {
    let mut sets = [0; 8];
    for cell in indices(position.men[0]) {
        let piece = piece(position, cell) as usize;
        (0..4).for_each(|bit| sets[2 * bit + (piece >> bit & 1)] |= 1 << cell);
    }
    sets
}

/// Returns the pieces on `cells` with the properties of `flip` exchanged for their opposites.
fn flipped(pieces: u64, flip: u64, cells: u64) -> u64 {
    indices(cells).fold(pieces, |pieces, cell| pieces ^ flip << (4 * cell))
}

impl Quarto {
    /// Returns the game; with `squares`, squares of 2x2 win, too.
    pub fn new(squares: bool) -> Quarto {
        let line = |cells: [usize; 4]| cells.iter().fold(0u64, |set, cell| set | 1 << cell);
        let mut fours: Vec<u64> = (0..4).map(|row| line([0, 1, 2, 3].map(|i| 4 * row + i))).collect();
        fours.extend((0..4).map(|column| line([0, 1, 2, 3].map(|i| 4 * i + column))));
        fours.extend([line([0, 5, 10, 15]), line([3, 6, 9, 12])]);
        if squares {
            let corners = (0..11).filter(|cell| cell % 4 < 3);
            fours.extend(corners.map(|cell| line([cell, cell + 1, cell + 4, cell + 5])));
        }
        let mut symmetries = Vec::new();
        for image in &GRID.symmetries() {
            for order in &LINE_ORDERS[..if squares { 1 } else { 4 }] {
                let moved = |cell: usize| (4 * order[cell / 4] + order[cell % 4]) as u8;
                let mut cells = [0; 16];
                image.iter().enumerate().for_each(|(cell, &to)| cells[cell] = moved(to));
                symmetries.push(cells);
            }
        }
        let mut orders = Vec::new();
        for (a, b, c) in (0..4).flat_map(|a| (0..4).flat_map(move |b| (0..4).map(move |c| (a, b, c)))) {
            if a != b && b != c && a != c {
                orders.push([a, b, c, 6 - a - b - c]);
            }
        }
        Quarto { fours, symmetries, orders }
    }

    /// Reports whether four that share a property win.
    fn has_four(&self, position: &Position) -> bool {
        let sets = properties(position);
        self.fours.iter().any(|four| sets.iter().any(|set| set & four == *four))
    }

    /// Reports whether the piece handed over wins on some cell.
    fn wins_now(&self, position: &Position) -> bool {
        let hand = hand(position) as usize;
        if hand as u64 == NONE {
            return false;
        }
        let (sets, taken) = (properties(position), position.men[0]);
        (0..4)
            .map(|bit| sets[2 * bit + (hand >> bit & 1)])
            .any(|set| self.fours.iter().any(|four| (set & four).count_ones() == 3 && taken & four != *four))
    }
}

impl BoardRules for Quarto {
    fn layout(&self) -> Layout {
        Layout { cells: 16, rest: 64, stage: 0 }
    }

    /// Returns the least of the images of board and pieces: that of the least cells, the piece handed over as 0.
    fn canonical(&self, position: &Position) -> Option<Position> {
        let flips = match hand(position) {
            NONE => 0..16,
            hand => hand..hand + 1,
        };
        let moved =
            |cells: &[u8; 16]| indices(position.men[0]).fold(0, |set, cell| set | 1u64 << cells[cell]);
        let least = self.symmetries.iter().map(moved).min()?;
        let reordered = |rest: u64, order: &[u8; 4]| {
            (0..4).fold(0, |image, bit| image | (rest >> bit & LOWEST) << order[bit])
        };
        let pieces = self.symmetries.iter().filter(|&cells| moved(cells) == least).flat_map(|cells| {
            let put = |rest, cell| rest | piece(position, cell) << (4 * cells[cell]);
            let pieces = indices(position.men[0]).fold(0, put);
            flips.clone().map(move |flip| flipped(pieces, flip, least))
        });
        let images = pieces.flat_map(|rest| self.orders.iter().map(move |order| reordered(rest, order)));
        let handed = u64::from(hand(position) != NONE);
        Some(Position { men: [least, handed], rest: images.min()?, turn: position.turn })
    }

    fn start(&self) -> Position {
        Position::EMPTY
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let lost = self.has_four(position).then_some(Value::loss_in(0));
        lost.or((position.men[0] == 0xffff).then_some(Value::DRAW))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let mut hand_over = |cell: usize| {
            let used = used(position);
            if used == 0xffff {
                return visit(Move::of(cell, NONE as usize));
            }
            (0..16).filter(|hand| used >> hand & 1 == 0).try_for_each(|hand| visit(Move::of(cell, hand)))
        };
        if hand(position) == NONE {
            return hand_over(NONE as usize);
        }
        (0..16).filter(|cell| position.men[0] >> cell & 1 == 0).try_for_each(hand_over)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        next.men[1] = if m.to() as u64 == NONE { 0 } else { 1 << m.to() };
        if m.from() as u64 != NONE {
            next.men[0] |= 1 << m.from();
            next.rest |= hand(position) << (4 * m.from());
        }
        next
    }

    fn write_position(&self, position: &Position) -> String {
        let digit = |piece: u64| char::from_digit(piece as u32, 16).unwrap_or('-');
        let board = GRID.write(|cell| match position.men[0] >> cell & 1 {
            0 => '.',
            _ => digit(piece(position, cell)),
        });
        format!("{board} {} {}", digit(hand(position)), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = "the board's rows from the top and the piece handed over, as ..../.3../..../.... 7,";
        let ([board, hand], turn) = words::fields(text, expected)?;
        let digit = |letter: char| letter.to_digit(16).filter(|_| !letter.is_ascii_uppercase());
        let mut position = Position { turn, ..Position::EMPTY };
        let mut twice = false;
        GRID.read(board, "0 to 9, a to f and .", |cell, letter| {
            let Some(piece) = digit(letter) else { return letter == '.' };
            twice |= used(&position) >> piece & 1 == 1;
            position.men[0] |= 1 << cell;
            position.rest |= u64::from(piece) << (4 * cell);
            true
        })?;
        let mut letters = hand.chars();
        let piece = match (letters.next(), letters.next()) {
            (Some('-'), None) => None,
            (Some(letter), None) => Some(digit(letter).ok_or_else(|| format!("expected {expected}"))?),
            _ => return Err(format!("expected {expected}")),
        };
        twice |= piece.is_some_and(|piece| used(&position) >> piece & 1 == 1);
        if twice {
            return Err("a piece is put or handed over twice".to_owned());
        }
        position.men[1] = piece.map_or(0, |piece| 1 << piece);
        let count = position.men[0].count_ones();
        if piece.is_none() && count > 0 && count < 16 {
            return Err("no piece is handed over: expected one of 0 to f".to_owned());
        }
        let handed = count.is_multiple_of(2) && (piece.is_some() || count > 0);
        match if handed { Player::Two } else { Player::One } {
            right if right == turn => Ok(position),
            right => Err(format!("{count} pieces are put: expected player {} to move", right.digit())),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let cell = if m.from() as u64 == NONE { String::new() } else { GRID.square(m.from()) };
        match char::from_digit(m.to() as u32, 16) {
            Some(piece) => format!("{cell}:{piece}"),
            None => cell,
        }
    }

    /// Returns the class of positions of few pieces; of others the pieces with the one handed over as 0.
    fn key(&self, position: &Position) -> Option<u64> {
        if position.men[0].count_ones() <= FEW {
            return Some(hash_of(self.canonical(position)));
        }
        let rest = flipped(position.rest, hand(position) % NONE, position.men[0]);
        let handed = u64::from(hand(position) != NONE);
        Some(hash_of(Position { men: [position.men[0], handed], rest, turn: position.turn }))
    }

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    fn hint(&self, _position: &Position, _m: Move, _child: &Position) -> i32 {
        0
    }

    fn bounds(&self, position: &Position) -> (Value, Value) {
        match self.wins_now(position) {
            true => (Value::win_in(1), Value::win_in(1)),
            false => (Value::loss_in(2), Value::win_in(3)),
        }
    }
}
