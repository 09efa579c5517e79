//! Teeko, John Scarne's game of four men each.
//!
//! * The players in turn place their four men on free cells, player one `X`, player two `O`; then each moves one of his
//!   men to a neighbouring free cell, diagonals included.
//! * A player whose men make four in a row (horizontally, vertically or diagonally) or a square of four neighbours
//!   wins; `advanced`: or the corners of a square of any size. A player without a move loses, which never happens on
//!   5x5.
//! * Position `X.O../...../..X../...../..... 2`, rows from the top; moves `c3` (putting a man) and `c3-d4`.
//!
//! Solved by retrograde analysis: men can move back and forth for ever. A position is indexed as the mover sees it: by
//! the men on the board, then the rank of the mover's men among all cells, then that of the other's among the free
//! ones. No symmetry is used: this is also the benchmark of a large board that the method was not tuned for.
//!
//! Source: <https://mathworld.wolfram.com/Teeko.html>, and G. L. Steele Jr., "Summary of the solving of the game of
//! Teeko" (1999): on 5x5 Teeko is a draw; advanced Teeko (58 ways to win instead of 44) is won by the first player in
//! 13 turns, and a draw if his first man does not go to the centre.

use std::ops::Range;

use grundy_core::bits::places;
use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::grid::Grid;
use grundy_core::rank::{Subsets, compress, expand, next_of_its_size};
use grundy_core::value::{Step, Value};
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::retrograde::Reversible;
use grundy_tables::tiers::{Exit, Tier, Tiered};

/// Men of each player.
const MEN: usize = 4;
/// Men on the board once all are placed.
const ALL: usize = 2 * MEN;
/// The winning shapes, as offsets right and down from the first cell.
const SHAPES: [[(isize, isize); MEN]; PLAIN + 3] = [
    [(0, 0), (1, 0), (2, 0), (3, 0)],
    [(0, 0), (0, 1), (0, 2), (0, 3)],
    [(0, 0), (1, 1), (2, 2), (3, 3)],
    [(0, 0), (-1, 1), (-2, 2), (-3, 3)],
    [(0, 0), (1, 0), (0, 1), (1, 1)],
    [(0, 0), (2, 0), (0, 2), (2, 2)],
    [(0, 0), (3, 0), (0, 3), (3, 3)],
    [(0, 0), (4, 0), (0, 4), (4, 4)],
];
/// Number of shapes that win in the plain game.
const PLAIN: usize = 5;

/// The rules of Teeko.
#[derive(Clone, Debug)]
pub struct Teeko {
    grid: Grid,
    board: u32,
    /// The neighbours of each cell.
    near: Vec<u32>,
    /// The winning shapes of four: the offsets of their cells behind the first, and the cells where the first can be.
    shapes: Vec<([u32; MEN], u32)>,
    subsets: Subsets,
    /// The first index for each count of men; then the size.
    firsts: [u64; ALL + 2],
}

/// The men on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The mover's men and the other's, as sets of cells, the first cell top left.
    men: [u32; 2],
    turn: Player,
}

/// Places a man, or moves one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Origin of the man; `None` while men are placed.
    from: Option<u8>,
    to: u8,
}

