//! Joust: two knights that burn the cells they leave.
//!
//! * The knights start in opposite corners, player one's `X` on a1. A move is a knight's move to a free cell; the cell left
//!   burns and is never entered again. Who cannot move loses.
//! * Position `..#O/.../X..# 1`, rows from the top, `#` a burned cell; move: the cell moved to.
//!
//! Solved by enumeration of the positions that follow, larger boards by search. Cell 0 is at the top left.
//!
//! Source: GamesCrafters, University of California, Berkeley. On boards with an even side the second player wins: he
//! answers opposite.

use grundy_core::bits::places;
use grundy_core::game::Flow;
use grundy_core::grid::Grid;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

/// The rules on a board. The men of a position are the knights, the rest are burned cells. A move is the cell moved to.
#[derive(Clone, Debug)]
pub struct Joust {
    grid: Grid,
    /// The cells a knight's move from each.
    jumps: Vec<u64>,
}

impl Joust {
    /// Returns the game on a board of `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// The board has a single cell, more than 64, or a side longer than 26.
    pub fn new(rows: usize, columns: usize) -> Result<Joust, String> {
        let grid = Grid::of(rows, columns, 2..=64)?;
        let jumps = |cell: usize| {
            let (column, row) = grid.coordinates(cell);
            let apart = |other: usize| {
                let (c, r) = grid.coordinates(other);
                (c.abs_diff(column), r.abs_diff(row))
            };
            (0..grid.cells()).filter(|&to| matches!(apart(to), (1, 2) | (2, 1))).fold(0, |s, c| s | 1 << c)
        };
        Ok(Joust { grid, jumps: (0..grid.cells()).map(jumps).collect() })
    }

    fn targets(&self, position: &Position) -> u64 {
        self.jumps[position.own().trailing_zeros() as usize] & !position.rest & !position.taken()
    }
}

impl BoardRules for Joust {
    fn layout(&self) -> Layout {
        let cells = self.grid.cells() as u32;
        Layout { cells, rest: cells, stage: 0 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.grid.symmetries(), 1, 1)
    }

    fn start(&self) -> Position {
        let Grid { columns, rows } = self.grid;
        let (first, second) = (self.grid.cell(0, rows - 1), self.grid.cell(columns - 1, 0));
        Position { men: [1 << first, 1 << second], ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        places(self.targets(position)).try_for_each(|cell| visit(Move(cell.into())))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(1 << m.0, position.other(), position.rest | position.own())
    }

    fn write_position(&self, position: &Position) -> String {
        let has = |set: u64, cell: usize| set >> cell & 1 == 1;
        let board = self.grid.write(|cell| match position.men {
            [one, _] if has(one, cell) => 'X',
            [_, two] if has(two, cell) => 'O',
            _ if has(position.rest, cell) => '#',
            _ => '.',
        });
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as ..#O/.../X..#,")?;
        let (mut rest, mut men) = (0, [0u64; 2]);
        self.grid.read(board, "X, O, # and .", |cell, letter| {
            match letter {
                'X' => men[0] |= 1 << cell,
                'O' => men[1] |= 1 << cell,
                '#' => rest |= 1 << cell,
                letter => return letter == '.',
            }
            true
        })?;
        match men.map(u64::count_ones) {
            [1, 1] => Ok(Position { men, rest, turn }),
            [one, two] => Err(format!("{one} X and {two} O: expected one knight of each player")),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        self.grid.square(m.0 as usize)
    }

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    /// Prefers cells with more moves on.
    fn hint(&self, position: &Position, m: Move, child: &Position) -> i32 {
        let free = !child.rest & !child.men[position.turn.index()];
        let own = (self.jumps[m.0 as usize] & free).count_ones() as i32;
        own - 2 * self.targets(child).count_ones() as i32
    }
}
