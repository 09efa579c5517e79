//! Tiers: tables of games that are too large for the memory in one piece, and whose positions may repeat.
//!
//! The positions fall into *tiers*, and a move stays in its tier or leads to an earlier one: captured pieces do not return,
//! placed pieces stay on the board. Each tier is solved by [`retrograde`](crate::retrograde) analysis and written to a file
//! of its own. The tables of the tiers that its moves lead to are read again during the first look at its positions, and
//! then dropped. All moves of a position into finished tiers count as one child of known value: a byte holds the best of
//! them.
//!
//! R. Gasser divided Nine Men's Morris in this way ("Solving Nine Men's Morris", Games of No Chance, 1996); GamesCrafters'
//! GamesmanClassic and GamesmanOne have tiers for any game.

mod ability;
mod estimate;
mod list;
mod make;
mod oracle;
mod part;
mod shard;
mod table;

pub use ability::{Exit, Tier, Tiered, see};
pub use make::{solve, solve_tier};
pub use oracle::TierOracle;
pub use part::FinishedTier;

pub use crate::retrograde::{Missing, Seen, Sight};
