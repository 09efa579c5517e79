//! The engine as the outside world meets it: the wire, the command line, the documents.

mod chess;
mod cli;
mod docs;
mod fuzz;
mod gtp;
mod rules;
mod sums;
mod transcripts;
mod waiting;
mod wire;
