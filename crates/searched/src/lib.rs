//! Games on boards too large for tables, solved by search.

pub mod connect4;
pub mod domineering;
pub mod hex;
pub mod kalah;
pub mod othello;
pub mod pawns;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS};
