//! Selections of a position's moves.

use std::fmt;

use grundy_core::value::{Score, Value};

use crate::report::{MoveList, MoveValue};

/// A selection of a position's moves, complete or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// The moves known to belong to the selection.
    pub words: Vec<String>,
    /// True if all other moves are known not to belong.
    pub complete: bool,
}

impl Picked {
    /// The mark at the end of a list that may lack some moves.
    pub const MORE: &str = "..";

    /// Selects the moves that pass a test of their value; the test returns `None` if it cannot tell, and whatever is better
    /// than a value that passes does, too. `list` is sorted best first.
    pub(crate) fn of(list: &MoveList, test: impl Fn(Value) -> Option<bool>) -> Picked {
        let judge = |m: &MoveValue| match (m.value, m.bound) {
            (Some(value), _) => test(value),
            (None, Some(Score::AtLeast(least))) => test(least).filter(|&passes| passes),
            (None, Some(Score::AtMost(most))) => test(most).filter(|&passes| !passes),
            (None, _) => None,
        };
        let judged = || list.moves.iter().map(judge);
        let passed = list.moves.iter().zip(judged()).filter(|(_, passes)| *passes == Some(true));
        let words = passed.map(|(m, _)| m.word.clone()).collect();
        // Moves that were left out are no better than the last one.
        let cut = list.truncated && judged().next_back() != Some(Some(false));
        Picked { words, complete: !cut && judged().all(|passes| passes.is_some()) }
    }
}

/// The words separated by blanks, then `..` if others may belong to them; `-` if there are none.
impl fmt::Display for Picked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = (!self.complete).then_some(Picked::MORE);
        let words: Vec<&str> = self.words.iter().map(String::as_str).chain(more).collect();
        f.write_str(if words.is_empty() { "-" } else { "" })?;
        f.write_str(&words.join(" "))
    }
}
