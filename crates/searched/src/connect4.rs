//! Connect Four on boards of any size.
//!
//! * C columns, R rows; a move drops a stone into a column that is not full, where it falls to the lowest free cell.
//!   Player one has `X`, player two `O`.
//! * The first to have four in a row (horizontally, vertically or diagonally) wins; a full board is a draw.
//! * Position `......./......./......./......./...X.../...O... 1`, rows from the top; move `d`, the column (`4`, `d1`
//!   and `P@d1` are read as well).
//!
//! Solved by search. A position is the stones of the player to move and those of both, a bit a cell, column by
//! column from the bottom up with one spare bit on top of each column (7x6):
//!
//! ```text
//!  6 13 20 27 34 41 48   spare            mine + all is the key: in each column the highest bit of the sum
//!  5 12 19 26 33 40 47                    stands just above the stones or is the topmost stone, so that the
//!  ..                                     sum tells stones and colours of a column apart
//!  0  7 14 21 28 35 42
//! ```
//!
//! Boards that need more than 64 bits in this layout (9x7 needs 72) take words of 128 bits, and hashes as keys.
//!
//! Source: the game of Milton Bradley, 1974; V. Allis, "A knowledge-based approach of Connect-Four", 1988 (follow-up
//! play, there called claimeven). The board is laid out as by J. Tromp and P. Pons.

use std::ops::{Add, Sub};

use grundy_core::bits::Bits;
use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, hash_of};
use grundy_core::grid::Grid;
use grundy_core::random::key_of_wide;
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// Connect Four on boards that fit 64 bits with a spare row: the usual one, and up to 8x7.
pub type Connect4 = ConnectFour<u64>;

/// The rules of Connect Four, on words of one size.
#[derive(Clone, Debug)]
pub struct ConnectFour<W> {
    grid: Grid,
    /// Bits from a cell to its right neighbour: a column and its spare bit.
    stride: u32,
    /// The lowest cell of each column.
    bottom: W,
    /// All cells, and their number.
    board: W,
    cells: u32,
    /// Rows whose cells go to the player who answers in the same column: the second, the fourth, ...
    answered: W,
    /// Columns from the middle outwards, each with its cells.
    order: Vec<(u8, W)>,
}

/// The stones on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<W = u64> {
    /// Stones of the player to move.
    pub mine: W,
    /// Stones of both players.
    pub all: W,
    /// Free cells at which a stone would give the player to move four in a row.
    pub wins: W,
    /// Free cells at which a stone would give the other player four in a row.
    pub threats: W,
    /// Number of stones; player one is to move when it is even.
    pub stones: u8,
    /// `true` if the last stone gave the other player four in a row.
    pub lost: bool,
}

/// A bit board with a bit for each cell and for a spare row.
pub trait Word: Bits + Add<Output = Self> + Sub<Output = Self> {
    /// Returns a key for the transposition table: one-to-one in 64 bits, else a hash.
    fn key(self) -> u64;
}

impl Word for u64 {
    #[inline(always)]
    fn key(self) -> u64 {
        self
    }
}

impl Word for u128 {
    #[inline(always)]
    fn key(self) -> u64 {
        key_of_wide(self)
    }
}

/// With at most this many free cells a search is short.
const BRIEF: u32 = 20;
/// Positions of fewer stones share a key with their mirror image; later few mirror images occur.
const MIRRORED: u8 = 18;

