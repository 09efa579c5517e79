//! Exact values of sums of games: formulas, Grundy numbers, canonical forms, misere quotients.
//!
//! As in `grundy_tables`, each method asks a game for the ability of a small trait beside it, and is an
//! [`Oracle`](grundy_tables::Oracle) where it gives exact values. [`Worth`] is the interface for values in sums.

mod at_hand;
pub mod cgt;
pub mod component;
pub mod disjunctive;
pub mod formula;
pub mod impartial;
pub mod memo;
pub mod misere;
pub mod octal;
pub mod outcomes;
pub mod quotient;
pub mod sum;
mod worth;

pub use worth::Worth;
