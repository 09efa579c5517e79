//! Infinite noughts and crosses: three marks each, the oldest goes when the fourth is put.
//!
//! * 3x3. A move puts a mark on a free cell; a player who has four marks then loses his oldest, so its cell is not free for
//!   that move. Who has three marks in a row after his move wins, or loses in the misere game; endless play is a draw.
//! * Position `1.a/.3./b2c 2`, rows from the top: `3` is the newest mark of player one, `2` and `1` the ones before it; `c`,
//!   `b` and `a` those of player two. Move `b2`.

use grundy_core::game::{Flow, Player};
use grundy_core::grid::LINES_OF_THREE;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use crate::field::{Field, cells};

/// The rules of Infinite noughts and crosses. The rest of a position is the set of the newest marks of both players, and above
/// it that of the second newest.
#[derive(Clone, Debug)]
pub struct Fading {
    field: Field,
    misere: bool,
}

const CELLS: u32 = 9;
const BOARD: u64 = (1 << CELLS) - 1;
const MARKS: [[char; 3]; 2] = [['3', '2', '1'], ['c', 'b', 'a']];

impl Fading {
    /// Returns the game, in which three in a row lose if `misere`.
    ///
    /// # Errors
    /// None: the board is fixed.
    pub fn new(misere: bool) -> Result<Fading, String> {
        Ok(Fading { field: Field::new(3, 3, 9)?, misere })
    }
}

/// Returns the age of a mark: 0 for the newest.
fn age(position: &Position, cell: usize) -> usize {
    match [position.rest >> cell & 1, position.rest >> (CELLS as usize + cell) & 1] {
        [1, _] => 0,
        [_, 1] => 1,
        _ => 2,
    }
}

impl BoardRules for Fading {
    fn layout(&self) -> Layout {
        Layout { cells: CELLS, rest: 2 * CELLS, stage: 3 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.field.grid.symmetries(), 2, 1)
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some((0..self.field.cells()).collect())
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.taken().count_ones())
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let row = LINES_OF_THREE.iter().any(|line| position.other() & line == *line);
        row.then(|| if self.misere { Value::win_in(0) } else { Value::loss_in(0) })
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        cells(BOARD & !position.taken()).try_for_each(|cell| visit(Move::of(cell, cell)))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (own, cell) = (position.own(), 1u64 << m.to());
        let (newest, second) = (position.rest & BOARD, position.rest >> CELLS);
        let kept = if own.count_ones() == 3 { own & (newest | second) } else { own };
        let newest_now = newest & !own | cell;
        let second_now = second & !own | newest & own;
        position.after(kept | cell, position.other(), newest_now | second_now << CELLS)
    }

    fn write_position(&self, position: &Position) -> String {
        let letter = |cell: usize| {
            let owner = (0..2).find(|&side| position.men[side] >> cell & 1 == 1);
            owner.map_or('.', |side| MARKS[side][age(position, cell)])
        };
        format!("{} {}", self.field.grid.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as 1.a/.3./b2c,")?;
        let (mut men, mut rest, mut counts) = ([0u64; 2], 0, [[0; 3]; 2]);
        self.field.grid.read(board, "1, 2, 3, a, b, c and .", |cell, letter| {
            let place = |marks: &[char; 3]| marks.iter().position(|&mark| mark == letter);
            let found = MARKS.iter().enumerate().find_map(|(side, marks)| Some((side, place(marks)?)));
            if let Some((side, age)) = found {
                men[side] |= 1 << cell;
                counts[side][age] += 1;
                rest |= if age < 2 { 1 << (cell + age * CELLS as usize) } else { 0 };
            }
            found.is_some() || letter == '.'
        })?;
        let in_order = |counts: &[i32; 3]| counts.is_sorted_by(|a, b| a >= b) && counts[0] <= 1;
        if !counts.iter().all(in_order) {
            return Err(
                "marks that cannot be: expected one newest mark, 3 or c, then 2 or b, then 1 or a".to_owned()
            );
        }
        let [one, two] = men.map(u64::count_ones);
        let fits = if turn == Player::One { one == two } else { one == two + 1 || (one, two) == (3, 3) };
        match fits {
            true => Ok(Position { men, rest, turn }),
            false => Err(format!(
                "{one} and {two} marks with player {} to move: expected marks put in turn",
                turn.digit()
            )),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        self.field.grid.square(m.to())
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }
}
