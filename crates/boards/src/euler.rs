//! Nails on a board (the game of Euler's nails, UVa problem 10536 "Game of Euler").
//!
//! * A move puts down a nail: it covers one free cell anywhere, or a run of 1 to 3 free cells that starts at the
//!   edge and runs straight inwards. `maxlen=K`: runs of 1 to K cells.
//! * The player who fills the board loses; `normal`: wins.
//! * `span=short`: a nail may not reach the opposite edge (by the literal rule it may, if the board is no longer than
//!   the nail).
//! * Position `X.../..../..../.... 2`, rows from the top, `X` covered; move `a1`, or `a1-a3` for a run, lower square
//!   (letter, then number) first; either order is read.
//!
//! Solved by layers: a position's index is its set of covered cells, cell 0 at the top left, whoever is to move.

use grundy_core::bits::indices;
use grundy_core::game::{Flow, MORE, Player};
use grundy_core::grid::Grid;
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Indices, Layout, Move, Position, images};
use grundy_sums::sum::MISERE;
use grundy_tables::layers::Order;

/// The rules of the nails on one board. The covered cells are in the place of player one's men, and a move is the cells of
/// the nail.
#[derive(Clone, Debug)]
pub struct Euler {
    grid: Grid,
    normal: bool,
    /// The cells of every nail, once each: the shortest first, then by cells. At most 128.
    nails: Vec<u32>,
    /// For each byte of covered cells, the set of nails (indices into `nails`) that it blocks.
    blocked: Vec<[u128; 256]>,
}

/// Variants of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The player who fills the board wins.
    pub normal: bool,
    /// A nail from the edge may not reach the opposite edge.
    pub short: bool,
    /// The longest nail, in cells.
    pub longest: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { normal: false, short: false, longest: 3 }
    }
}

impl Euler {
    /// Maximum number of cells of a board.
    pub const MOST_CELLS: usize = 25;

    /// Returns the game on a board of `rows` by `columns` cells.
    ///
    /// # Errors
    /// The board has no cell or more than [`Euler::MOST_CELLS`], or nails have no length.
    pub fn new(rows: usize, columns: usize, variant: Rules) -> Result<Euler, String> {
        let possible = 1..=Euler::MOST_CELLS;
        if !possible.contains(&rows) || !possible.contains(&columns) || !possible.contains(&(rows * columns))
        {
            return Err(format!(
                "no board of {rows}x{columns}: 1 to {} cells are possible",
                Euler::MOST_CELLS
            ));
        }
        if !possible.contains(&variant.longest) {
            return Err(format!("bad maxlen={}: expected 1 to {}", variant.longest, Euler::MOST_CELLS));
        }
        let grid = Grid { columns, rows };
        let mut nails: Vec<u32> = (0..grid.cells()).map(|cell| 1 << cell).collect();
        let mut add_runs = |line: Vec<usize>| {
            let room = line.len() - usize::from(variant.short);
            for length in 1..=variant.longest.min(room) {
                let run = |cells: &[usize]| cells.iter().fold(0, |set, cell| set | 1 << cell);
                nails.push(run(&line[..length]));
                nails.push(run(&line[line.len() - length..]));
            }
        };
        (0..rows).for_each(|row| add_runs((0..columns).map(|column| grid.cell(column, row)).collect()));
        (0..columns).for_each(|column| add_runs((0..rows).map(|row| grid.cell(column, row)).collect()));
        sorting::sort_by_key(&mut nails, |nail| (nail.count_ones(), *nail));
        nails.dedup();
        let blocked = (0..grid.cells().div_ceil(8)).map(|byte| blocked_by(&nails, byte)).collect();
        Ok(Euler { grid, normal: variant.normal, nails, blocked })
    }

    /// Returns the nails that fit between covered cells, as a set of indices.
    #[inline]
    fn free(&self, position: &Position) -> u128 {
        let bytes = self.blocked.iter().zip(position.men[0].to_le_bytes());
        let blocked = bytes.fold(0, |set, (table, byte)| set | table[usize::from(byte)]);
        !blocked & (u128::MAX >> (128 - self.nails.len()))
    }

    /// Returns the set of all cells.
    const fn full(&self) -> u64 {
        self.grid.all()
    }
}

/// Returns the nails blocked by each value of a byte of the covered cells.
fn blocked_by(nails: &[u32], byte: usize) -> [u128; 256] {
    let mut table = [0; 256];
    for (bits, set) in (0u32..).zip(&mut table) {
        let covered = bits << (8 * byte);
        *set = nails.iter().enumerate().fold(0, |set, (n, nail)| set | u128::from(nail & covered != 0) << n);
    }
    table
}

