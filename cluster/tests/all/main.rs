//! Solves on threads and processes, as a user starts them: the same bytes as one machine writes, whatever happens to a
//! process.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod faults;
mod refusals;
mod same_bytes;
mod tools;
