//! Pentominoes: the twelve pieces of five cells on a board of up to 64 cells.
//!
//! * Each of F I L N P T U V W X Y Z is there once. Put one that is left on five free cells, turned and mirrored as you
//!   like. Who cannot put a piece loses.
//! * Position rows from the top, the letter of its piece on each covered cell: `FF.../.FF../.F... 2`. Move `F:a1b1..`, the
//!   letter and the five cells, sorted by letter and then by number.
//!
//! Solved by search, the last plies by code of their own (`pentominoes/endings.rs`). Cells that no piece left can cover count
//! as covered, and pieces that fit nowhere as used. A piece is known by the number of its placement, so that two pieces side by
//! side are told apart.
//!
//! Source: S. W. Golomb, "Polyominoes", 1965; H. K. Orman, "Pentominoes: a first player win", Games of No Chance, 1996.

mod endings;

use grundy_core::bits::indices;
use grundy_core::game::{Flow, MORE, Player};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::random::mix_pair;
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::Visits;
use grundy_search::board::{BoardRules, Layout, Move, Position, finished};

/// The pieces' letters.
const LETTERS: &[u8; 12] = b"FILNPTUVWXYZ";
/// Each piece as rows of bits, lowest first.
const PIECES: [&[u8]; 12] = [
    &[0b110, 0b011, 0b010],
    &[0b11111],
    &[0b1111, 0b1000],
    &[0b1110, 0b0011],
    &[0b11, 0b11, 0b10],
    &[0b111, 0b010, 0b010],
    &[0b101, 0b111],
    &[0b111, 0b100, 0b100],
    &[0b100, 0b110, 0b011],
    &[0b010, 0b111, 0b010],
    &[0b1111, 0b0010],
    &[0b110, 0b010, 0b011],
];

/// The rules on a board. A position has 12 bits for each piece, five pieces in the place of each player's men and two in the
/// rest: the number of its placement, counted from 1, or 0 for a piece that is left. A move is the number of a placement.
#[derive(Clone, Debug)]
pub struct Pentominoes {
    grid: Grid,
    board: u64,
    /// The cells of every placement, those of a piece side by side.
    placements: Vec<u64>,
    /// The piece of every placement.
    pieces: Vec<u8>,
    /// The index of the first placement of every piece; then their number.
    firsts: [usize; 13],
    symmetries: Vec<CellMap>,
}

/// Returns the placement of a piece, counted from 1.
fn put(position: &Position, piece: usize) -> usize {
    let word = [position.men[0], position.men[1], position.rest][piece / 5];
    (word >> (piece % 5 * 12) & 0xfff) as usize
}

/// Puts a piece that is left on a placement, counted from 1.
fn set(position: &mut Position, piece: usize, put: usize) {
    let [one, two] = &mut position.men;
    *[one, two, &mut position.rest][piece / 5] |= (put as u64) << (piece % 5 * 12);
}

impl Pentominoes {
    /// Returns the game on a board of `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// The board has no cell, more than 64, or a side longer than 26.
    pub fn new(rows: usize, columns: usize) -> Result<Pentominoes, String> {
        let grid = Grid::of(rows, columns, 1..=64)?;
        let mut all: Vec<(u8, u64)> = Vec::new();
        for (piece, rows) in (0..).zip(PIECES) {
            let cells =
                (0..).zip(rows).flat_map(|(row, bits)| (0..5).map(move |c| (c, row, bits >> c & 1 == 1)));
            let cells: Vec<(isize, isize)> =
                cells.filter(|&(_, _, set)| set).map(|(c, r, _)| (c, r)).collect();
            for image in 0..8 {
                let turned = cells.iter().map(|&(c, r)| {
                    let (c, r) = if image & 1 == 0 { (c, r) } else { (r, c) };
                    (if image & 2 == 0 { c } else { -c }, if image & 4 == 0 { r } else { -r })
                });
                let turned: Vec<(isize, isize)> = turned.collect();
                for cell in 0..grid.cells() {
                    let (column, row) = grid.coordinates(cell);
                    let place = |&(c, r): &(isize, isize)| {
                        let column = column.checked_add_signed(c).filter(|&c| c < grid.columns)?;
                        let row = row.checked_add_signed(r).filter(|&r| r < grid.rows)?;
                        Some(grid.cell(column, row))
                    };
                    let placed: Option<Vec<usize>> = turned.iter().map(place).collect();
                    all.extend(placed.map(|cells| (piece, cells.iter().fold(0, |set, c| set | 1 << c))));
                }
            }
        }
        sorting::sort(&mut all);
        all.dedup();
        Ok(Pentominoes {
            grid,
            board: grid.all(),
            placements: all.iter().map(|&(_, cells)| cells).collect(),
            pieces: all.iter().map(|&(piece, _)| piece).collect(),
            firsts: std::array::from_fn(|piece| {
                all.partition_point(|&(other, _)| usize::from(other) < piece)
            }),
            symmetries: grid.symmetries().iter().map(|image| CellMap::new(image)).collect(),
        })
    }

