//! Dots-and-Boxes: its contract, and values from outside.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod states;
mod truth;
