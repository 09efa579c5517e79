//! The m,n,k-games on large boards, up to 20x20: Gomoku and its relatives.
//!
//! The rules, positions and moves are those of [`mnk`](crate::mnk). Boards of more than 64 cells fit no word and no
//! table. The position has a word for each player on each line of the board (row, column or diagonal), and for each free
//! cell the *shape* that a stone there would make in each direction. A stone changes the shapes on four lines. They are
//! computed for all cells of these lines and for both players at once, by operations on words.
//!
//! Solved by search, which sees immediate wins and threats, and wins by a chain of threats that each have a single
//! answer.

mod shapes;

use std::hash::{Hash, Hasher};

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored};
use grundy_core::grid::Grid;
use grundy_core::random::{GOLDEN, mix};
use grundy_core::value::Value;
use grundy_search::alpha_beta::{Bounds, Heuristic};

use crate::mnk::{DIRECTIONS, WAYS, ended_earlier};
use shapes::{Planes, Words, is_fork, kinds, shapes};

/// Maximum number of cells of a board.
const MOST: usize = Gomoku::MOST_SIDE * Gomoku::MOST_SIDE;
/// Maximum number of rows, columns and diagonals, and one line without cells.
const MOST_LINES: usize = 6 * Gomoku::MOST_SIDE - 1;
/// Maximum number of positions examined for a chain of threats.
const THREATS: u32 = 30;
/// The weakest shape that is a threat.
const OPEN_THREE: u32 = 4;
/// The evaluation of a cell by the shape of a stone there in one direction.
const WORTH: [i32; 8] = [0, 1, 4, 5, 14, 15, 30, 60];
/// The evaluation of being to move.
const TEMPO: i32 = 30;
/// The evaluation of a cell for two threats, for the player to move and for the other.
const FORK: [i32; 2] = [300, 120];
/// The priority of a move by the shape that it makes in one direction, and that it takes from the other player.
const MAKES: [i32; 8] = [0, 3, 12, 16, 70, 80, 2_000, 9_000];
const TAKES: [i32; 8] = [0, 2, 9, 12, 56, 50, 800, 5_000];
/// The priority of making two threats, and of taking them from the other player.
const FORKS: [i32; 2] = [400, 250];

/// The rules on a large board.
#[derive(Clone, Debug)]
pub struct Gomoku {
    grid: Grid,
    misere: bool,
    k: u32,
    lines: Vec<Line>,
    /// For each cell its line and its place there, in each direction.
    places: Vec<[(u8, u8); WAYS]>,
    /// The cells at most two columns and rows from each cell, in a line with it.
    near: Vec<Cells>,
    /// Image of each cell by each symmetry of the board, the identity first.
    images: Vec<Vec<usize>>,
    /// The empty board.
    empty: Box<Position>,
}

/// A row, a column or a diagonal: place `i` is cell `first + i * stride`.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    first: i32,
    stride: i32,
    /// The places that are cells, once for each player; none if no winning line runs here.
    places: u64,
}

/// The stones on the board and data derived from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Stones on each line by place, 32 bits for each player; the rows first.
    stones: [u64; MOST_LINES],
    /// The shape of a stone of each player on each cell, 4 bits a direction.
    shapes: [[u16; 2]; MOST],
    /// Cells with these shapes, for each player.
    threats: [Threats; 2],
    free: Cells,
    /// Cells near to a stone.
    near: Cells,
    /// Number of stones; player one is to move when it is even.
    ply: u16,
    /// A hash of the stones.
    key: u64,
    /// Evaluation of the shapes of player one minus that of player two's.
    score: i32,
    /// `true` if the last stone completed a line.
    made: bool,
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.key, self.ply).hash(state);
    }
}

/// Cells by what a stone of one player makes there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Threats {
    /// A line of `k`.
    fives: Cells,
    /// At least a four.
    fours: Cells,
    /// Two fours at once, if not a five: the next stone completes a line.
    wins: Cells,
    /// Two threats at once, one of them an open three.
    forks: Cells,
}

