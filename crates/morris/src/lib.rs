//! Men's Morris: men on the points of a board; three in a line are a mill.

mod board;
mod classes;
pub mod morris;
mod notation;
mod numbering;
mod position;
mod rows;
mod survey;

pub use rows::ROWS;
