//! The methods that solve games: formulas, tables, searches.
//!
//! A method is generic over the games that have the abilities it asks for. Each ability is a small trait beside its
//! method. A method that knows exact values is an [`Oracle`]; a search is a [`SearchMethod`](play::SearchMethod).

mod alone;
mod asking;
mod at_hand;
mod background;
mod backup;
pub mod bitparallel;
mod cell;
pub mod cgt;
mod codes;
pub mod component;
mod crew;
pub mod discovered;
pub mod disjunctive;
mod fault;
mod filed;
pub mod formula;
pub mod frames;
pub mod groups;
pub mod impartial;
pub mod layers;
pub mod lookahead;
pub mod loony;
pub mod mcts;
pub mod memo;
pub mod misere;
mod moves;
pub mod octal;
pub mod openings;
mod oracle;
pub mod parts;
pub mod play;
pub mod pns;
mod prices;
mod prover;
mod question;
pub mod quotient;
mod ranked;
pub mod retrograde;
pub mod search;
mod states;
pub mod sum;
pub mod superposed;
mod table_oracle;
pub mod thresholds;
pub mod tiers;
#[cfg(test)]
mod together;
pub mod verify;
pub mod windows;
mod worth;
mod zeroed;

pub use oracle::Oracle;
pub use question::Question;
pub use states::{NoPosition, StateNumbers, VisitNumber};
pub use table_oracle::TableOracle;
pub use tiers::TierOracle;
pub use worth::Worth;
