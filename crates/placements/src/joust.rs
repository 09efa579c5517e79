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

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move, hash_of};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// The rules on a board.
#[derive(Clone, Debug)]
pub struct Joust {
    grid: Grid,
    /// The cells a knight's move from each.
    jumps: Vec<u64>,
    symmetries: Vec<CellMap>,
}

/// Burned cells, the knights, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    burned: u64,
    /// Each player's knight as a set of one cell.
    knights: [u64; 2],
    turn: Player,
}

impl Joust {
    /// Returns the game on a board of `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// The board has a single cell, more than 64, or a side longer than 26.
    pub fn new(rows: usize, columns: usize) -> Result<Joust, String> {
        let grid = Grid { columns, rows };
        let sides = 1..=Grid::MOST_COLUMNS;
        if !sides.contains(&rows) || !sides.contains(&columns) || !(2..=64).contains(&grid.cells()) {
            return Err(format!("no board of {rows}x{columns}: 2 to 64 cells are possible"));
        }
        let jumps = |cell: usize| {
            let (column, row) = grid.coordinates(cell);
            let apart = |other: usize| {
                let (c, r) = grid.coordinates(other);
                (c.abs_diff(column), r.abs_diff(row))
            };
            (0..grid.cells()).filter(|&to| matches!(apart(to), (1, 2) | (2, 1))).fold(0, |s, c| s | 1 << c)
        };
        Ok(Joust {
            grid,
            jumps: (0..grid.cells()).map(jumps).collect(),
            symmetries: grid.symmetries().iter().map(|image| CellMap::new(image)).collect(),
        })
    }

    fn targets(&self, position: &Position) -> u64 {
        let from = position.knights[position.turn.index()].trailing_zeros() as usize;
        self.jumps[from] & !position.burned & !position.knights[0] & !position.knights[1]
    }
}

impl Game for Joust {
    type Position = Position;
    /// The cell moved to.
    type Move = u8;

    fn start(&self) -> Position {
        let Grid { columns, rows } = self.grid;
        let (first, second) = (self.grid.cell(0, rows - 1), self.grid.cell(columns - 1, 0));
        Position { burned: 0, knights: [1 << first, 1 << second], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        (self.targets(position) == 0).then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mut targets = self.targets(position);
        while targets != 0 {
            visit(targets.trailing_zeros() as u8)?;
            targets &= targets - 1;
        }
        MORE
    }

    fn play(&self, position: &Position, m: u8) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        let knight = &mut next.knights[position.turn.index()];
        next.burned |= *knight;
        *knight = 1 << m;
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        let image = |map: &CellMap| Position {
            burned: map.apply(position.burned),
            knights: position.knights.map(|knight| map.apply(knight)),
            ..*position
        };
        self.symmetries.iter().map(image).min_by_key(|p| (p.knights, p.burned)).unwrap_or(*position)
    }
}

impl Scored for Joust {}

impl Notation for Joust {
    fn write_position(&self, position: &Position) -> String {
        let has = |set: u64, cell: usize| set >> cell & 1 == 1;
        let board = self.grid.write(|cell| match position.knights {
            [one, _] if has(one, cell) => 'X',
            [_, two] if has(two, cell) => 'O',
            _ if has(position.burned, cell) => '#',
            _ => '.',
        });
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as ..#O/.../X..#,")?;
        let (mut burned, mut knights) = (0, [0u64; 2]);
        self.grid.read(board, "X, O, # and .", |cell, letter| {
            match letter {
                'X' => knights[0] |= 1 << cell,
                'O' => knights[1] |= 1 << cell,
                '#' => burned |= 1 << cell,
                letter => return letter == '.',
            }
            true
        })?;
        match knights.map(u64::count_ones) {
            [1, 1] => Ok(Position { burned, knights, turn }),
            [one, two] => Err(format!("{one} X and {two} O: expected one knight of each player")),
        }
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        self.grid.square(usize::from(m))
    }
}

impl Heuristic for Joust {
    fn key(&self, position: &Position) -> u64 {
        hash_of(self.canonical(position))
    }

    /// Prefers cells with more moves on.
    fn hint(&self, position: &Position, m: u8, child: &Position) -> i32 {
        let free = !child.burned & !child.knights[position.turn.index()];
        let own = (self.jumps[usize::from(m)] & free).count_ones() as i32;
        own - 2 * self.targets(child).count_ones() as i32
    }
}

impl Bounds for Joust {}
