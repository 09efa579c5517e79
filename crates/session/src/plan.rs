//! Where the cells of a board lie, for drawings of boards that are no plain rows of squares.

/// How the cells of a board lie. Positions of such a game write a sign for each cell, in this order, first of all; `/`
/// between rows and `#` for holes count for nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How each cell is drawn.
    pub form: CellForm,
    /// The cells in the order in which positions are written.
    pub cells: Vec<Spot>,
    /// Pairs of cells that a line joins.
    pub lines: Vec<[usize; 2]>,
}

/// A cell: its name in moves, and where its middle lies, in units of a cell's width from the left and from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The name.
    pub name: String,
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// How a cell is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellForm {
    /// As a square.
    Square,
    /// As a hexagon with a corner at the top.
    Hexagon,
    /// As a round point.
    Point,
}
