//! Games on boards that are searched: their contract, and published values.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod contract;
mod truth;
