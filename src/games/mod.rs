//! The games, one file each: rules, numbering, notation. No method is known here, and nothing prints.

pub mod chess;
pub mod dots;
pub mod mnk;
pub mod nim;
pub mod words;
