//! Retrograde analysis 64 positions to a word: exact distances by set operations on whole levels.
//!
//! With L(n) the positions lost in exactly n plies and W(n) those won in exactly n (exits included):
//!
//! * L(0): the side to move has no move and has lost;
//! * W(n+1) = unmoves(L(n)), legal and not won before;
//! * L(n+2) = what is left of the others and not in unmoves(what is not won in n+1 or fewer).
//!
//! "All moves lose" is a complement, so that there are no counters, no queues and no forward moves. A position gets
//! its value once, with its level; what is left at the end is drawn. Based on the idea of bit-parallel retrograde
//! analysis of Bleicher's FEG and others, laid out anew as in the prototype that came with this project.

mod deadlines;
mod kernel;
mod levels;
mod library;
mod library_oracle;
mod numbers;
mod packed;
mod rows;
mod slices;

pub use deadlines::{Deadlines, solve_deadlines};
pub use levels::{solve, solve_on};
pub use library::Library;
pub use library_oracle::LibraryOracle;
pub(crate) use numbers::{memory, solve_table};
pub use slices::solve_slices;