impl<W: Word> ConnectFour<W> {
    /// Returns the game on a board of `columns` by `rows` cells.
    ///
    /// # Errors
    /// The columns with their spare bits do not fit a word, there is no cell, or more than 26 columns.
    pub fn new(columns: usize, rows: usize) -> Result<ConnectFour<W>, String> {
        let fits = (1..=Grid::MOST_COLUMNS).contains(&columns) && (1..=62).contains(&rows);
        if !fits || columns * (rows + 1) > W::WIDTH as usize {
            return Err(format!(
                "no board of {columns}x{rows}: expected columns x rows with columns * (rows + 1) at most {}, and at most 26 columns",
                W::WIDTH
            ));
        }
        let stride = rows as u32 + 1;
        let bottom = (0..columns as u32).fold(W::NONE, |set, column| set | W::ONE << (column * stride));
        let row = |r: usize| bottom << r as u32;
        let board = (0..rows).fold(W::NONE, |set, r| set | row(r));
        let answered = (0..rows).rev().step_by(2).fold(W::NONE, |set, r| set | row(r));
        let mut order: Vec<u8> = (0..columns as u8).collect();
        sorting::sort_by_key(&mut order, |&c| (2 * usize::from(c) + 1).abs_diff(columns));
        let cells = |column: u8| ((W::ONE << (stride - 1)) - W::ONE) << (u32::from(column) * stride);
        let order = order.into_iter().map(|column| (column, cells(column))).collect();
        let cells = (columns * rows) as u32;
        Ok(ConnectFour { grid: Grid { columns, rows }, stride, bottom, board, cells, answered, order })
    }

    /// Returns the board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Reports whether these stones hold four in a row.
    #[inline(always)]
    fn has_four(&self, stones: W) -> bool {
        // The usual board gets code of its own, with shifts known to the compiler.
        if self.stride == 7 { fours(stones, 7) != W::NONE } else { fours(stones, self.stride) != W::NONE }
    }

    /// Returns the free cells that would give these stones four in a row.
    #[inline(always)]
    fn completing(&self, stones: W, all: W) -> W {
        let cells = if self.stride == 7 { completing(stones, 7) } else { completing(stones, self.stride) };
        cells & (self.board ^ all)
    }

    /// Returns the cells into which a stone can fall now, at most one a column.
    #[inline]
    fn open(&self, all: W) -> W {
        (all + self.bottom) & self.board
    }

    fn column(&self, column: u8) -> W {
        ((W::ONE << (self.stride - 1)) - W::ONE) << (u32::from(column) * self.stride)
    }

    /// Returns the moves, among the open cells, that neither lose at once nor let the other win at once, given the
    /// other's `threats`. The player to move must have no immediate win.
    #[inline(always)]
    fn safe(&self, open: W, threats: W) -> W {
        let forced = open & threats;
        let mut safe = open;
        if forced != W::NONE {
            if forced & (forced - W::ONE) != W::NONE {
                return W::NONE;
            }
            safe = forced;
        }
        safe & !(threats >> 1)
    }

    /// Returns the cells that win at once; if there are none, those that do not lose at once.
    #[inline(always)]
    fn worth_a_try(&self, position: &Position<W>) -> W {
        let open = self.open(position.all);
        let wins = open & position.wins;
        if wins != W::NONE {
            return wins;
        }
        self.safe(open, position.threats)
    }

    /// Returns an upper bound of the value, because the other player can answer every move.
    ///
    /// In a column with an even number of free cells he answers above the move: he gets the upper cell of each pair.
    /// Two columns with an odd number he combines: when one loses its lowest free cell, he takes that of the other. So
    /// the owner of each cell is known, except in one column if the number of free cells is odd. That one is answered
    /// like the others, and when all else is full the player to move must play there: if a cell that completes a four
    /// of the other player then has an odd number of free cells below, the other gets it.
    // A separate function: most positions are decided before it, by code that is faster if shorter.
    #[inline(never)]
    fn followed(&self, position: &Position<W>, left: u32) -> Value {
        let free = self.board ^ position.all;
        let odd = self.open(position.all) & self.answered;
        let (upper, lower) = (free & self.answered, free & !self.answered);
        let (mine, other) = (position.mine, position.all ^ position.mine);
        if left & 1 == 0 {
            if position.wins & lower != W::NONE || self.may_have_four(mine | lower, odd) {
                return Value::win_in(1);
            }
            let fours = position.threats & upper & !odd;
            if fours != W::NONE {
                return Value::loss_in(left - self.above(fours));
            }
            return if self.has_four(other | upper & !odd) { Value::loss_in(left) } else { Value::DRAW };
        }
        let mut fours = position.threats & lower;
        while fours != W::NONE {
            let four = fours.lowest_set();
            let column = self.column((four.lowest() / self.stride) as u8);
            fours &= !column;
            let got = lower & !column | upper & column & (four - W::ONE);
            if odd & column != W::NONE
                && position.wins & got == W::NONE
                && !self.may_have_four(mine | got, odd & !column)
            {
                return Value::loss_in(left - self.above(four));
            }
        }
        Value::win_in(1)
    }

