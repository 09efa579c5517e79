//! NoGo and Atari Go: stones and the liberties of their groups.
//!
//! * Player one `X` and player two `O` put a stone on a free point in turn. A group is a set of stones of one colour joined
//!   along rows and columns; the free points beside it are its liberties.
//! * NoGo: after the move every group, of either player, must have a liberty. Who cannot put a stone loses.
//! * Atari Go: who takes the last liberty of a group of the other wins, also when his own stone has none. A stone without
//!   liberties that takes nothing is not allowed. Who cannot put a stone loses.
//! * Position `X.O/.../... 1`, rows from the top; move `b2`. A group without liberties shows that a game of Atari Go is over.
//!
//! Sources: NoGo: BIRS workshop on combinatorial games, 2011; Atari Go: Y. Yasuda.

use grundy_core::game::{Flow, MORE};
use grundy_core::value::Value;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use crate::field::{Field, cells};

/// The rules of both games.
#[derive(Clone, Debug)]
pub struct Liberties {
    field: Field,
    /// True in Atari Go.
    takes: bool,
}

impl Liberties {
    /// Returns NoGo on a board of `rows` by `columns`.
    ///
    /// # Errors
    /// The board has no point or more than 36.
    pub fn nogo(rows: usize, columns: usize) -> Result<Liberties, String> {
        Ok(Liberties { field: Field::new(rows, columns, 36)?, takes: false })
    }

    /// Returns Atari Go on a board of `rows` by `columns`.
    ///
    /// # Errors
    /// The board has no point or more than 36.
    pub fn atari_go(rows: usize, columns: usize) -> Result<Liberties, String> {
        Ok(Liberties { field: Field::new(rows, columns, 36)?, takes: true })
    }

    /// Reports whether every group of these stones has one of the free points beside it.
    #[inline]
    fn lives(&self, stones: u64, free: u64) -> bool {
        self.field.joined(self.field.near(free), stones) == stones
    }

    #[inline]
    fn allows(&self, own: u64, other: u64, free: u64, cell: usize) -> bool {
        let stone = 1u64 << cell;
        let (own, free) = (own | stone, free & !stone);
        let near = self.field.near(stone);
        // Groups away from the stone keep their liberties.
        let other_lives = near & other == 0 || self.lives(other, free);
        match self.takes {
            true => !other_lives || near & free != 0 || self.lives(own, free),
            false => other_lives && (near & free != 0 || self.lives(own, free)),
        }
    }
}

impl BoardRules for Liberties {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.field.grid.symmetries(), 0, 0)
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.taken().count_ones())
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let free = self.field.all & !position.taken();
        (self.takes && !self.lives(position.own(), free)).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let (own, other) = (position.own(), position.other());
        let free = self.field.all & !(own | other);
        for cell in cells(free).filter(|&cell| self.allows(own, other, free, cell)) {
            visit(Move::of(cell, cell))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() | 1 << m.to(), position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        self.field.write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.field.read(text)?;
        let free = self.field.all & !position.taken();
        let (own, other) = (self.lives(position.own(), free), self.lives(position.other(), free));
        // The last stone of a game of Atari Go may have taken a group without having a liberty itself.
        if !own && !self.takes || own && !other {
            return Err("a group has no liberty: expected one free point beside every group".to_owned());
        }
        Ok(position)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        self.field.grid.square(m.to())
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }
}
