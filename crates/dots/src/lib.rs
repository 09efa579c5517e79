//! Dots-and-Boxes on R x C boxes.
//!
//! Players draw lines between neighbouring dots. A player who draws the fourth line of a box takes that box, and must
//! draw again; any other line passes the turn. The game ends when every line is drawn; the values count boxes still to
//! come. `start=icelandic` begins with the left and the bottom edge drawn, `start=swedish` with the whole border (boxes
//! that this closes belong to nobody); `penalty=P` takes P points from the player who draws the last line.
//!
//! Small boards are solved by a table over sets of open lines ([`numbering`]), larger ones by search.
//!
//! Source: E. R. Berlekamp, *The Dots and Boxes Game* (2000); D. Wilson's analysis of the game (2002 to 2010).

pub mod analysis;
pub mod chains;
mod graph;
mod heuristic;
mod incidence;
mod line_counts;
mod line_sets;
pub mod loose_pieces;
pub mod notation;
pub mod numbering;
mod refinement;
mod strings_and_coins;
// Without the rows a unit test of this crate compiles no method.
mod graph_tables;
#[cfg(not(test))]
mod rows;
pub mod rules;
mod setup;
pub mod symmetry;

pub use graph::Graph;
pub use grundy_core::bits::Bits;
pub use line_sets::{Degrees, Lines};
#[cfg(not(test))]
pub use rows::ROWS;
pub use rules::{Dots, Line, Position};
pub use setup::{MAX_PENALTY, MAX_SIDE, Setup, Start};
