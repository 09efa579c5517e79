//! Games in extensive form: trees with chance, and with information sets.

mod game;
mod grow;
pub mod normal;
mod piece;
mod plan;
pub mod regret;
mod restricted;
pub mod sequence;

pub use game::{Flaw, Infoset, MOST, MOST_BITS, MOST_BITS_TOGETHER, Node, Side, Tree};
pub use grow::{GrowStep, grow};
pub use plan::{Plans, best_replies};
