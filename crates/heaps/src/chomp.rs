//! Chomp: bites from a bar of chocolate whose corner is poisoned.
//!
//! * A bite takes a cell with everything that is not below and not left of it. The player who takes the poisoned cell
//!   `a1`, bottom left, loses.
//! * Position `4,4,2 1`: the lengths of the rows from the bottom, empty ones left out, `0` for no chocolate; a move is
//!   the cell bitten, `c2`.
//!
//! Solved by a table of all shapes. Adding 0, 1, .. to the row lengths from the top makes them distinct, so a shape is
//! indexed as a subset. Every bite leads to a lower index. The witness searches all reachable positions. (D. Gale, "A
//! curious Nim-type game", American Mathematical Monthly 81, 1974: every bar but a single cell is won, nobody knows by
//! which bite.)
//! knows by which bite.)

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::impartial::Impartial;
use grundy_tables::layers::{Acyclic, Order};

/// Maximum number of columns, each named by a letter.
pub const COLUMNS: usize = 26;
/// Maximum number of rows.
pub const ROWS: usize = 99;
/// Maximum number of shapes of a bar.
pub const SHAPES: u64 = 50_000_000;

/// The rules of Chomp.
#[derive(Clone, Debug)]
pub struct Chomp {
    rows: usize,
    columns: usize,
    /// `C(n, k)` at `n`, `k`.
    binomials: Vec<Vec<u64>>,
}

/// The rest of the bar and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The lengths of the rows from the bottom, never rising, at least 1.
    pub rows: Vec<u8>,
    /// The player to move.
    pub turn: Player,
}

/// The cell bitten, row and column counted from 0, from the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The row.
    pub row: u8,
    /// The column.
    pub column: u8,
}

impl Chomp {
    /// Returns Chomp on a bar of `rows` by `columns` cells.
    ///
    /// # Errors
    /// The bar is empty or too large.
    pub fn new(rows: usize, columns: usize) -> Result<Chomp, String> {
        let refusal = || {
            format!(
                "chomp has 1 to {ROWS} rows and 1 to {COLUMNS} columns with at most {SHAPES} shapes, like 12x12: \
                 chomp:3x4"
            )
        };
        if !(1..=ROWS).contains(&rows) || !(1..=COLUMNS).contains(&columns) {
            return Err(refusal());
        }
        let mut binomials = vec![vec![0u64; rows + 2]; rows + columns + 1];
        for n in 0..binomials.len() {
            binomials[n][0] = 1;
            for k in 1..=rows.min(n) {
                binomials[n][k] = binomials[n - 1][k - 1].saturating_add(binomials[n - 1][k]);
            }
        }
        match binomials[rows + columns][rows] {
            shapes if shapes <= SHAPES => Ok(Chomp { rows, columns, binomials }),
            _ => Err(refusal()),
        }
    }
}

impl Game for Chomp {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { rows: vec![self.columns as u8; self.rows], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        position.rows.is_empty().then_some(Value::win_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (row, &length) in (0..).zip(&position.rows) {
            (0..length).try_for_each(|column| visit(Move { row, column }))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut rows = position.rows.clone();
        rows.iter_mut().skip(m.row as usize).for_each(|length| *length = m.column.min(*length));
        rows.retain(|&length| length > 0);
        Position { rows, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }

    /// Returns the larger of a shape and its mirror image at the diagonal, which is a symmetry of square boards.
    fn canonical(&self, position: &Position) -> Position {
        if self.rows != self.columns {
            return position.clone();
        }
        let widest = position.rows.first().copied().unwrap_or(0);
        let column = |column| position.rows.iter().filter(|&&length| length > column).count() as u8;
        let mirrored: Vec<u8> = (0..widest).map(column).collect();
        Position { rows: mirrored.max(position.rows.clone()), turn: position.turn }
    }
}

impl Scored for Chomp {}

impl Notation for Chomp {
    fn write_position(&self, position: &Position) -> String {
        let rows: Vec<u64> = position.rows.iter().map(|&length| u64::from(length)).collect();
        let rows = if rows.is_empty() { "0".to_owned() } else { words::join(&rows) };
        format!("{rows} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([rows], turn) = words::fields(text, "the lengths of the rows from the bottom, like 4,4,2")?;
        let lengths = words::list(rows, "rows", self.columns as u64, self.rows)?;
        if !lengths.is_sorted_by(|a, b| a >= b) {
            return Err(format!("no row is longer than the one below it: {:?}", words::short(rows)));
        }
        let rows = lengths.into_iter().filter(|&length| length > 0).map(|length| length as u8).collect();
        Ok(Position { rows, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}{}", (b'a' + m.column) as char, m.row + 1)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let mut letters = word.chars();
        let column = letters.next().filter(char::is_ascii_lowercase)? as u8 - b'a';
        let row = words::number(letters.as_str(), ROWS as u64)?.checked_sub(1)? as u8;
        let &length = position.rows.get(row as usize)?;
        (column < length).then_some(Move { row, column })
    }

    fn draw(&self, position: &Position) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let length = position.rows.get(row).map_or(0, |&length| length as usize);
            let cells = "o".repeat(length) + &".".repeat(self.columns - length);
            let cells = if row == 0 && length > 0 { cells.replacen('o', "#", 1) } else { cells };
            text += &format!("{:>2} {cells}\n", row + 1);
        }
        let letters: String = ('a'..='z').take(self.columns).collect();
        text + "   " + &letters + "\n"
    }
}

impl Indexed for Chomp {
    fn size(&self) -> u64 {
        self.binomials[self.rows + self.columns][self.rows]
    }

    fn index(&self, position: &Position) -> u64 {
        let length = |row: usize| position.rows.get(row).map_or(0, |&length| length as usize);
        (0..self.rows).map(|row| self.binomials[length(row) + self.rows - 1 - row][self.rows - row]).sum()
    }

    fn position(&self, index: u64) -> Option<Position> {
        if index >= self.size() {
            return None;
        }
        let (mut rest, mut most) = (index, self.columns);
        let mut rows = Vec::with_capacity(self.rows);
        for row in 0..self.rows {
            let (below, left) = (self.rows - 1 - row, self.rows - row);
            while self.binomials[most + below][left] > rest {
                most -= 1;
            }
            rest -= self.binomials[most + below][left];
            rows.push(most as u8);
        }
        rows.retain(|&length| length > 0);
        Some(Position { rows, turn: Player::One })
    }
}

impl Acyclic for Chomp {
    fn order(&self) -> Order {
        Order::Lower
    }
}

/// The game without its poison: a player who can only take that cell cannot move.
impl Impartial for Chomp {
    fn excluded(&self, position: &Position) -> Option<String> {
        position.rows.is_empty().then(|| "the poison is taken".to_owned())
    }

    fn playable(&self, m: Move) -> bool {
        m != Move { row: 0, column: 0 }
    }
}
