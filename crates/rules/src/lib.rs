//! Games read at run time from a rules file in the language of Regular Boardgames.

mod automorphisms;
mod board;
mod board_notation;
mod canonical;
pub mod check;
mod classes;
mod directives;
mod expand;
mod formulas;
pub mod game;
pub mod geometry;
mod impartial;
pub mod instructions;
mod lex;
mod limits;
pub mod machine;
mod move_names;
pub mod naive;
mod notation;
pub mod numbering;
mod packing;
pub mod parse;
mod playouts;
mod points;
pub mod position;
pub mod program;
mod ranked;
mod reader;
mod relation;
mod residual;
mod source;
pub mod symbolic;
mod symmetry;
// Without the rows a unit test of this crate compiles no method. Only they name the second interpreter.
#[cfg(not(test))]
mod description;
#[cfg(not(test))]
mod rows;
#[cfg(not(test))]
mod witness;

pub use board::Board;
pub use board_notation::BoardNotation;
pub use canonical::Canonical;
pub use directives::Directives;
pub use expand::meaning;
pub use formulas::Formulas;
pub use grundy_rules_library as library;
pub use packing::PositionPacking;
pub use source::{Fault, Span};
pub use symmetry::Why;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS, WITNESSES, read};
