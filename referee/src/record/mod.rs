//! The record of a run: JSON lines, one of them on disk the moment its game ends, and read back to go on.

mod chain;
mod examine;
mod file;
mod line;

#[cfg(test)]
mod fuzz;

pub use examine::{open, read, resume};
pub use file::{Contents, Record};
pub use line::{Departure, FORMAT, Game, Header, Line, Move, Proof, Recorded, SlipRecord};
