//! Boards of single squares as Go programs name them: the letters leave out `i`, a stone that falls is named by the
//! square that it comes to lie on.

use grundy_session::{Session, Shape};

/// Go programs know no larger board.
const MOST: usize = 25;
/// The letters of the columns on boards of Go.
const LETTERS: &[u8] = b"abcdefghjklmnopqrstuvwxyz";
/// The letters of the columns in programs for Hex.
const ALL_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxy";
/// Number of moves examined to find out whether moves are squares.
const LISTED: usize = 10_000;

/// A board whose moves are single squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertices {
    /// Columns of the board.
    pub columns: usize,
    /// Rows of the board.
    pub rows: usize,
    /// True if our moves name a column in which a stone falls.
    falls: bool,
    shape: Shape,
    letters: &'static [u8],
}

impl Vertices {
    /// Returns the board of a game whose moves at the start are all single squares (or passes), or all columns.
    pub fn of(session: &mut Session, shape: Shape) -> Option<Vertices> {
        let line = session.position();
        let board = line.split(' ').next()?;
        let (columns, rows) = match shape {
            Shape::Grid
            | Shape::Ages
            | Shape::Discs
            | Shape::Men
            | Shape::Painted
            | Shape::Covered
            | Shape::Frame
            | Shape::Lines
            | Shape::Hexagons
            | Shape::Map => {
                let rows: Vec<usize> = board.split('/').map(|row| row.chars().count()).collect();
                (rows.iter().all(|row| row == &rows[0]).then_some(rows[0])?, rows.len())
            }
            Shape::Steps => {
                let rows: Vec<usize> = board.split(',').map(|row| row.parse().ok()).collect::<Option<_>>()?;
                (rows.iter().copied().max()?, rows.len())
            }
            _ => return None,
        };
        let fits = (1..=MOST).contains(&columns) && (1..=MOST).contains(&rows);
        let moves = session.legal_moves(LISTED);
        let squares = |falls| Vertices { columns, rows, falls, shape, letters: LETTERS };
        let all = |found: &dyn Fn(&str) -> bool| fits && !moves.is_empty() && moves.iter().all(|m| found(m));
        if all(&|word| word == PASS || squares(false).place(word).is_some()) {
            Some(squares(false))
        } else if all(&|word| matches!(word.as_bytes(), [b'a'..=b'z'])) {
            Some(squares(true))
        } else {
            None
        }
    }

    /// Returns the board as programs for Hex name it if it is one of Hex: the letters do not leave out `i`.
    pub fn as_in_hex(self) -> Vertices {
        let letters = if self.shape == Shape::Hexagons { ALL_LETTERS } else { self.letters };
        Vertices { letters, ..self }
    }

    /// Returns column and row of a square in our notation, both from 0.
    fn place(&self, word: &str) -> Option<(usize, usize)> {
        let column = usize::from(word.bytes().next()?.checked_sub(b'a')?);
        let row = word.get(1..)?.parse::<usize>().ok()?.checked_sub(1)?;
        (column < self.columns && row < self.rows).then_some((column, row))
    }

    /// Returns the cells as rows from the top: `X`, `O`, `.` for a free one, `?` for one out of play.
    pub fn cells(&self, position: &str) -> Vec<Vec<char>> {
        let mut fields = position.split(' ');
        let board = fields.next().unwrap_or("");
        if self.shape == Shape::Steps {
            let lengths: Vec<usize> = board.split(',').map(|n| n.parse().unwrap_or(0)).collect();
            let row = |row: usize| {
                let length = lengths.get(row).copied().unwrap_or(0);
                (0..self.columns).map(|column| if column < length { '.' } else { '?' }).collect()
            };
            return (0..self.rows).rev().map(row).collect();
        }
        let cell = |c: char| match c {
            'X' | 'O' | '.' => c,
            // An exit of a map is a cell like any other.
            'E' if self.shape == Shape::Map => '.',
            _ => '?',
        };
        let mut cells: Vec<Vec<char>> = board.split('/').map(|row| row.chars().map(cell).collect()).collect();
        if self.shape == Shape::Map {
            for (figure, word) in ['X', 'O'].into_iter().zip(fields) {
                if let Some((column, row)) = self.place(word) {
                    cells[self.rows - 1 - row][column] = figure;
                }
            }
        }
        cells
    }

    /// Returns the row, from 0, on which a stone lands.
    fn landing(&self, column: usize, position: &str) -> usize {
        self.cells(position).iter().filter(|row| row.get(column).is_some_and(|&cell| cell != '.')).count()
    }

    /// Returns a move of ours as a vertex.
    pub fn out(&self, word: &str, position: &str) -> String {
        let square = match (self.falls, word.as_bytes()) {
            (true, [letter @ b'a'..=b'z']) => {
                let column = usize::from(letter - b'a');
                Some((column, self.landing(column, position)))
            }
            _ => self.place(word),
        };
        let vertex = square.and_then(|(column, row)| {
            self.letters.get(column).map(|&letter| format!("{}{}", char::from(letter), row + 1))
        });
        vertex.unwrap_or_else(|| word.to_owned())
    }

    /// Returns a vertex as a move word, other words unchanged; `None` for an unknown column, or where a stone does not land.
    pub fn read(&self, vertex: &str, position: &str) -> Option<String> {
        let vertex = vertex.to_ascii_lowercase();
        let Some(letter) = vertex.bytes().next().filter(|b| b.is_ascii_lowercase()) else {
            return Some(vertex);
        };
        let number = vertex.get(1..)?;
        if !number.bytes().all(|b| b.is_ascii_digit()) {
            return Some(vertex);
        }
        let column = self.letters.iter().position(|&known| known == letter)?;
        let ours = char::from(b'a' + column as u8);
        match (self.falls, number) {
            (true, "") => Some(ours.to_string()),
            (true, row) => (row.parse() == Ok(self.landing(column, position) + 1)).then(|| ours.to_string()),
            (false, row) => Some(format!("{ours}{row}")),
        }
    }

    /// Draws the board as Go programs do, or as a field of hexagons.
    pub fn draw(&self, position: &str) -> String {
        let mut text = String::new();
        let indent = |row: usize| if self.shape == Shape::Hexagons { " ".repeat(row) } else { String::new() };
        for (row, cells) in self.cells(position).iter().enumerate() {
            text.push_str(&format!("{:>2}{}", self.rows - row, indent(row)));
            cells.iter().for_each(|&cell| text.extend([' ', cell]));
            text.push('\n');
        }
        text.push_str("  ");
        text.push_str(&indent(self.rows));
        self.letters[..self.columns]
            .iter()
            .for_each(|letter| text.extend([' ', letter.to_ascii_uppercase().into()]));
        text
    }

    /// Returns the size in GoGui's form: one number for a square board, else columns and rows.
    pub fn size(&self) -> String {
        let size = match self.columns == self.rows {
            true => self.columns.to_string(),
            false => format!("{} {}", self.columns, self.rows),
        };
        if self.shape == Shape::Hexagons { format!("{size} hex") } else { size }
    }
}

/// The word of a pass.
pub const PASS: &str = "pass";
