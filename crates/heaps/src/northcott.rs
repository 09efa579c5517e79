//! Northcott's game: in every row a white and a black man, who slide along the row and never pass each other.
//!
//! * Player one moves a white man, player two a black one: to any free cell of its row, forwards or backwards, without
//!   jumping. The player who cannot move loses.
//! * Position `1-4,6-2 1`: the columns of the white and the black man in each row, counted from 1. Move `2:5`: the
//!   mover's man in row 2 goes to column 5.
//!
//! Solved by formula: Nim on the free cells between the men. A retreat is answered by following as far, and nobody can
//! retreat for ever (Winning Ways, chapter 3). Play itself may be endless, so the witness is retrograde analysis of
//! small boards.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::sorting;

use crate::heap_game::{HeapRules, Move, Position};

/// Maximum number of columns.
pub const COLUMNS: u64 = 1_000_000;
/// Maximum number of rows.
pub const ROWS: usize = 1_000;

/// The rules of Northcott's game.
#[derive(Clone, Debug)]
pub struct Northcott {
    columns: u64,
    /// The columns of the white and the black man of each row.
    men: Vec<u64>,
}

impl Northcott {
    /// Returns Northcott's game on this number of columns, from rows like `1-8,1-8`.
    ///
    /// # Errors
    /// There are too few or too many columns, or the rows cannot be read.
    pub fn new(columns: u64, rows: &str) -> Result<Northcott, String> {
        if !(2..=COLUMNS).contains(&columns) {
            return Err(format!("northcott has 2 to {COLUMNS} columns: columns=8"));
        }
        Ok(Northcott { columns, men: read_rows(rows, columns)? })
    }

    /// Returns the column of the man of `turn` in a row and the range of columns he can reach, which includes his own.
    fn reach(&self, row: &[u64], turn: Player) -> (u64, std::ops::RangeInclusive<u64>) {
        let (own, other) = (row[turn.index()], row[(!turn).index()]);
        (own, if own < other { 1..=other - 1 } else { other + 1..=self.columns })
    }
}

/// Returns the columns of the white and the black man row by row.
fn rows(position: &Position) -> std::slice::ChunksExact<'_, u64> {
    position.heaps.chunks_exact(2)
}

/// Returns the number of free cells between the men of a row.
fn gap(row: &[u64]) -> u64 {
    row[0].abs_diff(row[1]) - 1
}

fn number(position: &Position) -> u64 {
    rows(position).fold(0, |sum, row| sum ^ gap(row))
}

fn read_rows(text: &str, columns: u64) -> Result<Vec<u64>, String> {
    let expected = || {
        format!(
            "expected 1 to {ROWS} rows like 1-{columns},2-1: the columns (1..{columns}) of the white and the black man"
        )
    };
    let read = |row: &str| {
        let (white, black) = Move::read_dash(row)?;
        let inside = |column: u64| (1..=columns).contains(&column);
        (white != black && inside(white) && inside(black)).then_some([white, black])
    };
    if text.bytes().filter(|&b| b == b',').count() >= ROWS {
        return Err(expected());
    }
    let rows = text.split(',').map(read).collect::<Option<Vec<[u64; 2]>>>();
    rows.map(|rows| rows.concat()).ok_or_else(expected)
}

/// A position is the columns of the white and the black man row by row, counted from 1; a move is the row, counted from 0,
/// and the column that the mover's man goes to.
impl HeapRules for Northcott {
    fn start(&self) -> Vec<u64> {
        self.men.clone()
    }

    fn is_over(&self, position: &Position) -> bool {
        rows(position).all(|row| {
            let (own, reach) = self.reach(row, position.turn);
            reach == (own..=own)
        })
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for (at, row) in (0..).zip(rows(position)) {
            let (own, reach) = self.reach(row, position.turn);
            for to in reach.filter(|&to| to != own) {
                visit(Move::new(at, to))?;
            }
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        position.heaps[2 * m.at() + position.turn.index()] = m.by();
    }

    /// The players have different men.
    fn make_essence(&self, _position: &mut Position) {}

    fn make_canonical(&self, position: &mut Position) {
        let mut sorted: Vec<&[u64]> = rows(position).collect();
        sorting::sort_few(&mut sorted);
        position.heaps = sorted.concat();
    }

    fn write(&self, heaps: &[u64]) -> String {
        let rows: Vec<String> = heaps.chunks_exact(2).map(|row| format!("{}-{}", row[0], row[1])).collect();
        rows.join(",")
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "rows like 1-4,6-2", |rows| read_rows(rows, self.columns))
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let m = Move::read(word)?;
        let (own, reach) = self.reach(rows(position).nth(m.at())?, position.turn);
        (m.by() != own && reach.contains(&m.by())).then_some(m)
    }

    fn draw(&self, position: &Position) -> String {
        if self.columns > 60 {
            return self.write_position(position) + "\n";
        }
        let letter = |row: &[u64], column| match column {
            c if c == row[0] => 'W',
            c if c == row[1] => 'B',
            _ => '.',
        };
        let line = |row: &[u64]| (1..=self.columns).map(|c| letter(row, c)).collect::<String>();
        (1..).zip(rows(position)).map(|(i, row)| format!("{i}: {}\n", line(row))).collect()
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(number(position))
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = number(position);
        let mut keeping = Vec::new();
        for (at, row) in (0..).zip(rows(position)) {
            let aim = gap(row) ^ number;
            let (own, reach) = self.reach(row, position.turn);
            let other = row[(!position.turn).index()];
            let to = if own < other { other.checked_sub(aim + 1) } else { Some(other + aim + 1) };
            if let Some(to) = to.filter(|to| *to != own && reach.contains(to)) {
                keeping.push(Move::new(at, to));
            }
        }
        keeping
    }

    /// Returns the number of indices: a column for each man, and the turn; for positions with as many rows as the start.
    fn size(&self) -> u64 {
        self.men.iter().fold(2, |size: u64, _| size.saturating_mul(self.columns))
    }

    /// Returns the index by the columns of all men, row by row, and the turn.
    fn index(&self, position: &Position) -> u64 {
        let men = position.heaps.iter();
        let number = men.fold(0u64, |n, &column| n.wrapping_mul(self.columns).wrapping_add(column - 1));
        number.wrapping_mul(2).wrapping_add(position.turn.index() as u64)
    }

    fn position(&self, index: u64) -> Option<Position> {
        let turn = if index.is_multiple_of(2) { Player::One } else { Player::Two };
        let mut rest = index / 2;
        let mut heaps = self.men.clone();
        for man in heaps.iter_mut().rev() {
            *man = rest % self.columns + 1;
            rest /= self.columns;
        }
        let position = Position { heaps, turn };
        let apart = rows(&position).all(|row| row[0] != row[1]);
        (rest == 0 && apart).then_some(position)
    }
}
