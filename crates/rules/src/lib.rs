//! Games read at run time from a rules file in the language of Regular Boardgames.

pub mod board;
pub mod canonical;
pub mod check;
pub mod classes;
pub mod code;
pub mod directives;
pub mod expand;
pub mod formulas;
pub mod game;
pub mod impartial;
pub mod lex;
pub mod library;
pub mod limits;
pub mod machine;
mod maps;
pub mod naive;
pub mod naming;
pub mod notation;
pub mod numbering;
pub mod packing;
pub mod parse;
pub mod plan;
pub mod position;
pub mod program;
mod ranked;
pub mod reader;
mod reduced;
pub mod relation;
pub mod source;
pub mod symmetry;
pub mod ways;
pub mod witness;
pub mod words;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS, WITNESSES, read};
