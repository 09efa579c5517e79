//! Tables of games that have no numbering: the positions that can be reached are found, sorted and numbered, and then
//! solved class by class.
//!
//! The positions are found breadth first and kept in a set of their packed forms, 8 or 16 bytes each. Sorted, their
//! places are their numbers, so that a table is the same bytes however many threads made it. Classes of positions that
//! do not come back once they are left (fewer men, a later turn) are solved one after the other from the end: the graph
//! of moves within one class is all that has to be in memory at once.

mod file;
mod find;
mod keys;
mod oracle;
mod set;
mod tiers;
mod values;

use grundy_core::game::Scored;
use grundy_core::value::{Step, Value};

pub use find::{Found, Limit, find};
pub use keys::Keys;
pub use oracle::Discovered;
pub use tiers::Tier;
pub use values::solve;

/// A game whose positions are packed into numbers of at most 128 bits.
pub trait Packed: Scored {
    /// Bits of a packed position, at most 128; `None` where positions do not fit.
    fn bits(&self) -> Option<u32>;

    /// So many of the lowest bits tell positions of one class apart; those above are the class.
    fn class_shift(&self) -> u32;

    /// A position packed; `None` where no reachable position is like it.
    fn pack(&self, position: &Self::Position) -> Option<u128>;

    /// The position that is packed so.
    fn unpack(&self, code: u128) -> Self::Position;

    /// Visits every child of a packed position with what the move means; the value, none visited, where the game is
    /// over.
    fn expand(&self, code: u128, visit: &mut dyn FnMut(u128, Step)) -> Option<Value>;

    /// Why the game cannot be solved, where that has come out meanwhile.
    fn fault(&self) -> Option<String>;

    /// A checksum of the rules.
    fn checksum(&self) -> u64;

    /// The sum of both scores in a position where the game is over, where it has to be the same everywhere.
    fn sum_at_end(&self, _code: u128) -> Option<i64> {
        None
    }
}
