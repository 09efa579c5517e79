//! Domineering: dominoes on an R x C board.
//!
//! * Player one covers two free cells one above the other, player two two free cells side by side.
//! * The player who cannot move loses.
//! * Position `#../#../... 2`, rows from the top, `#` a covered cell; move `a2`: the lower cell of an upright domino,
//!   the left cell of a flat one.
//!
//! Solved by search: the moves that nobody can take away, compared with the most the other can ever make, often decide
//! a position long before its end (D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, "Solving 8x8
//! Domineering", Theoretical Computer Science 230, 2000).
//!
//! Source: G. Andersson; M. Gardner, Scientific American, February 1974.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::random::{fibonacci, mix_once};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_sums::cgt::Partizan;

/// The rules of Domineering.
#[derive(Clone, Debug)]
pub struct Domineering {
    grid: Grid,
    board: u64,
    left: u64,
    right: u64,
    symmetries: Vec<CellMap>,
}

/// The covered cells, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Cell 0 at the top left.
    pub covered: u64,
    /// The player to move.
    pub turn: Player,
}

/// Bounds on the number of a player's moves.
struct Room {
    /// Number of dominoes that this player can place whatever the other does.
    safe: u32,
    /// Maximum number of dominoes that he can ever place.
    most: u32,
}

impl Domineering {
    /// Returns the game on a board of `rows` by `columns` cells.
    ///
    /// # Errors
    /// The board has no cell or more than 64.
    pub fn new(rows: usize, columns: usize) -> Result<Domineering, String> {
        let sides = (1..=Grid::MOST_COLUMNS).contains(&columns) && (1..=64).contains(&rows);
        if !sides || rows * columns > 64 {
            return Err(format!("no board of {rows}x{columns}: expected rows x columns of 1 to 64 cells"));
        }
        let grid = Grid { columns, rows };
        let cells = |inside: &dyn Fn(usize, usize) -> bool| {
            (0..grid.cells())
                .filter(|&cell| inside(grid.coordinates(cell).0, grid.coordinates(cell).1))
                .fold(0, |s, c| s | 1 << c)
        };
        Ok(Domineering {
            grid,
            board: cells(&|_, _| true),
            left: cells(&|c, _| c == 0),
            right: cells(&|c, _| c + 1 == columns),
            symmetries: grid.symmetries()[1..4].iter().map(|image| CellMap::new(image)).collect(),
        })
    }

    fn free(&self, position: &Position) -> u64 {
        self.board & !position.covered
    }

    /// Returns the first cell of every placement of a player's domino: the upper one or the left one.
    #[inline]
    fn places(&self, player: Player, free: u64) -> u64 {
        match player {
            Player::One => free & self.move_up(free),
            Player::Two => free & !self.right & free >> 1,
        }
    }

    /// Returns the set moved up by a row.
    fn move_up(&self, set: u64) -> u64 {
        set.checked_shr(self.grid.columns as u32).unwrap_or(0)
    }

    /// Returns the set moved down by a row.
    fn move_down(&self, set: u64) -> u64 {
        set.checked_shl(self.grid.columns as u32).unwrap_or(0) & self.board
    }

    /// Returns both cells of the placements that begin here.
    fn cover(&self, player: Player, places: u64) -> u64 {
        match player {
            Player::One => places | self.move_down(places),
            Player::Two => places | places << 1 & !self.left,
        }
    }

    /// Returns the number of dominoes placed greedily in runs of this player's direction: the maximum, for each run by
    /// itself.
    fn packed(&self, player: Player, free: u64) -> u32 {
        let (mut free, mut count) = (free, 0);
        // The first placements of all runs at once, then the rest of the runs.
        loop {
            let places = self.places(player, free);
            let first = match player {
                Player::One => places & !self.move_down(free),
                Player::Two => places & !(free << 1 & !self.left),
            };
            if first == 0 {
                return count;
            }
            count += first.count_ones();
            free &= !self.cover(player, first);
        }
    }

    /// Splits free cells into connected components, without single cells.
    fn split(&self, mut free: u64) -> Vec<u64> {
        let mut parts = Vec::new();
        while free != 0 {
            let (mut part, mut grown) = (0, free & free.wrapping_neg());
            while grown != part {
                part = grown;
                let sideways = part << 1 & !self.left | part >> 1 & !self.right;
                grown |= (sideways | self.move_up(part) | self.move_down(part)) & free;
            }
            free &= !part;
            if part.count_ones() > 1 {
                let images = self.symmetries.iter().map(|map| self.moved(map.apply(part)));
                parts.push(images.fold(self.moved(part), u64::min));
            }
        }
        parts
    }

