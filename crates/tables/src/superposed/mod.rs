//! Sets of positions as bits: 64 positions to a word, so that one operation treats 64 positions at once.
//!
//! The positions of a game are laid out in blocks. A block consists of rows of eight 64-bit words, and one bit stands
//! for one position with one side to move. A set of positions is a bit vector of that layout. [`Superposed`] is what a
//! game must provide: the bits that are positions, and the positions from which a move leads into a given set.
//!
//! *Exits* are moves to positions outside the layout whose values are known; in chess these are captures and
//! promotions. They use bits that would otherwise stand for no position.
//!
//! A block has at most 64 groups of eight rows (512 rows), so that one word can mark the groups of a block.
//!
//! A class that is too large for that, or for the processor's cache, is laid out in [`Slices`]. Moves between slices
//! only lead to slices that are solved already, so that each slice is solved by itself. The moves out of a slice are
//! given as their best value for each position ([`Leaving`]).

mod arch;
mod classes;
mod lanes;
mod layout;
mod slices;
mod words;

pub use arch::{Isa, VectorWork, run_on};
pub use classes::{Endings, Part, Solved, WorkItem};
pub use lanes::{BitBoards, Lanes};
pub use layout::{Exits, Far, Leaving, Levels, Place, Superposed, has, note, value_of};
pub use slices::{ChainValues, Laid, Portion, SliceWork, Slices};
pub use words::{BitRow, Code, DRAW, FAR, MAX_PLIES, NONE, WordCodes, code_of, decode};
