//! The methods, one file each, and what all of them share: how a method answers, works and is limited.
//!
//! A method is generic over every game that has the abilities it asks for. It knows no game by name.

pub mod bitparallel;
mod cell;
pub mod cgt;
mod crew;
mod filed;
pub mod formula;
pub mod frames;
pub mod groups;
pub mod impartial;
pub mod layers;
pub mod memo;
pub mod octal;
pub mod openings;
mod oracle;
pub mod play;
pub mod pns;
mod question;
pub mod retrograde;
pub mod search;
pub mod sum;
pub mod superposed;
mod table_oracle;
pub mod verify;
pub mod windows;
mod worth;

pub use oracle::Oracle;
pub use question::{Question, Variation, at_place, places};
pub use table_oracle::TableOracle;
pub use worth::Worth;
