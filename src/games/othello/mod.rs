//! Othello on 4x4, 6x6 and 8x8.
//!
//! * Two discs of each player start crosswise in the middle: on 8x8 `X` (player one) on d5 and e4, `O` on d4 and e5.
//! * A move puts a disc where it encloses discs of the other in a straight line, and turns over all it encloses.
//!   Who has no such move must pass (`pass`); where neither has one the game is over.
//! * The value is the difference of the discs at the end for the player to move; `score=win` gives the empty cells to
//!   the winner.
//! * Position `......../.../...XO.../...OX... 1`, rows from the top; move `d3`.
//!
//! The discs are counted at the end only: no move gains anything on its way, and the value of a position is the final
//! difference for the player to move.
//!
//! Solved by search; the last cells are played out by code of their own (`last`). Boards are words of 64 bits, bit
//! 8 * row + column from the bottom left; smaller boards lie in that corner, the cells around them stay empty.
//!
//! Source: rules of the World Othello Federation; the results of 4x4 and 6x6 are J. Feinstein's, 1993.

mod bits;
mod last;

use crate::game::{Flow, Game, Heuristic, MORE, Notation, Player, Scored};
use crate::games::words;
use crate::grid::Grid;
use crate::value::{Unit, Value};
use bits::{flips, moves};

/// The rules of Othello.
#[derive(Clone, Debug)]
pub struct Othello {
    side: usize,
    board: u64,
    corners: u64,
    /// The four quarters, by column and row.
    quarters: [u64; 4],
    winner_takes_empties: bool,
}

/// The discs, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Discs of the player to move.
    pub mine: u64,
    /// Discs of the other player.
    pub other: u64,
    /// The player to move.
    pub turn: Player,
    /// Where he can put a disc: nearly every position is asked for it more than once.
    moves: u64,
}

/// The move that only turns the turn over.
pub const PASS: u8 = 64;
/// How far a neighbour's bit is in each direction: across, upright, and both slants.
const AXES: [u32; 4] = [1, 8, 7, 9];
/// So many free cells and fewer are played out by code of their own.
const LAST: u32 = 8;
/// Up to so many discs symmetric images share a key; later they hardly meet.
const MIRRORED: u32 = 12;

impl Othello {
    /// The game on a square board of this side.
    ///
    /// # Errors
    /// The side is not 4, 6 or 8.
    pub fn new(side: usize, winner_takes_empties: bool) -> Result<Othello, String> {
        if ![4, 6, 8].contains(&side) {
            return Err(format!("no board of {side}x{side}: expected 4x4, 6x6 or 8x8"));
        }
        let bit = |column: usize, row: usize| 1u64 << (8 * row + column);
        let cells = |inside: &dyn Fn(usize, usize) -> bool| {
            let all = (0..side).flat_map(|c| (0..side).map(move |r| (c, r)));
            all.filter(|&(c, r)| inside(c, r)).fold(0, |set, (c, r)| set | bit(c, r))
        };
        let end = side - 1;
        let corners = bit(0, 0) | bit(end, 0) | bit(0, end) | bit(end, end);
        let half = side / 2;
        let quarter = |right, up| cells(&|c, r| (c >= half) == right && (r >= half) == up);
        let quarters =
            [quarter(false, false), quarter(true, false), quarter(false, true), quarter(true, true)];
        Ok(Othello { side, board: cells(&|_, _| true), corners, quarters, winner_takes_empties })
    }

    fn grid(&self) -> Grid {
        Grid { columns: self.side, rows: self.side }
    }

    /// The bit of a cell of the grid.
    fn bit(&self, cell: usize) -> u64 {
        let (column, row) = self.grid().place(cell);
        1 << (8 * (self.side - 1 - row) + column)
    }

    /// The position with these discs.
    #[inline]
    fn position(&self, mine: u64, other: u64, turn: Player) -> Position {
        Position { mine, other, turn, moves: self.moves_of(mine, other) }
    }

    /// Where the first player of the two can put a disc.
    #[inline]
    fn moves_of(&self, mine: u64, other: u64) -> u64 {
        moves(mine, other) & self.board
    }

    /// What a finished game is worth to the first of the two.
    #[inline]
    fn result(&self, mine: u64, other: u64) -> i32 {
        let (mine, other) = (mine.count_ones() as i32, other.count_ones() as i32);
        let free = if self.winner_takes_empties { (self.side * self.side) as i32 - mine - other } else { 0 };
        mine - other + free * (mine - other).signum()
    }

