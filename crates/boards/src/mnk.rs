//! The m,n,k-games: tic-tac-toe on any board.
//!
//! * M columns, N rows; the players place stones in turn, player one `X`, player two `O`.
//! * The first to make K in a row (horizontally, vertically or diagonally) wins; `misere`: loses. A full board is a
//!   draw.
//! * Position `X.O/.../... 1`, rows from the top; move `b2`, the cell.
//!
//! Solved by layers (one layer a number of stones), or by proof numbers and search, which stop threats and see forks
//! (two lines at once that each lack one stone). Draws are also proved by a strategy that stops every line ([`Breaker`]).
//! A position is two sets of cells, cell 0 at the top left, numbered by [`Placed`].
//!
//! Source: m,n,k-games as in J. W. H. M. Uiterwijk and H. J. van den Herik, "The advantage of the initiative",
//! Information Sciences 122, 2000.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::placed::{self, Placed};
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_search::breaker::{self, Breaker, holds_by_potential, potential};
use grundy_search::lookahead::Evaluated;
use grundy_tables::layers::{Acyclic, Order};

pub use grundy_core::placed::Position;

/// The rules of an m,n,k-game.
#[derive(Clone, Debug)]
pub struct Mnk {
    grid: Grid,
    misere: bool,
    /// All cells.
    board: u64,
    /// Shifts that leave a bit where a line starts, for each direction.
    shifts: Vec<[u32; WAYS]>,
    /// Cells in which a line can start, for each direction.
    starts: [u64; WAYS],
    /// Every line of K cells.
    lines: Vec<u64>,
    /// Number of lines through each cell.
    weight: Vec<i32>,
    symmetries: Vec<CellMap>,
    /// The indexing, on boards small enough for one.
    numbering: Option<Placed>,
}

/// Directions of lines: horizontal, vertical and both diagonals, as cells right and down.
pub(crate) const DIRECTIONS: [(isize, usize); WAYS] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
/// Number of directions.
pub(crate) const WAYS: usize = 4;

impl Mnk {
    /// Maximum number of cells of a board.
    pub const MOST_CELLS: usize = 64;

    /// Returns the game on a board of `columns` by `rows` cells with `k` in a row.
    ///
    /// # Errors
    /// The board has no cell, more than [`Mnk::MOST_CELLS`], or a side longer than 26, or no line of `k` fits on it.
    pub fn new(columns: usize, rows: usize, k: usize, misere: bool) -> Result<Mnk, String> {
        let grid = Grid { columns, rows };
        let sides = 1..=Grid::MOST_COLUMNS;
        if !sides.contains(&columns) || !sides.contains(&rows) || grid.cells() > Mnk::MOST_CELLS {
            return Err(format!(
                "no board of {columns}x{rows}: 1 to {} cells and sides to 26 are possible",
                Mnk::MOST_CELLS
            ));
        }
        if !(1..=columns.max(rows)).contains(&k) {
            return Err(format!("no line of {k} on {columns}x{rows}: expected 1 to {}", columns.max(rows)));
        }
        let runs = shifts(k as u32);
        let mut shifts = vec![[0; WAYS]; runs.len()];
        let mut starts = [0u64; WAYS];
        let mut lines = Vec::new();
        for (way, (right, down)) in DIRECTIONS.into_iter().enumerate() {
            let cell = |start: usize, i: usize| {
                let (column, row) = grid.coordinates(start);
                let column = column.checked_add_signed(right * i as isize).filter(|&c| c < columns)?;
                (row + down * i < rows).then(|| grid.cell(column, row + down * i))
            };
            for start in 0..grid.cells() {
                let line: Option<Vec<usize>> = (0..k).map(|i| cell(start, i)).collect();
                if let Some(line) = line {
                    starts[way] |= 1 << start;
                    lines.push(line.iter().fold(0, |set, c| set | 1 << c));
                }
            }
            let stride = (columns * down).wrapping_add_signed(right) as u32;
            // Where no line fits, a shift by the stride might exceed the word.
            if starts[way] != 0 {
                shifts.iter_mut().zip(&runs).for_each(|(shifts, run)| shifts[way] = run * stride);
            }
        }
        sorting::sort(&mut lines);
        lines.dedup();
        let weight =
            (0..grid.cells()).map(|c| lines.iter().filter(|line| *line >> c & 1 == 1).count() as i32);
        Ok(Mnk {
            grid,
            misere,
            board: grid.all(),
            shifts,
            starts,
            weight: weight.collect(),
            lines,
            symmetries: grid.symmetries().iter().skip(1).map(|image| CellMap::new(image)).collect(),
            numbering: Placed::new(grid.cells()),
        })
    }

