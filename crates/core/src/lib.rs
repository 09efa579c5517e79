//! Foundations of all other crates of grundy: values, the rules of a game as a trait, and tables.
//!
//! * [`value`]: values of positions; [`slip`]: the cost of a bad move.
//! * [`game`]: the rules of a game as a trait, its notation and its indexing.
//! * [`table`]: values by index, in memory and on disk; [`section`]: values as lines of text, to be proved by the rules;
//!   [`weights`]: evaluations that were learned, over [`cells`].
//! * Helpers that games share: [`grid`] (boards and their symmetries), [`rank`], [`classes`], [`placed`] and [`stones`] (indexing), [`bits`]
//!   (sets in machine words), [`words`] (notation), [`random`] (repeatable random numbers, hashing), [`sorting`] and
//!   [`interner`] (compiled once for all types), [`dot`] (Graphviz files).
//! * Input from outside: [`files`] (regular files up to a size), [`text`] (invisible characters written out), [`pack`]
//!   (compression).

pub mod bits;
pub mod cells;
pub mod classes;
pub mod dot;
pub mod drawing;
pub mod files;
pub mod game;
pub mod grid;
pub mod interner;
pub mod pack;
pub mod placed;
pub mod random;
pub mod rank;
pub mod section;
pub mod slip;
pub mod sorting;
pub mod stones;
pub mod table;
pub mod text;
pub mod threads;
pub mod value;
pub mod weights;
pub mod words;
