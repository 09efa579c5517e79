//! The referee with your own game: plays, audits and certifies it.
//!
//! ```sh
//! cargo build --release --examples
//! target/release/examples/own_referee audit --game twin-heaps --engine target/release/examples/own_game
//! ```

use std::process::ExitCode;

#[path = "own_game.rs"]
mod own_game;

fn main() -> ExitCode {
    grundy::referee::main(&[own_game::ROW])
}
