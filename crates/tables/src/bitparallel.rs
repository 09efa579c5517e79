//! Bit-parallel retrograde analysis: exact distances by set operations on 64 positions at once.
//!
//! Let L(n) be the positions lost in exactly n plies and W(n) those won in exactly n plies, exits included. Let
//! unmoves(S) be the positions from which a move leads into S. Then
//!
//! * L(0): the side to move has no move and has lost;
//! * W(n+1) = unmoves(L(n)), legal and not won before;
//! * L(n+2) = the remaining positions that are not in unmoves(what is not won in n+1 or fewer).
//!
//! "All moves lose" is a complement of sets, so there are no counters, no queues and no forward moves. Positions that
//! remain at the end are drawn. The idea is that of Bleicher's FEG and others; the layout is our own (see
//! [`superposed`](crate::superposed)).

mod class_file;
mod class_table;
mod class_tabled;
mod deadlines;
mod kernel;
mod levels;
mod library;
mod library_oracle;
mod numbers;
mod packed;
mod requests;
mod rows;
mod slices;

pub use deadlines::{Deadlines, solve_deadlines};
pub use levels::{solve, solve_on};
pub use library::Library;
pub use library_oracle::LibraryOracle;
pub(crate) use numbers::{memory, solve_table};
pub use slices::{PortionLevels, solve_portion, solve_slices};