/// A set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Cells([u64; MOST.div_ceil(64)]);

impl Cells {
    #[inline]
    fn set(&mut self, cell: usize, holds: bool) {
        let word = &mut self.0[cell / 64];
        *word = *word & !(1 << (cell % 64)) | u64::from(holds) << (cell % 64);
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == Cells::default().0
    }

    #[inline]
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn join(&self, other: &Cells, word: impl Fn(u64, u64) -> u64) -> Cells {
        Cells(std::array::from_fn(|i| word(self.0[i], other.0[i])))
    }

    /// Visits the cells in their order.
    #[inline]
    fn visit(&self, visit: &mut impl FnMut(usize) -> Flow) -> Flow {
        for (i, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(64 * i + rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
            }
        }
        MORE
    }

    /// Returns the first cell.
    fn first(&self) -> Option<usize> {
        let i = self.0.iter().position(|&word| word != 0)?;
        Some(64 * i + self.0[i].trailing_zeros() as usize)
    }
}

impl Gomoku {
    /// The longest side of a board.
    pub const MOST_SIDE: usize = 20;

    /// Returns the game on a board of `columns` by `rows` cells with `k` in a row.
    ///
    /// # Errors
    /// A side is longer than [`Gomoku::MOST_SIDE`], or no line of `k` fits on the board.
    pub fn new(columns: usize, rows: usize, k: usize, misere: bool) -> Result<Gomoku, String> {
        let sides = 1..=Gomoku::MOST_SIDE;
        if !sides.contains(&columns) || !sides.contains(&rows) {
            let most = Gomoku::MOST_SIDE;
            return Err(format!("no board of {columns}x{rows}: expected 64 cells, or sides of 1 to {most}"));
        }
        if !(1..=columns.max(rows)).contains(&k) {
            return Err(format!("no line of {k} on {columns}x{rows}: expected 1 to {}", columns.max(rows)));
        }
        let grid = Grid { columns, rows };
        let cells = grid.cells();
        let mut lines: Vec<Line> = Vec::new();
        let mut ways = Vec::new();
        let mut places = vec![[(0, 0); WAYS]; cells];
        for (way, (right, down)) in DIRECTIONS.into_iter().enumerate() {
            let base = lines.len();
            let stride = ((columns * down) as isize + right) as i32;
            for (cell, places) in places.iter_mut().enumerate() {
                let (column, row) = grid.coordinates(cell);
                let (number, place) = match (right, down) {
                    (1, 0) => (row, column),
                    (0, _) => (column, row),
                    (1, _) => (column + rows - 1 - row, row),
                    _ => (column + row, row),
                };
                let line = base + number;
                if lines.len() <= line {
                    lines.resize(line + 1, Line::default());
                    ways.resize(line + 1, way);
                }
                lines[line].first = cell as i32 - place as i32 * stride;
                lines[line].stride = stride;
                // A line of one cell runs in one direction only.
                if k > 1 || way == 0 {
                    lines[line].places |= 1 << place | 1 << (32 + place);
                }
                places[way] = (line as u8, place as u8);
            }
        }
        let near = (0..cells).map(|cell| near(grid, cell)).collect();
        let mut free = Cells::default();
        (0..cells).for_each(|cell| free.set(cell, true));
        let empty = Box::new(Position {
            stones: [0; MOST_LINES],
            shapes: [[0; 2]; MOST],
            threats: [Threats::default(); 2],
            free,
            near: Cells::default(),
            ply: 0,
            key: 0,
            score: 0,
            made: false,
        });
        let images = grid.symmetries();
        let none = lines.len();
        lines.push(Line::default());
        let mut game = Gomoku { grid, misere, k: k as u32, lines, places, near, images, empty };
        let mut empty = game.empty.clone();
        for (line, &way) in ways.iter().enumerate() {
            let mut on = [none; WAYS];
            on[way] = line;
            let shapes = game.shapes(&empty, &on);
            game.renew(&mut empty, &on, &[Words::NONE; 3], &shapes);
        }
        game.empty = empty;
        Ok(game)
    }