    /// Bounds of the final difference for the first of the two by discs that stay, where they can decide whether it
    /// reaches `target`.
    #[inline]
    fn settled(&self, mine: u64, other: u64, target: i32) -> (i32, i32) {
        let all = (self.side * self.side) as i32;
        let (mut lo, mut hi) = (-all, all);
        // Without a corner hardly a disc is stable, and all of a player's discs are the most that can be.
        let target = target.clamp(-all, all);
        let worth =
            |discs: u64, against: i32| discs & self.corners != 0 && 2 * discs.count_ones() as i32 > against;
        let (high, low) = (worth(other, all - target), worth(mine, all + target - 1));
        if high || low {
            let full = self.full(mine | other);
            if high {
                hi = all - 2 * self.stable(other, &full).count_ones() as i32;
            }
            if low {
                lo = 2 * self.stable(mine, &full).count_ones() as i32 - all;
            }
        }
        (lo, hi)
    }

    /// For each direction the cells whose line is full, and what is no cell.
    #[inline]
    fn full(&self, discs: u64) -> [u64; 4] {
        let free = self.board & !discs;
        AXES.map(|shift| !bits::lines_through(free, shift, self.board))
    }

    /// Of a player's discs some that can never be turned over again: in each direction the line is full, or a neighbour
    /// is the edge or itself such a disc.
    #[inline]
    fn stable(&self, mine: u64, full: &[u64; 4]) -> u64 {
        let right = self.side - 1;
        let (left_edge, right_edge) = (bits::FILE_A, bits::FILE_A << right);
        let edges = left_edge | right_edge | 0xff | 0xff << (8 * right);
        let mut stable = 0;
        loop {
            let s: u64 = stable;
            let safe = |axis: usize, shift: u32, edges: u64| full[axis] | s << shift | s >> shift | edges;
            let next = mine
                & safe(0, 1, left_edge | right_edge)
                & safe(1, 8, 0xff | 0xff << (8 * right))
                & safe(2, 7, edges)
                & safe(3, 9, edges)
                & self.board;
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }
}

impl Game for Othello {
    type Position = Position;
    /// The bit of the cell, or [`PASS`].
    type Move = u8;

    fn start(&self) -> Position {
        let m = self.side / 2;
        let bit = |column: usize, row: usize| 1u64 << (8 * row + column);
        self.position(bit(m - 1, m) | bit(m, m - 1), bit(m - 1, m - 1) | bit(m, m), Player::One)
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        let Position { mine, other, moves, .. } = *position;
        let ended = moves == 0 && self.moves_of(other, mine) == 0;
        ended.then(|| Value::points(self.result(mine, other)))
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mut cells = position.moves;
        if cells == 0 {
            return visit(PASS);
        }
        while cells != 0 {
            visit(cells.trailing_zeros() as u8)?;
            cells &= cells - 1;
        }
        MORE
    }

    #[inline]
    fn play(&self, position: &Position, m: u8) -> Position {
        let Position { mine, other, turn, .. } = *position;
        if m == PASS {
            return self.position(other, mine, !turn);
        }
        let turned = flips(mine, other, u32::from(m));
        self.position(other ^ turned, mine ^ turned | 1 << m, !turn)
    }

    fn canonical(&self, position: &Position) -> Position {
        let (mut mine, mut other) = (position.mine, position.other);
        let mut least = (mine, other);
        for image in 1..8 {
            let map = if image == 4 { bits::swap_axes } else { bits::turn_quarter };
            (mine, other) = (map(mine, self.side), map(other, self.side));
            least = least.min((mine, other));
        }
        self.position(least.0, least.1, position.turn)
    }
}

impl Scored for Othello {
    fn unit(&self) -> Unit {
        Unit::Points
    }
}

impl Notation for Othello {
    fn write_position(&self, position: &Position) -> String {
        let letters = if position.turn == Player::One { ['X', 'O'] } else { ['O', 'X'] };
        let letter = |cell| match self.bit(cell) {
            bit if position.mine & bit != 0 => letters[0],
            bit if position.other & bit != 0 => letters[1],
            _ => '.',
        };
        format!("{} {}", self.grid().write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as ...XO.../...,")?;
        let mut discs = [0u64; 2];
        self.grid().read_stones(board, |side, cell| discs[side] |= self.bit(cell))?;
        let mover = turn.index();
        Ok(self.position(discs[mover], discs[1 - mover], turn))
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        if m == PASS {
            return "pass".to_string();
        }
        format!("{}{}", char::from(b'a' + m % 8), m / 8 + 1)
    }

    fn draw(&self, position: &Position) -> String {
        let line = self.write_position(position);
        let mut text = String::new();
        for (row, cells) in line.split(' ').next().unwrap_or_default().split('/').enumerate() {
            text.push_str(&(self.side - row).to_string());
            cells.chars().for_each(|cell| text.extend([' ', cell]));
            text.push('\n');
        }
        text.push(' ');
        (0..self.side as u8).for_each(|column| text.extend([' ', char::from(b'a' + column)]));
        text
    }
}

impl Heuristic for Othello {
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        let Position { mine, other, .. } = *position;
        let key = bits::mix(mine, other);
        if (mine | other).count_ones() > MIRRORED {
            return key;
        }
        let (mut mine, mut other, mut least) = (mine, other, key);
        for image in 1..8 {
            let map = if image == 4 { bits::swap_axes } else { bits::turn_quarter };
            (mine, other) = (map(mine, self.side), map(other, self.side));
            least = least.min(bits::mix(mine, other));
        }
        least
    }

