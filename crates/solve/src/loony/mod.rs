//! Who makes the next loony move, kept in a table beside the values.

mod ability;
mod fill;
mod table;

pub use ability::{Known, LoonyStates, States};
pub use fill::solve;
pub use table::LoonyTable;
