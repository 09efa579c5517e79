//! Sowing games in which positions may repeat, solved by thresholds.

pub mod awari;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;

#[cfg(not(test))]
pub use rows::ROWS;
