//! **grundy** plays two-player games perfectly, and lets anyone check that it does.
//!
//! The crate is a house whose floors import only downwards:
//!
//! | floor | rooms |
//! |---|---|
//! | ground | [`value`] (what a position is worth), [`game`] (the rules as a trait, and its abilities) |

pub mod catalog;
pub mod dot;
pub mod engine;
pub mod game;
pub mod games;
pub mod grid;
pub mod protocol;
pub mod rank;
pub mod session;
pub mod solve;
pub mod superposed;
pub mod table;
pub mod value;
