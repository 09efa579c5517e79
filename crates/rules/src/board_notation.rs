//! The notation of boards: names of squares, letters of pieces, and defaults that need not be written.
//!
//! A position is the rows of the board from the top joined by `/`, a letter for each piece and `#` for a hole; then, if
//! they differ from the defaults of this entry, the scores and variables joined by commas; then, if it differs from the
//! default of the player, the entry as `@3`, with the cell as `@3b2` if it makes a difference, or `@end`; and last the
//! turn.

use grundy_core::game::Player;
use grundy_core::grid::Grid;
use grundy_core::sorting;
use rustc_hash::FxHashMap;

use crate::board::{Board, Shape};
use crate::program::Program;
use crate::source::{Fault, LineColumn};

/// The defaults of a position.
#[derive(Clone, Debug, Default)]
pub struct Usual {
    /// The scores and variables of each entry, as bytes.
    pub variables: FxHashMap<u16, Vec<u8>>,
    /// The entry of each player.
    pub entry: [Option<u16>; 2],
}

/// The notation of a game's boards.
#[derive(Clone, Debug)]
pub struct BoardNotation {
    /// The letter of each piece.
    pub letters: Vec<char>,
    /// The name of each cell.
    pub squares: Vec<String>,
    /// The defaults.
    pub usual: Usual,
    by_letter: FxHashMap<char, u8>,
    by_square: FxHashMap<String, u16>,
    /// The beginning of each line of the file.
    lines: Vec<u32>,
}

/// The sign of a hole.
pub const HOLE: char = '#';

impl BoardNotation {
    /// Returns the letters and squares of a program.
    ///
    /// # Errors
    /// There are more pieces than letters.
    pub fn new(program: &Program) -> Result<BoardNotation, Fault> {
        let letters = letters(program)?;
        let squares = squares(&program.board);
        let by_letter = letters.iter().enumerate().map(|(piece, &letter)| (letter, piece as u8)).collect();
        let by_square = squares.iter().enumerate().map(|(cell, name)| (name.clone(), cell as u16)).collect();
        let lines = program.lines.clone();
        Ok(BoardNotation { letters, squares, usual: Usual::default(), by_letter, by_square, lines })
    }

    /// Returns the line and column of a byte of the file, columns in bytes.
    pub fn place(&self, at: u32) -> LineColumn {
        let line = self.lines.partition_point(|&begin| begin <= at);
        let begin = line.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or(0);
        LineColumn { line: line.max(1), column: (at - begin) as usize + 1 }
    }

    /// Returns the cell of a name; `None` if there is no such cell.
    pub fn cell(&self, word: &str) -> Option<u16> {
        self.by_square.get(word).copied()
    }

    /// Returns the board as a line.
    pub fn write_board(&self, board: &Board, cells: &[u8]) -> String {
        let letter = |cell: u16| self.letters[usize::from(cells[usize::from(cell)])];
        match &board.shape {
            Shape::Graph { .. } => (0..cells.len() as u16).map(letter).collect(),
            Shape::Rows { layers, .. } => {
                let rows: Vec<String> = layers
                    .iter()
                    .flatten()
                    .map(|row| row.iter().map(|cell| cell.map_or(HOLE, letter)).collect())
                    .collect();
                rows.join("/")
            }
        }
    }

    /// Appends the signs of [`BoardNotation::write_board`] as bytes, without those between rows.
    pub fn push_cells(&self, board: &Board, contents: &[u8], cells: &mut Vec<u8>) {
        let letter = |cell: u16| self.letters[usize::from(contents[usize::from(cell)])] as u8;
        match &board.shape {
            Shape::Graph { .. } => cells.extend((0..contents.len() as u16).map(letter)),
            Shape::Rows { layers, .. } => {
                let places = layers.iter().flatten().flatten();
                cells.extend(places.map(|cell| cell.map_or(HOLE as u8, letter)));
            }
        }
    }

    /// Reads the form written by [`BoardNotation::write_board`].
    ///
    /// # Errors
    /// The message says what was expected.
    pub fn read_board(&self, board: &Board, text: &str) -> Result<Vec<u8>, String> {
        let expected = || {
            let signs: String = self.letters.iter().collect();
            let sizes = match &board.shape {
                Shape::Graph { .. } => format!("{} cells in a row", board.cells()),
                Shape::Rows { layers, .. } => {
                    let rows: Vec<String> =
                        layers.iter().flatten().map(|row| row.len().to_string()).collect();
                    let rows: Vec<String> = rows.into_iter().take(12).collect();
                    format!("rows of {} cells joined by '/', '#' for a hole", rows.join(", "))
                }
            };
            format!("expected {sizes}, each a letter out of {signs}")
        };
        // The meaning of each character: a cell, a hole, or the end of a row.
        let mut slots: Vec<Result<u16, char>> = Vec::new();
        match &board.shape {
            Shape::Graph { .. } => slots.extend((0..board.cells() as u16).map(Ok)),
            Shape::Rows { layers, .. } => {
                for row in layers.iter().flatten() {
                    slots.extend(row.iter().map(|cell| cell.ok_or(HOLE)));
                    slots.push(Err('/'));
                }
                slots.pop();
            }
        }
        let mut cells = vec![0; board.cells()];
        let mut signs = text.chars();
        for slot in slots {
            let sign = signs.next().ok_or_else(expected)?;
            match slot {
                Err(other) if other == sign => {}
                Err(_) => return Err(expected()),
                Ok(cell) => cells[usize::from(cell)] = *self.by_letter.get(&sign).ok_or_else(expected)?,
            }
        }
        if signs.next().is_none() { Ok(cells) } else { Err(expected()) }
    }