impl Teeko {
    /// Returns the game on a board of `columns` by `rows` cells; the real one is 5x5. Squares of any size win if
    /// `advanced`.
    ///
    /// # Errors
    /// The board is smaller than 3x3 or larger than 5x5.
    pub fn new(columns: usize, rows: usize, advanced: bool) -> Result<Teeko, String> {
        if !(3..=5).contains(&columns) || !(3..=5).contains(&rows) {
            return Err(format!("no board of {columns}x{rows}: expected 3x3 to 5x5"));
        }
        let grid = Grid { columns, rows };
        let at = |cell: usize, right: isize, down: isize| {
            let (column, row) = grid.coordinates(cell);
            let column = column.checked_add_signed(right).filter(|&c| c < columns)?;
            let row = row.checked_add_signed(down).filter(|&r| r < rows)?;
            Some(grid.cell(column, row))
        };
        let mut near = Vec::new();
        for cell in 0..grid.cells() {
            let around = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (right, down)));
            let cells = around.filter_map(|(right, down)| at(cell, right, down));
            near.push(cells.fold(0, |set, cell| set | 1 << cell) & !(1u32 << cell));
        }
        let mut shapes = Vec::new();
        for shape in &SHAPES[..if advanced { SHAPES.len() } else { PLAIN }] {
            let cells_from =
                |cell| shape.iter().map(|&(right, down)| at(cell, right, down)).collect::<Option<Vec<_>>>();
            let starts: Vec<usize> = (0..grid.cells()).filter(|&cell| cells_from(cell).is_some()).collect();
            if let Some(cells) = starts.first().and_then(|&first| cells_from(first)) {
                let behind = std::array::from_fn(|i| (cells[i] - cells[0]) as u32);
                shapes.push((behind, starts.iter().fold(0, |set, cell| set | 1 << cell)));
            }
        }
        let subsets = Subsets::new(grid.cells());
        let mut firsts = [0; ALL + 2];
        for men in 0..=ALL {
            let (mover, other) = (men / 2, men.div_ceil(2));
            let placed = subsets.choose(grid.cells(), mover) * subsets.choose(grid.cells() - mover, other);
            firsts[men + 1] = firsts[men] + if men <= grid.cells() { placed } else { 0 };
        }
        Ok(Teeko { grid, board: (1 << grid.cells()) - 1, near, shapes, subsets, firsts })
    }

    #[inline]
    fn wins(&self, men: u32) -> bool {
        let shape =
            |&([a, b, c, d], starts): &([u32; MEN], u32)| men >> a & men >> b & men >> c & men >> d & starts;
        self.shapes.iter().map(shape).fold(0, |won, starts| won | starts) != 0
    }

    /// Returns the first index of the positions with these mover's men, and the number of such positions.
    #[inline]
    fn block(&self, mover: u32, other: usize) -> (u64, u64) {
        let men = mover.count_ones() as usize + other;
        let others = self.subsets.choose(self.grid.cells() - mover.count_ones() as usize, other);
        (self.firsts[men] + self.subsets.rank(mover.into()) * others, others)
    }

    #[inline]
    fn rank_among_free(&self, set: u32, taken: u32) -> u64 {
        self.subsets.rank(compress(set.into(), (self.board & !taken).into()))
    }

    /// Returns the player to move with this many men: with all on the board it may be either, and is player one here.
    fn turn_of(men: usize) -> Player {
        if men % 2 == 1 { Player::Two } else { Player::One }
    }
}

/// Returns the cells of a set.
#[inline]
fn cells(set: u32) -> impl Iterator<Item = u8> {
    places(set).map(|cell| cell as u8)
}

impl Game for Teeko {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { men: [0, 0], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        let [mover, other] = position.men;
        if self.wins(other) {
            return Some(Value::loss_in(0));
        }
        let stuck = mover.count_ones() as usize == MEN
            && cells(mover).all(|from| self.near[usize::from(from)] & !(mover | other) == 0);
        stuck.then_some(Value::loss_in(0))
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let [mover, other] = position.men;
        let free = self.board & !(mover | other);
        if (mover.count_ones() as usize) < MEN {
            return cells(free).try_for_each(|to| visit(Move { from: None, to }));
        }
        cells(mover).try_for_each(|from| {
            cells(self.near[usize::from(from)] & free).try_for_each(|to| visit(Move { from: Some(from), to }))
        })
    }

    #[inline]
    fn play(&self, position: &Position, m: Move) -> Position {
        let [mover, other] = position.men;
        let moved = mover & !m.from.map_or(0, |from| 1 << from) | 1 << m.to;
        Position { men: [other, moved], turn: !position.turn }
    }

    /// Keeps the men, which are seen by the player to move; their number determines the turn.
    fn essence(&self, position: &Position) -> Position {
        let [mover, other] = position.men.map(u32::count_ones);
        Position { turn: Teeko::turn_of((mover + other) as usize), ..*position }
    }