    /// Returns the board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the name of these rules in the catalog.
    pub fn name(&self) -> String {
        let Grid { columns, rows } = self.grid;
        let k = self.lines.first().map_or(0, |line| line.count_ones());
        format!("mnk:{columns},{rows},{k}{}", if self.misere { ":misere" } else { "" })
    }

    /// Reports whether a line loses.
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// Returns the symmetries of the board but for the identity, in the order of [`Grid::symmetries`].
    pub fn symmetries(&self) -> &[CellMap] {
        &self.symmetries
    }

    /// Returns a search for strategies that stop every line.
    pub fn breaker<'a>(&'a self, attempts: u32, stop: &'a AtomicBool) -> Breaker<'a> {
        Breaker::new(&self.lines, &self.symmetries, attempts, stop)
    }

    /// Reports whether these cells hold a line.
    #[inline]
    fn has_line(&self, stones: u64) -> bool {
        let mut runs = [stones; WAYS];
        for shifts in &self.shifts {
            runs.iter_mut().zip(shifts).for_each(|(run, shift)| *run &= *run >> shift);
        }
        runs.iter().zip(&self.starts).fold(0, |won, (run, starts)| won | run & starts) != 0
    }

    /// Returns disjoint pairs of free cells of which each line that a player could still complete has one; `None` if none
    /// were found, or if lines lose.
    pub fn pairs(&self, position: &Position, player: Player) -> Option<Vec<[usize; 2]>> {
        if self.misere {
            return None;
        }
        let (own, other) = (position.stones[player.index()], position.stones[(!player).index()]);
        let cells = |pair: u64| [pair.trailing_zeros() as usize, 63 - pair.leading_zeros() as usize];
        Some(breaker::pairs(&self.lines, own, other)?.into_iter().map(cells).collect())
    }
}

/// Visits the cells of a set in their order.
#[inline]
pub(crate) fn visit_cells(mut cells: u64, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
    while cells != 0 {
        visit(cells.trailing_zeros() as u8)?;
        cells &= cells - 1;
    }
    MORE
}

/// Returns the message that refuses a position in which the player to move has a line.
pub(crate) fn ended_earlier(turn: Player) -> String {
    format!("player {} is to move and already has a line: the game ended earlier", turn.digit())
}

/// Returns shifts that reduce a run of `k` stones to one bit, doubling the known length, in strides: for 5 in a row 1,
/// 2, 1.
fn shifts(k: u32) -> Vec<u32> {
    let mut list = Vec::new();
    let mut known = 1;
    while known < k {
        let more = known.min(k - known);
        list.push(more);
        known += more;
    }
    list
}

impl Game for Mnk {
    type Position = Position;
    type Move = u8;

    fn start(&self) -> Position {
        Position::default()
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn()
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        // Only the last stone can have made a line.
        let [_, last] = position.own();
        if self.has_line(last) {
            return Some(if self.misere { Value::win_in(0) } else { Value::loss_in(0) });
        }
        (position.occupied() == self.board).then_some(Value::DRAW)
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        visit_cells(self.board & !position.occupied(), visit)
    }

    #[inline]
    fn play(&self, position: &Position, m: u8) -> Position {
        position.with(m)
    }

    fn canonical(&self, position: &Position) -> Position {
        position.least(&self.symmetries)
    }
}

impl Scored for Mnk {}

impl Notation for Mnk {
    fn write_position(&self, position: &Position) -> String {
        let board = self.grid.write_stones(|side, cell| position.stones[side] >> cell & 1 == 1);
        format!("{board} {}", self.turn(position).digit())
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        self.grid.push_stones(cells, |side, cell| position.stones[side] >> cell & 1 == 1);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut stones = [0; 2];
        let turn = self.grid.read_placed(text, "X.O/.../...", |side, cell| stones[side] |= 1 << cell)?;
        if self.has_line(stones[turn.index()]) {
            return Err(ended_earlier(turn));
        }
        Ok(Position { stones, ply: (stones[0] | stones[1]).count_ones() as u8 })
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        self.grid.square(usize::from(m))
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u8> {
        let cell = self.grid.read_square(word)?;
        (position.occupied() >> cell & 1 == 0 && self.over(position).is_none()).then_some(cell as u8)
    }

    fn draw(&self, position: &Position) -> String {
        self.grid.draw(&self.write_position(position))
    }
}

/// Boards of more than [`Placed::MOST`] cells have no indexing: they report a size that no table can have.
impl Indexed for Mnk {
    fn size(&self) -> u64 {
        self.numbering.as_ref().map_or(u64::MAX, Placed::size)
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        self.numbering.as_ref().map_or(0, |numbering| numbering.index(position))
    }

