//! Men's Morris against its truth files.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod contract;
mod names;
mod tiers;
mod truth;