    /// Reports whether these stones may form a four together with one cell of each pair, however these cells, an even
    /// number, are paired.
    #[inline]
    fn may_have_four(&self, stones: W, cells: W) -> bool {
        if self.has_four(stones) {
            return true;
        }
        if cells == W::NONE || !self.has_four(stones | cells) {
            return false;
        }
        if cells.count() > 4 {
            return true;
        }
        // Two cells that must not both be taken form a pair, and no cell is in two pairs. Three of four cells always
        // contain a pair.
        let (mut first, mut paired) = (cells, W::NONE);
        while first != W::NONE {
            let one = first.lowest_set();
            first = first ^ one;
            if self.has_four(stones | one) {
                return true;
            }
            let mut second = first;
            while second != W::NONE {
                let two = one | second.lowest_set();
                second = second & (second - W::ONE);
                if self.has_four(stones | two) {
                    if paired & two != W::NONE {
                        return true;
                    }
                    paired |= two;
                }
            }
        }
        false
    }

    /// Returns the number of cells above the lowest of these cells in its column.
    #[inline(always)]
    fn above(&self, cells: W) -> u32 {
        self.stride - 2 - cells.lowest() % self.stride
    }

    /// Returns the position after a sequence of columns, counted from 1, as test sets write them; `None` if a column is
    /// full or does not exist.
    pub fn after(&self, columns: &str) -> Option<Position<W>> {
        columns.bytes().try_fold(self.start(), |position, digit| {
            let column = digit.checked_sub(b'1').filter(|&c| usize::from(c) < self.grid.columns)?;
            (self.open(position.all) & self.column(column) != W::NONE).then(|| self.play(&position, column))
        })
    }

    /// Returns the position with these stones of the player to move and of both.
    fn position(&self, mine: W, all: W) -> Position<W> {
        let other = all ^ mine;
        Position {
            mine,
            all,
            wins: self.completing(mine, all),
            threats: self.completing(other, all),
            stones: all.count() as u8,
            lost: self.has_four(other),
        }
    }

    fn mirror(&self, set: W) -> W {
        let (mut from, mut image) = (set, W::NONE);
        let column = (W::ONE << self.stride) - W::ONE;
        for _ in 0..self.grid.columns {
            image = image << self.stride | from & column;
            from = from >> self.stride;
        }
        image
    }
}

/// Returns the first cells of all rows of four, anywhere in the word.
#[inline(always)]
fn fours<W: Word>(stones: W, stride: u32) -> W {
    let line = |shift: u32| {
        let pairs = stones & stones >> shift;
        pairs & pairs >> (2 * shift)
    };
    // On one column or row a diagonal shift could exceed the word; the board has no such line then.
    if 3 * stride + 3 >= W::WIDTH {
        return line(1);
    }
    line(1) | line(stride) | line(stride - 1) | line(stride + 1)
}

/// Returns the cells that complete a row of four, anywhere in the word.
#[inline(always)]
fn completing<W: Word>(stones: W, stride: u32) -> W {
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    if 3 * stride + 3 >= W::WIDTH {
        return cells;
    }
    for shift in [stride, stride - 1, stride + 1] {
        let up = stones << shift & stones << (2 * shift);
        let down = stones >> shift & stones >> (2 * shift);
        cells |= up & (stones << (3 * shift) | stones >> shift);
        cells |= down & (stones >> (3 * shift) | stones << shift);
    }
    cells
}

/// Reports whether a text can only be a game on 7x6: columns as test sets number them, from 1 to 7.
pub fn recognized(text: &str) -> bool {
    let digits: String = text.split_whitespace().collect();
    digits.len() > 1 && digits.bytes().all(|digit| (b'1'..=b'7').contains(&digit))
}

impl<W: Word> Game for ConnectFour<W> {
    type Position = Position<W>;
    /// The column, counted from 0 at the left.
    type Move = u8;

