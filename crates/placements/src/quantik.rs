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

use grundy_core::bits::places;
use grundy_core::game::{Flow, MORE, Player};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Layout, Move, Position};

/// The board.
const GRID: Grid = Grid { columns: 4, rows: 4 };
/// The cells of rows, columns and quarters.
const REGIONS: [u16; 12] =
    [0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x0033, 0x00cc, 0x3300, 0xcc00];
/// Pieces of one shape that a player has.
const EACH: u32 = 2;
/// Up to this many pieces moves of one class are searched once.
const EARLY: u32 = 4;

/// The rules, with the symmetries of the board as tables of sets of 8 cells. The men of a player in a position are 16 bits
/// for each shape. Move `16 * shape + cell` puts a shape.
#[derive(Clone, Debug)]
pub struct Quantik {
    symmetries: Vec<[[u16; 256]; 2]>,
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

/// Returns the cells of a shape.
const fn cells(men: u64, shape: usize) -> u16 {
    (men >> (16 * shape)) as u16
}

fn taken(position: &Position) -> u16 {
    (0..4).fold(0, |set, shape| set | cells(position.taken(), shape))
}

/// Reports whether some region has all four shapes.
fn is_complete(position: &Position) -> bool {
    let men = position.taken();
    REGIONS.iter().any(|region| (0..4).all(|shape| cells(men, shape) & region != 0))
}

/// Returns the cells on which the player to move may put a shape.
fn targets(position: &Position, shape: usize) -> u16 {
    let (own, other) = (cells(position.own(), shape), cells(position.other(), shape));
    if own.count_ones() >= EACH {
        return 0;
    }
    let against = REGIONS.iter().filter(|&region| other & region != 0).fold(0, |set, region| set | region);
    !(taken(position) | against)
}

impl BoardRules for Quantik {
    fn layout(&self) -> Layout {
        Layout { cells: 64, rest: 0, stage: 0 }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        is_complete(position).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for shape in 0..4 {
            places(u64::from(targets(position, shape)))
                .try_for_each(|cell| visit(Move(16 * shape as u64 + u64::from(cell))))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() | 1 << m.0, position.other(), 0)
    }

    /// Returns the least image, with the shapes in rising order.
    fn canonical(&self, position: &Position) -> Option<Position> {
        let mut least = [u32::MAX; 4];
        for [low, high] in &self.symmetries {
            let moved = |set: u16| u32::from(low[usize::from(set & 255)] | high[usize::from(set >> 8)]);
            let mut image = [0; 4];
            for (shape, sets) in (0..).zip(&mut image) {
                *sets = moved(cells(position.men[0], shape)) << 16 | moved(cells(position.men[1], shape));
            }
            for (low, high) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
                if image[low] > image[high] {
                    image.swap(low, high);
                }
            }
            least = least.min(image);
        }
        let mut men = [0; 2];
        for (shape, image) in (0..).zip(least) {
            men[0] |= u64::from(image >> 16) << (16 * shape);
            men[1] |= u64::from(image & 0xffff) << (16 * shape);
        }
        Some(Position { men, ..*position })
    }

    fn write_position(&self, position: &Position) -> String {
        let letter = |cell: usize| {
            let of = |player: usize, first: u8| {
                let shape = (0..4).find(|&shape| cells(position.men[player], shape) >> cell & 1 == 1);
                shape.map(|shape| char::from(first + shape as u8))
            };
            of(0, b'A').or_else(|| of(1, b'a')).unwrap_or('.')
        };
        format!("{} {}", GRID.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as A..b/..../..../....,")?;
        let mut men = [0u64; 2];
        GRID.read(board, "A B C D a b c d and .", |cell, letter| {
            match letter {
                'A'..='D' => men[0] |= 1 << (16 * (letter as usize - 'A' as usize) + cell),
                'a'..='d' => men[1] |= 1 << (16 * (letter as usize - 'a' as usize) + cell),
                letter => return letter == '.',
            }
            true
        })?;
        if men.iter().any(|&men| (0..4).any(|shape| cells(men, shape).count_ones() > EACH)) {
            return Err(format!("each player has {EACH} pieces of a shape"));
        }
        let counts = men.map(u64::count_ones);
        if counts[0] != counts[1] + turn.index() as u32 {
            return Err(format!(
                "{} pieces of player one and {} of player two with player {} to move",
                counts[0],
                counts[1],
                turn.digit()
            ));
        }
        Ok(Position { men, rest: 0, turn })
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let first = if position.turn == Player::One { b'A' } else { b'a' };
        format!("{}@{}", char::from(first + (m.0 / 16) as u8), GRID.square(m.0 as usize % 16))
    }

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    /// Prefers moves that leave the other few places.
    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        -(0..4).map(|shape| targets(child, shape).count_ones() as i32).sum::<i32>()
    }

    /// Reports a win by completing a region; else only that the player to move cannot lose before the second ply. He may still
    /// win at once, by a move that leaves the other none.
    fn bounds(&self, position: &Position) -> (Value, Value) {
        let men = position.taken();
        for region in REGIONS {
            let mut missing = (0..4).filter(|&shape| cells(men, shape) & region == 0);
            if let (Some(shape), None) = (missing.next(), missing.next())
                && targets(position, shape) & region != 0
            {
                return (Value::win_in(1), Value::win_in(1));
            }
        }
        (Value::loss_in(2), Value::win_in(1))
    }

    /// Visits one of the moves that lead to each class, while few shapes are put.
    fn candidates(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        if taken(position).count_ones() > EARLY {
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
