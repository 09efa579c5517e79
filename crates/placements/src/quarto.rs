//! Quarto: sixteen pieces of four properties each on 4x4; the other player says which piece is put.
//!
//! * The pieces are `0` to `f`, a bit for each property. The first move hands a piece to the other player; every later one
//!   puts the piece handed over on a free cell and hands over another.
//! * Who puts the fourth piece of a row, column or diagonal that share a property wins; with `squares` four that make a
//!   square of 2x2 do, too. A full board without such four is a draw.
//! * Position `..../.3../..../.... 7 1`: rows from the top, the piece handed over (`-` for none), the turn. Move `b2:9` puts
//!   and hands over 9, `:9` is the first move, and `b2` the last.
//!
//! Solved by search, both rules are a draw. The pieces are alike up to exchanging properties and their two sides, and the
//! board has 32 symmetries, with `squares` 8: positions are searched up to these. From six pieces on the game is played
//! out by code of its own. Cell 0 is at the top left.
//!
//! Source: B. Muller's game, 1991. L. Goossens, 1998 and doi 10.5281/zenodo.20425801, 2026: a draw.

mod endings;

use std::array;

use grundy_core::bits::indices;
use grundy_core::game::{Flow, Player};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::Visits;
use grundy_search::board::{BoardRules, Layout, Move, Position, finished};

use endings::{Endings, PROPERTIES, State};

/// The board.
const GRID: Grid = Grid { columns: 4, rows: 4 };
/// No piece, and no cell.
const NONE: u64 = 16;
/// From this many pieces on a position is solved without a transposition table.
const ENDING: u32 = 6;
/// The orders in which the rows and columns of the board may stand without changing its lines.
const LINE_ORDERS: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [0, 2, 1, 3], [2, 0, 3, 1]];

/// The rules. The sets of men in a position are the occupied cells and the piece handed over, the rest is the cells whose
/// piece has each property, sixteen bits a property. A move is from the cell on which the piece is put to the piece that is
/// handed over, either of them 16 for none.
#[derive(Clone, Debug)]
pub struct Quarto {
    /// The images of all cells.
    symmetries: Vec<CellMap>,
    /// The lines that win.
    endings: Endings,
    /// The cells of each of them.
    fours: Vec<u16>,
}

/// Returns the cells whose piece has each property.
fn planes(position: &Position) -> [u16; 4] {
    [0, 16, 32, 48].map(|shift| (position.rest >> shift) as u16)
}

/// Returns the properties that the pieces on occupied cells share, as [`PROPERTIES`].
fn shared(planes: [u16; 4], cells: u16) -> u8 {
    let both = |plane: u16| u8::from(plane & cells == 0) | u8::from(plane & cells == cells) << 1;
    (0..4).fold(0, |set, bit| set | both(planes[bit]) << (2 * bit))
}

/// Returns the rest of a position with these cells for each property.
fn rest_of(planes: [u16; 4]) -> u64 {
    planes.iter().rev().fold(0, |rest, &plane| rest << 16 | u64::from(plane))
}

/// Returns the piece on an occupied cell.
fn piece(position: &Position, cell: usize) -> u64 {
    (0..4).fold(0, |piece, bit| piece | (position.rest >> (16 * bit + cell) & 1) << bit)
}

/// Returns the piece handed over, or [`NONE`].
fn hand(position: &Position) -> u64 {
    u64::from(position.men[1].trailing_zeros()).min(NONE)
}

/// Returns the pieces put or handed over, as bits.
fn used(position: &Position) -> u64 {
    indices(position.men[0]).fold(position.men[1], |used, cell| used | 1 << piece(position, cell))
}

