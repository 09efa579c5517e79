//! Rectangular boards: the notation of their squares and rows, and their symmetries.
//!
//! Cells are indexed row by row from the top left, as boards are written; squares are named from the bottom left: on a
//! 3x3 board cell 0 is `a3` and cell 8 is `c1`.

use std::ops::RangeInclusive;

use crate::drawing;
use crate::game::Player;
use crate::words;

/// The cells of the eight lines of a board of 3x3, as bits by cell.
pub const LINES_OF_THREE: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// A board of up to 26 columns and 99 rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Cells in a row.
    pub columns: usize,
    /// Cells in a column.
    pub rows: usize,
}

impl Grid {
    /// Largest number of columns: one letter each.
    pub const MOST_COLUMNS: usize = 26;
    /// Largest number of rows.
    pub const MOST_ROWS: usize = 99;

    /// Returns the board of `rows` by `columns` cells, a number of cells in `cells` and at most [`Grid::MOST_COLUMNS`] in a
    /// row and in a column.
    ///
    /// # Errors
    /// The board is of another size.
    ///
    /// ```
    /// use grundy_core::grid::Grid;
    /// assert_eq!(Grid::of(2, 3, 2..=64), Ok(Grid { columns: 3, rows: 2 }));
    /// let refusal = "no board of 1x27: 2 to 64 cells and sides to 26 are possible";
    /// assert_eq!(Grid::of(1, 27, 2..=64), Err(refusal.to_owned()));
    /// ```
    pub fn of(rows: usize, columns: usize, cells: RangeInclusive<usize>) -> Result<Grid, String> {
        let (grid, sides) = (Grid { columns, rows }, 1..=Grid::MOST_COLUMNS);
        if sides.contains(&rows) && sides.contains(&columns) && cells.contains(&grid.cells()) {
            return Ok(grid);
        }
        let (least, most, side) = (cells.start(), cells.end(), Grid::MOST_COLUMNS);
        Err(format!("no board of {rows}x{columns}: {least} to {most} cells and sides to {side} are possible"))
    }

    /// Returns the number of cells.
    pub const fn cells(self) -> usize {
        self.columns * self.rows
    }

    /// Returns the set of all cells of a board of 1 to 64.
    pub const fn all(self) -> u64 {
        u64::MAX >> (64 - self.cells())
    }

    /// Returns the cells that share a side with a cell, on a board of at most 64.
    pub fn beside(self, cell: usize) -> u64 {
        let (column, row) = self.coordinates(cell);
        let near = |other: &usize| {
            let (c, r) = self.coordinates(*other);
            c.abs_diff(column) + r.abs_diff(row) == 1
        };
        (0..self.cells()).filter(near).fold(0, |set, cell| set | 1 << cell)
    }

    /// Returns the cell in this column from the left and this row from the top, both counted from 0.
    pub const fn cell(self, column: usize, row: usize) -> usize {
        row * self.columns + column
    }

    /// Returns column and row of a cell, from the left and from the top.
    pub const fn coordinates(self, cell: usize) -> (usize, usize) {
        (cell % self.columns, cell / self.columns)
    }

    /// Returns by how many bits a set of cells is shifted to the right to reach the top and the left edge of a board of at most 64
    /// cells, its shape kept; 0 for the empty set.
    #[inline]
    pub const fn corner(self, set: u64) -> u32 {
        if set == 0 {
            return 0;
        }
        let columns = self.columns as u32;
        let top = set.trailing_zeros() / columns * columns;
        // The cells of all rows in one.
        let (mut row, mut reach) = (set >> top, columns);
        while reach < u64::BITS {
            row |= row >> reach;
            reach *= 2;
        }
        top + (row & (u64::MAX >> (u64::BITS - columns))).trailing_zeros()
    }

    /// Returns the name of a cell's square: `a1` is bottom left.
    pub fn square(self, cell: usize) -> String {
        let (column, row) = self.coordinates(cell);
        format!("{}{}", (b'a' + column as u8) as char, self.rows - row)
    }

    /// Returns the cell of a square's name; `None` if the board has no such square.
    pub fn read_square(self, word: &str) -> Option<usize> {
        let (letter, digits) = word.split_at_checked(1)?;
        let column = usize::from(letter.as_bytes()[0].checked_sub(b'a')?);
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let number: usize = digits.parse().ok().filter(|_| plain)?;
        let row = self.rows.checked_sub(number)?;
        (column < self.columns).then(|| self.cell(column, row))
    }

    /// Returns the rows from the top joined by `/`, one letter a cell.
    pub fn write(self, letter: impl Fn(usize) -> char) -> String {
        let mut text = String::with_capacity(self.cells() + self.rows);
        for cell in 0..self.cells() {
            if cell > 0 && cell % self.columns == 0 {
                text.push('/');
            }
            text.push(letter(cell));
        }
        text
    }

