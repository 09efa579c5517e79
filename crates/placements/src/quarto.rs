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

use grundy_core::game::{Flow, Game, Notation, Player, Scored, hash_of};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// The board.
const GRID: Grid = Grid { columns: 4, rows: 4 };
/// No piece.
const NONE: u8 = 16;
/// Up to this many pieces the search compares all images.
const FEW: u32 = 6;
/// The orders in which the rows and columns of the board may stand without changing its lines.
const LINE_ORDERS: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [0, 2, 1, 3], [2, 0, 3, 1]];

/// The rules.
#[derive(Clone, Debug)]
pub struct Quarto {
    /// The cells of every four that win.
    fours: Vec<u16>,
    /// The images of all cells.
    symmetries: Vec<[u8; 16]>,
    /// For each order of the four properties the pieces in it.
    orders: Vec<[u8; 16]>,
}

/// The pieces put, the piece handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Occupied cells.
    taken: u16,
    /// The piece on each cell, four bits each, 0 on free cells; the first cell lowest.
    pieces: u64,
    /// The piece handed over, or [`NONE`].
    hand: u8,
}

/// The cell on which the piece is put and the piece that is handed over, or 16 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    cell: u8,
    hand: u8,
}

impl Position {
    fn piece(&self, cell: usize) -> u8 {
        (self.pieces >> (4 * cell) & 15) as u8
    }

    fn cells(&self) -> impl Iterator<Item = usize> {
        let taken = self.taken;
        (0..16).filter(move |cell| taken >> cell & 1 == 1)
    }

    /// Returns the pieces put or handed over, as bits.
    fn used(&self) -> u32 {
        let put = self.cells().fold(0, |used, cell| used | 1 << self.piece(cell));
        if self.hand == NONE { put } else { put | 1 << self.hand }
    }

    /// Returns the cells whose pieces have each property, and those whose pieces lack it.
    fn properties(&self) -> [u16; 8] {
        let mut sets = [0u16; 8];
        for cell in self.cells() {
            let piece = self.piece(cell);
            (0..4).for_each(|bit| sets[2 * bit + usize::from(piece >> bit & 1)] |= 1 << cell);
        }
        sets
    }
}

impl Quarto {
    /// Returns the game; with `squares`, squares of 2x2 win, too.
    pub fn new(squares: bool) -> Quarto {
        let line = |cells: [usize; 4]| cells.iter().fold(0u16, |set, cell| set | 1 << cell);
        let mut fours: Vec<u16> = (0..4).map(|row| line([0, 1, 2, 3].map(|i| 4 * row + i))).collect();
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
                let bits = [a, b, c, 6 - a - b - c];
                let piece = |piece: u8| (0..4).fold(0, |image, bit| image | (piece >> bit & 1) << bits[bit]);
                let mut pieces = [0; 16];
                (0..).zip(&mut pieces).for_each(|(old, new)| *new = piece(old));
                orders.push(pieces);
            }
        }
        Quarto { fours, symmetries, orders }
    }

    /// Reports whether four that share a property win.
    fn has_four(&self, position: &Position) -> bool {
        let sets = position.properties();
        self.fours.iter().any(|four| sets.iter().any(|set| set & four == *four))
    }

    /// Reports whether the piece handed over wins on some cell.
    fn wins_now(&self, position: &Position) -> bool {
        if position.hand == NONE {
            return false;
        }
        let sets = position.properties();
        let own = |bit: usize| sets[2 * bit + usize::from(position.hand >> bit & 1)];
        (0..4).map(own).any(|set| {
            self.fours.iter().any(|four| (set & four).count_ones() == 3 && position.taken & four != *four)
        })
    }

    /// Returns the image of a position on the board, with the pieces changed by `piece`.
    fn image(position: &Position, cells: &[u8; 16], piece: impl Fn(u8) -> u8) -> Position {
        let hand = if position.hand == NONE { NONE } else { piece(position.hand) };
        let mut image = Position { taken: 0, pieces: 0, hand };
        for cell in position.cells() {
            let to = cells[cell];
            image.taken |= 1 << to;
            image.pieces |= u64::from(piece(position.piece(cell))) << (4 * to);
        }
        image
    }
}

