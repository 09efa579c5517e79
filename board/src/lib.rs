//! A web board for every game of grundy: the value of every move, play, analysis, and a link for every position.
//!
//! One request is one question about one position, answered with a given effort: lookups, moves and
//! analyses run on thread pools of their own, so that long searches delay nobody else. A program with its own games serves
//! the same board: `fn main() -> ExitCode { grundy_board::main(&[ROW]) }`.

mod address;
mod analysis;
mod answer;
mod api;
mod app;
mod assets;
mod audit;
// Used by the server only.
#[cfg_attr(target_family = "wasm", allow(dead_code))]
mod cache;
mod cli;
mod client;
mod daily;
mod docs;
mod error;
mod events;
mod external;
#[cfg(not(target_family = "wasm"))]
mod fair_queue;
mod games;
mod history;
mod home;
mod lichess;
#[cfg(not(target_family = "wasm"))]
mod log_writer;
mod matches;
#[cfg_attr(target_family = "wasm", allow(dead_code))]
mod metrics;
#[cfg(not(target_family = "wasm"))]
mod middleware;
mod occupants;
#[cfg(not(target_family = "wasm"))]
mod origin;
mod pages;
mod parameters;
mod players;
mod pool;
#[cfg(not(target_family = "wasm"))]
mod program;
mod puzzles;
mod routes;
#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(not(target_family = "wasm"))]
mod system;
mod texts;
#[cfg(not(target_family = "wasm"))]
mod ugi;
mod uploads;
mod uwapi;
#[cfg(target_family = "wasm")]
mod web;
mod words;
#[cfg(not(target_family = "wasm"))]
mod write_timeout;

#[cfg(not(target_family = "wasm"))]
pub use program::{command, main};
#[cfg(target_family = "wasm")]
pub use web::answer;
