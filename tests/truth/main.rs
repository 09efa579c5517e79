//! Values made outside the project, row by row against the games and their methods.
//!
//! The `.tsv` files come from separate programs; each test says which columns it uses.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod boards;
mod dots;
mod heaps;
mod rows;
mod searched;
