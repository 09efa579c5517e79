//! Games of placing and taking away on a board of up to 64 cells, in which both players have the same moves and the last
//! move wins.
//!
//! * `Cram`: cover two free neighbours with a domino, upright or flat; `X` is a covered cell.
//! * `TacTix`: take any run of counters that are neighbours in one row or column; `o` is a counter.
//! * `Queens`, `Kings`, `Knights`: put a piece on a cell that no piece attacks; `X` is a piece.
//! * In misere play of Cram and Tac-Tix the last move loses.
//! * Position `..../.XX./.... 1`, rows from the top; moves `a1-b1`, `a1-a2` (the lower or left cell first), `b2`.
//!
//! Solved by the Grundy numbers of the components of the free cells, up to turning, mirroring and moving them. Misere play
//! has no such sum; small boards have a table of all sets of free cells, larger ones are searched.
//!
//! Inside, a board of more rows than columns lies on its side. Cells are bits, cell 0 at the top left.
//!
//! Sources: M. Gardner, "Cram, crosscram and quadraphage", Scientific American, February 1974; J. Lemoine and S. Viennot,
//! "Nimbers are inevitable", arXiv 1011.5841, 2010; P. Hein's Tac-Tix: M. Gardner, "Hexaflexagons and other mathematical
//! diversions", 1988; E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", for placements that attack.

use grundy_core::bits::indices;
use grundy_core::game::{Flow, MORE, Player, cannot_move};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Indices, Layout, Move, Position};
use grundy_sums::sum::MISERE;
use grundy_tables::layers::Order;

use crate::shapes::Shapes;

/// The kind of thing that a move places or takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A domino.
    Cram,
    /// A run of counters.
    TacTix,
    /// A queen, on a cell that is not attacked.
    Queens,
    /// A king.
    Kings,
    /// A knight.
    Knights,
}

/// The rules of one of the games on a board. A position has the cells with a piece, or those covered or taken, in the place
/// of player one's men. A move is from one end to the other of what is covered or taken, the upper or left one first; twice
/// the same cell if it is one.
#[derive(Clone, Debug)]
pub struct Placement {
    kind: Kind,
    misere: bool,
    /// The board as it is written.
    grid: Grid,
    /// The board with no more rows than columns, on which cells are numbered.
    wide: Grid,
    board: u64,
    /// For each cell those that are a component with it if they are free: neighbours, or attacked cells and the cell
    /// itself.
    near: Vec<u64>,
    symmetries: Vec<CellMap>,
    shapes: Shapes,
}

/// Steps of a knight.
const KNIGHT: [(isize, isize); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// Steps of a king and directions of a queen; the first four are those of neighbours in a row or column.
const AROUND: [(isize, isize); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, -1), (-1, 1)];

impl Placement {
    /// Largest number of cells.
    pub const MOST_CELLS: usize = 64;
    /// Largest number of cells of which all sets are numbered.
    pub const NUMBERED: usize = 25;

    /// Returns the game on a board of `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// The board has no cell, more than [`Placement::MOST_CELLS`], or a side longer than 26.
    pub fn new(kind: Kind, rows: usize, columns: usize, misere: bool) -> Result<Placement, String> {
        let grid = Grid::of(rows, columns, 1..=Placement::MOST_CELLS)?;
        let wide = Grid { columns: columns.max(rows), rows: columns.min(rows) };
        Ok(Placement {
            kind,
            misere,
            grid,
            wide,
            board: grid.all(),
            near: (0..wide.cells()).map(|cell| near(kind, wide, cell)).collect(),
            symmetries: wide.symmetries().iter().skip(1).map(|image| CellMap::new(image)).collect(),
            shapes: Shapes::new(wide),
        })
    }

    /// Reports whether a piece attacks cells beside its own.
    const fn attacks(&self) -> bool {
        matches!(self.kind, Kind::Queens | Kind::Kings | Kind::Knights)
    }

