//! Searches, and the session of a game with its methods.
//!
//! A search is a [`SearchMethod`](play::SearchMethod); it answers a [`Question`]. As in `grundy_tables`, each one asks a
//! game for the ability of a small trait beside it. [`play`] joins a game, a source of exact values and a search to the
//! board of a session.

pub mod alpha_beta;
pub mod board;
pub mod breaker;
mod evaluator;
pub mod lookahead;
pub mod mcts;
pub mod openings;
pub mod play;
pub mod pns;
mod question;
pub mod sums;
mod visits;
pub mod windows;
mod zeroed;

pub use evaluator::Evaluator;
pub use question::Question;
pub use visits::Visits;
