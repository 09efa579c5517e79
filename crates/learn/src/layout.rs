//! The places of cells in a written position.

use grundy_core::cells::{FREE, board, is_list, read};
use grundy_core::game::Player;
use grundy_core::sorting;

/// The cells of a game's positions: their places, and the text between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The column and row of each cell, in halves of a cell, so that a row of odd length lies between those of even length.
    pub places: Vec<(i32, i32)>,
    /// True if cells are numbers.
    pub list: bool,
    /// The text after each cell.
    after: Vec<String>,
    /// True if digits stand for free cells.
    runs: bool,
}

impl Layout {
    /// Returns the layout of a written position; `None` if it has no cells.
    pub fn of(text: &str) -> Option<Layout> {
        let board = board(text);
        let list = is_list(board);
        let mut after: Vec<String> = Vec::new();
        let mut number = false;
        for sign in board.chars() {
            match sign {
                '0'..='9' if list => {
                    if !number {
                        after.push(String::new());
                    }
                }
                '0'..='9' => after.extend((b'0'..sign as u8).map(|_| String::new())),
                ',' | '/' | '-' if list => after.last_mut()?.push(sign),
                '/' | ' ' => after.last_mut()?.push(sign),
                _ => after.push(String::new()),
            }
            number = sign.is_ascii_digit();
        }
        let mut rows: Vec<usize> = vec![0];
        for gap in &after {
            if let Some(row) = rows.last_mut() {
                *row += 1;
            }
            if gap.contains(['/', ' ']) {
                rows.push(0);
            }
        }
        let longest = rows.iter().copied().max().unwrap_or(0) as i32;
        let place = |(row, &length): (usize, &usize)| {
            (0..length as i32).map(move |column| (2 * column + longest - length as i32, 2 * row as i32))
        };
        let places: Vec<(i32, i32)> = rows.iter().enumerate().flat_map(place).collect();
        let runs = !list && board.contains(|c: char| c.is_ascii_digit());
        (!places.is_empty()).then_some(Layout { places, list, after, runs })
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.places.len()
    }

    /// Returns a written position with other cells. With `swap` the other player is to move, and letters of castling rights
    /// in a FEN change their case.
    pub fn write(&self, text: &str, cells: &[u8], swap: bool) -> String {
        let rest = &text[board(text).len()..];
        let mut board = String::new();
        let mut run = 0;
        for (&cell, gap) in cells.iter().zip(&self.after) {
            if self.runs && cell == FREE {
                run += 1;
            } else {
                push_run(&mut board, &mut run);
                if self.list { board += &cell.to_string() } else { board.push(char::from(cell)) }
            }
            if !gap.is_empty() {
                push_run(&mut board, &mut run);
                board += gap;
            }
        }
        push_run(&mut board, &mut run);
        let mut fields: Vec<String> = rest.split(' ').skip(1).map(str::to_owned).collect();
        if swap {
            match fields.iter().position(|field| matches!(&**field, "w" | "b")) {
                Some(at) => {
                    fields[at] = if fields[at] == "w" { "b" } else { "w" }.to_owned();
                    fields.iter_mut().skip(at + 1).take(1).for_each(|field| *field = cases_swapped(field));
                }
                None => fields.iter_mut().rev().take(1).for_each(|turn| {
                    *turn = if turn == "1" { "2" } else { "1" }.to_owned();
                }),
            }
        }
        std::iter::once(board).chain(fields).collect::<Vec<_>>().join(" ")
    }
}

/// Appends the number of free cells met, if there were any.
fn push_run(board: &mut String, run: &mut u32) {
    if *run > 0 {
        *board += &run.to_string();
    }
    *run = 0;
}

/// Returns a text with capitals as small letters and the other way round, capitals first as in a FEN.
fn cases_swapped(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for letter in &mut letters {
        *letter = if letter.is_ascii_lowercase() {
            letter.to_ascii_uppercase()
        } else {
            letter.to_ascii_lowercase()
        };
    }
    sorting::sort_by_key(&mut letters, |letter| letter.is_ascii_lowercase());
    letters.into_iter().collect()
}

/// Returns the player to move in a written position.
pub fn turn_of(text: &str) -> Player {
    match text.split(' ').nth(1) {
        Some("w") => Player::One,
        Some("b") => Player::Two,
        _ if text.ends_with(" 2") => Player::Two,
        _ => Player::One,
    }
}

/// Returns the cells of a written position.
pub fn cells_of(text: &str) -> Vec<u8> {
    let mut cells = Vec::new();
    read(text, &mut cells);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_written_as_it_was_read() {
        let texts = [
            "X.O/.../... 1",
            "./../. 0-0 1",
            "4,14,0/0,5,1 3-12 2",
            "3,5,7 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 2",
        ];
        for text in texts {
            let layout = Layout::of(text).unwrap();
            assert_eq!(layout.cells(), cells_of(text).len(), "{text}");
            assert_eq!(layout.write(text, &cells_of(text), false), text);
            let swapped = layout.write(text, &cells_of(text), true);
            assert_ne!(turn_of(&swapped), turn_of(text), "{swapped}");
        }
        assert_eq!(turn_of("4k3/8/8/8/8/8/8/4K2R w K - 0 2"), Player::One, "the last number is the move's");
        assert_eq!(Layout::of("./../. 0-0 1").unwrap().places, [(1, 0), (0, 2), (2, 2), (1, 4)]);
        assert_eq!(Layout::of(" 1"), None);
    }
}
