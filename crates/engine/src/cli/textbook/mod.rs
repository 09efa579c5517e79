//! The methods of textbooks, for teaching: recursion, recursion with memory, alpha-beta, sweeps, retrograde analysis by
//! a queue, layers. They work on any game through its [`Board`](grundy_session::Board), count their work, and identify
//! positions by essence.

mod cycles;
mod descend;
mod layers;
mod outcome;
mod queue;
mod reach;
mod sweeps;

pub use descend::{Cuts, Descent, descend};
pub use layers::{by_layers, comes_back};
pub use outcome::{Budget, Counts, Failure, Found};
pub use queue::by_queue;
pub use reach::Reach;
pub use sweeps::by_sweeps;
