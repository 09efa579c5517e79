//! Tables of explicit state spaces: the positions that can be reached are found, sorted and indexed, and then solved
//! component by component.
//!
//! The positions are found breadth first and kept in a set of their packed forms, 8 or 16 bytes each. The index of a
//! position is its place in sorted order, so that the bytes of a table do not depend on the number of threads. Classes of
//! positions that never return once they are left (fewer pieces, a later turn) are solved one after another from the end of
//! the game: only the graph of moves within one strongly connected component has to be in memory at once. A component of a
//! game for points in which play may be cyclic is solved by thresholds.
//!
//! If the positions have indices by a formula ([`Numbered`]), they are found in the same way, with a bit for each index
//! instead of the set.

mod components;
mod edges;
mod file;
mod find;
mod keys;
mod oracle;
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

pub use crate::parts::Part;
pub use find::{Found, Horizon, differing_sums, find};
pub use keys::Keys;
pub use oracle::Discovered;
pub use packed::Packed;
pub use reached::{Numbered, Reached, each_within, reach, solve_numbered};
pub use values::solve;
