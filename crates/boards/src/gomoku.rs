//! The m,n,k-games on large boards, up to 19x19: Gomoku and its relatives.
//!
//! The rules, positions and moves are those of [`mnk`](crate::mnk). Boards of more than 64 cells fit no word and no
//! table, so the position has a byte a cell, and the data that a search needs is updated with each stone: the number of
//! lines that each player may still complete, by the stones that they have (a line with stones of both is dead).
//!
//! Solved by search, which sees immediate wins and threats, and wins by a chain of threats that each have a single
//! answer.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored};
use grundy_core::grid::Grid;
use grundy_core::random::{GOLDEN, mix};
use grundy_core::value::Value;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// Maximum number of cells of a board.
const MOST: usize = Gomoku::MOST_SIDE * Gomoku::MOST_SIDE;
/// Directions of lines: horizontal, vertical and both diagonals, as cells right and down.
const DIRECTIONS: [(isize, usize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
/// Maximum number of positions examined for a chain of threats.
const THREATS: u32 = 30;

/// The rules on a large board.
#[derive(Clone, Debug)]
pub struct Gomoku {
    grid: Grid,
    misere: bool,
    k: usize,
    /// Every line: its first cell, and the offset from each cell to the next.
    lines: Vec<(u16, u16)>,
    /// The lines through each cell.
    through: Vec<Vec<u16>>,
    /// The cells at most two columns and rows from each cell, in a line with it.
    near: Vec<Vec<u16>>,
    /// Image of each cell by each symmetry of the board, the identity first.
    images: Vec<Vec<usize>>,
}

/// The stones on the board and data derived from them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// 0 for a free cell, 1 and 2 for a stone of player one and two.
    cells: [u8; MOST],
    /// Number of stones; player one is to move when it is even.
    ply: u16,
    /// A hash of the stones.
    key: u64,
    /// Value of the open lines of player one minus that of player two's.
    score: i32,
    /// Number of open lines of each player that lack one stone, and that lack two.
    lacking: [[u16; 2]; 2],
    /// `true` if the last stone completed a line.
    made: bool,
}

impl Gomoku {
    /// The longest side of a board.
    pub const MOST_SIDE: usize = 19;

    /// Returns the game on a board of `columns` by `rows` cells with `k` in a row.
    ///
    /// # Errors
    /// A side is longer than [`Gomoku::MOST_SIDE`], or no line of `k` fits on the board.
    pub fn new(columns: usize, rows: usize, k: usize, misere: bool) -> Result<Gomoku, String> {
        let sides = 1..=Gomoku::MOST_SIDE;
        if !sides.contains(&columns) || !sides.contains(&rows) {
            return Err(format!("no board of {columns}x{rows}: expected 64 cells, or sides of 1 to 19"));
        }
        if !(1..=columns.max(rows)).contains(&k) {
            return Err(format!("no line of {k} on {columns}x{rows}: expected 1 to {}", columns.max(rows)));
        }
        let grid = Grid { columns, rows };
        let mut lines = Vec::new();
        let mut through = vec![Vec::new(); grid.cells()];
        for (right, down) in DIRECTIONS {
            let stride = (columns * down).wrapping_add_signed(right);
            for start in 0..grid.cells() {
                let (column, row) = grid.coordinates(start);
                let last = column.checked_add_signed(right * (k as isize - 1));
                // A line of one cell runs in one direction only.
                let fits = last.is_some_and(|last| last < columns) && row + down * (k - 1) < rows;
                if fits && (k > 1 || (right, down) == DIRECTIONS[0]) {
                    (0..k).for_each(|i| through[start + i * stride].push(lines.len() as u16));
                    lines.push((start as u16, stride as u16));
                }
            }
        }
        let near = (0..grid.cells()).map(|cell| near(grid, cell)).collect();
        Ok(Gomoku { grid, misere, k, lines, through, near, images: grid.symmetries() })
    }

    fn mover(position: &Position) -> usize {
        usize::from(position.ply & 1)
    }

    fn cells_of(&self, line: u16) -> impl Iterator<Item = usize> {
        let (start, stride) = self.lines[usize::from(line)];
        (0..self.k).map(move |i| usize::from(start) + i * usize::from(stride))
    }

    /// Returns the stones of player one and of player two on a line.
    fn count(&self, position: &Position, line: u16) -> [usize; 2] {
        let mut count = [0; 3];
        self.cells_of(line).for_each(|cell| count[usize::from(position.cells[cell])] += 1);
        [count[1], count[2]]
    }

    /// Returns the value of an open line of `stones` stones.
    fn worth(stones: usize) -> i32 {
        if stones == 0 { 0 } else { 1 << (2 * stones.min(8)) }
    }

    /// Places a stone of the player to move.
    fn put(&self, position: &mut Position, cell: usize) {
        let me = Gomoku::mover(position);
        let other = 1 - me;
        let sign = if me == 0 { 1 } else { -1 };
        for &line in &self.through[cell] {
            let count = self.count(position, line);
            if count[other] == 0 {
                if count[me] == 0 && self.k <= 2 {
                    // The line was open for the other, too.
                    position.lacking[other][self.k - 1] -= 1;
                }
                position.score += sign * (Gomoku::worth(count[me] + 1) - Gomoku::worth(count[me]));
                match self.k - count[me] {
                    1 => {
                        position.made = true;
                        position.lacking[me][0] -= 1;
                    }
                    2 => {
                        position.lacking[me][0] += 1;
                        position.lacking[me][1] -= 1;
                    }
                    3 => position.lacking[me][1] += 1,
                    _ => {}
                }
            } else if count[me] == 0 {
                position.score += sign * Gomoku::worth(count[other]);
                if let lacking @ 1..=2 = self.k - count[other] {
                    position.lacking[other][lacking - 1] -= 1;
                }
            }
        }
        position.cells[cell] = me as u8 + 1;
        position.key ^= mix((2 * cell + me) as u64 + 1);
        position.ply += 1;
    }

    /// Returns the position with these stones, placed by the players in turn.
    fn with_stones(&self, stones: &[Vec<usize>; 2]) -> Position {
        let mut position = self.start();
        for ply in 0..stones[0].len() + stones[1].len() {
            position.made = false;
            self.put(&mut position, stones[ply % 2][ply / 2]);
        }
        position
    }

    /// Reports whether a player has a line.
    fn has_line(&self, position: &Position, player: usize) -> bool {
        (0..self.lines.len() as u16).any(|line| self.count(position, line)[player] == self.k)
    }

    /// Returns up to two distinct cells that complete a line of a player.
    fn completing(&self, position: &Position, player: usize) -> Vec<usize> {
        let mut cells = Vec::new();
        if position.lacking[player][0] > 0 {
            for line in 0..self.lines.len() as u16 {
                let count = self.count(position, line);
                if count[player] + 1 == self.k && count[1 - player] == 0 {
                    cells.extend(self.cells_of(line).find(|&cell| position.cells[cell] == 0));
                    cells.dedup();
                    if cells.len() > 1 {
                        break;
                    }
                }
            }
        }
        cells
    }

    /// Returns the plies of a win by threats that each have a single answer; `None` if `looks` positions reveal none.
    /// Neither player may have a line that lacks only one stone.
    fn chain(&self, position: &Position, looks: &mut u32) -> Option<u32> {
        let me = Gomoku::mover(position);
        // A single line is stopped by the answer to its threat.
        if position.lacking[me][1] < 2 {
            return None;
        }
        for line in 0..self.lines.len() as u16 {
            let count = self.count(position, line);
            if count[me] + 2 != self.k || count[1 - me] != 0 {
                continue;
            }
            let free: Vec<usize> = self.cells_of(line).filter(|&cell| position.cells[cell] == 0).collect();
            for (threat, answer) in [(free[0], free[1]), (free[1], free[0])] {
                if *looks == 0 {
                    return None;
                }
                *looks -= 1;
                let mut next = position.clone();
                self.put(&mut next, threat);
                self.put(&mut next, answer);
                if next.made {
                    continue;
                }
                if next.lacking[me][0] > 0 {
                    return Some(3);
                }
                if next.lacking[1 - me][0] == 0
                    && let Some(plies) = self.chain(&next, looks)
                {
                    return Some(plies + 2);
                }
            }
        }
        None
    }
}

/// Returns the cells at most two columns and rows from a cell, in a line with it.
fn near(grid: Grid, cell: usize) -> Vec<u16> {
    let (column, row) = grid.coordinates(cell);
    let apart = |other: &usize| {
        let (c, r) = grid.coordinates(*other);
        let (right, down) = (c.abs_diff(column), r.abs_diff(row));
        right.max(down) <= 2 && (right == 0 || down == 0 || right == down) && *other != cell
    };
    (0..grid.cells()).filter(apart).map(|other| other as u16).collect()
}

impl Game for Gomoku {
    type Position = Position;
    type Move = u16;

    fn start(&self) -> Position {
        let lines = self.lines.len() as u16;
        let lacking = [1, 2].map(|stones| if self.k == stones { lines } else { 0 });
        Position { cells: [0; MOST], ply: 0, key: 0, score: 0, lacking: [lacking; 2], made: false }
    }

    fn turn(&self, position: &Position) -> Player {
        if position.ply & 1 == 0 { Player::One } else { Player::Two }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        if position.made {
            return Some(if self.misere { Value::win_in(0) } else { Value::loss_in(0) });
        }
        (usize::from(position.ply) == self.grid.cells()).then_some(Value::DRAW)
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u16) -> Flow) -> Flow {
        for cell in 0..self.grid.cells() {
            if position.cells[cell] == 0 {
                visit(cell as u16)?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: u16) -> Position {
        let mut next = position.clone();
        self.put(&mut next, usize::from(m));
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        let stones = |image: &Vec<usize>| {
            let of = |player: u8| {
                let cells = (0..self.grid.cells()).filter(|&cell| position.cells[cell] == player);
                cells.map(|cell| image[cell]).collect()
            };
            [of(1), of(2)]
        };
        let least = self.images.iter().enumerate().min_by_key(|(_, image)| {
            let mut cells = [0; MOST];
            (0..self.grid.cells()).for_each(|cell| cells[image[cell]] = position.cells[cell]);
            cells
        });
        let made = position.made;
        match least {
            // The first image is the position itself.
            None | Some((0, _)) => position.clone(),
            Some((_, image)) => Position { made, ..self.with_stones(&stones(image)) },
        }
    }
}

impl Scored for Gomoku {}

impl Notation for Gomoku {
    fn write_position(&self, position: &Position) -> String {
        let has = |player: usize, cell: usize| usize::from(position.cells[cell]) == player + 1;
        format!("{} {}", self.grid.write_stones(has), self.turn(position).digit())
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        cells.extend(position.cells[..self.grid.cells()].iter().map(|&stone| b".XO"[usize::from(stone)]));
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut stones = [Vec::new(), Vec::new()];
        let turn = self.grid.read_placed(text, "X.O/.../...", |player, cell| stones[player].push(cell))?;
        let mut position = self.with_stones(&stones);
        if self.has_line(&position, turn.index()) {
            return Err(format!(
                "player {} is to move and already has a line: the game ended earlier",
                turn.digit()
            ));
        }
        position.made = self.has_line(&position, 1 - turn.index());
        Ok(position)
    }

    fn write_move(&self, _position: &Position, m: u16) -> String {
        self.grid.square(usize::from(m))
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u16> {
        let cell = self.grid.read_square(word)?;
        (position.cells[cell] == 0 && self.over(position).is_none()).then_some(cell as u16)
    }

    fn draw(&self, position: &Position) -> String {
        let line = self.write_position(position);
        self.grid.draw(line.split(' ').next().unwrap_or_default())
    }
}

impl Heuristic for Gomoku {
    const SELECTIVE: bool = true;

    fn key(&self, position: &Position) -> u64 {
        position.key
    }

    fn guess(&self, position: &Position) -> i32 {
        let score = if position.ply & 1 == 0 { position.score } else { -position.score };
        let score = score.clamp(-9_000, 9_000);
        if self.misere { -score } else { score }
    }

    /// Orders moves by what the stone adds to one's own open lines and takes from the other's.
    fn hint(&self, position: &Position, m: u16, _child: &Position) -> i32 {
        let me = Gomoku::mover(position);
        let sum: i32 = self.through[usize::from(m)]
            .iter()
            .map(|&line| {
                let count = self.count(position, line);
                match (count[me], count[1 - me]) {
                    (own, 0) => 2 * Gomoku::worth(own + 1),
                    (0, other) => Gomoku::worth(other + 1),
                    _ => 0,
                }
            })
            .sum();
        if self.misere { -sum } else { sum }
    }

    fn selective(&self, _root: &Position) -> bool {
        !self.misere
    }

    fn urgency(&self, position: &Position, m: u16) -> i32 {
        400 * self.hint(position, m, position).min(100_000)
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        // Whoever is to move against a line that lacks one stone must stop it.
        let free = position.lacking[1 - Gomoku::mover(position)][0] == 0;
        free.then(|| Position { ply: position.ply + 1, key: position.key ^ GOLDEN, ..position.clone() })
    }

    fn lane(&self, _position: &Position, m: u16) -> usize {
        1 + usize::from(m)
    }

    /// Visits the free cells at most two cells from a stone, in a line with it.
    fn promising(&self, position: &Position, visit: &mut impl FnMut(u16)) -> bool {
        let mut near = [false; MOST];
        for cell in (0..self.grid.cells()).filter(|&cell| position.cells[cell] != 0) {
            self.near[cell].iter().for_each(|&other| near[usize::from(other)] = true);
        }
        let (mut visited, mut left_out) = (false, false);
        let _ = self.candidates(position, &mut |m| {
            if near[usize::from(m)] {
                visit(m);
            }
            (visited, left_out) = (visited | near[usize::from(m)], left_out | !near[usize::from(m)]);
            MORE
        });
        if visited {
            return !left_out;
        }
        let _ = self.candidates(position, &mut |m| {
            visit(m);
            MORE
        });
        true
    }
}

impl Bounds for Gomoku {
    fn bounds(&self, position: &Position, target: Value) -> (Value, Value) {
        if self.misere {
            return (Value::loss_in(1), Value::win_in(1));
        }
        let me = Gomoku::mover(position);
        if position.lacking[me][0] > 0 {
            return (Value::win_in(1), Value::win_in(1));
        }
        if position.lacking[1 - me][0] > 0 {
            return match self.completing(position, 1 - me).len() {
                2.. => (Value::loss_in(2), Value::loss_in(2)),
                _ => (Value::loss_in(4), Value::win_in(3)),
            };
        }
        let chain = if target > Value::DRAW { self.chain(position, &mut { THREATS }) } else { None };
        (chain.map_or(Value::loss_in(4), Value::win_in), Value::win_in(3))
    }

    /// Visits only the stop of a line that the other is about to complete, unless one can complete a line oneself.
    fn candidates(&self, position: &Position, visit: &mut impl FnMut(u16) -> Flow) -> Flow {
        if !self.misere {
            let me = Gomoku::mover(position);
            for player in [me, 1 - me] {
                if let Some(&cell) = self.completing(position, player).first() {
                    return visit(cell as u16);
                }
            }
        }
        self.moves(position, visit)
    }

    fn forced(&self, position: &Position) -> Option<u16> {
        let me = Gomoku::mover(position);
        if self.misere || position.lacking[me][0] > 0 {
            return None;
        }
        match self.completing(position, 1 - me).as_slice() {
            &[cell] => Some(cell as u16),
            _ => None,
        }
    }
}
