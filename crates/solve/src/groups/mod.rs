//! Tables too large for one piece: games of strings and coins, solved part by part by how many strings of each of
//! two groups are left, on disk in between.
//!
//! The strings are parted into a *front* and a *back* group, each a union of whole orbits of the symmetries, so that
//! an image of a position has as many strings left in each group as the position itself. A part holds all positions
//! with `f` strings left in front and `b` behind. Every move leads from part `(f, b)` to `(f-1, b)` or `(f, b-1)`, so
//! three parts in memory are enough, a part's file may go once the layer above it is done, and after a kill the work
//! goes on from the files that are there.
//!
//! Numbers within a part: rows by the set left in front, columns by the rank of the set left behind. Of the sets in
//! front only one of each class has a row, where a class is what symmetries and exchanges of *twins* (strings of
//! exactly the same coins) carry into each other: a symmetry moves the set behind as well, an exchange leaves it,
//! since all twins are in front.
//!
//! With the whole orbits in two groups, (front, back) is what "lines in groups" is in D. Wilson's analysis of
//! Dots-and-Boxes; the rows by classes are ours.

mod ability;
mod book;
mod make;
mod rows;
mod split;

pub use ability::{Coins, StringsAndCoins};
pub use book::Book;
pub use make::{DiskStore, MemoryStore, Store, estimate, kept_parts, measure, solve};
pub use split::{GroupPart, MOST_STRINGS, Split};
