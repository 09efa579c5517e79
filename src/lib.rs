//! **grundy** plays two-player games perfectly, and lets anyone check that it does.
//!
//! This crate joins the crates of a workspace whose floors import only downwards:
//!
//! | floor | crates |
//! |---|---|
//! | top | the binaries `grundy` and `referee`, and this facade with the [`catalog`] of all games |
//! | | [`engine`]: protocols, loop, command line; [`referee`]: matches and audits. They know no game |
//! | | [`games`]: the families of games, each with the rows that say which method solves it |
//! | | [`solve`]: the methods, generic over games, each beside the ability that it asks for |
//! | | [`session`]: one game being played, its types erased: words in, words out |
//! | ground | [`game`] (the rules as a trait), [`value`], [`table`] (values by number, on disk), and helpers that games share |
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

pub use catalog::{main, referee};
pub use grundy_core::{bits, dot, game, grid, random, rank, table, value, words};
pub use grundy_engine::{engine, protocol};
pub use grundy_session as session;
pub use grundy_solve as solve;

/// The families of games.
pub mod games {
    pub use grundy_boards::{euler, graph, lgame, mnk, police, row, teeko};
    pub use grundy_chess as chess;
    pub use grundy_dots as dots;
    pub use grundy_heaps::{
        chomp, coins, count, fibonacci, heaps, increase, moore, nim, nimble, northcott, piles, silver,
        staircase, stones, subtract, sum, wythoff,
    };
    pub use grundy_searched::{connect4, domineering, hex, kalah, othello, pawns};
}
