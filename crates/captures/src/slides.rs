//! Dao and Neutreeko: men that slide until something stops them.
//!
//! * A move slides a man straight or slanting, at least one cell, until the edge or another man stops it. Endless play is a
//!   draw; who cannot move loses.
//! * Dao: 4x4, four men each. Four in a row or column, in a 2x2 square or in the four corners win. With the trap whoever has
//!   shut a man of the other in a corner with three of his own has lost.
//! * Neutreeko: 5x5, three men each. Three neighbours in a row, column or slanting line win.
//! * Position `X..O/.XO./.OX./O..X 1`, rows from the top; move `a4-a2`.
//!
//! Sources: Dao: J. Pickering and B. van Buskirk, 1999; D. De Clercq's program for the trap. Neutreeko: J. K. Haugland, 2001.

use grundy_core::game::{Flow, MORE};
use grundy_core::value::Value;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use crate::field::{Field, cells};

/// The rules of both games.
#[derive(Clone, Debug)]
pub struct Slides {
    field: Field,
    start: [u64; 2],
    /// The sets of men that win.
    shapes: Vec<u64>,
    /// Each corner with its neighbours, if a man must not be shut there.
    corners: Vec<[u64; 2]>,
}

/// Returns the set of cells of these columns and rows, from the top left.
fn set(field: &Field, places: &[(usize, usize)]) -> u64 {
    places.iter().fold(0, |set, &(column, row)| set | 1 << field.grid.cell(column, row))
}

impl Slides {
    /// Returns Dao; with `trap` a player must not shut a man of the other in a corner.
    ///
    /// # Errors
    /// None: the board is fixed.
    pub fn dao(trap: bool) -> Result<Slides, String> {
        let field = Field::new(4, 4, 16)?;
        let mut shapes = vec![set(&field, &[(0, 0), (3, 0), (0, 3), (3, 3)])];
        for i in 0..4 {
            shapes.push(set(&field, &[(0, i), (1, i), (2, i), (3, i)]));
            shapes.push(set(&field, &[(i, 0), (i, 1), (i, 2), (i, 3)]));
        }
        for (column, row) in (0..3).flat_map(|column| (0..3).map(move |row| (column, row))) {
            shapes.push(set(
                &field,
                &[(column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)],
            ));
        }
        let corner = |(column, row): (usize, usize), (left, up): (usize, usize)| {
            let near = [(left, row), (column, up), (left, up)];
            [set(&field, &[(column, row)]), set(&field, &near)]
        };
        let all = [((0, 0), (1, 1)), ((3, 0), (2, 1)), ((0, 3), (1, 2)), ((3, 3), (2, 2))];
        let corners = all.iter().filter(|_| trap).map(|&(at, inwards)| corner(at, inwards)).collect();
        let one = set(&field, &[(0, 0), (1, 1), (2, 2), (3, 3)]);
        let two = set(&field, &[(3, 0), (2, 1), (1, 2), (0, 3)]);
        Ok(Slides { field, start: [one, two], shapes, corners })
    }

    /// Returns Neutreeko.
    ///
    /// # Errors
    /// None: the board is fixed.
    pub fn neutreeko() -> Result<Slides, String> {
        let field = Field::new(5, 5, 25)?;
        let mut shapes = Vec::new();
        for from in 0..field.cells() {
            // Half of the directions: the others are lines read from the other end.
            for way in [0, 1, 4, 5] {
                let next = field.step(from, way);
                if let Some((second, third)) = next.and_then(|next| Some((next, field.step(next, way)?))) {
                    shapes.push(1 << from | 1 << second | 1 << third);
                }
            }
        }
        let one = set(&field, &[(2, 1), (1, 4), (3, 4)]);
        let two = set(&field, &[(1, 0), (3, 0), (2, 3)]);
        Ok(Slides { field, start: [one, two], shapes, corners: Vec::new() })
    }
}

impl BoardRules for Slides {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 0 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.field.grid.symmetries(), 0, 0)
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some((0..self.field.cells()).collect())
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        Position { men: self.start, ..Position::EMPTY }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let (own, other) = (position.own(), position.other());
        if self.shapes.iter().any(|shape| other & shape == *shape) {
            return Some(Value::loss_in(0));
        }
        let shut = |&[corner, near]: &[u64; 2]| own & corner != 0 && other & near == near;
        self.corners.iter().any(shut).then_some(Value::win_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let taken = position.taken();
        for from in cells(position.own()) {
            for way in 0..8 {
                let mut to = from;
                while let Some(next) = self.field.step(to, way).filter(|&next| taken >> next & 1 == 0) {
                    to = next;
                }
                if to != from {
                    visit(Move::of(from, to))?;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() & !(1 << m.from()) | 1 << m.to(), position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        self.field.write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.field.read(text)?;
        let most = self.start[0].count_ones();
        match position.men.map(u64::count_ones) {
            [one, two] if one == most && two == most => Ok(position),
            [one, two] => Err(format!("{one} X and {two} O: expected {most} men of each player")),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", self.field.grid.square(m.from()), self.field.grid.square(m.to()))
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }
}
