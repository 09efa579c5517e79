//! Games of captures, liberties and blockades on small boards, each a file of rules over one type of game
//! ([`BoardGame`](grundy_search::board::BoardGame)).

pub mod amazons;
pub mod clobber;
pub mod dobutsu;
pub mod dodgem;
pub mod draughts;
pub mod fading;
pub mod fanorona;
pub mod field;
pub mod gobblers;
pub mod hounds;
pub mod kaooa;
pub mod konane;
pub mod liberties;
pub mod musketeers;
pub mod points;
pub mod slides;
pub mod tigers;
pub mod tsoro;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS};
