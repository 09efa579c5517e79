//! Two games of pawns that only go forwards: Breakthrough and Hexapawn.
//!
//! * Player one's pawns `X` start at the bottom and go up, player two's `O` start at the top and go down.
//! * Breakthrough (two rows of pawns each): a pawn moves one cell straight or diagonally forwards to a free cell, or
//!   takes a pawn diagonally forwards. Hexapawn (one row each): it moves straight to a free cell or takes diagonally.
//! * A player wins by reaching the other's first row, or by leaving the other no move or no pawn.
//! * Position `OOO/.../XXX 1`, rows from the top; move `a1a2`, from and to.
//!
//! Solved by search; a pawn that can no longer be stopped counts as a win. Sets of cells, bit `row * columns + column`
//! from the bottom left; 64 cells at the most.
//!
//! Source: Breakthrough by D. Troyka, 2000; Hexapawn by M. Gardner, Scientific American, March 1962.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::random::mix_pair;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// The rules of a game of pawns.
#[derive(Clone, Debug)]
pub struct Pawns {
    grid: Grid,
    /// Rows of pawns of each player at the start.
    depth: usize,
    /// `true` if a pawn may move diagonally without taking.
    slanting: bool,
    not_left: u64,
    not_right: u64,
    top: u64,
    bottom: u64,
    /// The left-right mirror.
    mirror: CellMap,
}

/// The pawns of both players, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Player one's pawns and player two's.
    pub pawns: [u64; 2],
    /// The player to move.
    pub turn: Player,
}

