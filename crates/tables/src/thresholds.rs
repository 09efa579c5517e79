//! Thresholds: tables of games for points in which positions may repeat.
//!
//! Moves that gain points lead to earlier parts of the table, whose values are known. So only play that stays in one part
//! can be cyclic, and it gains nothing. The parts are solved one after another:
//!
//! 1. Look at every position of the part once: note the best of its moves to earlier parts, and count the moves that stay.
//! 2. Take the largest margin that is left. A player can force it by a move to an earlier part that gives as much, or by a
//!    move to a position from which the opponent cannot avoid it; a position all of whose moves concede it cannot avoid it.
//!    This is retrograde analysis with wins, losses, and open positions.
//! 3. Continue with the next lower margin; settled positions stay settled.
//! 4. After the least margin, open positions are worth nothing to both players.
//!
//! A cell holds a margin and its rank: the plies until the part is left, or the game ends, with that margin, if the player
//! who has it hurries and the opponent delays. An open position has a rank of its own, and as its margin the best of its
//! moves to earlier parts. Beside it there is a count of the moves that stay in the part and may still avoid the margin.
//!
//! Sources: J. W. Romein and H. E. Bal, "Solving Awari with parallel retrograde analysis", IEEE Computer 36(10), 2003;
//! R. van der Goot, "Awari retrograde analysis", Computers and Games 2000; T. R. Lincke and A. Marzetta, "Large endgame
//! databases with limited memory space", ICGA Journal 23(3), 2000. As in these, each position is looked at once, and not once
//! for every margin. They store no ranks.

mod ability;
mod growing;
mod oracle;
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