    fn covered(&self, position: &Position) -> u64 {
        let cells = |piece| match put(position, piece) {
            0 => 0,
            put => self.placements[put - 1],
        };
        (0..12).map(cells).fold(0, |set, cells| set | cells)
    }

    /// Returns the placements of each piece left, with the index of the first.
    fn left(&self, position: &Position) -> impl Iterator<Item = (usize, usize, &[u64])> {
        let left = (0..12).filter(|&piece| put(position, piece) == 0);
        left.map(|piece| {
            let (first, end) = (self.firsts[piece], self.firsts[piece + 1]);
            (piece, first, &self.placements[first..end])
        })
    }

    /// Returns the cells that pieces left can cover, and these pieces as bits.
    fn live(&self, position: &Position) -> (u64, u16) {
        let covered = self.covered(position);
        let (mut all, mut pieces) = (0, 0);
        for (piece, _, placements) in self.left(position) {
            // Without a branch: the compiler makes vectors of it.
            let kept = |&cells: &u64| if cells & covered == 0 { cells } else { 0 };
            let cells = placements.iter().map(kept).fold(0, |set, cells| set | cells);
            all |= cells;
            pieces |= u16::from(cells != 0) << piece;
        }
        (all, pieces)
    }

    /// Returns the number of placements left.
    fn count(&self, position: &Position) -> usize {
        let covered = self.covered(position);
        let free = |cells: &u64| u32::from(cells & covered == 0);
        self.left(position).map(|(_, _, all)| all.iter().map(free).sum::<u32>() as usize).sum()
    }

    /// Returns an upper bound of the pieces that can still be put: those left, or a fifth of the free cells.
    fn most(&self, position: &Position) -> u32 {
        let free = (self.board & !self.covered(position)).count_ones() / 5;
        let left = (0..12).filter(|&piece| put(position, piece) == 0).count() as u32;
        left.min(free)
    }
}