    /// Reads the form written by [`Grid::write`] and visits each cell's letter.
    ///
    /// # Errors
    /// The rows differ in number or length from the board's, or the visitor refuses a letter. The line says what was
    /// expected; `letters` describes the possible ones.
    pub fn read(
        self,
        text: &str,
        letters: &str,
        mut visit: impl FnMut(usize, char) -> bool,
    ) -> Result<(), String> {
        let expected = || {
            let Grid { columns, rows } = self;
            format!("expected {rows} rows joined by '/', each of {columns} cells out of {letters}")
        };
        if text.len() > 4 * (self.cells() + self.rows) {
            return Err(expected());
        }
        let mut cell = 0;
        for (i, letter) in text.chars().enumerate() {
            let right = match i % (self.columns + 1) {
                column if column == self.columns => letter == '/' && cell < self.cells(),
                _ => {
                    cell += 1;
                    cell <= self.cells() && visit(cell - 1, letter)
                }
            };
            if !right {
                return Err(expected());
            }
        }
        if cell == self.cells() { Ok(()) } else { Err(expected()) }
    }

    /// Reads a board that holds the stones of two players, `X` and `O`, and visits each stone: its owner (0 for `X`, 1
    /// for `O`) and its cell.
    ///
    /// # Errors
    /// Same as [`Grid::read`].
    pub fn read_stones(self, text: &str, mut visit: impl FnMut(usize, usize)) -> Result<(), String> {
        self.read(text, "X, O and .", |cell, letter| {
            match letter {
                'X' => visit(0, cell),
                'O' => visit(1, cell),
                letter => return letter == '.',
            }
            true
        })
    }

    /// Reads a position of a game in which the players place one stone a turn, `X` first: the board as in
    /// [`Grid::read_stones`], then the turn. Returns the player to move. `example` is a board for the error message.
    ///
    /// # Errors
    /// Same as [`Grid::read`], or if one player has too many stones.
    ///
    /// ```
    /// use grundy_core::{game::Player, grid::Grid};
    /// let grid = Grid { columns: 3, rows: 1 };
    /// let mut stones = [0; 2];
    /// let turn = grid.read_placed("X.O 1", "X.O", |side, cell| stones[side] |= 1 << cell);
    /// assert_eq!((turn, stones), (Ok(Player::One), [0b001, 0b100]));
    /// assert!(grid.read_placed("X.O 2", "X.O", |_, _| {}).is_err());
    /// ```
    pub fn read_placed(
        self,
        text: &str,
        example: &str,
        mut visit: impl FnMut(usize, usize),
    ) -> Result<Player, String> {
        let ([board], turn) = words::fields(text, &format!("the board's rows from the top, as {example},"))?;
        let mut counts = [0; 2];
        self.read_stones(board, |side, cell| {
            counts[side] += 1;
            visit(side, cell);
        })?;
        in_turn(counts, turn).map(|()| turn)
    }

    /// Writes the form read by [`Grid::read_stones`]; `has(player, cell)` reports whether player 0 or 1 has a stone
    /// there.
    pub fn write_stones(self, has: impl Fn(usize, usize) -> bool) -> String {
        self.write(|cell| match [has(0, cell), has(1, cell)] {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        })
    }

    /// Appends the bytes of [`Grid::write_stones`] without the signs between rows.
    #[inline]
    pub fn push_stones(self, cells: &mut Vec<u8>, has: impl Fn(usize, usize) -> bool) {
        cells.extend((0..self.cells()).map(|cell| match [has(0, cell), has(1, cell)] {
            [true, _] => b'X',
            [_, true] => b'O',
            _ => b'.',
        }));
    }

    /// Returns a drawing of rows in the form of [`Grid::write`]: one below the other, with square names at the edges. What
    /// follows a blank is left out.
    pub fn draw(self, rows: &str) -> String {
        let rows = rows.split(' ').next().unwrap_or_default();
        let rows: Vec<Vec<String>> =
            rows.split('/').map(|row| row.chars().map(String::from).collect()).collect();
        drawing::labelled(&rows, self.columns)
    }

    /// Returns the board's symmetries, each as the image of every cell, the identity first: eight on a square board,
    /// else four.
    pub fn symmetries(self) -> Vec<Vec<usize>> {
        let (right, bottom) = (self.columns - 1, self.rows - 1);
        let turns = if self.columns == self.rows { 8 } else { 4 };
        let image = |symmetry: usize, cell: usize| {
            let (mut column, mut row) = self.coordinates(cell);
            if symmetry & 1 != 0 {
                column = right - column;
            }
            if symmetry & 2 != 0 {
                row = bottom - row;
            }
            if symmetry & 4 != 0 { self.cell(row, column) } else { self.cell(column, row) }
        };
        (0..turns).map(|symmetry| (0..self.cells()).map(|cell| image(symmetry, cell)).collect()).collect()
    }
}

