//! The parts of a table one after the other, in cells as narrow as they may be.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32};

use grundy_core::game::Scored;
use grundy_core::table::{Checkpoint, Checkpoints, Coding, Meaning, NoCheckpoints, Snapshot, Table, Width};
use grundy_session::{SolveError, Work, available_memory};

use super::ability::Parted;
use super::part::{Margins, Part};
use crate::cell::{Cell, copy_bytes, empty_cells};
use crate::crew::{Crew, refuse_beyond};
use crate::fault::{Fault, wider};
use crate::ranked;

/// The value of every numbered position, with ranks.
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

/// The bytes of memory that a table with these parts needs while it is made, with cells of one byte.
pub(super) fn memory(ends: &[u64]) -> u64 {
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let largest = begins.zip(ends).map(|(begin, end)| end - begin).max().unwrap_or(0);
    let count = ends.last().copied().unwrap_or(0);
    // A margin, a rank, and in the largest part a count and the positions of one rank and the next.
    count.saturating_mul(2).saturating_add(largest.saturating_mul(2))
}

/// Solves the parts with these ends: the first ones of the game, or all.
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
    let crew = Crew::new(work);
    let mut kept = checkpoints.resume().filter(|kept| kept.stage.len() == 2);
    let mut width = kept.as_ref().map_or(Width::One, |kept| kept.width);
    loop {
        let kept = kept.take();
        let filled = match width {
            Width::Quarter | Width::One => fill::<G, AtomicU8>(game, ends, &crew, work, kept, checkpoints),
            Width::Two => fill::<G, AtomicU16>(game, ends, &crew, work, kept, checkpoints),
            Width::Four => fill::<G, AtomicU32>(game, ends, &crew, work, kept, checkpoints),
        };
        width = match filled {
            Ok(table) => return narrowed(table),
            Err(Fault::Error(error)) => return Err(error),
            Err(Fault::TooWide) => wider(width, "a value that is no margin of points")?,
        };
    }
}

/// The table in the least cells that hold its margins and ranks: what was seen on the way may have needed wider ones.
fn narrowed(table: Table) -> Result<Table, SolveError> {
    if table.coding().width == Width::One {
        return Ok(table);
    }
    let number = |number| Some((table.get(number)?, table.rank(number)?));
    ranked::table((0..table.count()).map(number), table.count())
}

/// Fills a table whose cells are `C`.
fn fill<G: Scored + Parted, C: Cell>(
    game: &G,
    ends: &[u64],
    crew: &Crew,
    work: &Work<'_>,
    kept: Option<Checkpoint>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, Fault> {
    let count = ends.last().copied().unwrap_or(0);
    let coding = Coding { meaning: Meaning::Ranked, width: C::WIDTH };
    let needed = coding.bytes(count);
    refuse_beyond(needed, work)?;
    let (mut stage, cells) = match kept.filter(|kept| Some(kept.cells.len() as u64) == needed) {
        Some(kept) => ([kept.stage[0], kept.stage[1]], C::from_bytes(kept.cells)),
        None => {
            let refuse = || SolveError::TooLarge {
                needed: needed.unwrap_or(u64::MAX),
                limit: available_memory().unwrap_or(0),
            };
            ([0, Margins::WHOLE], empty_cells::<C>(count.saturating_mul(2)).ok_or_else(refuse)?)
        }
    };
    while let Some(&end) = ends.get(stage[0] as usize) {
        let begin = if stage[0] == 0 { 0 } else { ends[stage[0] as usize - 1] };
        let part = Part { game, coding, cells: &cells, begin, end, crew, work, number: stage[0], of: count };
        let mut margins = part.begin(stage[1])?;
        while let Some(margin) = margins.next() {
            part.settle(&margins, margin)?;
            if checkpoints.due() {
                let copy = |offset, into: &mut [u8]| copy_bytes(&cells, offset, into);
                let len = needed.unwrap_or(0);
                let stage = [stage[0], margin.into()];
                checkpoints.save(&Snapshot { stage: &stage, width: C::WIDTH, len, copy: &copy });
            }
        }
        part.end();
        stage = [stage[0] + 1, Margins::WHOLE];
    }
    let table = Table::from_cells(coding, count, C::into_bytes(cells));
    table.ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()).into())
}
