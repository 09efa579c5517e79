//! The trait of games whose positions are found by playing from the start, without indices by a formula.

use grundy_core::game::Scored;
use grundy_core::value::{Step, Value};

use crate::states::StateNumbers;

/// A game whose positions are packed into at most 128 bits.
pub trait Packed: Scored {
    /// Returns the bits of a packed position, at most 128; `None` if positions do not fit.
    fn bits(&self) -> Option<u32>;

    /// Returns the number of lowest bits that distinguish positions of one class. The bits above them are the class.
    fn class_shift(&self) -> u32;

    /// Returns a packed position; `None` if it has a form that no reachable position has. Symmetric positions may have the
    /// same packed form.
    fn pack(&self, position: &Self::Position) -> Option<u128>;

    /// Returns a position with this packed form.
    fn unpack(&self, code: u128) -> Self::Position;

    /// Visits every child of a packed position with the step of the move. Returns the value, with none visited, if the game
    /// is over.
    fn expand(&self, code: u128, visit: &mut dyn FnMut(u128, Step)) -> Option<Value>;

    /// Returns the number of reachable positions with this packed form; `None` if it is not known.
    fn alike(&self, _code: u128) -> Option<u64> {
        Some(1)
    }

    /// Returns the reason why the game cannot be solved, if one was found meanwhile.
    fn fault(&self) -> Option<String>;

    /// Returns a checksum of the rules.
    fn checksum(&self) -> u64;

    /// Returns the sum of both scores in a position that is over, if it must be the same in all.
    fn sum_at_end(&self, _code: u128) -> Option<i64> {
        None
    }
}

impl<G: Packed> StateNumbers<G> {
    /// Returns the indexing by packed positions.
    pub const fn packed() -> StateNumbers<G> {
        StateNumbers {
            size: |game| game.bits().and_then(|bits| 1u128.checked_shl(bits)).unwrap_or(u128::MAX),
            number: |game, position| game.pack(position),
            expand: |game, code, visit| Ok(game.expand(code, visit)),
        }
    }
}
