//! Thresholds: tables of games for points in which positions may repeat.
//!
//! Moves that gain points lead to earlier parts of the table, whose values are known. So only plays that stay in one
//! part can go round, and they gain nothing. In a part the largest margin comes first: who can force at least so much?
//! A position from which an earlier part gives the mover that much can, and so can one with a move to a position from
//! which the other cannot avoid it; a position whose moves all let the other have that much cannot avoid it. This is
//! retrograde analysis with wins, losses, and positions that are still open. The next lower margin goes on where it has
//! stopped: what is settled stays so. What is open after the least margin is worth nothing to both.
//!
//! A cell holds a margin and its rank: in how many plies the part is left, or the game ends, with that margin, if the
//! player who has it hurries and the other delays. An open position has the highest rank, and for its margin the best
//! of its moves to earlier parts. A count of the moves that stay in the part, and may still avoid the margin, stands
//! beside it.
//!
//! Sources: J. W. Romein and H. E. Bal, "Solving Awari with parallel retrograde analysis", IEEE Computer 36(10), 2003;
//! R. van der Goot, "Awari retrograde analysis", Computers and Games 2000; T. R. Lincke and A. Marzetta, "Large endgame
//! databases with limited memory space", ICGA Journal 23(3), 2000. That each position is looked at once, and not once
//! for every margin, is as in these. They store no ranks.

mod ability;
mod growing;
mod open;
mod oracle;
mod part;
pub(crate) mod shard;
mod solve;
mod tabled;
mod verify;

pub use ability::Parted;
pub use oracle::ByThresholds;
pub use solve::{solve, solve_resumable};
pub use verify::verify;

#[cfg(test)]
pub(crate) mod tests;
