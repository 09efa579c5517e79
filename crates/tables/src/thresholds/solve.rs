//! The parts of a table one after another, in the least width that holds them.

use grundy_core::game::Scored;
use grundy_core::table::{Checkpoints, NoCheckpoints, Table};
use grundy_session::{SolveError, Work};

use super::ability::Parted;
use super::shard::{Before, Gains, ThresholdShard};
use crate::alone;
use crate::crew::{Crew, refuse_beyond};
use crate::moves::{ListMoves, MovesOf};
use crate::parts::Parts;

/// Computes the table of a game, with ranks.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks a promise of [`Parted`].
pub fn solve<G: Scored + Parted>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    solve_parts(game, &game.parts(), work, &mut NoCheckpoints)
}

/// As [`solve`], with checkpoints.
///
/// # Errors
/// As [`solve`].
pub fn solve_resumable<G: Scored + Parted>(
    game: &G,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    solve_parts(game, &game.parts(), work, checkpoints)
}

/// Returns the bytes of memory that a table with these parts needs while it is computed, with cells of one byte.
pub(super) fn memory(ends: &[u64]) -> u64 {
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let largest = begins.zip(ends).map(|(begin, end)| end - begin).max().unwrap_or(0);
    let count = ends.last().copied().unwrap_or(0);
    // A margin, a rank, and in the largest part a count and the positions of two ranks.
    count.saturating_mul(2).saturating_add(largest.saturating_mul(2))
}

/// Computes the table of the parts with these ends: the first ones of the game, or all.
///
/// # Errors
/// As [`solve`].
pub(super) fn solve_parts<G: Scored + Parted>(
    game: &G,
    ends: &[u64],
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    if !ends.is_sorted() || ends.last().is_some_and(|&end| end > game.size()) {
        return Err(SolveError::Broken("the parts of the game are out of order".to_owned()));
    }
    refuse_beyond(Some(memory(ends)), work)?;
    let count = ends.last().copied().unwrap_or(0);
    let make = || {
        let moves = [(); 2].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
        let parts = Parts::by_ends(ends);
        let shard = ThresholdShard::in_parts(count, parts, moves, Before(game), Gains::Refused, (0, 1))?;
        Ok(shard.with_crew(Crew::new(work)))
    };
    alone::solve(&make, work, checkpoints)
}
