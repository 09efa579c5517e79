//! Games of placing and taking away: their contract, and each against its truth file.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod contract;
mod truth;
