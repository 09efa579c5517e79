//! Who makes the next loony move, kept in a table beside the values.

mod ability;
mod fill;
mod table;

pub use ability::{Known, LoonyStates, States, StatesBy};
pub(crate) use fill::CODING;
pub use fill::solve;
pub(crate) use table::mark;
pub use table::{LoonyTable, Whole};