    fn position(&self, index: u64) -> Option<Position> {
        self.numbering.as_ref()?.position(index)
    }

    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        if let Some(numbering) = &self.numbering {
            numbering.walk(range, visit);
        }
    }

    #[inline]
    fn child_indices(&self, position: &Position, visit: &mut impl FnMut(u64, Step)) {
        if let Some(numbering) = &self.numbering {
            numbering.child_indices(position, visit);
        }
    }
}

impl Acyclic for Mnk {
    fn order(&self) -> Order {
        Order::Layers(self.numbering.as_ref().map_or_else(Vec::new, Placed::layers))
    }
}

impl Heuristic for Mnk {
    /// Returns the least of the images; one-to-one on boards of up to 32 cells.
    fn key(&self, position: &Position) -> u64 {
        placed::key(position, self.grid.cells(), &self.symmetries)
    }

    fn guess(&self, position: &Position) -> i32 {
        let [mine, other] = position.own();
        let open = |line: u64, own: u64, against: u64| match line & against {
            0 => 1 << (2 * (line & own).count_ones().min(8)),
            _ => 0,
        };
        let sum: i32 = self.lines.iter().map(|&line| open(line, mine, other) - open(line, other, mine)).sum();
        let sum = sum.clamp(-9_000, 9_000);
        if self.misere { -sum } else { sum }
    }

    fn hint(&self, position: &Position, m: u8, _child: &Position) -> i32 {
        let makes_line = |stones: u64| self.has_line(stones | 1 << m);
        match position.own().map(makes_line) {
            [true, _] if self.misere => -1_000,
            [true, _] => 1_000,
            [_, true] if !self.misere => 500,
            _ if self.misere => -self.weight[usize::from(m)],
            _ => self.weight[usize::from(m)],
        }
    }
}

/// The number of lines open to the mover minus those open to the other; a line is open to a player if it has no stone
/// of the other (N. J. Nilsson, "Problem-Solving Methods in Artificial Intelligence", 1971).
impl Evaluated for Mnk {
    fn evaluation(&self, position: &Position) -> i32 {
        let [mine, other] = position.own();
        let open = |other: u64| self.lines.iter().filter(|&&line| line & other == 0).count() as i32;
        let ahead = open(other) - open(mine);
        if self.misere { -ahead } else { ahead }
    }
}

impl Bounds for Mnk {
    const STRATEGIES: bool = true;

    /// Bounds the value by immediate threats, by forks, by the number of stones that a line still lacks, and by the lines'
    /// potential.
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        if self.misere {
            return (Value::loss_in(1), Value::win_in(1));
        }
        let Needs { own, other } = self.reach(position);
        let free = (self.board & !position.occupied()).count_ones();
        if own.last != 0 {
            return (Value::win_in(1), Value::win_in(1));
        }
        if other.last.count_ones() > 1 {
            return (Value::loss_in(2), Value::loss_in(2));
        }
        if other.last == 0 && own.fork {
            return (Value::win_in(3), Value::win_in(3));
        }
        // The mover's stones are the first, the third and so on of those to come.
        let hi = if 2 * own.stones <= free + 1 && !holds_by_potential(own.potential, true) {
            Value::win_in((2 * own.stones - 1).max(5 - 2 * u32::from(other.last != 0)))
        } else {
            Value::DRAW
        };
        let lo = if 2 * other.stones <= free && !holds_by_potential(other.potential, false) {
            Value::loss_in(2 * other.stones)
        } else {
            Value::DRAW
        };
        (lo, hi)
    }

    /// Bounds the value by strategies of a player who stops every line of the other. On an empty board the first
    /// player has at least a draw: an extra stone never harms, so he could follow a winning strategy of the other's.
    fn bounds_of_root(&self, position: &Position, attempts: u32, stop: &AtomicBool) -> (Value, Value) {
        let (mut lo, mut hi) = self.bounds(position, Value::DRAW);
        if self.misere {
            return (lo, hi);
        }
        let [mine, other] = position.own();
        let search = || self.breaker(attempts, stop);
        if lo < Value::DRAW && (position.ply == 0 || search().answers(other, mine).is_some()) {
            lo = Value::DRAW;
        }
        if hi > Value::DRAW && search().holds(mine, other).is_some() {
            hi = Value::DRAW;
        }
        (lo, hi)
    }

    /// The first move of a drawn game never loses: the other would win as well without that stone, and so would whoever moves
    /// first.
    fn all_keep_a_draw(&self, position: &Position) -> bool {
        !self.misere && position.ply == 0
    }

    /// Visits only the stop of a line that the other is about to complete, unless one can complete a line oneself.
    fn candidates(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        if !self.misere {
            let Needs { own, other } = self.reach(position);
            let must = if own.last != 0 { own.last } else { other.last };
            if must != 0 {
                return visit(must.trailing_zeros() as u8);
            }
        }
        self.moves(position, visit)
    }

    fn forced(&self, position: &Position) -> Option<u8> {
        if self.misere {
            return None;
        }
        let Needs { own, other } = self.reach(position);
        (own.last == 0 && other.last.count_ones() == 1).then(|| other.last.trailing_zeros() as u8)
    }
}

