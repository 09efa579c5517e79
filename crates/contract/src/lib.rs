//! One contract for every game: checks what its rules, its notation and its abilities promise against a brute force
//! that only tests use (`brute.rs`). Small games are checked exhaustively, others on the positions of random games.
//!
//! **Adding a game** is one line (`tests/all/contract.rs` of its crate): name the abilities it has.
//!
//! ```ignore
//! #[test]
//! fn tictactoe() {
//!     Contract::new(Mnk::new(3, 3, 3, false).unwrap()).indexed().layers().heuristic().run();
//! }
//! ```
//!
//! * always proved: no move twice, a fixed order, listings that can be stopped early, an unfinished game has a move;
//!   points add up; a canonical position is an image of its position; positions and moves are read back as written;
//!   random and mutated texts are refused in one line or are positions on which everything works;
//! * `.indexed()`, `.acyclic()`, `.reversible()`, `.formula()`, `.sum()`, `.heuristic()`: the abilities, each as its
//!   trait states it; `.partizan()`: parts with negatives, and outcomes of their sums;
//! * `.layers()` (with `.acyclic()`), `.retrograde()`, `.backwards()` (with `.reversible()`), and any other method by
//!   `.oracle(name, || method)`: values against the brute force, and against each other at every index;
//! * `.tiers()` (every index is solved), `.tiered()` (only the ability): tiers and the tables made of them;
//! * `.thresholds()`: the table by thresholds of a game for points; `.endgames()`: the tables of its last positions;
//! * `.search()`: the key, bounds and candidates of the search, and the values it proves; `.keys()`, `.retract()` and
//!   `.endgame()`: its keys, its moves back, and the game's own code for the last plies;
//! * [`indices_round_trip`]: for a session of a game with a table, the round trip of positions and their indices;
//! * `.positions(n)`, `.canonical(n)`, `.numbers(n)`, `.perft(&[..])`: published counts; `.symmetry(images)`: images of
//!   a position;
//! * `.from(position)`: a further root, `.every_index()`: all indices; `.limit(n)`: maximum number of positions to
//!   list (default 60,000; keep a test under a second or two); `.standard_fen()`: the turn is not the last field.

#![allow(clippy::unwrap_used, clippy::panic)] // a check that cannot go on should fail
#![allow(missing_docs)] // functions whose names are sentences

mod abilities;
mod brute;
mod checkpoints;
mod graph;
mod methods;
mod ready;
mod round_trip;
mod rules;
mod samples;
mod searching;
mod subject;
mod suite;
mod tiers;
mod truth;

pub use checkpoints::{resumes_from_each, resumes_from_every};
pub use ready::ready;
pub use round_trip::indices_round_trip;
pub use subject::Subject;
pub use suite::Contract;
pub use truth::{TruthRow, read};

use grundy_session::{Session, Settings};

/// Opens a game of a family by its full name.
pub fn open(rows: &'static [grundy_session::Row], name: &str) -> Session {
    try_open(rows, name).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Opens a game like [`open`], or returns the reason why it was refused.
pub fn try_open(rows: &'static [grundy_session::Row], name: &str) -> Result<Session, String> {
    let first = name.split(':').next().unwrap_or("");
    let row = rows.iter().find(|row| row.name == first).ok_or("no such game")?;
    row.open(name, &Settings::default())
}
