//! Canonical forms: the values of positions in sums, whichever player is to move.
//!
//! For acyclic games in which a player without a move loses; the players may have different moves. Sources: J. H.
//! Conway, "On Numbers and Games", 1976; E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", 1982; A. N.
//! Siegel, "Combinatorial Game Theory", 2013.

mod arena;
mod dyadic;
mod forms;
mod patience;
mod text;
mod thermograph;

pub use arena::{Arena, Form, Simple};
pub use dyadic::Dyadic;
pub use forms::{ByForms, Forms, Partizan};
pub(crate) use forms::{PARTIZAN, mover_wins};
pub use patience::{Gap, Patience};
pub use text::write;
pub(crate) use thermograph::described;