/// A pawn's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Pawns {
    /// Returns Breakthrough on a board of this many columns and rows.
    ///
    /// # Errors
    /// The board has fewer than 2 columns or 4 rows, or more than 64 cells.
    pub fn breakthrough(columns: usize, rows: usize) -> Result<Pawns, String> {
        Pawns::new(columns, rows, 2, true).ok_or_else(|| {
            format!("no board of {columns}x{rows}: expected at least 2 columns and 4 rows, at most 64 cells")
        })
    }

    /// Returns Hexapawn on a board of this many columns and rows.
    ///
    /// # Errors
    /// The board has fewer than 2 columns or 3 rows, or more than 64 cells.
    pub fn hexapawn(columns: usize, rows: usize) -> Result<Pawns, String> {
        let pawns = if rows < 3 { None } else { Pawns::new(columns, rows, 1, false) };
        pawns.ok_or_else(|| {
            format!("no board of {columns}x{rows}: expected at least 2 columns and 3 rows, at most 64 cells")
        })
    }

    fn new(columns: usize, rows: usize, depth: usize, slanting: bool) -> Option<Pawns> {
        let sizes = (2..=Grid::MOST_COLUMNS).contains(&columns) && (2 * depth..=32).contains(&rows);
        if !sizes || columns * rows > 64 {
            return None;
        }
        let board = u64::MAX >> (64 - columns * rows);
        let bottom = u64::MAX >> (64 - columns);
        let left = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        let right = left << (columns - 1);
        let mirror: Vec<usize> =
            (0..columns * rows).map(|c| c / columns * columns + columns - 1 - c % columns).collect();
        Some(Pawns {
            grid: Grid { columns, rows },
            depth,
            slanting,
            not_left: board & !left,
            not_right: board & !right,
            top: bottom << (columns * (rows - 1)),
            bottom,
            mirror: CellMap::new(&mirror),
        })
    }

    /// Returns the cells of a player's pawns after a step: straight, to the left, to the right.
    #[inline]
    fn steps(&self, player: Player, pawns: u64) -> [u64; 3] {
        let n = self.grid.columns as u32;
        match player {
            Player::One => {
                let ahead = (pawns & !self.top) << n;
                [ahead, (ahead & self.not_left) >> 1, (ahead & self.not_right) << 1]
            }
            Player::Two => {
                let ahead = pawns >> n;
                [ahead, (ahead & self.not_left) >> 1, (ahead & self.not_right) << 1]
            }
        }
    }

    /// Returns the targets of the player to move: straight, to the left, to the right.
    #[inline]
    fn targets(&self, position: &Position) -> [u64; 3] {
        let [mine, other] = self.own(position);
        let [straight, left, right] = self.steps(position.turn, mine);
        let free = !(mine | other);
        let slanting = if self.slanting { !mine } else { other };
        [straight & free, left & slanting, right & slanting]
    }

    /// Returns the pawns of the player to move and those of the other.
    #[inline]
    fn own(&self, position: &Position) -> [u64; 2] {
        let mover = position.turn.index();
        [position.pawns[mover], position.pawns[1 - mover]]
    }

    fn mirrored(&self, position: &Position) -> [u64; 2] {
        position.pawns.map(|set| self.mirror.apply(set))
    }

    fn goal(&self, player: Player) -> u64 {
        if player == Player::One { self.top } else { self.bottom }
    }

    /// Returns the number of rows that the foremost of a player's pawns still has to go.
    fn to_go(&self, player: Player, pawns: u64) -> u32 {
        let n = self.grid.columns as u32;
        match player {
            Player::One => self.grid.rows as u32 - 1 - (63 - pawns.leading_zeros()) / n,
            Player::Two => pawns.trailing_zeros() / n,
        }
    }

    /// Evaluates a player's pawns: each one, how far it has come, those on the first row, which guard it, and those that
    /// another one guards.
    fn advance(&self, player: Player, pawns: u64) -> i32 {
        let columns = self.grid.columns;
        let mut sum = 0;
        for row in 0..self.grid.rows {
            let there = (pawns & self.bottom << (row * columns)).count_ones() as i32;
            let steps = if player == Player::One { row } else { self.grid.rows - 1 - row } as i32;
            sum += there * (100 + 2 * steps * steps + if steps == 0 { 12 } else { 0 });
        }
        let [_, left, right] = self.steps(player, pawns);
        sum + 6 * ((left | right) & pawns).count_ones() as i32
    }

    /// Returns the cells where a pawn that walks straight on can be stopped by these pawns of the other, who is to
    /// move: for every two rows by which they approach each other, one that comes to meet it gets at most one column
    /// nearer.
    fn watched(&self, player: Player, pawns: u64) -> u64 {
        let (mut front, mut watched) = (pawns, 0);
        for row in 0..self.grid.rows {
            let [ahead, ..] = self.steps(player, front);
            front = ahead;
            if row % 2 == 0 {
                front |= (front & self.not_left) >> 1 | (front & self.not_right) << 1;
            }
            watched |= front;
        }
        watched
    }

    /// Returns the cells behind a player's pawns.
    fn behind(&self, player: Player, pawns: u64) -> u64 {
        let (mut front, mut behind) = (pawns, 0);
        for _ in 1..self.grid.rows {
            [front, ..] = self.steps(!player, front);
            behind |= front;
        }
        behind
    }

    /// Converts between a bit and a cell of the grid: rows are counted from the other end.
    fn flip(&self, cell: usize) -> usize {
        let (column, row) = self.grid.coordinates(cell);
        self.grid.cell(column, self.grid.rows - 1 - row)
    }
}

impl Game for Pawns {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        let cells = self.grid.columns * self.depth;
        let first = u64::MAX >> (64 - cells);
        Position { pawns: [first, first << (self.grid.cells() - cells)], turn: Player::One }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        let [_, other] = self.own(position);
        let lost = other & self.goal(!position.turn) != 0 || self.targets(position) == [0; 3];
        lost.then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let n = self.grid.columns as i32;
        let ahead = if position.turn == Player::One { n } else { -n };
        let [straight, left, right] = self.targets(position);
        for (mut cells, step) in [(straight, ahead), (left, ahead - 1), (right, ahead + 1)] {
            while cells != 0 {
                let to = cells.trailing_zeros() as i32;
                visit(Move { from: (to - step) as u8, to: to as u8 })?;
                cells &= cells - 1;
            }
        }
        MORE
    }

    #[inline]
    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        let mover = position.turn.index();
        next.pawns[mover] ^= 1 << m.from | 1 << m.to;
        next.pawns[1 - mover] &= !(1 << m.to);
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        Position { pawns: position.pawns.min(self.mirrored(position)), turn: position.turn }
    }
}