    fn start(&self) -> Position<W> {
        self.position(W::NONE, W::NONE)
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Player {
        if position.stones & 1 == 0 { Player::One } else { Player::Two }
    }

    #[inline]
    fn over(&self, position: &Position<W>) -> Option<Value> {
        if position.lost {
            return Some(Value::loss_in(0));
        }
        (position.all == self.board).then_some(Value::DRAW)
    }

    fn moves(&self, position: &Position<W>, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let open = self.open(position.all);
        for column in 0..self.grid.columns as u8 {
            if open & self.column(column) != W::NONE {
                visit(column)?;
            }
        }
        MORE
    }

    #[inline(always)]
    fn play(&self, position: &Position<W>, m: u8) -> Position<W> {
        let cell = W::ONE << (u32::from(m) * self.stride);
        let all = position.all | (position.all + cell);
        let stone = all ^ position.all;
        Position {
            mine: position.all ^ position.mine,
            all,
            wins: position.threats & !stone,
            threats: self.completing(position.mine | stone, all),
            stones: position.stones + 1,
            lost: position.wins & stone != W::NONE,
        }
    }

    fn canonical(&self, position: &Position<W>) -> Position<W> {
        let (mine, all) = (position.mine, position.all);
        let (mine, all) = (mine, all).min((self.mirror(mine), self.mirror(all)));
        self.position(mine, all)
    }
}

impl<W: Word> Scored for ConnectFour<W> {}

impl<W: Word> Notation for ConnectFour<W> {
    fn write_position(&self, position: &Position<W>) -> String {
        let turn = self.turn(position);
        let mine = if turn == Player::One { 'X' } else { 'O' };
        let other = if turn == Player::One { 'O' } else { 'X' };
        let letter = |cell| match self.bit(cell) {
            bit if position.mine & bit != W::NONE => mine,
            bit if position.all & bit != W::NONE => other,
            _ => '.',
        };
        format!("{} {}", self.grid.write(letter), turn.digit())
    }

    fn cells(&self, position: &Position<W>, cells: &mut Vec<u8>) {
        let mine = self.turn(position) == Player::One;
        let has = |side, cell| {
            let bit = self.bit(cell);
            position.all & bit != W::NONE && ((position.mine & bit != W::NONE) == mine) == (side == 0)
        };
        self.grid.push_stones(cells, has);
    }

    fn read_position(&self, text: &str) -> Result<Position<W>, String> {
        let mut stones = [W::NONE; 2];
        let turn = self.grid.read_placed(text, ".../X.O/...", |side, cell| stones[side] |= self.bit(cell))?;
        let all = stones[0] | stones[1];
        if all & !self.bottom & !(all << 1) != W::NONE {
            return Err("a stone hangs in the air: expected each on the bottom row or on another".to_string());
        }
        if self.has_four(stones[turn.index()]) {
            return Err(format!("player {} is to move and has four: the game ended earlier", turn.digit()));
        }
        Ok(self.position(stones[turn.index()], all))
    }

    fn write_move(&self, _position: &Position<W>, m: u8) -> String {
        char::from(b'a' + m).to_string()
    }

    fn read_move(&self, position: &Position<W>, word: &str) -> Option<u8> {
        let word = word.strip_prefix("P@").unwrap_or(word);
        let (letter, row) = word.split_at_checked(1)?;
        let first = letter.as_bytes()[0];
        // Test sets number the columns.
        let from = if row.is_empty() && first.is_ascii_digit() { b'1' } else { b'a' };
        let column = first.checked_sub(from).filter(|&c| usize::from(c) < self.grid.columns)?;
        let stones = u64::from((position.all & self.column(column)).count());
        let lands = row.is_empty() || words::number(row, 99).is_some_and(|r| r == 1 || r == stones + 1);
        let free = self.open(position.all) & self.column(column) != W::NONE;
        (lands && free && self.over(position).is_none()).then_some(column)
    }

