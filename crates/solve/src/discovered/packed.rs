//! The trait of games whose positions can be found by playing from the start, without a numbering of their own.

use grundy_core::game::Scored;
use grundy_core::value::{Step, Value};

use crate::states::StateNumbers;

/// A game whose positions are packed into numbers of at most 128 bits.
pub trait Packed: Scored {
    /// Bits of a packed position, at most 128; `None` where positions do not fit.
    fn bits(&self) -> Option<u32>;

    /// The number of lowest bits that tell positions of one class apart. The bits above them are the class.
    fn class_shift(&self) -> u32;

    /// A position as a number; `None` where it has a form that no position has which can be reached. Positions that are
    /// images of each other may have the same number.
    fn pack(&self, position: &Self::Position) -> Option<u128>;

    /// A position with this number.
    fn unpack(&self, code: u128) -> Self::Position;

    /// Visits every child of a packed position with what the move means; the value, none visited, where the game is
    /// over.
    fn expand(&self, code: u128, visit: &mut dyn FnMut(u128, Step)) -> Option<Value>;

    /// How many positions that can be reached are packed so; `None` where that is not known.
    fn alike(&self, _code: u128) -> Option<u64> {
        Some(1)
    }

    /// Why the game cannot be solved, where that has come out meanwhile.
    fn fault(&self) -> Option<String>;

    /// A checksum of the rules.
    fn checksum(&self) -> u64;

    /// The sum of both scores in a position where the game is over, where it has to be the same everywhere.
    fn sum_at_end(&self, _code: u128) -> Option<i64> {
        None
    }
}

impl<G: Packed> StateNumbers<G> {
    /// Positions packed into words.
    pub const fn packed() -> StateNumbers<G> {
        StateNumbers {
            size: |game| game.bits().and_then(|bits| 1u128.checked_shl(bits)).unwrap_or(u128::MAX),
            number: |game, position| game.pack(position),
            expand: |game, code, visit| Ok(game.expand(code, visit)),
        }
    }
}