impl BoardRules for Pentominoes {
    fn layout(&self) -> Layout {
        Layout { cells: 60, rest: 24, stage: 0 }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let covered = self.covered(position);
        for (_, first, placements) in self.left(position) {
            for (m, &cells) in (first as u64..).zip(placements) {
                if cells & covered == 0 {
                    visit(Move(m))?;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        set(&mut next, usize::from(self.pieces[m.0 as usize]), m.0 as usize + 1);
        next
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }

    fn canonical(&self, position: &Position) -> Option<Position> {
        let image = |map: &CellMap| {
            let mut image = Position { turn: position.turn, ..Position::EMPTY };
            for piece in (0..12).filter(|&piece| put(position, piece) > 0) {
                let cells = map.apply(self.placements[put(position, piece) - 1]);
                let (first, end) = (self.firsts[piece], self.firsts[piece + 1]);
                let at = self.placements[first..end].partition_point(|&other| other < cells);
                set(&mut image, piece, first + at + 1);
            }
            image
        };
        self.symmetries.iter().map(image).min()
    }

    fn write_position(&self, position: &Position) -> String {
        let letter = |cell: usize| {
            let covers = |&piece: &usize| {
                let put = put(position, piece);
                put > 0 && self.placements[put - 1] >> cell & 1 == 1
            };
            (0..12).find(covers).map_or('.', |piece| char::from(LETTERS[piece]))
        };
        format!("{} {}", self.grid.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as FF.../.FF../.F...,")?;
        let mut cells = [0u64; 12];
        self.grid.read(board, "F I L N P T U V W X Y Z and .", |cell, letter| {
            match LETTERS.iter().position(|&known| char::from(known) == letter) {
                Some(piece) => cells[piece] |= 1 << cell,
                None => return letter == '.',
            }
            true
        })?;
        let mut position = Position { turn, ..Position::EMPTY };
        for (piece, &cells) in (0..).zip(&cells).filter(|(_, cells)| **cells != 0) {
            let put = self
                .placements
                .iter()
                .zip(&self.pieces)
                .position(|placed| placed == (&cells, &(piece as u8)));
            let letter = char::from(LETTERS[piece]);
            let put = put.ok_or_else(|| format!("the cells of {letter} are not one piece {letter}"))?;
            set(&mut position, piece, put + 1);
        }
        Ok(position)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let mut squares: Vec<String> =
            indices(self.placements[m.0 as usize]).map(|cell| self.grid.square(cell)).collect();
        sorting::sort_by(&mut squares, |one, other| {
            let key = |square: &String| (square.as_bytes()[0], square.len());
            key(one).cmp(&key(other)).then_with(|| one.cmp(other))
        });
        let letter = char::from(LETTERS[usize::from(self.pieces[m.0 as usize])]);
        format!("{letter}:{}", squares.concat())
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (letter, squares) = word.split_once(':')?;
        let piece = LETTERS.iter().position(|&known| letter.as_bytes() == [known])?;
        let (mut cells, mut rest) = (0, squares);
        while !rest.is_empty() {
            let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
            let (square, others) = rest.split_at_checked(1 + digits)?;
            cells |= 1 << self.grid.read_square(square)?;
            rest = others;
        }
        let placed = |(&set, &other): (&u64, &u8)| (set, usize::from(other)) == (cells, piece);
        let m = Move(self.placements.iter().zip(&self.pieces).position(placed)? as u64);
        let legal = put(position, piece) == 0 && cells & self.covered(position) == 0;
        // The cells are written in one order.
        (legal && self.write_move(position, m) == word).then_some(m)
    }

    fn draw(&self, position: &Position) -> String {
        self.grid.draw(&self.write_position(position))
    }

    fn key(&self, position: &Position) -> Option<u64> {
        let (cells, pieces) = self.live(position);
        let least = self.symmetries.iter().map(|map| map.apply(cells)).min();
        Some(mix_pair(least.unwrap_or(cells), u64::from(pieces)))
    }

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    /// Prefers moves that leave few.
    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        -(self.count(child) as i32)
    }

    fn brief(&self, position: &Position) -> bool {
        (self.board & !self.covered(position)).count_ones() < 15
    }

    /// Bounds the plies by the pieces left.
    fn bounds(&self, position: &Position) -> (Value, Value) {
        if self.most(position) == 1 {
            (Value::win_in(1), Value::win_in(1))
        } else {
            (Value::loss_in(2), Value::win_in(1))
        }
    }

    fn has_draws(&self) -> bool {
        false
    }

    /// The player who wins has a move that leaves the other few placements.
    fn favours_proofs(&self) -> bool {
        true
    }

    /// Counts the placements left: each must be refuted.
    fn effort(&self, position: &Position) -> [u32; 2] {
        [1, self.count(position).max(1) as u32]
    }

    fn finishes(&self, position: &Position) -> bool {
        self.count(position) <= endings::MOST
    }

    fn finish(&self, position: &Position, target: Value, visits: &mut Visits<'_>) -> Option<Value> {
        let covered = self.covered(position);
        let free = self.left(position).flat_map(|(piece, _, placements)| {
            placements.iter().filter(|&cells| cells & covered == 0).map(move |&cells| (cells, piece as u8))
        });
        // One more tells that they are too many.
        let placed: Vec<(u64, u8)> = free.take(endings::MOST + 1).collect();
        if placed.len() > endings::MOST {
            return None;
        }
        let wins = |own, plies| endings::wins_within(&placed, own, plies, visits);
        Some(finished(target, self.most(position), false, wins))
    }

    /// Visits one of the first moves that are images of each other.
    fn candidates(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        if self.covered(position) != 0 {
            return self.moves(position, visit);
        }
        self.moves(position, &mut |m| {
            let child = self.play(position, m);
            if self.canonical(&child) == Some(child) { visit(m) } else { MORE }
        })
    }
}