impl Quarto {
    /// Returns the game; with `squares`, squares of 2x2 win, too.
    pub fn new(squares: bool) -> Quarto {
        let line = |cells: [usize; 4]| cells.iter().fold(0, |set, cell| set | 1 << cell);
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
                let moved = |&cell: &usize| 4 * order[cell / 4] + order[cell % 4];
                symmetries.push(CellMap::new(&image.iter().map(moved).collect::<Vec<_>>()));
            }
        }
        Quarto { symmetries, endings: Endings::new(&fours), fours }
    }

    /// Reports whether four that share a property win.
    fn has_four(&self, position: &Position) -> bool {
        let (taken, planes) = (position.men[0] as u16, planes(position));
        self.fours.iter().any(|&four| taken & four == four && shared(planes, four) != 0)
    }

    /// Returns the properties with which a piece wins on some cell.
    fn winning(&self, position: &Position) -> u8 {
        let (taken, planes) = (position.men[0] as u16, planes(position));
        let threes = self.fours.iter().map(|four| four & taken).filter(|set| set.count_ones() == 3);
        threes.fold(0, |winning, three| winning | shared(planes, three))
    }

    /// Returns the board of a position.
    fn state(&self, position: &Position) -> State {
        let mut state = self.endings.start();
        for cell in indices(position.men[0]) {
            self.endings.put(&mut state, piece(position, cell) as usize, cell);
        }
        state
    }
}

impl BoardRules for Quarto {
    fn layout(&self) -> Layout {
        Layout { cells: 16, rest: 64, stage: 0 }
    }

    /// Returns the least of the images of board and pieces: that of the least cells, with the piece handed over, or else the
    /// one on the first cell, as piece 0, and its properties in order.
    fn canonical(&self, position: &Position) -> Option<Position> {
        let moved = |cells: &CellMap| cells.apply(position.men[0]);
        let least = self.symmetries.iter().map(moved).min()?;
        let handed = u64::from(hand(position) != NONE);
        let image = |cells: &CellMap| {
            let first = least.trailing_zeros();
            let planes = planes(position);
            let mut planes: [u16; 4] = array::from_fn(|bit| {
                let image = cells.apply(u64::from(planes[bit]));
                let flip = if handed == 1 { hand(position) >> bit & 1 } else { image >> (first & 15) & 1 };
                (if flip == 1 { least ^ image } else { image }) as u16
            });
            planes.sort_unstable();
            rest_of(planes)
        };
        let images = self.symmetries.iter().filter(|&cells| moved(cells) == least).map(image);
        Some(Position { men: [least, handed], rest: images.min()?, turn: position.turn })
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
            let properties = (0..4).map(|bit| (hand(position) >> bit & 1) << (16 * bit + m.from()));
            next.rest |= properties.fold(0, |set, property| set | property);
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
        let expected = "the board's rows from the top and the piece handed over, as ..../.3../..../.... 7";
        let ([board, hand], turn) = words::fields(text, &format!("{expected},"))?;
        let digit = |letter: char| letter.to_digit(16).filter(|_| !letter.is_ascii_uppercase());
        let mut position = Position { turn, ..Position::EMPTY };
        let mut twice = false;
        GRID.read(board, "0 to 9, a to f and .", |cell, letter| {
            let Some(piece) = digit(letter) else { return letter == '.' };
            twice |= used(&position) >> piece & 1 == 1;
            position.men[0] |= 1 << cell;
            (0..4).for_each(|bit| position.rest |= u64::from(piece >> bit & 1) << (16 * bit + cell));
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

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    /// Prefers positions from which the opponent has few pieces to hand over without losing at once.
    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        let safe = self.endings.without(self.winning(child)) & !used(child) as u16;
        -(safe.count_ones() as i32)
    }

    fn bounds(&self, position: &Position) -> (Value, Value) {
        let hand = hand(position);
        match hand < NONE && PROPERTIES[hand as usize] & self.winning(position) != 0 {
            true => (Value::win_in(1), Value::win_in(1)),
            false => (Value::loss_in(2), Value::win_in(3)),
        }
    }

    fn finishes(&self, position: &Position) -> bool {
        position.men[0].count_ones() >= ENDING
    }

    fn finish(&self, position: &Position, target: Value, visits: &mut Visits<'_>) -> Option<Value> {
        let hand = hand(position);
        if hand == NONE || !self.finishes(position) {
            return None;
        }
        let hand = hand as usize;
        if PROPERTIES[hand] & self.winning(position) != 0 {
            return Some(Value::win_in(1));
        }
        let state = self.state(position);
        let left = 16 - position.men[0].count_ones();
        let wins = |own, plies| self.endings.wins_within(&state, hand, own, plies, &mut visits.nodes);
        Some(finished(target, left, true, wins))
    }
}
