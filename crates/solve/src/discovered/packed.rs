//! What a game must know to have its positions discovered.

use grundy_core::game::Scored;
use grundy_core::value::{Step, Value};

/// A game whose positions are packed into numbers of at most 128 bits.
pub trait Packed: Scored {
    /// Bits of a packed position, at most 128; `None` where positions do not fit.
    fn bits(&self) -> Option<u32>;

    /// So many of the lowest bits tell positions of one class apart; those above are the class.
    fn class_shift(&self) -> u32;

    /// A position packed; `None` where no reachable position is like it. Positions that are images of each other may be
    /// packed alike.
    fn pack(&self, position: &Self::Position) -> Option<u128>;

    /// A position that is packed so.
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