    /// Returns the cell of the written board, or, from such a cell, the numbered one.
    fn turned(&self, cell: usize, from: Grid, to: Grid) -> usize {
        if self.grid == self.wide {
            return cell;
        }
        let (column, row) = from.coordinates(cell);
        to.cell(row, column)
    }

    /// Returns the cells that moves may use.
    #[inline]
    fn free(&self, position: &Position) -> u64 {
        if !self.attacks() {
            return self.board & !position.men[0];
        }
        self.board & !indices(position.men[0]).fold(0, |set, cell| set | self.near[cell])
    }

    /// Returns the free cells that some move can still use.
    #[inline]
    fn live(&self, free: u64) -> u64 {
        if self.kind != Kind::Cram {
            return free;
        }
        indices(free).filter(|&cell| self.near[cell] & free != 0).fold(0, |set, cell| set | 1 << cell)
    }

    /// Visits the moves in these free cells, each with the cells that it uses up.
    #[inline]
    fn each_move(&self, free: u64, visit: &mut dyn FnMut(Move, u64) -> Flow) -> Flow {
        for from in indices(free) {
            let alone = Move::of(from, from);
            if self.attacks() {
                visit(alone, self.near[from])?;
                continue;
            }
            if self.kind == Kind::TacTix {
                visit(alone, 1 << from)?;
            }
            let right = self.wide.columns - from % self.wide.columns;
            for (step, length) in [(1, right), (self.wide.columns, self.wide.rows - from / self.wide.columns)]
            {
                let length = if self.kind == Kind::Cram { length.min(2) } else { length };
                let mut run = 1u64 << from;
                for to in (1..length).map(|i| from + i * step) {
                    if free >> to & 1 == 0 {
                        break;
                    }
                    run |= 1 << to;
                    visit(Move::of(from, to), run)?;
                }
            }
        }
        MORE
    }

    /// Returns the components of free cells in their normal forms, without those that have no move.
    fn split(&self, free: u64) -> Vec<[u64; 2]> {
        let mut rest = self.live(free);
        let mut parts = Vec::new();
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            let mut new = part;
            while new != 0 {
                let grown = indices(new).fold(part, |set, cell| set | self.near[cell] & rest);
                new = grown & !part;
                part = grown;
            }
            rest &= !part;
            parts.push([self.shapes.normal(part), 0]);
        }
        parts
    }

    /// Returns the least image of a set of the board's cells.
    fn least(&self, set: u64) -> u64 {
        self.symmetries.iter().fold(set, |least, map| least.min(map.apply(set)))
    }
}

/// Returns the cells that make a component with `cell`.
fn near(kind: Kind, grid: Grid, cell: usize) -> u64 {
    let (steps, own, far): (&[(isize, isize)], u64, usize) = match kind {
        Kind::Cram | Kind::TacTix => (&AROUND[..4], 0, 1),
        Kind::Queens => (&AROUND, 1 << cell, grid.columns),
        Kind::Kings => (&AROUND, 1 << cell, 1),
        Kind::Knights => (&KNIGHT, 1 << cell, 1),
    };
    let (column, row) = grid.coordinates(cell);
    let at = |(right, down): (isize, isize), far: usize| {
        let column = column.checked_add_signed(right * far as isize).filter(|&c| c < grid.columns)?;
        let row = row.checked_add_signed(down * far as isize).filter(|&r| r < grid.rows)?;
        Some(grid.cell(column, row))
    };
    steps.iter().flat_map(|&step| (1..=far).filter_map(move |far| at(step, far))).fold(own, |s, c| s | 1 << c)
}

/// Returns the position with these cells taken.
fn with(taken: u64, turn: Player) -> Position {
    Position { men: [taken, 0], rest: 0, turn }
}

impl BoardRules for Placement {
    fn layout(&self) -> Layout {
        Layout { cells: self.grid.cells() as u32, rest: 0, stage: 0 }
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        (self.live(self.free(position)) == 0).then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        self.each_move(self.free(position), &mut |m, _| visit(m))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let columns = self.wide.columns;
        let step = if m.from() / columns == m.to() / columns { 1 } else { columns };
        let run = (m.from()..=m.to()).step_by(step).fold(0, |set, cell| set | 1u64 << cell);
        with(position.men[0] | run, !position.turn)
    }