    fn mover(position: &Position) -> usize {
        usize::from(position.ply & 1)
    }

    /// Returns the lines through a cell.
    #[inline]
    fn through(&self, cell: usize) -> [usize; WAYS] {
        self.places[cell].map(|(line, _)| line.into())
    }

    /// Returns the shapes on the lines through a cell, or on others in the same directions.
    #[inline]
    fn shapes(&self, position: &Position, on: &[usize; WAYS]) -> Planes {
        let stones = Words(on.map(|line| position.stones[line]));
        let places = Words(on.map(|line| self.lines[line].places));
        let other = Words(stones.0.map(|word| word.rotate_left(32)));
        shapes(stones & places, places & !(stones | other), self.k)
    }

    /// Changes the shapes on some lines.
    #[inline]
    fn renew(&self, position: &mut Position, on: &[usize; WAYS], before: &Planes, after: &Planes) {
        let changed = before[0] ^ after[0] | before[1] ^ after[1] | before[2] ^ after[2];
        for (way, &places) in changed.0.iter().enumerate() {
            let line = self.lines[on[way]];
            let mut rest = places;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let (player, place) = ((bit / 32) as usize, bit % 32);
                let cell = (line.first + place as i32 * line.stride) as usize;
                let at = |plane: &Words| (plane.0[way] >> bit & 1) as u32;
                let [old, new] =
                    [before, after].map(|planes| at(&planes[0]) | at(&planes[1]) << 1 | at(&planes[2]) << 2);
                let shapes = &mut position.shapes[cell][player];
                *shapes = *shapes & !(7 << (4 * way)) | (new as u16) << (4 * way);
                let worth = WORTH[new as usize] - WORTH[old as usize];
                position.score += if player == 0 { worth } else { -worth };
                if old.max(new) >= OPEN_THREE {
                    position.threats[player].learn(cell, *shapes);
                }
            }
        }
    }

    /// Places a stone of the player to move.
    #[inline]
    fn put(&self, position: &mut Position, cell: usize) {
        let me = Gomoku::mover(position);
        let on = self.through(cell);
        position.made = kinds(position.shapes[cell][me])[0] != 0;
        let before = self.shapes(position, &on);
        for (line, place) in self.places[cell] {
            position.stones[usize::from(line)] |= 1 << (32 * me + usize::from(place));
        }
        let after = self.shapes(position, &on);
        self.renew(position, &on, &before, &after);
        position.free.set(cell, false);
        position.near = position.near.join(&self.near[cell], |a, b| a | b);
        position.key ^= mix((2 * cell + me) as u64 + 1);
        position.ply += 1;
    }

    /// Returns the player whose stone is on a cell.
    fn stone(&self, position: &Position, cell: usize) -> Option<usize> {
        let (row, place) = self.places[cell][0];
        (0..2).find(|player| position.stones[usize::from(row)] >> (32 * player + usize::from(place)) & 1 == 1)
    }

    /// Returns the position with these stones, placed by the players in turn.
    fn with_stones(&self, stones: &[Vec<usize>; 2]) -> Position {
        let mut position = self.start();
        for ply in 0..stones[0].len() + stones[1].len() {
            self.put(&mut position, stones[ply % 2][ply / 2]);
        }
        position
    }

    /// Reports whether a player has a line.
    fn has_line(&self, position: &Position, player: usize) -> bool {
        self.lines.iter().zip(&position.stones).any(|(line, stones)| {
            let own = (stones & line.places) >> (32 * player) & u64::from(u32::MAX);
            (0..self.k).fold(u64::MAX, |runs, i| runs & own >> i) != 0
        })
    }

    /// Returns the plies of a win by threats that each have a single answer; `None` if `looks` positions reveal none.
    /// Neither player may have a line that lacks only one stone.
    fn chain(&self, position: &Position, looks: &mut u32) -> Option<u32> {
        let me = Gomoku::mover(position);
        if !position.threats[me].wins.is_empty() {
            return Some(3);
        }
        let mut found = None;
        let _ = position.threats[me].fours.visit(&mut |threat| {
            if *looks == 0 {
                return Flow::Break(());
            }
            *looks -= 1;
            let mut next = position.clone();
            self.put(&mut next, threat);
            let Some(answer) = next.threats[me].fives.first() else { return MORE };
            self.put(&mut next, answer);
            if next.threats[1 - me].fives.is_empty() {
                found = self.chain(&next, looks).map(|plies| plies + 2);
            }
            if found.is_some() { Flow::Break(()) } else { MORE }
        });
        found
    }

    /// Returns the priority of a move by what the stone makes and what it takes from the other player.
    #[inline]
    fn priority(&self, position: &Position, m: u16) -> i32 {
        let me = Gomoku::mover(position);
        let own = position.shapes[usize::from(m)][me];
        let other = position.shapes[usize::from(m)][1 - me];
        let sum: i32 = (0..WAYS)
            .map(|way| MAKES[usize::from(own >> (4 * way) & 7)] + TAKES[usize::from(other >> (4 * way) & 7)])
            .sum();
        sum + FORKS[0] * i32::from(is_fork(own)) + FORKS[1] * i32::from(is_fork(other))
    }
}