impl Scored for Pawns {}

impl Notation for Pawns {
    fn write_position(&self, position: &Position) -> String {
        let board = self.grid.write_stones(|side, cell| position.pawns[side] >> self.flip(cell) & 1 == 1);
        format!("{board} {}", position.turn.digit())
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        self.grid.push_stones(cells, |side, cell| position.pawns[side] >> self.flip(cell) & 1 == 1);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as OOO/.../XXX,")?;
        let mut pawns = [0u64; 2];
        self.grid.read_stones(board, |side, cell| pawns[side] |= 1 << self.flip(cell))?;
        if pawns[turn.index()] & self.goal(turn) != 0 {
            return Err(format!("player {} is to move and has reached the last row already", turn.digit()));
        }
        if pawns[(!turn).index()] == 0 {
            return Err(format!("player {} has no pawn and is not to move: expected one", (!turn).digit()));
        }
        Ok(Position { pawns, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let square = |bit: u8| self.grid.square(self.flip(usize::from(bit)));
        format!("{}{}", square(m.from), square(m.to))
    }
}

impl Heuristic for Pawns {
    const SELECTIVE: bool = true;

    /// Returns a key that mirror images share; otherwise one-to-one on boards of up to 31 cells.
    fn key(&self, position: &Position) -> u64 {
        let turn = position.turn.index() as u64;
        let [first, second] = position.pawns.min(self.mirrored(position));
        if self.grid.cells() <= 31 {
            return first << 32 | second << 1 | turn;
        }
        mix_pair(first, second) ^ turn
    }

    fn guess(&self, position: &Position) -> i32 {
        let [mine, other] = self.own(position);
        if mine == 0 || other == 0 {
            return 0;
        }
        let ahead = self.to_go(!position.turn, other) as i32 - self.to_go(position.turn, mine) as i32;
        let side = |player, pawns| self.advance(player, pawns);
        side(position.turn, mine) - side(!position.turn, other) + 20 * ahead
    }

    fn hint(&self, position: &Position, m: Move, _child: &Position) -> i32 {
        let [_, other] = self.own(position);
        let to = 1u64 << m.to;
        let [_, left, right] = self.steps(!position.turn, other);
        let go = self.to_go(position.turn, to) as i32;
        let takes = if other & to != 0 { 12 } else { 0 };
        let hangs = if (left | right) & to != 0 { 9 } else { 0 };
        takes - hangs - 2 * go
    }

    fn urgency(&self, position: &Position, m: Move) -> i32 {
        200 * self.hint(position, m, position)
    }

    fn noisy(&self, position: &Position, m: Move) -> bool {
        let [_, other] = self.own(position);
        other >> m.to & 1 == 1
    }

    /// Counts who attacks the target square how often: all pawns are worth the same.
    fn exchange(&self, position: &Position, m: Move, least: i32) -> bool {
        let [mine, other] = self.own(position);
        let to = 1u64 << m.to;
        let attackers = |player: Player, pawns: u64| {
            let [_, left, right] = self.steps(!player, to);
            ((left | right) & pawns).count_ones()
        };
        let takes = i32::from(other & to != 0);
        let guards = attackers(position.turn, mine & !(1 << m.from));
        let lost = i32::from(attackers(!position.turn, other) > guards);
        100 * (takes - lost) >= least
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        Some(Position { turn: !position.turn, ..*position })
    }

    fn lane(&self, position: &Position, m: Move) -> usize {
        let ahead = self.grid.columns as i32 * if position.turn == Player::One { 1 } else { -1 };
        let aside = i32::from(m.to) - i32::from(m.from) - ahead;
        1 + 3 * usize::from(m.to) + (aside + 1) as usize
    }
}

impl Bounds for Pawns {
    /// Bounds the value by the rows that each player's foremost pawn still has to walk.
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        let [mine, other] = self.own(position);
        let goal = self.goal(position.turn);
        let [straight, left, right] = self.targets(position);
        if (straight | left | right) & goal != 0 {
            return (Value::win_in(1), Value::win_in(1));
        }
        if !self.slanting || other == 0 {
            return (Value::loss_in(2), Value::win_in(1));
        }
        // In Breakthrough the foremost pawn always has a move, so nobody is ever without one: a win takes the walk of
        // the foremost pawn, or a capture of each of the other's.
        let walk = self.to_go(position.turn, mine).min(other.count_ones());
        let threat = self.to_go(!position.turn, other).min(mine.count_ones());
        // A pawn that nobody can stop any more wins, if nobody is sooner.
        let targets = straight | left | right;
        let safe = targets & !self.watched(!position.turn, other) & !self.behind(position.turn, mine);
        if safe != 0 {
            let plies = 1 + self.to_go(position.turn, safe);
            if plies <= self.to_go(!position.turn, other) {
                return (Value::win_in(2 * plies - 1), Value::win_in(2 * walk - 1));
            }
        }
        let safe = other & !self.watched(position.turn, mine) & !self.behind(!position.turn, other);
        if safe != 0 {
            let plies = self.to_go(!position.turn, safe);
            if plies < self.to_go(position.turn, mine) {
                return (Value::loss_in(2 * threat), Value::loss_in(2 * plies));
            }
        }
        (Value::loss_in(2 * threat), Value::win_in(2 * walk - 1))
    }

    /// Visits only captures of a pawn of the other that is one step from its goal.
    fn candidates(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let [_, other] = self.own(position);
        let goal = self.goal(position.turn);
        let [straight, left, right] = self.steps(!position.turn, other);
        let home = self.goal(!position.turn);
        let [before_home, ..] = self.steps(position.turn, home);
        let near = other & before_home;
        let taken = position.pawns[0] | position.pawns[1];
        let threatened = self.slanting && (straight & !taken | (left | right) & !other) & home != 0;
        self.moves(position, &mut |m| {
            let to = 1u64 << m.to;
            if !threatened || to & (near | goal) != 0 { visit(m) } else { MORE }
        })?;
        if !threatened {
            return MORE;
        }
        // Nothing stops it: every move is equally good.
        let [a, b, c] = self.targets(position);
        if (a | b | c) & (near | goal) == 0 { self.moves(position, visit) } else { MORE }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use grundy_core::game::legal_moves;
    use grundy_core::random::SplitMix64;
    use grundy_core::value::Step;

    /// Returns the value of a position by playing out every line.
    fn value(game: &Pawns, position: &Position, known: &mut HashMap<Position, Value>) -> Value {
        if let Some(value) = game.over(position) {
            return value;
        }
        if let Some(&value) = known.get(position) {
            return value;
        }
        let replies = legal_moves(game, position).into_iter();
        let best = replies.map(|m| value(game, &game.play(position, m), known).back(Step::PASSED)).max();
        let best = best.unwrap_or(Value::loss_in(0));
        known.insert(*position, best);
        best
    }

    #[test]
    fn races_are_decided_as_by_playing_them_out() {
        let mut random = SplitMix64(1);
        let mut decided = 0;
        for (columns, rows) in [(4, 6), (6, 5), (8, 5)] {
            let game = Pawns::breakthrough(columns, rows).unwrap();
            let mut known = HashMap::new();
            for _ in 0..400 {
                let mut pawns = [0u64; 2];
                for _ in 0..2 + random.below(3) {
                    let bit = 1 << random.below(columns * rows);
                    pawns[random.below(2)] |= bit & !(pawns[0] | pawns[1]);
                }
                pawns[0] &= !game.top;
                pawns[1] &= !game.bottom;
                let turn = if random.below(2) == 0 { Player::One } else { Player::Two };
                let position = Position { pawns, turn };
                if pawns.contains(&0) || game.over(&position).is_some() {
                    continue;
                }
                let (lo, hi) = game.bounds(&position, Value::DRAW);
                let value = value(&game, &position, &mut known);
                assert!(lo <= value && value <= hi, "{}", game.write_position(&position));
                decided += usize::from(lo > Value::DRAW || hi < Value::DRAW);
            }
        }
        assert!(decided > 300, "{decided} races were decided by the bounds");
    }
}
