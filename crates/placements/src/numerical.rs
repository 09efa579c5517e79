//! Numerical Tic-Tac-Toe on 3x3: odd against even numbers.
//!
//! * Player one has the numbers 1 3 5 7 9, player two 2 4 6 8, each once; a move puts one on a free cell. Who fills a row,
//!   column or diagonal whose sum is 15 wins; a full board without one is a draw.
//! * Position `5../.2./... 1`, rows from the top; move `7@b2`, the number and the cell.
//!
//! Solved by the positions that the start leads to, others by search. Cell 0 is at the top left.
//!
//! Source: R. Graham, in the 1950s; G. Markowsky, "Numerical tic-tac-toe", Journal of Recreational Mathematics 22, 1990.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, children};
use grundy_core::grid::Grid;
use grundy_core::value::{Step, Value};
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::discovered::Packed;

/// The board.
const GRID: Grid = Grid { columns: 3, rows: 3 };
/// The cells of the eight lines.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The rules.
#[derive(Clone, Debug)]
pub struct Numerical {
    symmetries: Vec<Vec<usize>>,
}

/// The number on each cell, four bits each, 0 for none; the first cell lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(u64);

/// A number and the cell it is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    number: u8,
    cell: u8,
}

impl Position {
    fn number(self, cell: usize) -> u64 {
        self.0 >> (4 * cell) & 15
    }

    fn numbers(self) -> impl Iterator<Item = u64> {
        (0..9).map(move |cell| self.number(cell))
    }

    /// Returns the numbers put, as bits.
    fn used(self) -> u64 {
        self.numbers().fold(0, |used, number| used | 1 << number) & !1
    }

    fn has_line(self) -> bool {
        LINES.iter().any(|line| {
            let numbers = line.map(|cell| self.number(cell));
            numbers.iter().sum::<u64>() == 15 && !numbers.contains(&0)
        })
    }
}

impl Default for Numerical {
    fn default() -> Numerical {
        Numerical { symmetries: GRID.symmetries() }
    }
}

impl Game for Numerical {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position(0)
    }

    fn turn(&self, position: &Position) -> Player {
        if position.used().count_ones().is_multiple_of(2) { Player::One } else { Player::Two }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let lost = position.has_line().then_some(Value::loss_in(0));
        lost.or((position.used().count_ones() == 9).then_some(Value::DRAW))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let used = position.used();
        let first = 1 + self.turn(position).index() as u8;
        for number in (first..=9).step_by(2).filter(|number| used >> number & 1 == 0) {
            for cell in (0..9).filter(|&cell| position.number(usize::from(cell)) == 0) {
                visit(Move { number, cell })?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        Position(position.0 | u64::from(m.number) << (4 * m.cell))
    }

    fn canonical(&self, position: &Position) -> Position {
        let image = |map: &Vec<usize>| {
            Position(
                map.iter().enumerate().fold(0, |image, (cell, to)| image | position.number(cell) << (4 * to)),
            )
        };
        self.symmetries.iter().map(image).min().unwrap_or(*position)
    }
}

impl Scored for Numerical {}

impl Notation for Numerical {
    fn write_position(&self, position: &Position) -> String {
        let digit = |cell| match position.number(cell) {
            0 => '.',
            number => char::from(b'0' + number as u8),
        };
        format!("{} {}", GRID.write(digit), self.turn(position).digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as 5../.2./...,")?;
        let mut position = Position(0);
        let mut twice = false;
        GRID.read(board, "1 to 9 and .", |cell, letter| {
            let number = letter.to_digit(10).filter(|&number| number > 0).map(u64::from);
            twice |= number.is_some_and(|number| position.used() >> number & 1 == 1);
            position.0 |= number.unwrap_or(0) << (4 * cell);
            number.is_some() || letter == '.'
        })?;
        let odd = (position.used() & 0b10_1010_1010).count_ones();
        let even = (position.used() & 0b01_0101_0100).count_ones();
        if twice {
            return Err("each number is put only once".to_owned());
        }
        if odd != even + turn.index() as u32 {
            return Err(format!("{odd} odd and {even} even numbers with player {} to move", turn.digit()));
        }
        Ok(position)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}@{}", m.number, GRID.square(usize::from(m.cell)))
    }
}

impl Packed for Numerical {
    fn bits(&self) -> Option<u32> {
        Some(36)
    }

    fn class_shift(&self) -> u32 {
        36
    }

    fn pack(&self, position: &Position) -> Option<u128> {
        Some(self.canonical(position).0.into())
    }

    fn unpack(&self, code: u128) -> Position {
        Position(code as u64)
    }

    fn expand(&self, code: u128, visit: &mut dyn FnMut(u128, Step)) -> Option<Value> {
        let position = self.unpack(code);
        let ended = self.over(&position);
        if ended.is_none() {
            let _ = children(self, &position, &mut |_, child, step| {
                visit(self.canonical(&child).0.into(), step);
                MORE
            });
        }
        ended
    }

    /// Returns the number of different images: all are reached if one is.
    fn alike(&self, code: u128) -> Option<u64> {
        let position = self.unpack(code);
        let same = |map: &&Vec<usize>| (0..9).all(|cell| position.number(cell) == position.number(map[cell]));
        Some(self.symmetries.len() as u64 / self.symmetries.iter().filter(same).count() as u64)
    }

    fn fault(&self) -> Option<String> {
        None
    }

    /// Returns a number for these rules, which have no parameters.
    fn checksum(&self) -> u64 {
        0x6e75_6d65_7269_6301
    }
}

impl Heuristic for Numerical {
    fn key(&self, position: &Position) -> u64 {
        self.canonical(position).0
    }
}

impl Bounds for Numerical {}
