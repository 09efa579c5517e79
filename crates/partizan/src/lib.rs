//! Partizan games: the players have different moves, the player who cannot move loses, and positions have
//! values in sums.
//!
//! ```
//! use grundy_core::game::{Game, Notation};
//! use grundy_partizan::stalks::Stalks;
//! use grundy_session::quiet_work;
//! use grundy_sums::{Worth, cgt::ByForms};
//!
//! let game = Stalks::new("GBB")?;
//! let form = ByForms::default().canonical(&game, &game.start(), &quiet_work());
//! assert_eq!(form.to_string(), "{0,^*|0}");
//! # Ok::<(), String>(())
//! ```

pub mod bush;
pub mod colouring;
pub mod stalks;
pub mod toads;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS};
