//! Chomp: bites from a bar of chocolate whose corner is poisoned.
//!
//! * A bite takes a cell with everything that is not below and not left of it. The player who takes the poisoned cell
//!   `a1`, bottom left, loses.
//! * Position `4,4,2 1`: the lengths of the rows from the bottom, empty ones left out, `0` for no chocolate; a move is
//!   the cell bitten, `c2`.
//!
//! Solved by a table of all shapes. Adding 0, 1, .. to the row lengths from the top makes them distinct, so a shape is
//! indexed as a subset. Every bite leads to a lower index. The witness searches all reachable positions. (D. Gale, "A
//! curious Nim-type game", American Mathematical Monthly 81, 1974: every bar but a single cell is won, nobody knows by
//! which bite.)

use grundy_core::game::{Flow, MORE};
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// Maximum number of columns, each named by a letter.
pub const COLUMNS: usize = 26;
/// Maximum number of rows.
pub const ROWS: usize = 99;
/// Maximum number of shapes of a bar.
pub const SHAPES: u64 = 50_000_000;

/// The rules of Chomp.
#[derive(Clone, Debug)]
pub struct Chomp {
    rows: usize,
    columns: usize,
    /// `C(n, k)` at `n`, `k`.
    binomials: Vec<Vec<u64>>,
}

impl Chomp {
    /// Returns Chomp on a bar of `rows` by `columns` cells.
    ///
    /// # Errors
    /// The bar is empty or too large.
    pub fn new(rows: usize, columns: usize) -> Result<Chomp, String> {
        let refusal = || {
            format!(
                "chomp has 1 to {ROWS} rows and 1 to {COLUMNS} columns with at most {SHAPES} shapes, like 12x12: \
                 chomp:3x4"
            )
        };
        if !(1..=ROWS).contains(&rows) || !(1..=COLUMNS).contains(&columns) {
            return Err(refusal());
        }
        let mut binomials = vec![vec![0u64; rows + 2]; rows + columns + 1];
        for n in 0..binomials.len() {
            binomials[n][0] = 1;
            for k in 1..=rows.min(n) {
                binomials[n][k] = binomials[n - 1][k - 1].saturating_add(binomials[n - 1][k]);
            }
        }
        match binomials[rows + columns][rows] {
            shapes if shapes <= SHAPES => Ok(Chomp { rows, columns, binomials }),
            _ => Err(refusal()),
        }
    }
}

impl Chomp {
    /// Returns what a row of a length adds to the index of a shape.
    fn term(&self, row: usize, length: usize) -> u64 {
        self.binomials[length + self.rows - 1 - row][self.rows - row]
    }

    /// Returns the index of a shape. Its rows are the lengths from the bottom, never rising, empty ones left out.
    fn shape(&self, rows: &[u8]) -> u64 {
        (0..self.rows).map(|row| self.term(row, rows.get(row).map_or(0, |&length| length.into()))).sum()
    }

    /// Returns the rows of the shape of a position.
    fn rows(&self, position: &Position) -> Vec<u8> {
        let (mut rest, mut length) = (position.heaps[0], self.columns);
        let mut rows = Vec::with_capacity(self.rows);
        for row in 0..self.rows {
            while self.term(row, length) > rest {
                length -= 1;
            }
            if length == 0 {
                break;
            }
            rest -= self.term(row, length);
            rows.push(length as u8);
        }
        rows
    }
}

/// A position is the index of its shape; a move is the row and the column of the cell bitten, counted from 0.
impl HeapRules for Chomp {
    fn start(&self) -> Vec<u64> {
        vec![self.size() - 1]
    }

    /// The player who takes the last cell, the poison, loses.
    fn misere(&self) -> bool {
        true
    }

    fn is_over(&self, position: &Position) -> bool {
        position.heaps[0] == 0
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for (row, length) in (0..).zip(self.rows(position)) {
            (0..length.into()).try_for_each(|column| visit(Move::new(row, column)))?;
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        // The terms of the rows below the bite, and of those it shortens; above these nothing changes.
        let (mut changed, mut rest, mut length) = (0, position.heaps[0], self.columns);
        for row in 0..self.rows {
            while self.term(row, length) > rest {
                length -= 1;
            }
            if row >= m.at() && length <= m.by() as usize {
                break;
            }
            rest -= self.term(row, length);
            changed += self.term(row, if row < m.at() { length } else { m.by() as usize });
        }
        position.heaps[0] = changed + rest;
    }

    /// Returns the larger of a shape and its mirror image at the diagonal, which is a symmetry of square boards.
    fn make_canonical(&self, position: &mut Position) {
        if self.rows == self.columns {
            let rows = self.rows(position);
            let widest = rows.first().copied().unwrap_or(0);
            let column = |column| rows.iter().filter(|&&length| length > column).count() as u8;
            let mirrored: Vec<u8> = (0..widest).map(column).collect();
            position.heaps[0] = self.shape(&mirrored.max(rows));
        }
    }

    fn write_position(&self, position: &Position) -> String {
        let rows: Vec<u64> = self.rows(position).into_iter().map(u64::from).collect();
        format!("{} {}", self.write(&rows), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "the lengths of the rows from the bottom, like 4,4,2", |rows| {
            let lengths = words::list(rows, "rows", self.columns as u64, self.rows)?;
            if !lengths.is_sorted_by(|a, b| a >= b) {
                return Err(format!("no row is longer than the one below it: {:?}", words::short(rows)));
            }
            let rows: Vec<u8> = lengths.into_iter().map(|length| length as u8).collect();
            Ok(vec![self.shape(&rows)])
        })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}{}", (b'a' + m.by() as u8) as char, m.at() + 1)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let mut letters = word.chars();
        let column = letters.next().filter(char::is_ascii_lowercase)? as u8 - b'a';
        let row = words::number(letters.as_str(), ROWS as u64)?.checked_sub(1)?;
        let &length = self.rows(position).get(row as usize)?;
        (column < length).then(|| Move::new(row as u32, column.into()))
    }

    fn draw(&self, position: &Position) -> String {
        let rows = self.rows(position);
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let length = rows.get(row).map_or(0, |&length| length as usize);
            let cells = "o".repeat(length) + &".".repeat(self.columns - length);
            let cells = if row == 0 && length > 0 { cells.replacen('o', "#", 1) } else { cells };
            text += &format!("{:>2} {cells}\n", row + 1);
        }
        let letters: String = ('a'..='z').take(self.columns).collect();
        text + "   " + &letters + "\n"
    }

    fn size(&self) -> u64 {
        self.binomials[self.rows + self.columns][self.rows]
    }

    fn index(&self, position: &Position) -> u64 {
        position.heaps[0]
    }

    fn position(&self, index: u64) -> Option<Position> {
        (index < self.size()).then(|| Position::new(vec![index]))
    }

    /// In sums the game is played without its poison: a player who can only take that cell cannot move.
    fn excluded(&self, position: &Position) -> Option<String> {
        self.is_over(position).then(|| "the poison is taken".to_owned())
    }

    fn playable(&self, m: Move) -> bool {
        m != Move::new(0, 0)
    }
}
