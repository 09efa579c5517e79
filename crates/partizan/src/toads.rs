//! Toads and Frogs: toads hop to the right, frogs to the left.
//!
//! * Player one moves a toad `T` one cell right into a free cell, or over exactly one frog into the free cell behind
//!   it; player two a frog `F` likewise to the left. Nothing is taken. The player who cannot move loses.
//! * Position `TT..FF 1`; move `2-3` or `2-4`: from and to, cells counted from 1, from the left.
//!
//! Solved by canonical forms. Source: "Winning Ways", 1982, chapters 1 and 5; J. Erickson, "New Toads and Frogs results",
//! Games of No Chance, 1996.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, hash_of};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_sums::cgt::Partizan;

/// Maximum number of cells.
pub const CELLS: usize = 64;

/// The rules of Toads and Frogs.
#[derive(Clone, Copy, Debug)]
pub struct ToadsAndFrogs {
    start: Strip,
    cells: u32,
}

/// Toads and frogs on the cells, the leftmost in the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strip {
    /// The cells of toads.
    pub toads: u64,
    /// The cells of frogs.
    pub frogs: u64,
}

/// The row and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Toads and frogs.
    pub row: Strip,
    /// The player to move.
    pub turn: Player,
}

/// From and to, cells counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The cell left.
    pub from: u8,
    /// The cell entered.
    pub to: u8,
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

    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.cells)
    }

    /// Returns the pieces of `player` that can step and those that can jump.
    #[inline]
    fn movable(&self, row: Strip, player: Player) -> (u64, u64) {
        let free = self.all() & !(row.toads | row.frogs);
        match player {
            Player::One => (row.toads & free >> 1, row.toads & row.frogs >> 1 & free >> 2),
            Player::Two => (row.frogs & free << 1, row.frogs & row.toads << 1 & free << 2),
        }
    }

    fn visit(&self, row: Strip, player: Player, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let (steps, jumps) = self.movable(row, player);
        let mut both = steps | jumps;
        while both != 0 {
            let from = both.trailing_zeros() as u8;
            both &= both - 1;
            let far = if steps >> from & 1 == 1 { 1 } else { 2 };
            visit(Move { from, to: if player == Player::One { from + far } else { from - far } })?;
        }
        MORE
    }

    fn moved(row: Strip, m: Move) -> Strip {
        let (from, to) = (1u64 << m.from, 1u64 << m.to);
        match row.toads & from != 0 {
            true => Strip { toads: row.toads & !from | to, ..row },
            false => Strip { frogs: row.frogs & !from | to, ..row },
        }
    }
}

fn read(text: &str) -> Option<Strip> {
    if !(1..=CELLS).contains(&text.len()) {
        return None;
    }
    let mut row = Strip { toads: 0, frogs: 0 };
    for (cell, letter) in text.bytes().enumerate() {
        match letter {
            b'T' => row.toads |= 1 << cell,
            b'F' => row.frogs |= 1 << cell,
            b'.' => {}
            _ => return None,
        }
    }
    Some(row)
}

impl Game for ToadsAndFrogs {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { row: self.start, turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let (steps, jumps) = self.movable(position.row, position.turn);
        (steps | jumps == 0).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        self.visit(position.row, position.turn, visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        Position { row: ToadsAndFrogs::moved(position.row, m), turn: !position.turn }
    }
}

impl Scored for ToadsAndFrogs {}

impl Notation for ToadsAndFrogs {
    fn write_position(&self, position: &Position) -> String {
        let letter = |cell: u32| match (position.row.toads >> cell & 1, position.row.frogs >> cell & 1) {
            (1, _) => 'T',
            (_, 1) => 'F',
            _ => '.',
        };
        let row: String = (0..self.cells).map(letter).collect();
        format!("{row} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([word], turn) = words::fields(text, "the row, like TT..FF,")?;
        let row = read(word).filter(|_| word.len() == self.cells as usize);
        let row = row.ok_or_else(|| format!("expected a row of {} cells of T, F and .", self.cells))?;
        Ok(Position { row, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", m.from + 1, m.to + 1)
    }
}

impl Partizan for ToadsAndFrogs {
    type Part = Strip;

    fn parts(&self, position: &Position) -> Vec<Strip> {
        vec![position.row]
    }

    fn options(&self, &part: &Strip, player: Player, visit: &mut dyn FnMut(Vec<Strip>)) {
        let _ = self.visit(part, player, &mut |m| {
            visit(vec![ToadsAndFrogs::moved(part, m)]);
            MORE
        });
    }
}

impl Heuristic for ToadsAndFrogs {
    fn key(&self, position: &Position) -> u64 {
        hash_of(position)
    }

    fn guess(&self, position: &Position) -> i32 {
        let count = |player| {
            let (steps, jumps) = self.movable(position.row, player);
            (steps | jumps).count_ones() as i32
        };
        100 * (count(position.turn) - count(!position.turn))
    }
}

impl Bounds for ToadsAndFrogs {}
