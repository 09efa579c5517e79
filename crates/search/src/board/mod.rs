//! Games on a board of cells as one type.
//!
//! A position is two sets of cells, one for the men of each player, and up to 64 bits of anything else. From that follow
//! packed positions for tables of discovered positions, keys for the search, and symmetry. So each game is a file of
//! rules and notation, and the methods are compiled once for the games of all families. A call through the trait costs a
//! few nanoseconds per move.

mod game;
// Without the methods a unit test of this crate compiles none for these games.
#[cfg(not(test))]
mod methods;
mod position;
mod rules;
// As for the methods.
#[cfg(not(test))]
mod table_or_memo;

pub use game::BoardGame;
#[cfg(not(test))]
pub use methods::BoardMethod;
pub use position::{Image, Move, Position, images};
pub use rules::{BoardRules, Indices, Layout, finished};
