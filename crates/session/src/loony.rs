//! Who makes the next loony move: the loony states of Dots-and-Boxes.

use std::fmt;

use grundy_core::value::Value;

/// Who makes the next loony move when both play for points first and then for this, each wanting the other to make it;
/// said for the player who is asked about. Better states are larger.
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

    /// The mark of a state, `?` where it is not known.
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

/// The loony states of the moves of a position, each for the player who makes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoonyMoves {
    /// Each legal move with its value and its state, as far as they are known.
    pub moves: Vec<(String, Option<Value>, Option<Loony>)>,
}

impl LoonyMoves {
    /// The state of the position: that of its best move, which is the best state among the moves of the best value.
    /// `None` where it is not known; nobody makes a loony move where the game is over.
    pub fn state(&self) -> Option<Loony> {
        let values: Vec<Value> = self.moves.iter().map(|(_, value, _)| *value).collect::<Option<_>>()?;
        let Some(best) = values.into_iter().max() else { return Some(Loony::Nobody) };
        let states = self.moves.iter().filter(|(_, value, _)| *value == Some(best)).map(|(.., state)| *state);
        let known: Vec<Option<Loony>> = states.collect();
        if known.contains(&Some(Loony::Other)) {
            return Some(Loony::Other);
        }
        known.into_iter().collect::<Option<Vec<Loony>>>()?.into_iter().max()
    }

    /// The state of a move.
    pub fn of(&self, word: &str) -> Option<Loony> {
        self.moves.iter().find(|(m, ..)| m == word)?.2
    }
}
