//! Games on boards: their contract, their truth files, and published values.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod contract;
mod names;
mod pdn;
mod sums;
mod truth;
