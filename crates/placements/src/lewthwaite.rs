//! Lewthwaite's game: men on a full checkerboard with one hole in the middle.
//!
//! * Player one owns the men `X` beside the hole, and every other man by the colour of its cell; the other men `O` are player
//!   two's. A move shifts one of one's own men beside the hole into it. Who cannot move loses.
//! * Position `OXO/X.X/OXO 1`, rows from the top; move `a2-b2`, from and to.
//!
//! Solved by enumeration of the positions that follow. The second player wins by the pairs of a domino tiling. Cell 0 is at
//! the top left.
//!
//! Source: G. W. Lewthwaite; E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", chapter 22.

use grundy_core::bits::places;
use grundy_core::game::{Flow, Player};
use grundy_core::grid::Grid;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

/// The rules on a board. The cell without a man is the hole. A move is the cell of the man that moves.
#[derive(Clone, Debug)]
pub struct Lewthwaite {
    grid: Grid,
    /// The neighbours of each cell.
    near: Vec<u64>,
}

impl Lewthwaite {
    /// Returns the game on a square board of this side.
    ///
    /// # Errors
    /// The side is no odd number of 3 to 7.
    pub fn new(side: usize) -> Result<Lewthwaite, String> {
        if !(3..=7).contains(&side) || side.is_multiple_of(2) {
            return Err(format!("no board of {side}x{side}: expected a side of 3, 5 or 7"));
        }
        let grid = Grid { columns: side, rows: side };
        Ok(Lewthwaite { grid, near: (0..grid.cells()).map(|cell| grid.beside(cell)).collect() })
    }

    fn hole(&self, position: &Position) -> usize {
        (!position.taken()).trailing_zeros() as usize
    }

    /// Returns the men that may move into the hole.
    fn movable(&self, position: &Position) -> u64 {
        self.near[self.hole(position)] & position.own()
    }
}

impl BoardRules for Lewthwaite {
    fn layout(&self) -> Layout {
        Layout { cells: self.grid.cells() as u32, rest: 0, stage: 0 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.grid.symmetries(), 0, 0)
    }

    fn start(&self) -> Position {
        let odd = (0..self.grid.cells()).filter(|cell| cell % 2 == 1).fold(0, |set, cell| set | 1 << cell);
        let board = self.grid.all();
        // The side is odd, so that cells next to each other have numbers of different parity.
        let (middle, [beside, others]) = (self.grid.cells() / 2, [odd, board & !odd]);
        let men = if middle % 2 == 0 { [beside, others] } else { [others, beside] };
        Position { men: men.map(|men| men & !(1 << middle)), ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        places(self.movable(position)).try_for_each(|man| visit(Move(man.into())))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() ^ (1 << m.0 | 1 << self.hole(position)), position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        let board = self.grid.write_stones(|side, cell| position.men[side] >> cell & 1 == 1);
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as OXO/X.X/OXO,")?;
        let mut men = [0u64; 2];
        self.grid.read_stones(board, |side, cell| men[side] |= 1 << cell)?;
        match self.grid.cells() as u32 - (men[0] | men[1]).count_ones() {
            1 => {
                // Player one moves men of one colour of the checkerboard, player two of the other, so that no man moves twice.
                let position = Position { men, rest: 0, turn };
                let of_middle = (self.hole(&position) + self.grid.cells() / 2).is_multiple_of(2);
                match of_middle == (turn == Player::One) {
                    true => Ok(position),
                    false => Err(format!("player {} is not to move with this hole", turn.digit())),
                }
            }
            holes => Err(format!("{holes} cells are free: expected one hole")),
        }
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        format!("{}-{}", self.grid.square(m.0 as usize), self.grid.square(self.hole(position)))
    }
}
