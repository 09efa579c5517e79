//! Tables of games that have no numbering: the positions that can be reached are found, sorted and numbered, and then
//! solved class by class.
//!
//! The positions are found breadth first and kept in a set of their packed forms, 8 or 16 bytes each. Sorted, their
//! places are their numbers, so that a table is the same bytes however many threads made it. Classes of positions that
//! do not come back once they are left (fewer men, a later turn) are solved one after the other from the end: the graph
//! of moves within one class is all that has to be in memory at once. Where points are counted and play may go round
//! within a class, it is solved by thresholds.
//!
//! Games of the same kind whose positions have numbers by a formula are solved by these ([`Numbered`]): their positions are
//! found in the same way, with a bit for each number instead of the set.

mod components;
mod edges;
mod file;
mod find;
mod keys;
mod oracle;
mod order;
mod packed;
mod reached;
mod rounds;
mod set;
mod shard;
mod tasks;
#[cfg(test)]
mod tests;
mod values;
mod verify;

pub use components::ConnectedClasses;
pub use find::{Found, Horizon, find};
pub use keys::Keys;
pub use oracle::Discovered;
pub use packed::Packed;
pub use reached::{Numbered, Reached, reach, solve_numbered};
pub use values::solve;
