//! Boards of 3x3 as text.

use grundy_core::grid::Grid;
use grundy_core::text::counted;
use grundy_core::words::short;

use super::board::{Board, OTHER, SIDE, SQUARES, flipped};

/// The grid of the text; its first row is the last one of the board, so that its cells are [`flipped`] squares.
pub(super) const GRID: Grid = Grid { columns: SIDE, rows: SIDE };
/// The letters of the men of the player to move, if he is White.
const LETTERS: &str = "KQRBNP";

/// Returns the letter of a man on a board that White sees.
pub(super) fn letter(man: u8) -> char {
    let letter = LETTERS.chars().nth(usize::from((man & !OTHER).wrapping_sub(1))).unwrap_or('.');
    if man > OTHER { letter.to_ascii_lowercase() } else { letter }
}

/// Reads the rows of a board from the top as White sees it, in FEN or with a point for each free square.
///
/// # Errors
/// One line that says which row is wrong.
pub(super) fn read_board(text: &str) -> Result<Board, String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIDE {
        return Err(format!(
            "this is a text of {}: expected 3 of 3 squares, the top row first, joined by /",
            counted(rows.len(), "row")
        ));
    }
    let mut board = Board([0; SQUARES]);
    for (row, letters) in rows.iter().enumerate() {
        let mut column = 0;
        for letter in letters.chars() {
            if let Some(kind) = LETTERS.find(letter.to_ascii_uppercase()).filter(|_| column < SIDE) {
                let side = if letter.is_ascii_lowercase() { OTHER } else { 0 };
                board.0[flipped(row * SIDE + column)] = kind as u8 + 1 + side;
                column += 1;
            } else {
                column += match letter {
                    '.' => 1,
                    '1'..='3' => letter as usize - '0' as usize,
                    _ => SIDE + 1,
                };
            }
        }
        if column != SIDE {
            return Err(format!(
                "row {}, {:?}: expected 3 squares, each one of KQRBNP, kqrbnp or a number of free squares",
                SIDE - row,
                short(letters)
            ));
        }
    }
    Ok(board)
}

/// Returns the rows of a board that White sees, with a point for each free square.
pub(super) fn rows(board: &Board) -> String {
    GRID.write(|cell| letter(board.0[flipped(cell)]))
}