impl Game for Quarto {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { taken: 0, pieces: 0, hand: NONE }
    }

    fn turn(&self, position: &Position) -> Player {
        let handed =
            position.taken.count_ones().is_multiple_of(2) && (position.hand < NONE || position.taken != 0);
        if handed { Player::Two } else { Player::One }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let lost = self.has_four(position).then_some(Value::loss_in(0));
        lost.or((position.taken == u16::MAX).then_some(Value::DRAW))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let mut hand_over = |cell: u8| {
            let used = position.used();
            if used == 0xffff {
                return visit(Move { cell, hand: NONE });
            }
            (0..NONE).filter(|hand| used >> hand & 1 == 0).try_for_each(|hand| visit(Move { cell, hand }))
        };
        if position.hand == NONE {
            return hand_over(NONE);
        }
        (0..16).filter(|cell| position.taken >> cell & 1 == 0).try_for_each(hand_over)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { hand: m.hand, ..*position };
        if m.cell < 16 {
            next.taken |= 1 << m.cell;
            next.pieces |= u64::from(position.hand) << (4 * m.cell);
        }
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        let flips: Vec<u8> = match position.hand {
            NONE => (0..16).collect(),
            hand => vec![hand],
        };
        let mut least: Option<Position> = None;
        for cells in &self.symmetries {
            for order in &self.orders {
                for flip in &flips {
                    let image = Quarto::image(position, cells, |piece| order[usize::from(piece ^ flip)]);
                    least = Some(least.map_or(image, |least| least.min(image)));
                }
            }
        }
        least.unwrap_or(*position)
    }
}

impl Scored for Quarto {}

impl Notation for Quarto {
    fn write_position(&self, position: &Position) -> String {
        let digit = |piece: u8| char::from_digit(u32::from(piece), 16).unwrap_or('-');
        let board = GRID.write(|cell| match position.taken >> cell & 1 {
            0 => '.',
            _ => digit(position.piece(cell)),
        });
        format!("{board} {} {}", digit(position.hand), self.turn(position).digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = "the board's rows from the top and the piece handed over, as ..../.3../..../.... 7,";
        let ([board, hand], turn) = words::fields(text, expected)?;
        let digit = |letter: char| letter.to_digit(16).filter(|_| !letter.is_ascii_uppercase());
        let mut position = self.start();
        let mut twice = false;
        GRID.read(board, "0 to 9, a to f and .", |cell, letter| {
            let Some(piece) = digit(letter) else { return letter == '.' };
            twice |= position.used() >> piece & 1 == 1;
            position.taken |= 1 << cell;
            position.pieces |= u64::from(piece) << (4 * cell);
            true
        })?;
        let mut letters = hand.chars();
        let piece = match (letters.next(), letters.next()) {
            (Some('-'), None) => None,
            (Some(letter), None) => Some(digit(letter).ok_or_else(|| format!("expected {expected}"))?),
            _ => return Err(format!("expected {expected}")),
        };
        twice |= piece.is_some_and(|piece| position.used() >> piece & 1 == 1);
        if twice {
            return Err("a piece is put or handed over twice".to_owned());
        }
        position.hand = piece.map_or(NONE, |piece| piece as u8);
        let count = position.taken.count_ones();
        if position.hand == NONE && count > 0 && count < 16 {
            return Err("no piece is handed over: expected one of 0 to f".to_owned());
        }
        match self.turn(&position) {
            right if right == turn => Ok(position),
            right => Err(format!("{count} pieces are put: expected player {} to move", right.digit())),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let cell = if m.cell < 16 { GRID.square(usize::from(m.cell)) } else { String::new() };
        match char::from_digit(u32::from(m.hand), 16) {
            Some(piece) => format!("{cell}:{piece}"),
            None => cell,
        }
    }
}

impl Heuristic for Quarto {
    /// Returns the class of positions of few pieces; of others the pieces with the one handed over as 0.
    fn key(&self, position: &Position) -> u64 {
        if position.taken.count_ones() <= FEW {
            return hash_of(self.canonical(position));
        }
        let flip = if position.hand == NONE { 0 } else { position.hand };
        let same: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        hash_of(Quarto::image(position, &same, |piece| piece ^ flip))
    }
}

impl Bounds for Quarto {
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        match self.wins_now(position) {
            true => (Value::win_in(1), Value::win_in(1)),
            false => (Value::loss_in(2), Value::win_in(3)),
        }
    }
}
