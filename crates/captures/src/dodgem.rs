//! Dodgem: cars that leave the board on the far side.
//!
//! * N - 1 cars each on N x N. Player one's `X` start in column a, in all rows but the first, and go right; player two's `O`
//!   start in row 1, in all columns but the first, and go up. A move takes a car one cell forwards or sideways to a free
//!   cell, or off the board from the last column or row. A player who has no move on his turn wins; endless play is a draw.
//! * Position `X../X../.OO 1`, rows from the top; move `a3-b3`, leaving is the square alone, `c3`.
//!
//! Source: C. Vout; E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", 1982.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::value::Value;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position};

use crate::field::{Field, cells};

/// The rules of Dodgem.
#[derive(Clone, Debug)]
pub struct Dodgem {
    field: Field,
    side: usize,
}

/// The directions of a player's cars, forwards first.
const WAYS: [[usize; 3]; 2] = [[1, 0, 2], [0, 3, 1]];

impl Dodgem {
    /// Returns the game on a board of `side` by `side` cells.
    ///
    /// # Errors
    /// The side is not 2 to 7.
    pub fn new(side: usize) -> Result<Dodgem, String> {
        if !(2..=7).contains(&side) {
            return Err(format!("no board of side {side}: expected 2 to 7"));
        }
        Ok(Dodgem { field: Field::new(side, side, 49)?, side })
    }
}

impl BoardRules for Dodgem {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        Vec::new()
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        let (grid, last) = (self.field.grid, self.side - 1);
        let image = |cell: usize| {
            let (column, row) = grid.coordinates(cell);
            grid.cell(last - row, last - column)
        };
        Some((0..grid.cells()).map(image).collect())
    }

    fn stage(&self, position: &Position) -> u64 {
        let [one, two] = position.men.map(|set| u64::from(set.count_ones()));
        one << 3 | two
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        let grid = self.field.grid;
        let one = (0..self.side - 1).fold(0, |set, row| set | 1 << grid.cell(0, row));
        let two = (1..self.side).fold(0, |set, column| set | 1 << grid.cell(column, self.side - 1));
        self.field.start([one, two])
    }

    fn stuck(&self, _position: &Position) -> Value {
        Value::win_in(0)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let taken = position.taken();
        for from in cells(position.own()) {
            for (i, way) in WAYS[position.turn.index()].into_iter().enumerate() {
                match self.field.step(from, way) {
                    Some(to) if taken >> to & 1 == 0 => visit(Move::of(from, to))?,
                    // The car leaves the board.
                    None if i == 0 => visit(Move::of(from, from))?,
                    _ => {}
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let to = if m.from() == m.to() { 0 } else { 1 << m.to() };
        position.after(position.own() & !(1 << m.from()) | to, position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        self.field.write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.field.read(text)?;
        let most = self.side - 1;
        match position.men.iter().all(|men| men.count_ones() as usize <= most) {
            true => Ok(position),
            false => Err(format!("too many cars: expected at most {most} of each player")),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let from = self.field.grid.square(m.from());
        if m.from() == m.to() { from } else { format!("{from}-{}", self.field.grid.square(m.to())) }
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    /// Counts the cells that each player's cars still have to go.
    fn guess(&self, position: &Position) -> i32 {
        let to_go = |player: Player| {
            cells(position.men[player.index()])
                .map(|cell| {
                    let (column, row) = self.field.grid.coordinates(cell);
                    (if player == Player::One { self.side - column } else { row + 1 }) as i32
                })
                .sum::<i32>()
        };
        100 * (to_go(!position.turn) - to_go(position.turn))
    }

    fn hint(&self, _position: &Position, m: Move, _child: &Position) -> i32 {
        i32::from(m.from() == m.to())
    }
}
