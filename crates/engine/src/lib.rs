//! The engine around a catalog of games: protocols, loop and command line. It knows no game.

// The help texts of the command line are doc comments, where `[1]` names a default and no item.
#![allow(rustdoc::broken_intra_doc_links)]

mod cli;
pub mod engine;
pub mod protocol;
mod translators;

pub use cli::given::{Given, recognized};

pub use cli::{Extra, Meter, Usage, at_interrupt, augment, chosen, command, log_line, main, output, paths};
