//! Men's Morris: men on the points of a board; three in a line are a mill.

mod board;
mod classes;
pub mod morris;
mod notation;
mod numbering;
mod position;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;
mod survey;

#[cfg(not(test))]
pub use rows::ROWS;
