//! Games read at run time from a rules file in the language of Regular Boardgames.

mod board;
mod canonical;
pub mod check;
mod classes;
pub mod code;
mod directives;
mod expand;
mod formulas;
pub mod game;
mod impartial;
mod lex;
pub mod library;
mod limits;
pub mod machine;
mod maps;
pub mod naive;
mod naming;
mod notation;
pub mod numbering;
mod packing;
pub mod parse;
pub mod plan;
mod points;
pub mod position;
pub mod program;
mod ranked;
mod reader;
mod reduced;
mod relation;
mod source;
mod symmetry;
pub mod ways;
mod words;
// Without the rows a unit test of this crate compiles no method. Only they name the second interpreter.
#[cfg(not(test))]
mod rows;
#[cfg(not(test))]
mod witness;

pub use board::Board;
pub use canonical::Canonical;
pub use directives::Directives;
pub use expand::meaning;
pub use formulas::Formulas;
pub use packing::PositionPacking;
pub use source::{Fault, Span};
pub use symmetry::Why;
pub use words::Words;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS, WITNESSES, read};
