//! Loony states of Dots-and-Boxes: the player who makes the next loony move.

use std::fmt;

/// The player who makes the next loony move if both play for points first and then try to make the opponent do it; seen
/// by one of the players. Better states are larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loony {
    /// This player does, written `v`.
    Mine,
    /// Nobody does, written `-`.
    Nobody,
    /// The other player does, written `^`.
    Other,
}

impl Loony {
    /// The same said for the other player.
    #[must_use]
    pub fn turned(self) -> Loony {
        match self {
            Loony::Mine => Loony::Other,
            Loony::Nobody => Loony::Nobody,
            Loony::Other => Loony::Mine,
        }
    }

    /// The mark of a state, `?` if it is not known.
    pub fn mark(state: Option<Loony>) -> String {
        state.map_or_else(|| "?".to_owned(), |state| state.to_string())
    }
}

impl fmt::Display for Loony {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Loony::Mine => "v",
            Loony::Nobody => "-",
            Loony::Other => "^",
        })
    }
}

/// The loony states of a position and of its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoonyMoves {
    /// That of the position, for the player to move: in a loony position the other has just made a loony move,
    /// elsewhere it is that of the best move. `None` if it is not known.
    pub state: Option<Loony>,
    /// Each legal move with its state for the player who makes it, as far as it is known.
    pub moves: Vec<(String, Option<Loony>)>,
}

impl LoonyMoves {
    /// The state of a move.
    pub fn of(&self, word: &str) -> Option<Loony> {
        self.moves.iter().find(|(m, _)| m == word)?.1
    }
}
