//! Games on small boards and on graphs, solved by tables or proof numbers.

#[cfg(not(test))]
mod blocking;
pub mod euler;
pub mod gomoku;
pub mod graph;
pub mod lgame;
pub mod mnk;
#[cfg(not(test))]
mod pairings;
pub mod police;
pub mod qubic;
pub mod row;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;
pub mod teeko;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS};
