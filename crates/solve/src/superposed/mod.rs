//! Superposition: 64 positions to a word, so that a set operation on one word decides 64 positions at once.
//!
//! The positions of a game are laid out as blocks of rows of eight words of 64 bits; one bit is one position of one
//! side to move. A set of positions is a bit vector of that layout. [`Superposed`] is what a game must know to be
//! solved in this form: which bits are positions, and the sets of positions from which a move leads into a set.
//! Positions outside the layout that moves lead to and whose values are known (*exits*: in chess captures and
//! promotions) ride along as bits that are no positions otherwise.
//!
//! A block has at most 64 groups of eight rows (512 words), so that one word says which groups of a block are of
//! interest.
//!
//! A class that is too large for that, or whose sets would not stay near the processor, is laid out in [`Slices`]: what
//! leads from one slice to another only leads to slices that are done, so that each is solved by itself, and moves out
//! of it stand as the best value that one gives to each position ([`Leaving`]).

mod arch;
mod classes;
mod lanes;
mod layout;
mod slices;
mod words;

pub use arch::{Isa, VectorWork, run, run_on};
pub use classes::{Endings, Solved, WorkItem};
pub use lanes::{BitBoards, Lanes};
pub use layout::{Exits, Far, Leaving, Levels, Place, Superposed, value_of};
pub use slices::{ChainValues, Laid, SliceWork, Slices};
pub use words::{BitRow, Code, DRAW, FAR, MAX_PLIES, NONE, WordCodes, code_of, decode};
