//! **grundy** plays two-player games perfectly, and lets anyone check that it does.
//!
//! The crate is a house whose floors import only downwards:
//!
//! | floor | rooms |
//! |---|---|
//! | top | [`engine`]: the loop that speaks the protocol; the binaries stand on it |
//! | | [`catalog`]: one row a game; only here do games and methods meet |
//! | | [`session`]: one game being played, its types erased: words in, words out |
//! | | [`games`]: rules, numbering, notation, a file each; and [`solve`]: the methods, a file each, on [`table`]: values by number, in memory and on disk |
//! | ground | [`game`] (the rules as a trait, and its abilities) on [`value`] (what a position is worth); [`protocol`] (text to type and back) |
//!
//! Helpers that games share: [`grid`] (boards and their mirror images), [`rank`] (numbering), [`random`] (lots that can be repeated), [`dot`] (Graphviz
//! files), [`superposed`] (sets of positions, 64 to a word).
//!
//! ```
//! use grundy::{catalog, session::Settings, value::Value};
//! let mut nim = catalog::open("nim:3,5,7", &Settings::default())?;
//! assert_eq!(nim.value(), Some(Value::WIN));
//! nim.play("1:1").map_err(|refusal| refusal.to_string())?;
//! assert_eq!(nim.value(), Some(Value::LOSS));
//! # Ok::<(), String>(())
//! ```

pub mod catalog;
pub mod dot;
pub mod engine;
pub mod game;
pub mod games;
pub mod grid;
pub mod protocol;
pub mod random;
pub mod rank;
pub mod session;
pub mod solve;
pub mod superposed;
pub mod table;
pub mod value;
