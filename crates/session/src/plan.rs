//! The geometry of a board, for drawings of boards that are no plain rows of squares.

use grundy_core::{drawing, sorting};

/// The geometry of a board. The text of a position begins with a sign for each cell, in this order; `/` between rows
/// and `#` for holes are ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The form of each cell.
    pub form: CellForm,
    /// The cells in the order in which positions are written.
    pub cells: Vec<Spot>,
    /// Pairs of cells joined by a line.
    pub lines: Vec<[usize; 2]>,
}

impl Plan {
    /// Returns a drawing of a position for a terminal: each cell at its place, a free one by its name. What follows the cells
    /// but the turn stands below. A position without one sign for each cell is returned as it is.
    ///
    /// ```
    /// use grundy_session::{CellForm, Plan, Spot};
    /// let spot = |name: &str, x, y| Spot { name: name.to_owned(), x, y };
    /// let cells = vec![spot("a2", 0.5, 0.0), spot("a1", 0.0, 1.0), spot("b1", 1.0, 1.0)];
    /// let plan = Plan { form: CellForm::Hexagon, cells, lines: Vec::new() };
    /// assert_eq!(plan.draw("X/.O 1".to_owned()), "  X\na1  O");
    /// ```
    pub fn draw(&self, position: String) -> String {
        self.drawn(&position).unwrap_or(position)
    }

    fn drawn(&self, position: &str) -> Option<String> {
        let mut words = position.split(' ');
        let signs: Vec<char> = words.next()?.chars().filter(|sign| !['/', '#'].contains(sign)).collect();
        if signs.len() != self.cells.len() {
            return None;
        }
        let longest = self.cells.iter().map(|spot| spot.name.len()).max()?;
        let place =
            |spot: &Spot| ((10.0 * spot.y).round() as i64, (spot.x * (longest + 2) as f64).round() as usize);
        let mut cells: Vec<_> =
            self.cells.iter().zip(&signs).map(|(spot, sign)| (place(spot), spot, sign)).collect();
        sorting::sort_by_key(&mut cells, |&(place, ..)| place);
        let mut text = String::new();
        for line in cells.chunk_by(|((y, _), ..), ((other, _), ..)| y == other) {
            let mut row = String::new();
            for &((_, column), spot, &sign) in line {
                row += &" ".repeat(column.saturating_sub(row.len()));
                row += &(if sign == '.' { spot.name.clone() } else { sign.to_string() });
            }
            text += &(row + "\n");
        }
        text += &drawing::but_turn(words);
        Some(text.trim_end().to_owned())
    }
}

/// A cell: its name in moves and its centre, in units of a cell's width.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its name.
    pub name: String,
    /// Distance of the centre from the left.
    pub x: f64,
    /// Distance of the centre from the top.
    pub y: f64,
}

/// The form in which a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellForm {
    /// A square.
    Square,
    /// A hexagon with a corner at the top.
    Hexagon,
    /// A round point.
    Point,
}
