//! Games of strings and coins whose table does not fit in memory: it is computed part by part, with finished parts on
//! disk.
//!
//! The strings are divided into a *front* and a *back* group. Each group is a union of orbits of the symmetries, so
//! that symmetric positions have the same number of strings left in each group. A part holds the positions with `f`
//! strings left in the front group and `b` in the back group. Every move leads from part `(f, b)` to part `(f-1, b)` or
//! `(f, b-1)`. A part is computed some rows at a time from the files of two others, which the system maps into memory
//! as far as it fits; only tables over the sets of one group must fit. A part's file can be removed once the layer
//! above it is done, and after a kill the work continues from the files that exist.
//!
//! Within a part the rows stand for the sets left in the front group, and the columns for the sets left in the back
//! group, by rank. Only one front set of each class has a row. Two sets are in one class if a symmetry, or an exchange
//! of *twins* (strings that hold exactly the same coins), maps one to the other. A symmetry moves the back set as well;
//! an exchange does not, since all twins are in the front group.
//!
//! D. Wilson's analysis of Dots-and-Boxes divides the lines into groups in the same way. The rows by classes are our
//! addition.

mod ability;
mod book;
mod division;
mod make;
mod rows;
mod split;
mod states;

pub use ability::{Coins, StringsAndCoins};
pub use book::Book;
pub use division::division;
pub use make::{DiskStore, MemoryStore, Store, estimate, kept_parts, measure, solve};
pub use split::{GroupPart, MOST_STRINGS, Split};
pub use states::{ByGroups, solve_states};
