//! A web board for every game of grundy: the value of every move, play, analysis, and a link for every position.
//!
//! One request is one question about one position. What the tables know is answered by a pool of quick threads; what
//! has to be searched waits for a pool of its own, so that long searches keep nobody else waiting. A game of one's own
//! has the same board: `fn main() -> ExitCode { grundy_board::main(&[ROW]) }`.

mod address;
mod answer;
mod api;
mod app;
mod audit;
mod bring;
#[cfg(not(target_family = "wasm"))]
mod door;
#[cfg(not(target_family = "wasm"))]
mod front;
mod games;
mod lichess;
#[cfg(not(target_family = "wasm"))]
mod lines;
mod matches;
// Without a server nothing stands before the routes.
#[cfg_attr(target_family = "wasm", allow(dead_code))]
mod metrics;
mod notation;
mod opponent;
#[cfg(not(target_family = "wasm"))]
mod origin;
mod pages;
mod parameters;
#[cfg(not(target_family = "wasm"))]
mod patience;
mod pgn;
mod players;
mod pool;
#[cfg_attr(target_family = "wasm", allow(dead_code))]
mod recent;
mod routes;
#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(not(target_family = "wasm"))]
mod serving;
#[cfg(not(target_family = "wasm"))]
mod turns;
mod uploads;
mod uwapi;
mod visitor;
mod watch;
#[cfg(target_family = "wasm")]
mod web;

#[cfg(not(target_family = "wasm"))]
pub use serving::main;
#[cfg(target_family = "wasm")]
pub use web::answer;
