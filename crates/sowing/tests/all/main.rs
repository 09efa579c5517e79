//! Awari: its contract, values from outside, and play.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod awari;
mod play;