    /// The weights are the least squares fit to the results of 14,000 positions of a proof of 6x6 with 10 to 17 free cells.
    fn guess(&self, position: &Position) -> i32 {
        let Position { mine, other, .. } = *position;
        let free = self.board & !(mine | other);
        let more = |a: u64, b: u64| a.count_ones() as i32 - b.count_ones() as i32;
        let (moves, answers) = (position.moves, self.moves_of(other, mine));
        let front = bits::around(free);
        // Discs on the edge beside a free corner.
        let beside = free & self.corners;
        let beside = (beside << 1 | beside >> 1 | beside << 8 | beside >> 8) & self.board;
        let mut worth =
            200 + 85 * more(moves, answers) + 250 * more(moves & self.corners, answers & self.corners)
                - 96 * more(mine & front, other & front)
                - 166 * more(mine & beside, other & beside);
        if (mine | other) & self.corners != 0 {
            let full = self.full(mine | other);
            worth += 397 * more(mine & self.corners, other & self.corners)
                + 165 * more(self.stable(mine, &full), self.stable(other, &full));
        }
        let most = 100 * (self.side * self.side) as i32;
        worth.clamp(-most, most)
    }

    /// A move that leaves the other few answers is tried first.
    #[inline]
    fn hint_after(&self, _position: &Position, m: u8, child: &Position) -> i32 {
        let answers = child.moves;
        let free = self.board & !(child.mine | child.other);
        let corner = if m < PASS && self.corners >> m & 1 == 1 { 24 } else { 0 };
        let open = (bits::around(child.other) & free).count_ones() as i32;
        corner - 16 * (answers.count_ones() + (answers & self.corners).count_ones()) as i32 - 4 * open
    }

    fn bounds(&self, position: &Position, target: Value) -> (Value, Value) {
        let (lo, hi) = self.settled(position.mine, position.other, target.raw());
        (Value::points(lo), Value::points(hi))
    }

    /// Most games end with a full board.
    fn parity(&self, _position: &Position) -> Option<i32> {
        Some(0)
    }

    /// The more is left, the more a good order of moves saves.
    fn foresight(&self, position: &Position) -> u32 {
        let free = (self.board & !(position.mine | position.other)).count_ones();
        free.saturating_sub(11) / 3 + if free >= 16 { (free - 14) / 2 } else { 0 }
    }

    fn finish(&self, position: &Position, target: Value, nodes: &mut u64) -> Option<Value> {
        let Position { mine, other, .. } = *position;
        let free = self.board & !(mine | other);
        let left = free.count_ones();
        (left <= LAST).then(|| Value::points(self.last(mine, other, left, target.raw(), nodes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::legal_moves;

    #[test]
    fn images_share_a_key() {
        let game = Othello::new(6, false).unwrap();
        let start = game.start();
        let keys: Vec<u64> =
            legal_moves(&game, &start).iter().map(|&m| game.key(&game.play(&start, m))).collect();
        assert_eq!(keys.len(), 4);
        assert!(keys.iter().all(|&key| key == keys[0]));
    }

    #[test]
    fn stable_discs_stay() {
        let game = Othello::new(4, false).unwrap();
        let mut seed = 7u64;
        for _ in 0..300 {
            let mut line = vec![game.start()];
            while game.over(&line[line.len() - 1]).is_none() {
                let now = line[line.len() - 1];
                let list = legal_moves(&game, &now);
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                line.push(game.play(&now, list[(seed >> 33) as usize % list.len()]));
            }
            for (i, p) in line.iter().enumerate() {
                let stable = game.stable(p.mine, &game.full(p.mine | p.other));
                for q in &line[i..] {
                    let own = if q.turn == p.turn { q.mine } else { q.other };
                    assert_eq!(stable & !own, 0);
                }
            }
        }
    }
}