/// Checks the number of stones of each player, who place one in turn, `X` first.
fn in_turn([first, second]: [u32; 2], turn: Player) -> Result<(), String> {
    if first == second + turn.index() as u32 {
        return Ok(());
    }
    let expected = if turn == Player::One { "as many X as O" } else { "one X more than O" };
    Err(format!("{first} X and {second} O with player {} to move: expected {expected}", turn.digit()))
}

/// A permutation of up to 64 cells that maps whole sets at once, byte by byte.
#[derive(Clone, Debug)]
pub struct CellMap {
    bytes: Vec<[u64; 256]>,
}

impl CellMap {
    /// Returns the map that sends each cell `c` to `image[c]`.
    pub fn new(image: &[usize]) -> CellMap {
        let of_byte = |cells: &[usize]| {
            let mut table = [0; 256];
            for (bits, set) in table.iter_mut().enumerate() {
                *set = cells
                    .iter()
                    .enumerate()
                    .filter(|(b, _)| bits >> b & 1 == 1)
                    .fold(0, |s, (_, &c)| s | 1 << c);
            }
            table
        };
        CellMap { bytes: image.chunks(8).map(of_byte).collect() }
    }

    /// Returns the image of a set of cells.
    #[inline]
    pub fn apply(&self, set: u64) -> u64 {
        self.bytes
            .iter()
            .enumerate()
            .fold(0, |image, (i, table)| image | table[(set >> (8 * i) & 255) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_reach_the_corner_whole() {
        let grid = Grid { columns: 5, rows: 4 };
        let set = |cells: &[usize]| cells.iter().fold(0_u64, |set, cell| set | 1 << cell);
        assert_eq!(grid.corner(0), 0);
        assert_eq!(set(&[7, 8, 11]) >> grid.corner(set(&[7, 8, 11])), set(&[1, 2, 5]));
        let tall = Grid { columns: 1, rows: 64 };
        assert_eq!((tall.corner(1 << 63), Grid { columns: 8, rows: 8 }.corner(1 << 63)), (63, 63));
    }

    #[test]
    fn neighbours_share_a_side() {
        let grid = Grid { columns: 3, rows: 2 };
        assert_eq!(grid.all(), 0b11_1111);
        assert_eq!([0, 4].map(|cell| grid.beside(cell)), [0b1010, 0b10_1010]);
        assert_eq!(grid.draw("X.O/... 1"), " 2 X . O\n 1 . . .\n   a b c");
    }

    #[test]
    fn squares_count_from_the_bottom_left() {
        let grid = Grid { columns: 3, rows: 12 };
        assert_eq!((grid.square(0), grid.square(35)), ("a12".to_string(), "c1".to_string()));
        for cell in 0..36 {
            assert_eq!(grid.read_square(&grid.square(cell)), Some(cell));
        }
        for bad in
            ["", "a", "a0", "a13", "d1", "A1", "a01", "a+1", "é1", "a1x", "1a", "a99999999999999999999"]
        {
            assert_eq!(grid.read_square(bad), None, "{bad}");
        }
    }

    #[test]
    fn rows_are_read_back_and_others_refused() {
        let grid = Grid { columns: 2, rows: 2 };
        let mut seen = String::new();
        assert!(
            grid.read("ab/cd", "letters", |_, c| {
                seen.push(c);
                true
            })
            .is_ok()
        );
        assert_eq!(grid.write(|cell| seen.as_bytes()[cell] as char), "ab/cd");
        for bad in ["", "ab", "ab/c", "ab/cde", "ab/cd/", "abcd", "a/bcd", "ab/cd/ef"] {
            assert!(grid.read(bad, "letters", |_, _| true).is_err(), "{bad}");
        }
        assert!(grid.read("ab/cd", "letters", |_, c| c != 'd').is_err());
    }

    #[test]
    fn symmetries_are_distinct_and_whole_sets_move_as_their_cells_do() {
        for (columns, rows, count) in [(3, 3, 8), (4, 3, 4)] {
            let grid = Grid { columns, rows };
            let symmetries = grid.symmetries();
            assert_eq!(symmetries.len(), count);
            for (i, image) in symmetries.iter().enumerate() {
                assert!(!symmetries[..i].contains(image));
                let map = CellMap::new(image);
                for set in 0..1u64 << grid.cells() {
                    let cells = (0..grid.cells()).filter(|c| set >> c & 1 == 1);
                    assert_eq!(map.apply(set), cells.fold(0, |s, c| s | 1 << image[c]));
                }
            }
        }
    }
}
