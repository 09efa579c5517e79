//! One contract for every game: what its rules, its notation and its abilities promise is proved here, against a
//! brute force that lives in the tests only ([`brute`]). Exhaustive where a game is small, on the positions of
//! random games otherwise.
//!
//! **Adding a game** is one line in the file of its kind (or a new file beside them): name the abilities it has.
//!
//! ```ignore
//! #[test]
//! fn tictactoe() {
//!     Contract::new(Mnk::new(3, 3, 3, false).unwrap()).indexed().layers().heuristic().run();
//! }
//! ```
//!
//! * always proved: no move twice, a fixed order, listings that can be broken off, an unfinished game has a move;
//!   points add up; a canonical position is an image of its position; positions and moves are read back as written; random and mutated texts are refused in one
//!   line or are positions on which everything works;
//! * `.indexed()`, `.acyclic()`, `.reversible()`, `.formula()`, `.sum()`, `.heuristic()`: the abilities, each as its
//!   trait states it;
//! * `.layers()` (with `.acyclic()`), `.retrograde()`, `.backwards()` (with `.reversible()`), and any other method by
//!   `.oracle(name, || method)`: values against the brute force, and against each other at every number;
//! * `.search()`: the key, bounds and candidates of the search, and the values it proves;
//! * `.positions(n)`, `.canonical(n)`, `.numbers(n)`, `.perft(&[..])`: published counts; `.symmetry(images)`: images of a position;
//! * `.from(position)`: a further root, `.every_number()`: all numbers; `.limit(n)`: how many positions may be listed (default 60,000; keep a test
//!   under a second or two); `.standard_fen()`: the turn is not the last field.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod abilities;
mod boards;
mod brute;
mod heaps;
mod methods;
mod rules;
mod searched;
mod searching;
mod suite;
