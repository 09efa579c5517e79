//! Games of placing and taking away, and other small games of the literature.

pub mod chopsticks;
pub mod claims;
pub mod collapsi;
pub mod joust;
pub mod lewthwaite;
pub mod notakto;
pub mod numerical;
pub mod pentominoes;
pub mod placement;
pub mod quantik;
pub mod quarto;
mod shapes;
pub mod sprouts;
pub mod subsets;
pub mod wild;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS};
