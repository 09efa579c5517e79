//! Wild Tic-Tac-Toe on 3x3: either player puts a cross or a nought.
//!
//! * Put `X` or `O` on a free cell. Who makes three alike in a row, across, down or diagonally, wins, with `misere` loses; a
//!   full board without such a row is a draw.
//! * Position `X.O/.../... 1`, rows from the top; move `Xb2`, the mark and the cell.
//!
//! Solved by layers over the 3^9 boards.
//!
//! Source: R. A. Epstein, "The Theory of Gambling and Statistical Logic", 1977.

use grundy_core::game::{Flow, Player, cannot_move};
use grundy_core::grid::{Grid, LINES_OF_THREE};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Indices, Layout, Move, Position, images};
use grundy_tables::layers::Order;

/// The board.
const GRID: Grid = Grid { columns: 3, rows: 3 };
/// Marks of a cell by digit.
const MARKS: [char; 3] = ['.', 'X', 'O'];

/// The rules. A position has the crosses and the noughts in place of the players' men, and move `2 * cell + mark` puts a
/// cross (0) or a nought (1).
#[derive(Clone, Debug)]
pub struct Wild {
    misere: bool,
}

impl Wild {
    /// Returns the game.
    pub fn new(misere: bool) -> Wild {
        Wild { misere }
    }
}

/// Returns the player to move where these cells are taken.
fn turn(taken: u64) -> Player {
    if taken.count_ones().is_multiple_of(2) { Player::One } else { Player::Two }
}

fn digit(position: &Position, cell: usize) -> usize {
    (position.men[0] >> cell & 1 | (position.men[1] >> cell & 1) << 1) as usize
}

impl BoardRules for Wild {
    fn layout(&self) -> Layout {
        Layout { cells: 9, rest: 0, stage: 0 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&GRID.symmetries(), 0, 0)
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let line = position.men.iter().any(|marks| LINES_OF_THREE.iter().any(|line| marks & line == *line));
        // The player who is not to move has made it.
        line.then_some(cannot_move(self.misere)).or((position.taken() == 0o777).then_some(Value::DRAW))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        (0..18).filter(|m| position.taken() >> (m / 2) & 1 == 0).try_for_each(|m| visit(Move(m)))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        next.men[m.0 as usize % 2] |= 1 << (m.0 / 2);
        next
    }

    fn write_position(&self, position: &Position) -> String {
        let board = GRID.write(|cell| MARKS[digit(position, cell)]);
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as X.O/.../...,")?;
        let mut position = Position { turn, ..Position::EMPTY };
        GRID.read_stones(board, |side, cell| position.men[side] |= 1 << cell)?;
        match self::turn(position.taken()) {
            right if right == turn => Ok(position),
            right => Err(format!(
                "{} marks with player {} to move: expected player {}",
                position.taken().count_ones(),
                turn.digit(),
                right.digit()
            )),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}{}", MARKS[m.0 as usize % 2 + 1], GRID.square(m.0 as usize / 2))
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}

/// The index has a digit to the base 3 for each cell.
impl Indices for Wild {
    fn size(&self) -> u64 {
        3u64.pow(9)
    }

    fn number(&self, position: &Position) -> Option<u64> {
        Some((0..9).fold(0, |index, cell| 3 * index + digit(position, cell) as u64))
    }

    fn position(&self, number: u64) -> Option<Position> {
        let mut position = Position::EMPTY;
        let mut rest = (number < self.size()).then_some(number)?;
        for cell in (0..9).rev() {
            if let Some(mark) = (rest % 3).checked_sub(1) {
                position.men[mark as usize] |= 1 << cell;
            }
            rest /= 3;
        }
        position.turn = turn(position.taken());
        Some(position)
    }

    fn order(&self) -> Order {
        Order::Higher
    }
}