    fn canonical(&self, position: &Position) -> Position {
        let images = self.grid.symmetries().into_iter();
        let images = images.map(|image| {
            position.men.map(|set| cells(set).fold(0, |set, cell| set | 1 << image[usize::from(cell)]))
        });
        Position { men: images.fold(position.men, Ord::min), turn: position.turn }
    }
}

impl Scored for Teeko {}

impl Indexed for Teeko {
    fn size(&self) -> u64 {
        self.firsts[ALL + 1]
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        let [mover, other] = position.men;
        let (first, _) = self.block(mover, other.count_ones() as usize);
        first + self.rank_among_free(other, mover)
    }

    fn position(&self, index: u64) -> Option<Position> {
        let mut found = None;
        if index < self.size() {
            self.walk(index..index + 1, &mut |_, position| found = Some(position));
        }
        found
    }

    /// Skips unreachable positions, in which the mover had won before.
    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        let mut n = range.start;
        let end = range.end.min(self.size());
        while n < end {
            let men = self.firsts.partition_point(|&first| first <= n) - 1;
            let (movers, others) = (men / 2, men.div_ceil(2));
            let each = self.subsets.choose(self.grid.cells() - movers, others);
            let rank = n - self.firsts[men];
            let last = end.min(self.firsts[men + 1]);
            let mut mover = self.subsets.subset(rank / each, movers);
            let mut packed = self.subsets.subset(rank % each, others);
            while n < last {
                let stop = last.min(n + each - (n - self.firsts[men]) % each);
                let won = self.wins(mover as u32);
                let free = u64::from(self.board) & !mover;
                while n < stop {
                    let other = expand(packed, free) as u32;
                    if !won {
                        visit(n, Position { men: [mover as u32, other], turn: Teeko::turn_of(men) });
                    }
                    packed = next_of_its_size(packed);
                    n += 1;
                }
                mover = next_of_its_size(mover);
                packed = (1 << others) - 1;
            }
        }
    }

    /// Counts the moves: no two lead to one index.
    #[inline]
    fn child_count(&self, position: &Position) -> Option<u32> {
        let [mover, other] = position.men;
        let free = self.board & !(mover | other);
        if (mover.count_ones() as usize) < MEN {
            return Some(free.count_ones());
        }
        Some(cells(mover).map(|from| (self.near[usize::from(from)] & free).count_ones()).sum())
    }

    #[inline]
    fn child_indices(&self, position: &Position, visit: &mut impl FnMut(u64, Step)) {
        let [mover, other] = position.men;
        let men = (mover.count_ones() as usize + 1).min(MEN);
        // The other's men stay, so all children lie in one block.
        let (first, _) = self.block(other, men);
        let _ = self.moves(position, &mut |m| {
            let moved = mover & !m.from.map_or(0, |from| 1 << from) | 1 << m.to;
            visit(first + self.rank_among_free(moved, other), Step::PASSED);
            MORE
        });
    }
}

impl Reversible for Teeko {
    fn predecessors(&self, position: &Position, visit: &mut impl FnMut(Position)) {
        let [mover, other] = position.men;
        // Nobody had won before the move.
        if self.wins(mover) {
            return;
        }
        let free = self.board & !(mover | other);
        let men = (mover | other).count_ones() as usize;
        let mut before = |was: u32, turn| {
            if !self.wins(was) {
                visit(Position { men: [was, mover], turn });
            }
        };
        for to in cells(other) {
            let rest = other & !(1 << to);
            before(rest, Teeko::turn_of(men - 1));
            if men == ALL {
                for from in cells(self.near[usize::from(to)] & free) {
                    before(rest | 1 << from, !position.turn);
                }
            }
        }
    }
}

impl Tiered for Teeko {
    /// Splits by the men on the board, all of them first.
    fn tiers(&self) -> Vec<Tier> {
        let tier = |men: usize| {
            let (name, numbers) = (men.to_string(), self.firsts[men]..self.firsts[men + 1]);
            Tier { name, numbers, leaves: men < ALL, stays: men == ALL, sections: Vec::new() }
        };
        (0..=ALL).rev().map(tier).collect()
    }

