//! Quantik: shapes on 4x4, none twice in a region against the other.
//!
//! * Each player has two of each of four shapes, player one `A B C D`, player two `a b c d`. Put one on a free cell, not into
//!   a row, column or quarter (a block of 2x2 in a corner) where the other player has the same shape.
//! * Who completes a row, column or quarter with all four shapes, whoever's they are, wins. Who cannot put a shape loses.
//! * Position `..../..../..../A..b 1`, rows from the top; move `A@b2`, the shape and the cell.
//!
//! Solved by search over classes: the board has 128 symmetries (rows and columns within their halves, the halves, and rows
//! for columns), and the shapes are alike. Cell 0 is at the top left.
//!
//! Source: N. Seyfarth's game, Gigamic 2019.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move, hash_of};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// The board.
const GRID: Grid = Grid { columns: 4, rows: 4 };
/// The cells of rows, columns and quarters.
const REGIONS: [u16; 12] =
    [0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x0033, 0x00cc, 0x3300, 0xcc00];
/// Pieces of one shape that a player has.
const EACH: u32 = 2;
/// Up to this many pieces moves of one class are searched once.
const EARLY: u32 = 4;

/// The rules, with the symmetries of the board as tables of sets of 8 cells.
#[derive(Clone, Debug)]
pub struct Quantik {
    symmetries: Vec<[[u16; 256]; 2]>,
}

/// The cells of each shape of both players, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Player one's and player two's cells of each shape.
    shapes: [[u16; 2]; 4],
    turn: Player,
}

/// A shape and its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    shape: u8,
    cell: u8,
}

impl Default for Quantik {
    fn default() -> Quantik {
        // Orders of four lines that keep the two halves together.
        let swaps = |bits: usize| {
            [0, 1, 2, 3].map(|line: usize| {
                let line = line ^ if bits & 4 == 0 { 0 } else { 2 };
                line ^ if bits >> (line / 2) & 1 == 1 { 1 } else { 0 }
            })
        };
        let mut symmetries = Vec::new();
        for image in 0..128 {
            let (columns, rows) = (swaps(image & 7), swaps(image >> 3 & 7));
            let of_cell = |cell: usize| {
                let (column, row) = (columns[cell % 4], rows[cell / 4]);
                if image & 64 == 0 { 4 * row + column } else { 4 * column + row }
            };
            let of_byte = |byte: usize| {
                let mut table = [0u16; 256];
                for (set, image) in table.iter_mut().enumerate() {
                    let cells = (0..8).filter(|cell| set >> cell & 1 == 1);
                    *image = cells.fold(0, |image, cell| image | 1 << of_cell(8 * byte + cell));
                }
                table
            };
            symmetries.push([of_byte(0), of_byte(1)]);
        }
        Quantik { symmetries }
    }
}

impl Position {
    fn taken(&self) -> u16 {
        self.shapes.iter().fold(0, |set, [one, two]| set | one | two)
    }

    /// Reports whether some region has all four shapes.
    fn is_complete(&self) -> bool {
        let sets = self.shapes.map(|[one, two]| one | two);
        REGIONS.iter().any(|region| sets.iter().all(|set| set & region != 0))
    }

    /// Returns the cells on which the player to move may put a shape.
    fn targets(&self, shape: usize) -> u16 {
        let cells = self.shapes[shape];
        let (own, other) = (cells[self.turn.index()], cells[1 - self.turn.index()]);
        if own.count_ones() >= EACH {
            return 0;
        }
        let against =
            REGIONS.iter().filter(|&region| other & region != 0).fold(0, |set, region| set | region);
        !(self.taken() | against)
    }
}

impl Game for Quantik {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { shapes: [[0; 2]; 4], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let lost = position.is_complete() || (0..4).all(|shape| position.targets(shape) == 0);
        lost.then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for shape in 0..4 {
            let mut targets = position.targets(usize::from(shape));
            while targets != 0 {
                visit(Move { shape, cell: targets.trailing_zeros() as u8 })?;
                targets &= targets - 1;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        next.shapes[usize::from(m.shape)][position.turn.index()] |= 1 << m.cell;
        next
    }

    /// Returns the least image, with the shapes in rising order.
    fn canonical(&self, position: &Position) -> Position {
        let mut least = [[u16::MAX; 2]; 4];
        for [low, high] in &self.symmetries {
            let image = |set: u16| low[usize::from(set & 255)] | high[usize::from(set >> 8)];
            let mut shapes = position.shapes.map(|cells| cells.map(image));
            shapes.sort_unstable();
            least = least.min(shapes);
        }
        Position { shapes: least, ..*position }
    }
}

impl Scored for Quantik {}

impl Notation for Quantik {
    fn write_position(&self, position: &Position) -> String {
        let letter = |cell: usize| {
            let of = |player: usize, first: u8| {
                let shape = position.shapes.iter().position(|cells| cells[player] >> cell & 1 == 1);
                shape.map(|shape| char::from(first + shape as u8))
            };
            of(0, b'A').or_else(|| of(1, b'a')).unwrap_or('.')
        };
        format!("{} {}", GRID.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as A..b/..../..../....,")?;
        let mut position = Position { turn, ..self.start() };
        GRID.read(board, "A B C D a b c d and .", |cell, letter| {
            match letter {
                'A'..='D' => position.shapes[usize::from(letter as u8 - b'A')][0] |= 1 << cell,
                'a'..='d' => position.shapes[usize::from(letter as u8 - b'a')][1] |= 1 << cell,
                letter => return letter == '.',
            }
            true
        })?;
        if position.shapes.iter().flatten().any(|cells| cells.count_ones() > EACH) {
            return Err(format!("each player has {EACH} pieces of a shape"));
        }
        let counts =
            [0, 1].map(|player| position.shapes.iter().map(|cells| cells[player].count_ones()).sum::<u32>());
        if counts[0] != counts[1] + turn.index() as u32 {
            return Err(format!(
                "{} pieces of player one and {} of player two with player {} to move",
                counts[0],
                counts[1],
                turn.digit()
            ));
        }
        Ok(position)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let first = if position.turn == Player::One { b'A' } else { b'a' };
        format!("{}@{}", char::from(first + m.shape), GRID.square(usize::from(m.cell)))
    }
}

impl Heuristic for Quantik {
    fn key(&self, position: &Position) -> u64 {
        hash_of(self.canonical(position))
    }

    /// Prefers moves that leave the other few places.
    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        -(0..4).map(|shape| child.targets(shape).count_ones() as i32).sum::<i32>()
    }
}

impl Bounds for Quantik {
    /// Reports a win by completing a region, and else that the end is at least two plies away.
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        let sets = position.shapes.map(|[one, two]| one | two);
        for region in REGIONS {
            let missing = sets.iter().filter(|&set| set & region == 0).count();
            if missing == 1 {
                let shape = sets.iter().position(|set| set & region == 0).unwrap_or(0);
                if position.targets(shape) & region != 0 {
                    return (Value::win_in(1), Value::win_in(1));
                }
            }
        }
        (Value::loss_in(2), Value::win_in(1))
    }

    /// Visits one of the moves that lead to each class, while few shapes are put.
    fn candidates(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        if position.taken().count_ones() > EARLY {
            return self.moves(position, visit);
        }
        let mut seen = Vec::new();
        self.moves(position, &mut |m| {
            let class = self.canonical(&self.play(position, m));
            if seen.contains(&class) {
                return MORE;
            }
            seen.push(class);
            visit(m)
        })
    }
}
