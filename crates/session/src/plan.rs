//! The geometry of a board, for drawings of boards that are no plain rows of squares.

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