    /// Draws the board for a terminal.
    pub fn draw(&self, board: &Board, cells: &[u8]) -> String {
        let mut text = String::new();
        match &board.shape {
            Shape::Graph { names } => {
                for (cell, name) in names.iter().enumerate() {
                    text.push_str(&format!("{name} {}\n", self.letters[usize::from(cells[cell])]));
                }
            }
            Shape::Rows { layers, hexagons } => {
                for (at, layer) in layers.iter().enumerate() {
                    if layers.len() > 1 {
                        text.push_str(&format!("layer {}\n", at + 1));
                    }
                    let columns = layer.iter().map(Vec::len).max().unwrap_or(0);
                    for (y, row) in layer.iter().enumerate() {
                        text.push_str(&format!("{:>2}", layer.len() - y));
                        if *hexagons {
                            text.push_str(&" ".repeat(columns - row.len()));
                        }
                        for cell in row {
                            text.push(' ');
                            text.push(
                                cell.map_or(' ', |cell| self.letters[usize::from(cells[usize::from(cell)])]),
                            );
                        }
                        text.push('\n');
                    }
                    if !hexagons && columns <= Grid::MOST_COLUMNS {
                        text.push_str("  ");
                        (0..columns).for_each(|column| text.extend([' ', (b'a' + column as u8) as char]));
                        text.push('\n');
                    }
                }
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Learns the defaults: the most frequent variables of each entry, and the most frequent entry of each player.
    pub fn note_usual(&mut self, places: &[(Player, u16, Vec<u8>)]) {
        // The start is written without any of them.
        if let Some((player, entry, variables)) = places.first() {
            self.usual.variables.insert(*entry, variables.clone());
            self.usual.entry[player.index()] = Some(*entry);
        }
        let mut counts: FxHashMap<(u16, &[u8]), usize> = FxHashMap::default();
        let mut entries: FxHashMap<(Player, u16), usize> = FxHashMap::default();
        for (player, entry, variables) in places {
            *counts.entry((*entry, variables)).or_default() += 1;
            *entries.entry((*player, *entry)).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        sorting::sort_by_key(&mut counts, |&((entry, variables), count)| {
            (entry, std::cmp::Reverse(count), variables.to_vec())
        });
        for ((entry, variables), _) in counts {
            self.usual.variables.entry(entry).or_insert_with(|| variables.to_vec());
        }
        let mut entries: Vec<_> = entries.into_iter().collect();
        sorting::sort_by_key(&mut entries, |&((player, entry), count)| {
            (player, std::cmp::Reverse(count), entry)
        });
        for ((player, entry), _) in entries {
            self.usual.entry[player.index()].get_or_insert(entry);
        }
    }
}

/// Returns the letter of each piece: as declared, `.` for one called empty, else a letter of its name.
fn letters(program: &Program) -> Result<Vec<char>, Fault> {
    let declared: FxHashMap<u8, char> = program.directives.letters.iter().copied().collect();
    let mut taken: Vec<char> = declared.values().copied().collect();
    let mut letters = Vec::with_capacity(program.pieces.len());
    for (piece, name) in program.pieces.iter().enumerate() {
        if let Some(&letter) = declared.get(&(piece as u8)) {
            letters.push(letter);
            continue;
        }
        let empty = ["e", "empty"].contains(&name.as_str());
        let own = name.chars().filter(char::is_ascii_alphabetic);
        let either =
            own.clone().chain(own.map(|c| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            }));
        let any = ('a'..='z').chain('A'..='Z').chain("!$%&()*+:;<>?[]^{|}~".chars());
        let mut choices = empty.then_some('.').into_iter().chain(either).chain(any);
        let Some(letter) = choices.find(|letter| !taken.contains(letter)) else {
            return Err(Fault::new(
                program.rules.span,
                "more pieces than letters to write them: expected at most 72",
            ));
        };
        taken.push(letter);
        letters.push(letter);
    }
    Ok(letters)
}

/// Returns the name of each cell: a letter for the column and a number for the row from the bottom, or its own name on
/// a graph.
pub(crate) fn squares(board: &Board) -> Vec<String> {
    match &board.shape {
        Shape::Graph { names } => names.clone(),
        Shape::Rows { layers, .. } => {
            let mut squares = vec![String::new(); board.cells()];
            for (at, layer) in layers.iter().enumerate() {
                for (y, row) in layer.iter().enumerate() {
                    for (x, cell) in row.iter().enumerate() {
                        let Some(cell) = cell else { continue };
                        let number = layer.len() - y;
                        let square = format!("{}{number}", grundy_core::text::column_name(x));
                        let layer = if layers.len() > 1 { format!("^{}", at + 1) } else { String::new() };
                        squares[usize::from(*cell)] = square + &layer;
                    }
                }
            }
            squares
        }
    }
}