impl Threats {
    /// Sets what a stone makes on a cell.
    #[inline]
    fn learn(&mut self, cell: usize, shapes: u16) {
        let [fives, fours, open_fours, _] = kinds(shapes);
        self.fives.set(cell, fives != 0);
        self.fours.set(cell, fours != 0);
        self.wins.set(cell, open_fours != 0 || fours.count_ones() > 1);
        self.forks.set(cell, is_fork(shapes));
    }
}

/// Returns the cells at most two columns and rows from a cell, in a line with it.
fn near(grid: Grid, cell: usize) -> Cells {
    let (column, row) = grid.coordinates(cell);
    let mut cells = Cells::default();
    for other in (0..grid.cells()).filter(|&other| other != cell) {
        let (c, r) = grid.coordinates(other);
        let (right, down) = (c.abs_diff(column), r.abs_diff(row));
        cells.set(other, right.max(down) <= 2 && (right == 0 || down == 0 || right == down));
    }
    cells
}

impl Game for Gomoku {
    type Position = Position;
    type Move = u16;

    fn start(&self) -> Position {
        (*self.empty).clone()
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
        position.free.visit(&mut |cell| visit(cell as u16))
    }

    #[inline]
    fn play(&self, position: &Position, m: u16) -> Position {
        let mut next = position.clone();
        self.put(&mut next, usize::from(m));
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        let stones: Vec<_> = (0..self.grid.cells()).map(|cell| self.stone(position, cell)).collect();
        let least = self.images.iter().enumerate().min_by_key(|(_, image)| {
            let mut cells = vec![0; stones.len()];
            stones
                .iter()
                .zip(*image)
                .for_each(|(stone, &to)| cells[to] = stone.map_or(0, |player| player + 1));
            cells
        });
        match least {
            // The first image is the position itself.
            None | Some((0, _)) => position.clone(),
            Some((_, image)) => {
                let of = |player| {
                    let cells = stones.iter().zip(image).filter(|(stone, _)| **stone == Some(player));
                    cells.map(|(_, &to)| to).collect()
                };
                Position { made: position.made, ..self.with_stones(&[of(0), of(1)]) }
            }
        }
    }
}

impl Scored for Gomoku {}

