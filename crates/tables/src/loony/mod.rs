//! Loony states: the player who makes the next loony move, in a table beside the values.

mod ability;
mod fill;
mod table;

pub use ability::{ByRules, Known, Loony, LoonyStates, StatesBy};
pub(crate) use fill::CODING;
pub use fill::solve;
pub(crate) use table::mark;
pub use table::{LoonyTable, Whole};