    /// Returns the set moved to the top left.
    fn moved(&self, mut set: u64) -> u64 {
        let top = u64::MAX >> (64 - self.grid.columns);
        while set & top == 0 {
            set >>= self.grid.columns;
        }
        while set & self.left == 0 {
            set >>= 1;
        }
        set
    }

    fn room(&self, player: Player, free: u64) -> Room {
        // The cells that the other player could ever cover.
        let reach = self.cover(!player, self.places(!player, free));
        Room { safe: self.packed(player, free & !reach), most: self.packed(player, free) }
    }
}

impl Game for Domineering {
    type Position = Position;
    /// The upper or left cell of the domino, cell 0 at the top left.
    type Move = u8;

    fn start(&self) -> Position {
        Position { covered: 0, turn: Player::One }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        (self.places(position.turn, self.free(position)) == 0).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mut places = self.places(position.turn, self.free(position));
        while places != 0 {
            visit(places.trailing_zeros() as u8)?;
            places &= places - 1;
        }
        MORE
    }

    #[inline]
    fn play(&self, position: &Position, m: u8) -> Position {
        let covered = position.covered | self.cover(position.turn, 1 << m);
        Position { covered, turn: !position.turn }
    }

    fn canonical(&self, position: &Position) -> Position {
        let images = self.symmetries.iter().map(|map| map.apply(position.covered));
        Position { covered: images.fold(position.covered, u64::min), turn: position.turn }
    }
}

impl Scored for Domineering {}

impl Notation for Domineering {
    fn write_position(&self, position: &Position) -> String {
        let letter = |cell| if position.covered >> cell & 1 == 1 { '#' } else { '.' };
        format!("{} {}", self.grid.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as #../#../...,")?;
        let mut covered = 0;
        self.grid.read(board, "# and .", |cell, letter| {
            covered |= u64::from(letter == '#') << cell;
            letter == '#' || letter == '.'
        })?;
        Ok(Position { covered, turn })
    }

    fn write_move(&self, position: &Position, m: u8) -> String {
        let cell = usize::from(m);
        // An upright domino is named by its lower cell.
        self.grid.square(if position.turn == Player::One { cell + self.grid.columns } else { cell })
    }
}

impl Partizan for Domineering {
    /// A component of free cells, turned, mirrored and moved to the top left.
    type Part = u64;

    fn parts(&self, position: &Position) -> Vec<u64> {
        self.split(self.free(position))
    }

    fn options(&self, &part: &u64, player: Player, visit: &mut dyn FnMut(Vec<u64>)) {
        let mut places = self.places(player, part);
        while places != 0 {
            let domino = self.cover(player, places & places.wrapping_neg());
            places &= places - 1;
            visit(self.split(part & !domino));
        }
    }
}

impl Heuristic for Domineering {
    /// Returns a key that the board's mirror images and half turn share; one-to-one on boards of up to 63 cells, else
    /// two positions share it with probability 2^-64.
    fn key(&self, position: &Position) -> u64 {
        let images = self.symmetries.iter().map(|map| map.apply(position.covered));
        let least = images.fold(position.covered, u64::min);
        let turn = position.turn.index() as u64;
        if self.grid.cells() < 64 {
            return least | turn << 63;
        }
        mix_once::<33, 33>(least).wrapping_add(fibonacci(turn))
    }

    fn guess(&self, position: &Position) -> i32 {
        let free = self.free(position);
        let (own, other) = (self.room(position.turn, free), self.room(!position.turn, free));
        let weigh = |room: Room| 60 * room.safe as i32 + 40 * room.most as i32;
        weigh(own) - weigh(other)
    }

    fn hint(&self, position: &Position, _m: u8, child: &Position) -> i32 {
        let free = self.free(child);
        let count = |player| {
            let room = self.room(player, free);
            4 * room.safe as i32 + 3 * room.most as i32 + self.places(player, free).count_ones() as i32
        };
        count(position.turn) - count(!position.turn)
    }
}

impl Bounds for Domineering {
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        let free = self.free(position);
        let (own, other) = (self.room(position.turn, free), self.room(!position.turn, free));
        // Each makes his safe moves before he loses.
        let lo = Value::loss_in(2 * own.safe.max(1));
        let hi = Value::win_in(2 * other.safe + 1);
        if own.safe > other.most {
            (Value::win_in(2 * other.most + 1), hi)
        } else if other.safe >= own.most {
            (lo, Value::loss_in(2 * own.most))
        } else {
            (lo, hi)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominoes_are_packed_as_they_fit() {
        let game = Domineering::new(4, 5).unwrap();
        assert_eq!(game.packed(Player::One, game.board), 10);
        assert_eq!(game.packed(Player::Two, game.board), 8);
        let position = game.read_position("#..#./..#../##.../..... 1").unwrap();
        assert_eq!(game.packed(Player::One, game.free(&position)), 5);
    }
}
