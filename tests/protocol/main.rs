//! The engine as seen from outside: the wire, the command line, the documents.

mod chess;
mod cli;
mod docs;
mod fuzz;
mod gtp;
mod rules;
mod sums;
mod transcripts;
mod translators;
mod waiting;
mod wire;
