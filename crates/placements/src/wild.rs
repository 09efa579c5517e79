//! Wild Tic-Tac-Toe on 3x3: either player puts a cross or a nought.
//!
//! * Put `X` or `O` on a free cell. Who makes three alike in a row, across, down or diagonally, wins, with `misere` loses; a
//!   full board without such a row is a draw.
//! * Position `X.O/.../... 1`, rows from the top; move `Xb2`, the mark and the cell.
//!
//! Solved by layers over the 3^9 boards.
//!
//! Source: R. A. Epstein, "The Theory of Gambling and Statistical Logic", 1977.

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_tables::layers::{Acyclic, Order};

/// The board.
const GRID: Grid = Grid { columns: 3, rows: 3 };
/// The cells of the eight lines.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// Marks of a cell by digit.
const MARKS: [char; 3] = ['.', 'X', 'O'];

/// The rules.
#[derive(Clone, Debug)]
pub struct Wild {
    misere: bool,
    symmetries: Vec<Vec<usize>>,
}

/// The cells of crosses and of noughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    marks: [u16; 2],
}

/// A mark and its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// 0 for a cross, 1 for a nought.
    mark: u8,
    cell: u8,
}

impl Wild {
    /// Returns the game.
    pub fn new(misere: bool) -> Wild {
        Wild { misere, symmetries: GRID.symmetries() }
    }
}

impl Position {
    fn taken(self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn digit(self, cell: usize) -> usize {
        usize::from(self.marks[0] >> cell & 1 | (self.marks[1] >> cell & 1) << 1)
    }
}

impl Game for Wild {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { marks: [0; 2] }
    }

    fn turn(&self, position: &Position) -> Player {
        if position.taken().count_ones().is_multiple_of(2) { Player::One } else { Player::Two }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let line = position.marks.iter().any(|marks| LINES.iter().any(|line| marks & line == *line));
        // The player who is not to move has made it.
        line.then_some(cannot_move(self.misere)).or((position.taken() == 0o777).then_some(Value::DRAW))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for cell in (0..9).filter(|cell| position.taken() >> cell & 1 == 0) {
            (0..2).try_for_each(|mark| visit(Move { mark, cell }))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = *position;
        next.marks[usize::from(m.mark)] |= 1 << m.cell;
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        let image = |map: &Vec<usize>| Position {
            marks: position.marks.map(|set| {
                map.iter().enumerate().fold(0, |image, (cell, &to)| image | (set >> cell & 1) << to)
            }),
        };
        self.symmetries.iter().map(image).min().unwrap_or(*position)
    }
}

impl Scored for Wild {}

impl Notation for Wild {
    fn write_position(&self, position: &Position) -> String {
        let board = GRID.write(|cell| MARKS[position.digit(cell)]);
        format!("{board} {}", self.turn(position).digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as X.O/.../...,")?;
        let mut position = self.start();
        GRID.read_stones(board, |side, cell| position.marks[side] |= 1 << cell)?;
        match self.turn(&position) {
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
        format!("{}{}", MARKS[usize::from(m.mark) + 1], GRID.square(usize::from(m.cell)))
    }
}

/// The index has a digit to the base 3 for each cell.
impl Indexed for Wild {
    fn size(&self) -> u64 {
        3u64.pow(9)
    }

    fn index(&self, position: &Position) -> u64 {
        (0..9).fold(0, |index, cell| 3 * index + position.digit(cell) as u64)
    }

    fn position(&self, index: u64) -> Option<Position> {
        let mut position = self.start();
        let mut rest = (index < self.size()).then_some(index)?;
        for cell in (0..9).rev() {
            if let Some(mark) = (rest % 3).checked_sub(1) {
                position.marks[mark as usize] |= 1 << cell;
            }
            rest /= 3;
        }
        Some(position)
    }
}

impl Acyclic for Wild {
    fn order(&self) -> Order {
        Order::Higher
    }
}
