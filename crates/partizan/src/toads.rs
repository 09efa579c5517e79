//! Toads and Frogs: toads hop to the right, frogs to the left.
//!
//! * Player one moves a toad `T` one cell right into a free cell, or over exactly one frog into the free cell behind
//!   it; player two a frog `F` likewise to the left. Nothing is taken. The player who cannot move loses.
//! * Position `TT..FF 1`; move `2-3` or `2-4`: from and to, cells counted from 1, from the left.
//!
//! Solved by canonical forms. Source: "Winning Ways", 1982, chapters 1 and 5; J. Erickson, "New Toads and Frogs results",
//! Games of No Chance, 1996.

use grundy_core::bits::indices;
use grundy_core::drawing;
use grundy_core::game::{Flow, Player};
use grundy_core::words;
use grundy_search::board::{BoardRules, Layout, Move, Position};

/// Maximum number of cells.
pub const CELLS: usize = 64;

/// The rules of Toads and Frogs.
#[derive(Clone, Copy, Debug)]
pub struct ToadsAndFrogs {
    /// The cells of toads and those of frogs at the start, the leftmost in the lowest bit.
    start: [u64; 2],
    cells: u32,
}

impl ToadsAndFrogs {
    /// Returns the game on a row like `TT..FF`.
    ///
    /// # Errors
    /// The row is empty, too long, or has other letters.
    pub fn new(text: &str) -> Result<ToadsAndFrogs, String> {
        let start = read(text).ok_or_else(|| {
            format!("bad row {:?}: expected 1 to {CELLS} cells of T, F and .", words::short(text))
        })?;
        Ok(ToadsAndFrogs { start, cells: text.len() as u32 })
    }

    /// Returns the pieces of `player` that can step and those that can jump.
    #[inline]
    fn movable(&self, [toads, frogs]: [u64; 2], player: Player) -> (u64, u64) {
        let free = u64::MAX >> (64 - self.cells) & !(toads | frogs);
        match player {
            Player::One => (toads & free >> 1, toads & frogs >> 1 & free >> 2),
            Player::Two => (frogs & free << 1, frogs & toads << 1 & free << 2),
        }
    }
}

/// Returns the cells of toads and those of frogs in a row.
fn read(text: &str) -> Option<[u64; 2]> {
    if !(1..=CELLS).contains(&text.len()) {
        return None;
    }
    let mut row = [0; 2];
    for (cell, letter) in text.bytes().enumerate() {
        match letter {
            b'T' => row[0] |= 1 << cell,
            b'F' => row[1] |= 1 << cell,
            b'.' => {}
            _ => return None,
        }
    }
    Some(row)
}

impl BoardRules for ToadsAndFrogs {
    fn layout(&self) -> Layout {
        Layout { cells: self.cells, rest: 0, stage: 0 }
    }

    fn start(&self) -> Position {
        Position { men: self.start, ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let (steps, jumps) = self.movable(position.men, position.turn);
        indices(steps | jumps).try_for_each(|from| {
            let far = if steps >> from & 1 == 1 { 1 } else { 2 };
            visit(Move::of(from, if position.turn == Player::One { from + far } else { from - far }))
        })
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() & !(1 << m.from()) | 1 << m.to(), position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        let letter = |cell: u32| match position.men.map(|set| set >> cell & 1) {
            [1, _] => 'T',
            [_, 1] => 'F',
            _ => '.',
        };
        let row: String = (0..self.cells).map(letter).collect();
        format!("{row} {}", position.turn.digit())
    }

    fn draw(&self, position: &Position) -> String {
        drawing::of_row(&self.write_position(position))
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([word], turn) = words::fields(text, "the row, like TT..FF,")?;
        let row = read(word).filter(|_| word.len() == self.cells as usize);
        let men = row.ok_or_else(|| format!("expected a row of {} cells of T, F and .", self.cells))?;
        Ok(Position { men, rest: 0, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", m.from() + 1, m.to() + 1)
    }

    fn guess(&self, position: &Position) -> i32 {
        let count = |player| {
            let (steps, jumps) = self.movable(position.men, player);
            (steps | jumps).count_ones() as i32
        };
        100 * (count(position.turn) - count(!position.turn))
    }

    fn hint(&self, _position: &Position, _m: Move, _child: &Position) -> i32 {
        0
    }

    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        vec![position.men]
    }
}
