//! Evaluations that are learned by self-play, for any game with cells.
//!
//! What a game looks like is found out, not told: the places of the cells from the notation ([`Layout`]), symmetries by
//! playing moves in positions and their images ([`symmetry`]), tuples of cells from lines, blocks and walks
//! ([`tuples`]). A model, a small [`network`] or [tables](ntuple) with a weight for each filling of each tuple, learns the
//! results of games of the engine against itself ([`training`]).
//!
//! What is learned is a guess: no value and no proof depends on it.

pub mod command;
mod layout;
mod model;
pub mod network;
pub mod ntuple;
mod selfplay;
mod study;
pub mod symmetry;
pub mod training;
pub mod tuples;

pub use layout::Layout;
pub use model::{Aim, Learner};

#[cfg(test)]
mod tests;
