//! Chess against numbers and programs that others made.

// A test may fail wherever it likes, and a measurement says what it found.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod deadlines;
mod endings;
mod kqkr;
mod mates;
mod plain;
mod rules;
mod short_mates;
mod small;
mod tables;
