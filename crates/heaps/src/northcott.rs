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

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;

/// Maximum number of columns.
pub const COLUMNS: u32 = 1_000_000;
/// Maximum number of rows.
pub const ROWS: usize = 1_000;

/// The rules of Northcott's game.
#[derive(Clone, Debug)]
pub struct Northcott {
    columns: u32,
    rows: Vec<[u32; 2]>,
}

/// The men and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The columns of the white and the black man in each row, counted from 1.
    pub rows: Vec<[u32; 2]>,
    /// The player to move.
    pub turn: Player,
}

/// Slides the mover's man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The row, counted from 0.
    pub row: u32,
    /// The column he goes to, counted from 1.
    pub to: u32,
}

impl Northcott {
    /// Returns Northcott's game on this number of columns, from rows like `1-8,1-8`.
    ///
    /// # Errors
    /// There are too few or too many columns, or the rows cannot be read.
    pub fn new(columns: u32, rows: &str) -> Result<Northcott, String> {
        if !(2..=COLUMNS).contains(&columns) {
            return Err(format!("northcott has 2 to {COLUMNS} columns: columns=8"));
        }
        Ok(Northcott { columns, rows: read_rows(rows, columns)? })
    }

    fn number(position: &Position) -> u32 {
        position.rows.iter().fold(0, |sum, row| sum ^ gap(*row))
    }

    /// Returns the column of the mover's man and the range of columns he can reach, which includes his own.
    fn reach(&self, row: [u32; 2], turn: Player) -> (u32, std::ops::RangeInclusive<u32>) {
        let (own, other) = (row[turn.index()], row[(!turn).index()]);
        (own, if own < other { 1..=other - 1 } else { other + 1..=self.columns })
    }
}

fn gap([white, black]: [u32; 2]) -> u32 {
    white.abs_diff(black) - 1
}

fn read_rows(text: &str, columns: u32) -> Result<Vec<[u32; 2]>, String> {
    let expected = || {
        format!(
            "expected 1 to {ROWS} rows like 1-{columns},2-1: the columns (1..{columns}) of the white and the black man"
        )
    };
    let read = |row: &str| {
        let (white, black) = row.split_once('-')?;
        let column = |word| words::number(word, u64::from(columns)).filter(|&c| c > 0).map(|c| c as u32);
        let (white, black) = (column(white)?, column(black)?);
        (white != black).then_some([white, black])
    };
    if text.bytes().filter(|&b| b == b',').count() >= ROWS {
        return Err(expected());
    }
    text.split(',').map(read).collect::<Option<_>>().ok_or_else(expected)
}

impl Game for Northcott {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { rows: self.rows.clone(), turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let stuck = position.rows.iter().all(|&row| {
            let (own, reach) = self.reach(row, position.turn);
            reach == (own..=own)
        });
        stuck.then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (row, &men) in (0..).zip(&position.rows) {
            let (own, reach) = self.reach(men, position.turn);
            for to in reach.filter(|&to| to != own) {
                visit(Move { row, to })?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut rows = position.rows.clone();
        rows[m.row as usize][position.turn.index()] = m.to;
        Position { rows, turn: !position.turn }
    }

    fn canonical(&self, position: &Position) -> Position {
        let mut canonical = position.clone();
        canonical.rows.sort_unstable();
        canonical
    }
}

impl Scored for Northcott {}

impl Notation for Northcott {
    fn write_position(&self, position: &Position) -> String {
        let rows: Vec<String> =
            position.rows.iter().map(|[white, black]| format!("{white}-{black}")).collect();
        format!("{} {}", rows.join(","), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([rows], turn) = words::fields(text, "rows like 1-4,6-2")?;
        Ok(Position { rows: read_rows(rows, self.columns)?, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}:{}", m.row + 1, m.to)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (row, to) = word.split_once(':')?;
        let row = words::number(row, ROWS as u64)?.checked_sub(1)? as u32;
        let to = words::number(to, u64::from(self.columns))? as u32;
        let (own, reach) = self.reach(*position.rows.get(row as usize)?, position.turn);
        (to != own && reach.contains(&to)).then_some(Move { row, to })
    }

    fn draw(&self, position: &Position) -> String {
        if self.columns > 60 {
            return self.write_position(position) + "\n";
        }
        let letter = |row: &[u32; 2], column| match column {
            c if c == row[0] => 'W',
            c if c == row[1] => 'B',
            _ => '.',
        };
        let line = |row: &[u32; 2]| (1..=self.columns).map(|c| letter(row, c)).collect::<String>();
        (1..).zip(&position.rows).map(|(i, row)| format!("{i}: {}\n", line(row))).collect()
    }
}

impl Formula for Northcott {
    fn formula(&self, position: &Position) -> Value {
        if Northcott::number(position) == 0 { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = Northcott::number(position);
        let mut keeping = Vec::new();
        if number == 0 {
            return keeping;
        }
        for (row, &men) in (0..).zip(&position.rows) {
            let aim = gap(men) ^ number;
            let (own, reach) = self.reach(men, position.turn);
            let other = men[(!position.turn).index()];
            let to = if own < other { other.checked_sub(aim + 1) } else { Some(other + aim + 1) };
            if let Some(to) = to.filter(|to| *to != own && reach.contains(to)) {
                keeping.push(Move { row, to });
            }
        }
        keeping
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(u64::from(Northcott::number(position)))
    }
}

/// Indexed by the columns of all men, row by row, and the turn; for positions with as many rows as the start.
impl Indexed for Northcott {
    fn size(&self) -> u64 {
        let pairs = u64::from(self.columns).pow(2);
        self.rows.iter().fold(2, |size: u64, _| size.saturating_mul(pairs))
    }

    fn index(&self, position: &Position) -> u64 {
        let base = u64::from(self.columns);
        let men = position.rows.iter().flatten();
        let number = men.fold(0u64, |n, &column| n.wrapping_mul(base).wrapping_add(u64::from(column - 1)));
        number.wrapping_mul(2).wrapping_add(position.turn.index() as u64)
    }

    fn position(&self, index: u64) -> Option<Position> {
        let base = u64::from(self.columns);
        let turn = if index.is_multiple_of(2) { Player::One } else { Player::Two };
        let mut rest = index / 2;
        let mut rows = self.rows.clone();
        for row in rows.iter_mut().rev() {
            for man in row.iter_mut().rev() {
                *man = (rest % base) as u32 + 1;
                rest /= base;
            }
        }
        let apart = rows.iter().all(|[white, black]| white != black);
        (rest == 0 && apart).then_some(Position { rows, turn })
    }
}