impl Notation for Gomoku {
    fn write_position(&self, position: &Position) -> String {
        let has = |player: usize, cell: usize| self.stone(position, cell) == Some(player);
        format!("{} {}", self.grid.write_stones(has), self.turn(position).digit())
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        self.grid.push_stones(cells, |player, cell| self.stone(position, cell) == Some(player));
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut stones = [Vec::new(), Vec::new()];
        let turn = self.grid.read_placed(text, "X.O/.../...", |player, cell| stones[player].push(cell))?;
        let mut position = self.with_stones(&stones);
        if self.has_line(&position, turn.index()) {
            return Err(ended_earlier(turn));
        }
        position.made = self.has_line(&position, 1 - turn.index());
        Ok(position)
    }

    fn write_move(&self, _position: &Position, m: u16) -> String {
        self.grid.square(usize::from(m))
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u16> {
        let cell = self.grid.read_square(word)?;
        (self.stone(position, cell).is_none() && self.over(position).is_none()).then_some(cell as u16)
    }

    fn draw(&self, position: &Position) -> String {
        self.grid.draw(&self.write_position(position))
    }
}

impl Heuristic for Gomoku {
    const SELECTIVE: bool = true;

    fn key(&self, position: &Position) -> u64 {
        position.key
    }

    fn guess(&self, position: &Position) -> i32 {
        let me = Gomoku::mover(position);
        let score = if me == 0 { position.score } else { -position.score };
        let forks = |player: usize, worth| if position.threats[player].forks.is_empty() { 0 } else { worth };
        let score = (score + TEMPO + forks(me, FORK[0]) - forks(1 - me, FORK[1])).clamp(-9_000, 9_000);
        if self.misere { -score } else { score }
    }

    /// Prefers cells near stones that make or stop lines; on an empty board those near the middle.
    fn hint(&self, position: &Position, m: u16, _child: &Position) -> i32 {
        let priority = match position.ply {
            0 => {
                let (column, row) = self.grid.coordinates(usize::from(m));
                let off = |at: usize, count: usize| (2 * at + 1).abs_diff(count) as i32;
                -off(column, self.grid.columns) - off(row, self.grid.rows)
            }
            _ => self.priority(position, m),
        };
        if self.misere { -priority } else { priority }
    }

    fn selective(&self, _root: &Position) -> bool {
        !self.misere
    }

    /// Visits fours, which quiescence search follows. Elsewhere they are moves like others.
    fn noisy_moves(&self, position: &Position, visit: &mut impl FnMut(u16) -> Flow) -> Flow {
        position.threats[Gomoku::mover(position)].fours.visit(&mut |cell| visit(cell as u16))
    }

    fn exchange(&self, _position: &Position, _m: u16, _least: i32) -> bool {
        true
    }

    fn urgency(&self, position: &Position, m: u16) -> i32 {
        500 * self.priority(position, m)
    }

    fn threatened(&self, position: &Position) -> bool {
        let other = &position.threats[1 - Gomoku::mover(position)];
        !(other.fives.is_empty() && other.wins.is_empty())
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        Some(Position { ply: position.ply + 1, key: position.key ^ GOLDEN, ..position.clone() })
    }

    fn lane(&self, _position: &Position, m: u16) -> usize {
        1 + usize::from(m)
    }

