//! The ground that everything of grundy stands on.
//!
//! [`value`]: what a position is worth. [`game`]: the rules of a game as a trait, its notation and its numbering.
//! [`table`]: values by number, in memory and on disk. Helpers that games share: [`grid`] (boards and their mirror
//! images), [`rank`] (numbering), [`bits`] (words of bits), [`words`] (notation), [`random`] (lots that can be
//! repeated), [`dot`] (Graphviz files). What comes from outside: [`files`] (regular files up to a size), [`text`]
//! (invisible characters written out).

pub mod bits;
pub mod dot;
pub mod files;
pub mod game;
pub mod grid;
pub mod random;
pub mod rank;
pub mod table;
pub mod text;
pub mod value;
pub mod words;