    fn exits(&self, tier: usize) -> Vec<usize> {
        tier.checked_sub(1).into_iter().collect()
    }

    fn predecessors_within(&self, position: &Position, visit: &mut impl FnMut(u64, bool)) {
        let [mover, other] = position.men;
        if (mover | other).count_ones() as usize == ALL {
            self.predecessors(position, &mut |before| {
                if before.men[0].count_ones() as usize == MEN {
                    visit(self.index(&before), true);
                }
            });
        }
    }

    fn staying(&self, position: &Position) -> Option<u32> {
        if position.men[0].count_ones() as usize == MEN { self.child_count(position) } else { Some(0) }
    }

    fn leave(&self, position: &Position, visit: &mut impl FnMut(Exit)) {
        if (position.men[0].count_ones() as usize) < MEN {
            self.child_indices(position, &mut |number, step| visit(Exit::To(number, step)));
        }
    }
}

impl Heuristic for Teeko {
    fn key(&self, position: &Position) -> u64 {
        let [mover, other] = position.men;
        u64::from(mover) | u64::from(other) << 25 | (position.turn.index() as u64) << 50
    }

    /// Prefers men near the middle.
    fn guess(&self, position: &Position) -> i32 {
        let room = |men| cells(men).map(|cell| self.near[usize::from(cell)].count_ones() as i32).sum::<i32>();
        room(position.men[0]) - room(position.men[1])
    }

    fn cyclic(&self) -> bool {
        true
    }
}

impl Bounds for Teeko {}

impl Notation for Teeko {
    fn write_position(&self, position: &Position) -> String {
        let whose = |side: usize| side ^ position.turn.index();
        let board = self.grid.write_stones(|side, cell| position.men[whose(side)] >> cell & 1 == 1);
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as X.O../...../...,")?;
        let mut stones = [0u32; 2];
        self.grid.read_stones(board, |side, cell| stones[side] |= 1 << cell)?;
        let [x, o] = stones;
        let (xs, os) = (x.count_ones() as usize, o.count_ones() as usize);
        let fits = match turn {
            Player::One => xs == os,
            Player::Two => xs == os + 1 || (xs, os) == (MEN, MEN),
        };
        if xs > MEN || !fits {
            return Err(format!("{xs} X and {os} O: expected up to {MEN} each, put in turn, X first"));
        }
        let men = if turn == Player::One { [x, o] } else { [o, x] };
        if self.wins(men[0]) {
            return Err("the player to move has won before: expected a position of a game".to_owned());
        }
        Ok(Position { men, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let to = self.grid.square(m.to.into());
        m.from.map_or(to.clone(), |from| format!("{}-{to}", self.grid.square(from.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::game::perft;

    #[test]
    fn the_real_board_has_44_ways_to_win_and_58_in_the_advanced_game() {
        let ways = |game: &Teeko| game.shapes.iter().map(|(_, starts)| starts.count_ones()).sum::<u32>();
        assert_eq!(ways(&Teeko::new(5, 5, true).unwrap()), 58);
        let game = Teeko::new(5, 5, false).unwrap();
        assert_eq!(ways(&game), 44);
        assert_eq!(game.size(), 96_691_476);
        assert_eq!(perft(&game, &game.start(), 3), 25 * 24 * 23);
    }

    #[test]
    fn positions_of_no_game_are_refused() {
        let game = Teeko::new(4, 4, false).unwrap();
        let texts =
            ["X.../..../..../.... 1", "XX../..../..../.... 2", "XXXX/OOO./..../.... 1", "X.O/..../..../...."];
        for text in texts.into_iter().chain(["XXXX/XOOO/O.../.... 1", "", "X.../..../..../.... 3"]) {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        assert!(Teeko::new(6, 5, false).is_err() && Teeko::new(2, 5, false).is_err());
    }
}
