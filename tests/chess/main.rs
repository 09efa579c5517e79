//! Chess against numbers and programs that others made.

// A test may fail wherever it likes.
#![allow(clippy::unwrap_used)]

mod endings;
mod rules;
