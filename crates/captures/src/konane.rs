//! Konane, of Hawaii: jumps over neighbours of the other colour.
//!
//! * A full checkerboard at the start, `X` (player one) at the top left. Player one takes one of his stones off from the
//!   middle (the 1, 2 or 4 central cells), then player two one of his beside the hole.
//! * From then on a move jumps with one stone over a neighbour of the other into the free cell behind it, on in the same
//!   line as far as one likes; what was jumped over is taken. Who cannot jump loses.
//! * Position `XOXO/OX.X/XOXO/OXOX 2`, rows from the top; moves `b3` (taken off), `b1-b3`. The number of holes tells the
//!   stage, so a position with none is player one's and one with a single hole player two's.
//!
//! Source: M. D. Ernst, "Playing Konane mathematically", UMAP Journal 16, 1995.

use grundy_core::game::{Flow, MORE, Player};
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use crate::field::{Field, STRAIGHT, cells};

/// The rules of Konane.
#[derive(Clone, Debug)]
pub struct Konane {
    field: Field,
    middle: u64,
}

impl Konane {
    /// Returns the game on a board of `rows` by `columns`.
    ///
    /// # Errors
    /// The board has less than two rows or columns, or more than 60 cells, or the only cell in its middle is player two's.
    pub fn new(rows: usize, columns: usize) -> Result<Konane, String> {
        if rows < 2 || columns < 2 {
            return Err(format!("no board of {rows}x{columns}: expected at least 2 rows and 2 columns"));
        }
        let field = Field::new(rows, columns, 60)?;
        let central = |at: usize, count: usize| at == count / 2 || at == (count - 1) / 2;
        let middle = (0..field.cells()).filter(|&cell| {
            let (column, row) = field.grid.coordinates(cell);
            central(column, columns) && central(row, rows)
        });
        let middle = middle.fold(0, |set, cell| set | 1 << cell);
        if field.checkers()[0] & middle == 0 {
            return Err(format!(
                "no board of {rows}x{columns}: player one begins by taking off a stone in the middle, where the only one is \
                 player two's; expected an even side, or sides as 3x3, 3x7, 5x5"
            ));
        }
        Ok(Konane { field, middle })
    }

    /// Returns the cells from which the player to move may take a stone off, while that is his move.
    fn removable(&self, position: &Position) -> Option<u64> {
        let holes = self.field.all & !position.taken();
        match holes.count_ones() {
            0 => Some(position.own() & self.middle),
            1 => Some(position.own() & self.field.near(holes)),
            _ => None,
        }
    }
}

impl BoardRules for Konane {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        // Some images of an even board exchange the colours of the checkerboard: they are no positions.
        let start = self.start();
        let all = images(&self.field.grid.symmetries(), 0, 0);
        all.into_iter().filter(|image| image.of(&start) == start).collect()
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.taken().count_ones())
    }

    fn start(&self) -> Position {
        Position { men: self.field.checkers(), ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        if let Some(off) = self.removable(position) {
            return cells(off).try_for_each(|cell| visit(Move::of(cell, cell)));
        }
        let (other, taken) = (position.other(), position.taken());
        for from in cells(position.own() & self.field.near(other)) {
            for way in STRAIGHT {
                let mut at = from;
                while let Some(over) = self.field.step(at, way).filter(|&over| other >> over & 1 == 1)
                    && let Some(to) = self.field.step(over, way).filter(|&to| taken >> to & 1 == 0)
                {
                    visit(Move::of(from, to))?;
                    at = to;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (from, to) = (m.from(), m.to());
        if from == to {
            return position.after(position.own() & !(1 << from), position.other(), 0);
        }
        let columns = self.field.grid.columns;
        let (low, high) = (from.min(to), from.max(to));
        let step = if (high - low) % columns == 0 { columns } else { 1 };
        let between = (low..high).step_by(step).skip(1).fold(0, |set, cell| set | 1 << cell);
        let own = position.own() & !(1 << from) | 1 << to;
        position.after(own, position.other() & !between, 0)
    }

    fn write_position(&self, position: &Position) -> String {
        self.field.write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.field.read(text)?;
        let holes = (self.field.all & !position.taken()).count_ones();
        let [first, second] = self.field.checkers();
        if position.men[0] & second != 0 || position.men[1] & first != 0 {
            return Err(
                "a stone on a cell of the other colour: expected X and O as on a checkerboard, X at \
                        the top left"
                    .to_owned(),
            );
        }
        match (holes, position.turn) {
            (0, Player::Two) => Err("no hole and player 2 to move: expected player 1".to_owned()),
            (1, Player::One) => Err("one hole and player 1 to move: expected player 2".to_owned()),
            _ => Ok(position),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let to = self.field.grid.square(m.to());
        if m.from() == m.to() { to } else { format!("{}-{to}", self.field.grid.square(m.from())) }
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }
}
