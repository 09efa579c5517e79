//! Positions as FEN with three rows, moves as UCI.

use grundy_core::game::{Notation, Player};
use grundy_core::grid::Grid;
use grundy_core::words::short;

use super::{Board, Move, OTHER, Position, SIDE, SQUARES, SmallChess};

const GRID: Grid = Grid { columns: SIDE, rows: SIDE };
/// The letters of the men of the player to move, if he is White.
const LETTERS: &str = "KQRBNP";

/// Returns the letter of a man on a board that White sees.
fn letter(man: u8) -> char {
    let letter = LETTERS.chars().nth(usize::from((man & !OTHER).wrapping_sub(1))).unwrap_or('.');
    if man > OTHER { letter.to_ascii_lowercase() } else { letter }
}

/// Returns the square of a cell of the grid, whose first row is the last one of the board; and the other way round.
fn flipped(cell: usize) -> usize {
    (SIDE - 1 - cell / SIDE) * SIDE + cell % SIDE
}

/// Reads the rows of a board from the top as White sees it, in FEN or with a point for each free square.
///
/// # Errors
/// One line that says which row is wrong.
pub(super) fn read_board(text: &str) -> Result<Board, String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIDE {
        return Err(format!(
            "these are {} rows: expected 3 of 3 squares, the top row first, joined by /",
            rows.len()
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

impl Notation for SmallChess {
    fn write_position(&self, position: &Position) -> String {
        let white = position.turn == Player::One;
        let board = if white { position.board } else { position.board.turned() };
        let rows = GRID.write(|cell| letter(board.0[flipped(cell)]));
        let rows = rows.replace("...", "3").replace("..", "2").replace('.', "1");
        format!("{rows} {} - - 0 1", if white { 'w' } else { 'b' })
    }

    /// Reads a FEN, of which all fields after the board may be left out, or the notation of K. Kryukov: `w` or `b` and then nine squares, `wKpNbPkBqN`.
    fn read_position(&self, text: &str) -> Result<Position, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().take(7).collect();
        let squares =
            words.first().filter(|word| words.len() == 1 && word.len() == 10 && !word.contains('/'));
        let joined = squares.and_then(|word| {
            let turn = word.get(..1)?;
            Some((format!("{}/{}/{}", word.get(1..4)?, word.get(4..7)?, word.get(7..)?), turn))
        });
        let (rows, turn) = match &joined {
            Some((rows, turn)) => (rows.as_str(), *turn),
            None => (words.first().copied().unwrap_or(""), words.get(1).copied().unwrap_or("w")),
        };
        let turn = match turn {
            "w" => Player::One,
            "b" => Player::Two,
            other => return Err(format!("side to move {:?}: expected w or b", short(other))),
        };
        if words.len() > 6 {
            return Err("a FEN has at most six fields".into());
        }
        if words.get(2..4).is_some_and(|rights| rights != ["-", "-"]) {
            return Err("castling and en passant: expected - -, as neither exists on a board of 3x3".into());
        }
        let board = read_board(rows)?;
        let board = if turn == Player::One { board } else { board.turned() };
        let men = board.0.iter().filter(|&&man| man != 0).count();
        if men > self.men {
            return Err(format!("{men} men: expected at most {}", self.men));
        }
        if !board.is_legal() {
            return Err(
                "not a legal position: each side needs one king, no pawn stands on its last row, and the side that has \
                 moved is not in check"
                    .into(),
            );
        }
        Ok(Position { board, turn })
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let square = |square: u8| {
            let square = usize::from(square);
            GRID.square(if position.turn == Player::One { flipped(square) } else { square })
        };
        let becomes = (m.becomes != 0).then(|| letter(m.becomes | OTHER));
        [square(m.from), square(m.to)].concat() + becomes.map(String::from).as_deref().unwrap_or("")
    }

    fn draw(&self, position: &Position) -> String {
        let white = position.turn == Player::One;
        let board = if white { position.board } else { position.board.turned() };
        let rows = GRID.write(|cell| letter(board.0[flipped(cell)]));
        format!("{}\n{} to move\n", GRID.draw(&rows).trim_end(), if white { "white" } else { "black" })
    }
}
