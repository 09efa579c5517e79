//! Amazons: queens that shoot arrows.
//!
//! * Each player has four amazons, `X` player one's. A move takes one of them as a chess queen moves, and shoots an arrow `#`
//!   from where it stands then, again as a queen moves; nothing passes over amazons or arrows, and arrows stay for ever.
//!   Who cannot move loses.
//! * The start: in the first row the cells beside the corners, in the second the outer ones, and the mirror image at the
//!   top; on a board of four columns b1, c1, a2, d2.
//! * Position `.OO./O..O/X..X/.XX. 1`, rows from the top; move `b1-b3-d3`: from, to, arrow.
//!
//! Source: W. Zamkauskas, 1988; small boards as in J. Song and M. Mueller, "An enhanced solver for the game of Amazons",
//! IEEE Transactions on Computational Intelligence and AI in Games 7, 2015.

use grundy_core::game::{Flow, MORE};
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use crate::field::{Field, cells};

/// The rules of Amazons.
#[derive(Clone, Debug)]
pub struct Amazons {
    field: Field,
}

impl Amazons {
    /// Returns the game on a board of `rows` by `columns`.
    ///
    /// # Errors
    /// The board has not 4 or 5 columns and 4 to 8 rows.
    pub fn new(rows: usize, columns: usize) -> Result<Amazons, String> {
        if !(4..=8).contains(&rows) || !(4..=5).contains(&columns) {
            return Err(format!("no board of {rows}x{columns}: expected 4 to 8 rows and 4 or 5 columns"));
        }
        Ok(Amazons { field: Field::new(rows, columns, 40)? })
    }

    /// Visits the cells that a queen reaches from a cell over free ones.
    #[inline]
    fn slides(&self, from: usize, free: u64, visit: &mut impl FnMut(usize) -> Flow) -> Flow {
        for way in 0..8 {
            let mut at = from;
            while let Some(to) = self.field.step(at, way).filter(|&to| free >> to & 1 == 1) {
                visit(to)?;
                at = to;
            }
        }
        MORE
    }

    /// Returns the number of cells that a player's amazons reach in one move, each counted for every amazon.
    fn reach(&self, amazons: u64, free: u64) -> i32 {
        let mut count = 0;
        for from in cells(amazons) {
            let _ = self.slides(from, free, &mut |_| {
                count += 1;
                MORE
            });
        }
        count
    }

    fn free(&self, position: &Position) -> u64 {
        self.field.all & !(position.taken() | position.rest)
    }
}

impl BoardRules for Amazons {
    fn layout(&self) -> Layout {
        let cells = self.field.cells() as u32;
        Layout { cells, rest: cells, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.field.grid.symmetries(), 1, 1)
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some((0..self.field.cells()).collect())
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.rest.count_ones())
    }

    fn start(&self) -> Position {
        let grid = self.field.grid;
        let (right, bottom) = (grid.columns - 1, grid.rows - 1);
        let set = |places: [(usize, usize); 4]| {
            places.iter().fold(0, |set, &(column, row)| set | 1 << grid.cell(column, row))
        };
        let men =
            |first: usize, second: usize| set([(1, first), (right - 1, first), (0, second), (right, second)]);
        Position { men: [men(bottom, bottom - 1), men(0, 1)], ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let free = self.free(position);
        for from in cells(position.own()) {
            self.slides(from, free, &mut |to| {
                let left = free & !(1 << to) | 1 << from;
                self.slides(to, left, &mut |arrow| visit(Move(Move::of(from, to).0 | (arrow as u64) << 12)))
            })?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let own = position.own() & !(1 << m.from()) | 1 << m.to();
        position.after(own, position.other(), position.rest | 1 << m.more())
    }

    fn write_position(&self, position: &Position) -> String {
        let letter =
            |cell: usize| match [position.men[0], position.men[1], position.rest].map(|s| s >> cell & 1) {
                [1, ..] => 'X',
                [_, 1, _] => 'O',
                [.., 1] => '#',
                _ => '.',
            };
        format!("{} {}", self.field.grid.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as .OO./O..O/X..X/.XX.,")?;
        let mut sets = [0u64; 3];
        self.field.grid.read(board, "X, O, # and .", |cell, letter| {
            if let Some(at) = "XO#".find(letter) {
                sets[at] |= 1 << cell;
            }
            "XO#.".contains(letter)
        })?;
        Ok(Position { men: [sets[0], sets[1]], rest: sets[2], turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let [from, to, arrow] =
            [m.from(), m.to(), m.more() as usize].map(|cell| self.field.grid.square(cell));
        format!("{from}-{to}-{arrow}")
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    fn guess(&self, position: &Position) -> i32 {
        let free = self.free(position);
        10 * (self.reach(position.own(), free) - self.reach(position.other(), free))
    }

    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        let free = self.free(child);
        self.reach(child.other(), free) - 2 * self.reach(child.own(), free)
    }
}
