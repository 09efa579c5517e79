//! Positions: men on the board and in hand.

use grundy_core::game::Player;

/// The numbers of a player's men on the board and in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Force {
    pub(crate) board: u8,
    pub(crate) hand: u8,
}

impl Force {
    pub(crate) fn all(self) -> u8 {
        self.board + self.hand
    }

    /// Returns the force after placing one man.
    pub(crate) fn put(self) -> Force {
        Force { board: self.board + 1, hand: self.hand - 1 }
    }

    /// Returns the force after losing one man on the board.
    pub(crate) fn less(self) -> Force {
        Force { board: self.board - 1, ..self }
    }
}

impl std::fmt::Display for Force {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.hand {
            0 => write!(f, "{}", self.board),
            hand => write!(f, "{}+{hand}", self.board),
        }
    }
}

/// The men on the board and in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The mover's men and the other's, as sets of points.
    pub(crate) men: [u32; 2],
    /// Men in hand, the mover's first.
    pub(crate) hand: [u8; 2],
    pub(crate) turn: Player,
}

impl Position {
    #[inline]
    pub(crate) fn forces(&self) -> [Force; 2] {
        [0, 1].map(|side| Force { board: self.men[side].count_ones() as u8, hand: self.hand[side] })
    }
}
