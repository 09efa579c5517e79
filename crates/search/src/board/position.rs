//! Positions, moves and symmetries of games on a board.

use grundy_core::game::Player;
use grundy_core::grid::CellMap;

/// A position of any of these games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The cells of player one's men and of player two's.
    pub men: [u64; 2],
    /// Everything else that belongs to a position, as the rules encode it: arrows, hands, kinds of men.
    pub rest: u64,
    /// The player to move.
    pub turn: Player,
}

impl Position {
    /// The empty board with player one to move.
    pub const EMPTY: Position = Position { men: [0; 2], rest: 0, turn: Player::One };

    /// Returns the men of the player to move.
    #[inline]
    pub fn own(&self) -> u64 {
        self.men[self.turn.index()]
    }

    /// Returns the men of the other player.
    #[inline]
    pub fn other(&self) -> u64 {
        self.men[1 - self.turn.index()]
    }

    /// Returns the cells with a man.
    #[inline]
    pub fn taken(&self) -> u64 {
        self.men[0] | self.men[1]
    }

    /// Returns the position after the player to move has moved: his men, those of the other, and the rest.
    #[inline]
    #[must_use]
    pub fn after(&self, own: u64, other: u64, rest: u64) -> Position {
        let men = if self.turn == Player::One { [own, other] } else { [other, own] };
        Position { men, rest, turn: !self.turn }
    }
}

/// A move, encoded by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u64);

impl Move {
    /// Returns the move from a cell to a cell.
    #[inline]
    pub const fn of(from: usize, to: usize) -> Move {
        Move((from | to << 6) as u64)
    }

    /// Returns the cell that a move is from.
    #[inline]
    pub const fn from(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Returns the cell that a move is to.
    #[inline]
    pub const fn to(self) -> usize {
        (self.0 >> 6 & 63) as usize
    }

    /// Returns the bits above both cells.
    #[inline]
    pub const fn more(self) -> u64 {
        self.0 >> 12
    }
}

/// A symmetry of a board, other than the identity.
#[derive(Clone, Debug)]
pub struct Image {
    /// The image of each cell.
    pub men: CellMap,
    /// The image of each bit of [`Position::rest`]; `None` if it does not change.
    pub rest: Option<CellMap>,
}

impl Image {
    /// Returns the image of a position.
    pub fn of(&self, position: &Position) -> Position {
        let rest = self.rest.as_ref().map_or(position.rest, |map| map.apply(position.rest));
        Position { men: position.men.map(|set| self.men.apply(set)), rest, turn: position.turn }
    }
}

/// Returns the symmetries of a board from the images of its cells, the identity first. The rest of a position is `fields`
/// sets of cells of `bits` bits a cell, or does not change if there is none.
pub fn images(cells: &[Vec<usize>], fields: usize, bits: usize) -> Vec<Image> {
    let image = |map: &Vec<usize>| {
        let (count, width) = (map.len(), fields * bits);
        let rest = (width > 0).then(|| {
            let bit = |at: usize| {
                let (field, cell) = (at / (count * bits), at % (count * bits) / bits);
                if at < count * width { field * count * bits + map[cell] * bits + at % bits } else { at }
            };
            CellMap::new(&(0..64).map(bit).collect::<Vec<_>>())
        });
        Image { men: CellMap::new(map), rest }
    };
    cells.iter().skip(1).map(image).collect()
}