    /// Visits the moves that may stop a threat to win, or the free cells at most two cells from a stone, in a line with it.
    fn promising(&self, position: &Position, visit: &mut impl FnMut(u16)) -> bool {
        let me = Gomoku::mover(position);
        let [own, other] = [&position.threats[me], &position.threats[1 - me]];
        let (cells, all) = match () {
            () if !own.fives.is_empty() => (own.fives, true),
            () if !other.fives.is_empty() => (other.fives, true),
            // Of the two cells that complete a line after such a move, each makes a four now. The other moves lose in four
            // plies, unless they threaten to complete a line.
            () if !other.wins.is_empty() => (own.fours.join(&other.fours, |a, b| a | b), true),
            () => (position.near.join(&position.free, |a, b| a & b), false),
        };
        let (cells, all) = if cells.is_empty() { (position.free, true) } else { (cells, all) };
        let _ = cells.visit(&mut |cell| {
            visit(cell as u16);
            MORE
        });
        all
    }
}

impl Bounds for Gomoku {
    fn bounds(&self, position: &Position, target: Value) -> (Value, Value) {
        if self.misere {
            return (Value::loss_in(1), Value::win_in(1));
        }
        let me = Gomoku::mover(position);
        let [own, other] = [&position.threats[me], &position.threats[1 - me]];
        if !own.fives.is_empty() {
            return (Value::win_in(1), Value::win_in(1));
        }
        match other.fives.count() {
            0 => {}
            1 => return (Value::loss_in(4), Value::win_in(3)),
            _ => return (Value::loss_in(2), Value::loss_in(2)),
        }
        if !own.wins.is_empty() {
            return (Value::win_in(3), Value::win_in(3));
        }
        let lo = Value::loss_in(if other.wins.is_empty() { 6 } else { 4 });
        // A guess is no reason to look for a win.
        let asked = target > Value::DRAW && target.margin().is_none();
        let chain = if asked { self.chain(position, &mut { THREATS }) } else { None };
        (chain.map_or(lo, Value::win_in), Value::win_in(5))
    }

    /// Visits only the stop of a line that the other is about to complete, unless one can complete a line oneself.
    fn candidates(&self, position: &Position, visit: &mut impl FnMut(u16) -> Flow) -> Flow {
        if !self.misere {
            let me = Gomoku::mover(position);
            for player in [me, 1 - me] {
                if let Some(cell) = position.threats[player].fives.first() {
                    return visit(cell as u16);
                }
            }
        }
        self.moves(position, visit)
    }

    fn forced(&self, position: &Position) -> Option<u16> {
        let me = Gomoku::mover(position);
        if self.misere || !position.threats[me].fives.is_empty() {
            return None;
        }
        let fives = &position.threats[1 - me].fives;
        fives.first().filter(|_| fives.count() == 1).map(|cell| cell as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::game::legal_moves;
    use grundy_core::random::SplitMix64;

    fn cells_of(cells: &Cells) -> Vec<usize> {
        let mut list = Vec::new();
        let _ = cells.visit(&mut |cell| {
            list.push(cell);
            MORE
        });
        list
    }

    /// Returns the position with another stone of this player, though it may not be their turn.
    fn with(game: &Gomoku, position: &Position, player: usize, cell: usize) -> Position {
        let mut next = position.clone();
        next.ply += u16::from(Gomoku::mover(position) != player);
        game.put(&mut next, cell);
        next
    }

    #[test]
    fn threats_are_what_further_stones_make() {
        let mut random = SplitMix64(3);
        for (columns, rows, k) in [(9, 8, 5), (19, 4, 6), (20, 4, 20), (7, 6, 4), (6, 5, 3), (15, 15, 5)] {
            let game = Gomoku::new(columns, rows, k, false).unwrap();
            for _ in 0..6 {
                let mut position = game.start();
                while game.over(&position).is_none() {
                    for (player, cell) in (0..2).flat_map(|p| (0..columns * rows).map(move |cell| (p, cell)))
                    {
                        let threats = &position.threats[player];
                        let has = |cells: &Cells| cells_of(cells).contains(&cell);
                        if !cells_of(&position.free).contains(&cell) {
                            assert!(!has(&threats.fours) && position.shapes[cell] == [0; 2]);
                            continue;
                        }
                        let next = with(&game, &position, player, cell);
                        assert_eq!(has(&threats.fives), game.has_line(&next, player));
                        if position.threats[player].fives.is_empty() {
                            let fives = next.threats[player].fives.count();
                            assert_eq!((has(&threats.fours), has(&threats.wins)), (fives > 0, fives > 1));
                            let open_three = kinds(position.shapes[cell][player])[3] != 0;
                            assert!(!open_three || !next.threats[player].wins.is_empty());
                        }
                    }
                    let moves = legal_moves(&game, &position);
                    position = game.play(&position, moves[random.below(moves.len())]);
                }
            }
        }
    }
}