    fn canonical(&self, position: &Position) -> Option<Position> {
        Some(with(self.least(position.men[0]), position.turn))
    }

    /// Returns the position for player one, with the cells covered that no domino can cover any more.
    fn essence(&self, position: &Position) -> Position {
        let dead = match self.kind {
            Kind::Cram => self.board & !self.live(self.free(position)),
            _ => 0,
        };
        with(position.men[0] | dead, Player::One)
    }

    fn write_position(&self, position: &Position) -> String {
        let (taken, left) = if self.kind == Kind::TacTix { ('.', 'o') } else { ('X', '.') };
        let board = self.grid.write(|cell| {
            let cell = self.turned(cell, self.grid, self.wide);
            if position.men[0] >> cell & 1 == 1 { taken } else { left }
        });
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let (mark, other, letters) = match self.kind {
            Kind::TacTix => ('.', 'o', "o and ."),
            _ => ('X', '.', "X and ."),
        };
        let ([board], turn) = words::fields(text, &format!("the board's rows from the top, of {letters},"))?;
        let mut taken = 0;
        self.grid.read(board, letters, |cell, letter| {
            taken |= u64::from(letter == mark) << self.turned(cell, self.grid, self.wide);
            letter == mark || letter == other
        })?;
        let attacked = indices(taken).find(|&cell| taken & self.near[cell] & !(1 << cell) != 0);
        match attacked.filter(|_| self.attacks()) {
            Some(cell) => {
                let square = self.grid.square(self.turned(cell, self.wide, self.grid));
                Err(format!("the piece on {square} attacks another"))
            }
            None => Ok(with(taken, turn)),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let written = |cell| self.turned(cell, self.wide, self.grid);
        let mut ends = [written(m.from()), written(m.to())];
        // The left end first, or the lower one.
        sorting::sort_by_key(&mut ends, |&cell| (cell % self.grid.columns, std::cmp::Reverse(cell)));
        match ends.map(|cell| self.grid.square(cell)) {
            [one, other] if one == other => one,
            [first, last] => format!("{first}-{last}"),
        }
    }

    fn draw(&self, position: &Position) -> String {
        self.grid.draw(&self.write_position(position))
    }

    /// Returns the least image of the cells that moves can use.
    fn key(&self, position: &Position) -> Option<u64> {
        Some(self.least(self.live(self.free(position))))
    }

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    fn hint(&self, _position: &Position, _m: Move, _child: &Position) -> i32 {
        0
    }

    fn obstacle(&self) -> Option<String> {
        self.misere.then(|| MISERE.to_owned())
    }

    fn normal_play(&self) -> bool {
        !self.misere
    }

    /// A part is a component of free cells in its normal form.
    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        self.split(self.free(position))
    }

    fn each_option(&self, [part, _]: [u64; 2], visit: &mut dyn FnMut(&[[u64; 2]]) -> Flow) -> Flow {
        self.each_move(part, &mut |_, used| visit(&self.split(part & !used)))
    }

    /// Larger boards, and pieces that attack, have no indices.
    fn indices(&self) -> Option<&dyn Indices> {
        (self.grid.cells() <= Placement::NUMBERED && !self.attacks()).then_some(self)
    }
}

/// The index is the set of free cells that a move can use.
impl Indices for Placement {
    fn size(&self) -> u64 {
        1 << self.grid.cells()
    }

    fn number(&self, position: &Position) -> Option<u64> {
        Some(self.live(self.free(position)))
    }

    fn position(&self, number: u64) -> Option<Position> {
        let whole = number < self.size() && self.live(number) == number;
        whole.then(|| with(self.board & !number, Player::One))
    }

    fn order(&self) -> Order {
        Order::Lower
    }
}