/// A player's needs to complete a line.
#[derive(Clone, Copy, Default)]
struct Need {
    /// Cells that complete a line.
    last: u64,
    /// `true` if a stone would make two such cells.
    fork: bool,
    /// The fewest stones that complete a line; larger than any board if none can be completed.
    stones: u32,
    /// The sum of the [potentials](potential) of the lines that can be completed.
    potential: u64,
}

/// The needs of the player to move and of the other.
struct Needs {
    own: Need,
    other: Need,
}

impl Mnk {
    fn reach(&self, position: &Position) -> Needs {
        let [mine, other] = position.own();
        let mut own = Need { stones: 2 * Mnk::MOST_CELLS as u32, ..Need::default() };
        let mut against = own;
        // The other free cell of a line that lacks two: a second such line makes a fork.
        let mut partners = [0u64; Mnk::MOST_CELLS];
        for &line in &self.lines {
            if line & other == 0 {
                let free = line & !mine;
                let count = free.count_ones();
                own.stones = own.stones.min(count);
                own.potential += potential(count);
                if count == 1 {
                    own.last |= free;
                } else if count == 2 && !own.fork {
                    let (low, high) = (free & free.wrapping_neg(), free & (free - 1));
                    for (cell, partner) in [(low, high), (high, low)] {
                        let known = &mut partners[cell.trailing_zeros() as usize & 63];
                        own.fork |= *known & !partner != 0;
                        *known |= partner;
                    }
                }
            }
            if line & mine == 0 {
                let free = line & !other;
                let count = free.count_ones();
                against.stones = against.stones.min(count);
                against.potential += potential(count);
                if free & free.wrapping_sub(1) == 0 {
                    against.last |= free;
                }
            }
        }
        Needs { own, other: against }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_has_its_number() {
        let game = Mnk::new(3, 3, 3, false).unwrap();
        let position = game.read_position("X.O/.../..X 2").unwrap();
        assert_eq!(game.index(&position), 254);
        assert_eq!(game.position(254), Some(position));
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        for (columns, rows, k) in [(0, 3, 3), (3, 0, 3), (9, 8, 3), (27, 1, 3), (3, 3, 4), (3, 3, 0)] {
            assert!(Mnk::new(columns, rows, k, false).is_err(), "{columns},{rows},{k}");
        }
        let game = Mnk::new(3, 3, 3, false).unwrap();
        for bad in [
            "XX./.../... 1",
            "O../.../... 2",
            "X../.../... 1",
            ".../.../... 2",
            "XXX/OO./... 2 2",
            "XXX/O../O..",
            "XXX/OOO/... 1",
            "XXX/OO./O.. 1",
        ] {
            assert!(game.read_position(bad).is_err(), "{bad}");
        }
        let long = "X".repeat(1_000_000);
        assert!(game.read_position(&long).is_err());
    }

    #[test]
    fn lines_run_in_all_directions_and_not_around_the_edge() {
        let game = Mnk::new(4, 3, 3, false).unwrap();
        assert_eq!(game.lines.len(), 6 + 4 + 2 + 2);
        for board in 0..1 << 12 {
            assert_eq!(
                game.has_line(board),
                game.lines.iter().any(|line| board & line == *line),
                "{board:b}"
            );
        }
    }
}