    fn draw(&self, position: &Position<W>) -> String {
        let line = self.write_position(position);
        let mut text = String::new();
        for row in line.split(' ').next().unwrap_or_default().split('/') {
            row.chars().for_each(|cell| text.extend([' ', cell]));
            text.push('\n');
        }
        (0..self.grid.columns as u8).for_each(|column| text.extend([' ', char::from(b'a' + column)]));
        text
    }
}

impl<W: Word> ConnectFour<W> {
    /// Returns the bit of a cell of the grid.
    fn bit(&self, cell: usize) -> W {
        let (column, row) = self.grid.coordinates(cell);
        W::ONE << (column * self.stride as usize + self.grid.rows - 1 - row) as u32
    }
}

impl<W: Word> Heuristic for ConnectFour<W> {
    #[inline]
    fn key(&self, position: &Position<W>) -> u64 {
        let key = position.mine + position.all;
        if position.stones >= MIRRORED { key.key() } else { key.min(self.mirror(key)).key() }
    }

    fn guess(&self, position: &Position<W>) -> i32 {
        let weigh = |cells: W| {
            // A threat has more value the sooner it can be filled.
            10 * cells.count() as i32 + 5 * (cells & self.answered).count() as i32
        };
        weigh(position.wins) - weigh(position.threats)
    }

    #[inline]
    fn hint(&self, _position: &Position<W>, m: u8, child: &Position<W>) -> i32 {
        let middle = (2 * i32::from(m) + 1).abs_diff(self.grid.columns as i32) as i32;
        let threats = child.threats.count() as i32;
        // A threat that can be answered at once is soon gone.
        let at_hand = (child.threats & self.open(child.all)).count() as i32;
        8 * (2 * threats - at_hand) - middle
    }

    #[inline]
    fn history_key(&self, position: &Position<W>, m: u8) -> u64 {
        // Moves that are good at the beginning need not be good later.
        hash_of((position.stones / 8, (self.open(position.all) & self.column(m)).lowest()))
    }

    fn retract(&self, position: &Position<W>, visit: &mut impl FnMut(Position<W>, u8)) {
        for column in 0..self.grid.columns as u8 {
            let stones = position.all & self.column(column);
            let top = stones & !(stones >> 1);
            if top != W::NONE && top & position.mine == W::NONE {
                visit(self.position(position.all ^ position.mine ^ top, position.all ^ top), column);
            }
        }
    }

    #[inline]
    fn brief(&self, position: &Position<W>) -> bool {
        self.cells - u32::from(position.stones) <= BRIEF
    }
}

impl<W: Word> Bounds for ConnectFour<W> {
    #[inline(always)]
    fn bounds(&self, position: &Position<W>, target: Value) -> (Value, Value) {
        let open = self.open(position.all);
        let other = position.all ^ position.mine;
        if open & position.wins != W::NONE {
            return (Value::win_in(1), Value::win_in(1));
        }
        if self.safe(open, position.threats) == W::NONE {
            return (Value::loss_in(2), Value::loss_in(2));
        }
        let left = self.cells - u32::from(position.stones);
        if left <= 2 {
            return (Value::DRAW, Value::DRAW);
        }
        // With three cells left the other player has one stone to come, and the move was safe from it. If a cell
        // completes a four, there may be a four to come, and there is no need to look for one.
        let (mut lo, mut hi) = (Value::loss_in(4), Value::win_in(3));
        let free = self.board ^ position.all;
        if target <= Value::DRAW {
            if left == 3 || position.threats == W::NONE && !self.has_four(other | free) {
                lo = Value::DRAW;
            }
        } else if position.wins == W::NONE && !self.has_four(position.mine | free) {
            hi = Value::DRAW;
        }
        if lo >= target || hi < target {
            return (lo, hi);
        }
        (lo, hi.min(self.followed(position, left)))
    }

    #[inline(always)]
    fn forced(&self, position: &Position<W>) -> Option<u8> {
        // There is no immediate win: the bounds would have found it.
        let cells = self.safe(self.open(position.all), position.threats);
        (cells != W::NONE && cells & (cells - W::ONE) == W::NONE)
            .then(|| (cells.lowest() / self.stride) as u8)
    }

