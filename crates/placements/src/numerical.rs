//! Numerical Tic-Tac-Toe on 3x3: odd against even numbers.
//!
//! * Player one has the numbers 1 3 5 7 9, player two 2 4 6 8, each once; a move puts one on a free cell. Who fills a row,
//!   column or diagonal whose sum is 15 wins; a full board without one is a draw.
//! * Position `5../.2./... 1`, rows from the top; move `7@b2`, the number and the cell.
//!
//! Solved by the positions that the start leads to, others by search. Cell 0 is at the top left.
//!
//! Source: R. Graham, in the 1950s; G. Markowsky, "Numerical tic-tac-toe", Journal of Recreational Mathematics 22, 1990.

use grundy_core::game::{Flow, MORE};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

/// The board.
const GRID: Grid = Grid { columns: 3, rows: 3 };
/// The cells of the eight lines.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The rules. The rest of a position is the number on each cell, four bits each, 0 for none, the first cell lowest. Move
/// `9 * number + cell` puts a number.
#[derive(Clone, Debug)]
pub struct Numerical;

fn number(numbers: u64, cell: usize) -> u64 {
    numbers >> (4 * cell) & 15
}

/// Returns the numbers put, as bits.
fn used(numbers: u64) -> u64 {
    (0..9).fold(0, |used, cell| used | 1 << number(numbers, cell)) & !1
}

fn has_line(numbers: u64) -> bool {
    LINES.iter().any(|line| {
        let numbers = line.map(|cell| number(numbers, cell));
        numbers.iter().sum::<u64>() == 15 && !numbers.contains(&0)
    })
}

impl BoardRules for Numerical {
    fn layout(&self) -> Layout {
        Layout { cells: 0, rest: 36, stage: 4 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&GRID.symmetries(), 1, 4)
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(used(position.rest).count_ones())
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let lost = has_line(position.rest).then_some(Value::loss_in(0));
        lost.or((used(position.rest).count_ones() == 9).then_some(Value::DRAW))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let used = used(position.rest);
        let first = 1 + position.turn.index() as u64;
        for number in (first..=9).step_by(2).filter(|number| used >> number & 1 == 0) {
            for cell in (0..9).filter(|cell| position.rest >> (4 * cell) & 15 == 0) {
                visit(Move(9 * number + cell))?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(0, 0, position.rest | (m.0 / 9) << (4 * (m.0 % 9)))
    }

    fn write_position(&self, position: &Position) -> String {
        let digit = |cell| match number(position.rest, cell) {
            0 => '.',
            number => char::from(b'0' + number as u8),
        };
        format!("{} {}", GRID.write(digit), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as 5../.2./...,")?;
        let mut rest = 0;
        let mut twice = false;
        GRID.read(board, "1 to 9 and .", |cell, letter| {
            let number = letter.to_digit(10).filter(|&number| number > 0).map(u64::from);
            twice |= number.is_some_and(|number| used(rest) >> number & 1 == 1);
            rest |= number.unwrap_or(0) << (4 * cell);
            number.is_some() || letter == '.'
        })?;
        let odd = (used(rest) & 0b10_1010_1010).count_ones();
        let even = (used(rest) & 0b01_0101_0100).count_ones();
        if twice {
            return Err("each number is put only once".to_owned());
        }
        if odd != even + turn.index() as u32 {
            return Err(format!("{odd} odd and {even} even numbers with player {} to move", turn.digit()));
        }
        Ok(Position { rest, turn, ..Position::EMPTY })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}@{}", m.0 / 9, GRID.square(m.0 as usize % 9))
    }

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    fn hint(&self, _position: &Position, _m: Move, _child: &Position) -> i32 {
        0
    }
}
