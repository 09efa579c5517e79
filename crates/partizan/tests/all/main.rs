//! Partizan games: their contract, their canonical forms, and outcomes of sums.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod contract;
mod sums;
mod truth;