    #[inline]
    fn candidates(&self, position: &Position<W>, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let cells = self.worth_a_try(position);
        if cells == W::NONE {
            return self.moves(position, visit);
        }
        for &(column, all) in &self.order {
            if cells & all != W::NONE {
                visit(column)?;
            }
        }
        MORE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fours_run_in_all_directions_and_not_around_the_edge() {
        fours_run_on::<u64>(&[(4, 4), (7, 6), (8, 7), (1, 6), (9, 6), (12, 4), (2, 31), (16, 3), (26, 1)]);
        fours_run_on::<u128>(&[(7, 6), (9, 7), (10, 10), (2, 62), (26, 3), (4, 31), (1, 62)]);
    }

    #[test]
    fn every_move_can_be_taken_back() {
        taken_back::<u64>(7, 6);
        taken_back::<u128>(9, 7);
    }

    fn taken_back<W: Word>(columns: usize, rows: usize) {
        let game = ConnectFour::<W>::new(columns, rows).unwrap();
        let mut random = grundy_core::random::SplitMix64(3);
        for _ in 0..100 {
            let mut position = game.start();
            loop {
                let moves = grundy_core::game::legal_moves(&game, &position);
                let m = moves[random.below(moves.len())];
                let next = game.play(&position, m);
                if game.over(&next).is_some() {
                    break;
                }
                let mut found = Vec::new();
                game.retract(&next, &mut |before, m| found.push((before, m)));
                assert!(found.contains(&(position, m)), "{}", game.write_position(&next));
                position = next;
            }
        }
    }

    #[test]
    fn bounds_hold_to_the_end_of_the_game() {
        for (columns, rows) in [(4, 4), (5, 4), (4, 5), (7, 4), (5, 5), (4, 6), (7, 6), (6, 7)] {
            bounds_hold_on(&ConnectFour::<u64>::new(columns, rows).unwrap());
        }
        bounds_hold_on(&ConnectFour::<u128>::new(4, 7).unwrap());
    }

    fn bounds_hold_on<W: Word>(game: &ConnectFour<W>) {
        let mut random = grundy_core::random::SplitMix64(7);
        for _ in 0..300 {
            let mut position = game.start();
            while game.cells > u32::from(position.stones) + 8 && game.over(&position).is_none() {
                let moves = grundy_core::game::legal_moves(game, &position);
                position = game.play(&position, moves[random.below(moves.len())]);
            }
            if game.over(&position).is_none() {
                exact(game, &position);
            }
        }
    }

    /// Returns the value by plain search, which must lie within all bounds on the way.
    fn exact<W: Word>(game: &ConnectFour<W>, position: &Position<W>) -> Value {
        if let Some(value) = game.over(position) {
            return value;
        }
        let moves = grundy_core::game::legal_moves(game, position).into_iter();
        let worth = |m| exact(game, &game.play(position, m)).back(grundy_core::value::Step::PASSED);
        let value = moves.map(worth).max().unwrap();
        for target in [Value::DRAW, Value::win_in(1)] {
            let (lo, hi) = game.bounds(position, target);
            assert!(lo <= value && value <= hi, "{}: {value:?}", game.write_position(position));
        }
        value
    }

    fn fours_run_on<W: Word>(boards: &[(usize, usize)]) {
        for &(columns, rows) in boards {
            let game = ConnectFour::<W>::new(columns, rows).unwrap();
            let grid = game.grid;
            for start in 0..grid.cells() {
                let (c, r) = grid.coordinates(start);
                for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                    let cells: Option<Vec<usize>> = (0..4)
                        .map(|i| {
                            let column = c.checked_add_signed(i * right).filter(|&c| c < columns)?;
                            let row = r.checked_add_signed(i * down).filter(|&r| r < rows)?;
                            Some(grid.cell(column, row))
                        })
                        .collect();
                    let Some(cells) = cells else { continue };
                    let line = cells.iter().fold(W::NONE, |set, &cell| set | game.bit(cell));
                    assert!(game.has_four(line));
                    for &cell in &cells {
                        let three = line & !game.bit(cell);
                        assert!(!game.has_four(three));
                        // In a column only the topmost cell is ever filled last.
                        if down == 1 && right == 0 && cell != cells[0] {
                            continue;
                        }
                        assert_eq!(game.completing(three, three) & game.bit(cell), game.bit(cell));
                    }
                }
            }
        }
    }
}