impl BoardRules for Euler {
    fn layout(&self) -> Layout {
        Layout { cells: self.grid.cells() as u32, rest: 0, stage: 0 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.grid.symmetries(), 0, 0)
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        let end = if self.normal { Value::loss_in(0) } else { Value::win_in(0) };
        (position.men[0] == self.full()).then_some(end)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let free = self.free(position);
        for (half, first) in [(free as u64, 0), ((free >> 64) as u64, 64)] {
            indices(half).try_for_each(|nail| visit(Move(self.nails[first + nail].into())))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        Position { men: [position.men[0] | m.0, 0], rest: 0, turn: !position.turn }
    }

    fn obstacle(&self) -> Option<String> {
        (!self.normal).then(|| format!("whoever fills the board loses ({MISERE})"))
    }

    fn write_position(&self, position: &Position) -> String {
        let board = self.grid.write(|cell| if position.men[0] >> cell & 1 == 1 { 'X' } else { '.' });
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as X.../..../..../....,")?;
        let mut covered = 0;
        self.grid.read(board, "X and .", |cell, letter| {
            covered |= u64::from(letter == 'X') << cell;
            letter == 'X' || letter == '.'
        })?;
        Ok(Position { men: [covered, 0], rest: 0, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let first = m.0.trailing_zeros() as usize;
        let last = m.0.checked_ilog2().unwrap_or(0) as usize;
        let ends = (self.grid.square(first), self.grid.square(last));
        // A run lies in one column or in one row; down a column the lower number comes last.
        let lower_first = self.grid.coordinates(first).0 < self.grid.coordinates(last).0;
        match ends {
            (first, last) if first == last => first,
            (first, last) if lower_first => format!("{first}-{last}"),
            (first, last) => format!("{last}-{first}"),
        }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (from, to) = word.split_once('-').unwrap_or((word, word));
        let ends = [self.grid.read_square(from)?, self.grid.read_square(to)?];
        let (first, last) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let (from, to) = (self.grid.coordinates(first), self.grid.coordinates(last));
        let step = match (from.0 == to.0, from.1 == to.1) {
            (_, true) => 1,
            (true, false) => self.grid.columns,
            (false, false) => return None,
        };
        let nail = (first..=last).step_by(step).fold(0, |set, cell| set | 1 << cell);
        let nail = self.nails.iter().find(|&&known| known == nail).map(|&nail| u64::from(nail))?;
        (nail & position.men[0] == 0).then_some(Move(nail))
    }

    fn draw(&self, position: &Position) -> String {
        self.grid.draw(&self.write_position(position))
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}

/// An index is the set of covered cells, whoever is to move.
impl Indices for Euler {
    fn size(&self) -> u64 {
        1 << self.grid.cells()
    }

    fn number(&self, position: &Position) -> Option<u64> {
        Some(position.men[0])
    }

    fn position(&self, number: u64) -> Option<Position> {
        (number < self.size()).then_some(Position { men: [number, 0], ..Position::EMPTY })
    }

    fn order(&self) -> Order {
        Order::Higher
    }

    fn child_indices(&self, position: &Position, visit: &mut dyn FnMut(u64, Step)) {
        let _ = self.moves(position, &mut |nail| {
            visit(position.men[0] | nail.0, Step::PASSED);
            MORE
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nails_of_every_board_fit_a_set() {
        for rows in 1..=25 {
            for columns in 1..=25 / rows {
                for longest in 1..=25 {
                    let game = Euler::new(rows, columns, Rules { longest, ..Rules::default() }).unwrap();
                    assert!(game.nails.len() <= 128, "{rows}x{columns} maxlen={longest}");
                }
            }
        }
    }

    #[test]
    fn four_by_four_has_48_nails() {
        let game = Euler::new(4, 4, Rules::default()).unwrap();
        assert_eq!(game.nails.len(), 48);
    }

    #[test]
    fn nails_are_written_lower_square_first_and_read_in_either_order() {
        let game = Euler::new(4, 4, Rules::default()).unwrap();
        let start = game.start();
        for (word, written) in
            [("a1-a3", "a1-a3"), ("a3-a1", "a1-a3"), ("d4-b4", "b4-d4"), ("b2", "b2"), ("b2-b2", "b2")]
        {
            let nail = game.read_move(&start, word).unwrap();
            assert_eq!(game.write_move(&start, nail), written);
        }
        for bad in ["a1-a4", "b2-b3", "a1-b2", "b2-c2", "a1-", "-a1", "a1-a2-a3", "e1"] {
            assert_eq!(game.read_move(&start, bad), None, "{bad}");
        }
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        for (rows, columns) in [(9, 9), (0, 4), (4, 0), (26, 1), (usize::MAX, usize::MAX)] {
            assert!(Euler::new(rows, columns, Rules::default()).is_err(), "{rows}x{columns}");
        }
        assert!(Euler::new(4, 4, Rules { longest: 0, ..Rules::default() }).is_err());
    }
}
