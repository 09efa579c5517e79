//! Boards of rows and columns: steps from cell to cell, and sets of neighbours.

pub use grundy_core::bits::indices as cells;
use grundy_core::grid::Grid;
use grundy_core::words;
use grundy_search::board::Position;

/// The steps of a board, by direction: up, right, down, left, then the four slanting ones from up right on, clockwise.
pub const DIRECTIONS: [(isize, isize); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// The straight ones of the [`DIRECTIONS`].
pub const STRAIGHT: std::ops::Range<usize> = 0..4;

/// A board of at most 64 cells, cell 0 at the top left.
#[derive(Clone, Debug)]
pub struct Field {
    /// Columns and rows.
    pub grid: Grid,
    /// The set of all cells.
    pub all: u64,
    not_left: u64,
    not_right: u64,
    /// The neighbour of each cell in each direction, or [`NONE`].
    steps: Vec<[u8; 8]>,
}

const NONE: u8 = u8::MAX;

impl Field {
    /// Returns a board of these numbers of rows and columns, at most 64 cells together.
    ///
    /// # Errors
    /// There are no cells, more than `most`, or more than 26 columns.
    pub fn new(rows: usize, columns: usize, most: usize) -> Result<Field, String> {
        let fits =
            columns <= Grid::MOST_COLUMNS && rows <= 64 && (1..=most.min(64)).contains(&(rows * columns));
        if !fits {
            return Err(format!(
                "no board of {rows}x{columns}: expected rows x columns of 1 to {most} cells, at most 26 columns"
            ));
        }
        let grid = Grid { columns, rows };
        let set = |inside: &dyn Fn(usize) -> bool| {
            (0..grid.cells()).filter(|&cell| inside(cell)).fold(0, |set, cell| set | 1 << cell)
        };
        let step = |cell: usize, (right, down): (isize, isize)| {
            let (column, row) = grid.coordinates(cell);
            let column = column.checked_add_signed(right).filter(|&column| column < columns);
            let row = row.checked_add_signed(down).filter(|&row| row < rows);
            column.zip(row).map_or(NONE, |(column, row)| grid.cell(column, row) as u8)
        };
        let steps = (0..grid.cells()).map(|cell| DIRECTIONS.map(|way| step(cell, way))).collect();
        Ok(Field {
            grid,
            all: set(&|_| true),
            not_left: set(&|cell| cell % columns != 0),
            not_right: set(&|cell| (cell + 1) % columns != 0),
            steps,
        })
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.grid.cells()
    }

    /// Returns the neighbour of a cell in one of the [`DIRECTIONS`].
    #[inline]
    pub fn step(&self, cell: usize, way: usize) -> Option<usize> {
        let next = self.steps[cell][way];
        (next != NONE).then_some(usize::from(next))
    }

    /// Returns the set of the neighbours of its cells in one of the [`STRAIGHT`] directions.
    #[inline]
    pub fn shifted(&self, set: u64, way: usize) -> u64 {
        let columns = self.grid.columns as u32;
        let next = match way {
            0 => set.checked_shr(columns).unwrap_or(0),
            1 => (set & self.not_right) << 1,
            2 => set.checked_shl(columns).unwrap_or(0),
            _ => (set & self.not_left) >> 1,
        };
        next & self.all
    }

    /// Returns the cells that share a side with a cell of the set; the set's own cells may be among them.
    #[inline]
    pub fn near(&self, set: u64) -> u64 {
        STRAIGHT.fold(0, |near, way| near | self.shifted(set, way))
    }

    /// Returns the cells of the set and those that share a side or a corner with one of them.
    #[inline]
    pub fn all_round(&self, set: u64) -> u64 {
        let row = set | self.shifted(set, 1) | self.shifted(set, 3);
        row | self.shifted(row, 0) | self.shifted(row, 2)
    }

    /// Returns the cells of `within` that are joined to `seeds` by cells of `within`, over corners, too.
    #[inline]
    pub fn joined_all_round(&self, seeds: u64, within: u64) -> u64 {
        let mut set = seeds & within;
        loop {
            let grown = self.all_round(set) & within;
            if grown == set {
                return set;
            }
            set = grown;
        }
    }

    /// Returns the cells of `within` that are joined to `seeds` by cells of `within`.
    #[inline]
    pub fn joined(&self, seeds: u64, within: u64) -> u64 {
        let mut set = seeds & within;
        loop {
            let grown = set | self.near(set) & within;
            if grown == set {
                return set;
            }
            set = grown;
        }
    }

    /// Writes the men as `X` and `O`, then the turn.
    pub fn write(&self, position: &Position) -> String {
        let board = self.grid.write_stones(|side, cell| position.men[side] >> cell & 1 == 1);
        format!("{board} {}", position.turn.digit())
    }

    /// Reads what [`Field::write`] writes.
    ///
    /// # Errors
    /// One line that names what was expected.
    pub fn read(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top,")?;
        let mut men = [0; 2];
        self.grid.read_stones(board, |side, cell| men[side] |= 1 << cell)?;
        Ok(Position { men, rest: 0, turn })
    }

    /// Returns the two colours of a full checkerboard, that of the top left cell first.
    pub fn checkers(&self) -> [u64; 2] {
        let even = |cell: &usize| {
            let (column, row) = self.grid.coordinates(*cell);
            (column + row) % 2 == 0
        };
        let first = (0..self.cells()).filter(even).fold(0, |set, cell| set | 1 << cell);
        [first, self.all & !first]
    }

    /// Returns the drawing of a position whose first field is the rows of this board.
    pub fn draw(&self, text: &str) -> String {
        let (board, rest) = text.split_once(' ').unwrap_or((text, ""));
        format!("{}\n\n{rest}", self.grid.draw(board))
    }
}
