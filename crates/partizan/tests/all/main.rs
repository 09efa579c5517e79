//! Partizan games: their contract, and their canonical forms.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod contract;
mod truth;
