//! Exact values in tables: tables are built, proved, and read while a game is played.
//!
//! A method is generic over the games that have the abilities it asks for. Each ability is a small trait beside its
//! method. A source of exact values is an [`Oracle`].

mod alone;
mod annotator;
mod asking;
pub mod background;
mod backup;
pub mod bitparallel;
mod cell;
mod codes;
pub mod crew;
pub mod discovered;
pub mod endgames;
mod fault;
pub mod filed;
pub mod frames;
pub mod groups;
pub mod layers;
pub mod loony;
mod moves;
mod oracle;
pub mod parts;
mod prices;
mod prover;
mod ranked;
pub mod retrograde;
mod states;
pub mod superposed;
mod table_oracle;
pub mod thresholds;
pub mod tiers;
#[cfg(test)]
mod together;
pub mod verify;

pub use annotator::{Annotator, FindValue};
pub use oracle::Oracle;
pub use states::{NoPosition, StateNumbers, VisitNumber};
pub use table_oracle::TableOracle;
pub use tiers::TierOracle;
