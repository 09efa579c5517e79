//! Computing the tables of tiers in memory: each tier after those that it leads to.

use std::sync::Arc;

use grundy_core::sorting;
use grundy_core::table::{Checkpoints, Coding, Distances, HOLE, Meaning, NoCheckpoints, Table, Width};
use grundy_session::{SolveError, Work};

use super::ability::{Tier, Tiered};
use super::list::TierList;
use super::part::{FinishedTier, InTier, Within};
use crate::crew::{allocate, finished, refuse_beyond};
use crate::retrograde;

/// Computes one table of a game whose tiers fit in memory together.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks a promise of its abilities.
pub fn solve<G: Tiered>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    let list = TierList::new(game);
    let all: Vec<usize> = (0..list.len()).collect();
    let mut made = in_memory(game, &list, &all, work)?;
    sorting::sort_by_key(&mut made, |(numbers, _)| numbers.start);
    join(made)
}

/// Computes the table of one tier, continuing from a checkpoint if there is one. `finished` has the tiers that its moves lead
/// to, and perhaps others.
///
/// # Errors
/// As [`solve`].
pub fn solve_tier<G: Tiered>(
    game: &G,
    tier: usize,
    finished: &[FinishedTier],
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let list = TierList::new(game);
    let exits = exits_among(&list, tier, finished)?;
    one(game, &list, tier, exits, work, checkpoints)
}

/// Computes the tables of these tiers, each after all that it leads to.
pub(super) fn in_memory<G: Tiered>(
    game: &G,
    list: &TierList,
    tiers: &[usize],
    work: &Work<'_>,
) -> Result<Vec<FinishedTier>, SolveError> {
    let mut made = Vec::new();
    for &tier in tiers {
        made.push(extend(game, list, &made, tier, work)?);
    }
    Ok(made)
}

/// Computes the table of one more tier, after those that it leads to.
pub(super) fn extend<G: Tiered>(
    game: &G,
    list: &TierList,
    made: &[FinishedTier],
    tier: usize,
    work: &Work<'_>,
) -> Result<FinishedTier, SolveError> {
    let exits = exits_among(list, tier, made)?;
    let table = one(game, list, tier, exits, work, &mut NoCheckpoints)?;
    Ok((list.numbers(tier), Arc::new(table)))
}

/// Returns the tables that a tier's moves lead to.
fn exits_among(list: &TierList, tier: usize, made: &[FinishedTier]) -> Result<Vec<FinishedTier>, SolveError> {
    let find = |&exit: &usize| {
        let found = made.iter().find(|(numbers, _)| *numbers == list.numbers(exit)).cloned();
        found.ok_or_else(|| {
            let (tier, exit) = (&list.tier(tier).name, &list.tier(exit).name);
            SolveError::Broken(format!("tier {tier} leads to {exit}, which is not solved before it"))
        })
    };
    list.exits(tier).iter().map(find).collect()
}

/// Solves one tier.
pub(super) fn one<G: Tiered>(
    game: &G,
    list: &TierList,
    tier: usize,
    exits: Vec<FinishedTier>,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let numbers = list.numbers(tier);
    let Tier { leaves, stays, .. } = *list.tier(tier);
    refuse_beyond(Some(list.memory(tier)), work)?;
    let within = Within { game, first: numbers.start };
    let part = Box::new(InTier { game, numbers, exits, leaves, stays });
    retrograde::solve_part(part, &within, work, checkpoints)
}

/// Joins tables, one behind the other.
pub(super) fn join(made: Vec<FinishedTier>) -> Result<Table, SolveError> {
    let mut seen = Distances::NONE;
    for (_, table) in &made {
        let codes = (0..table.count()).map(|number| distance_code(table, number));
        seen = codes.map(Distances::of).fold(seen, Distances::and);
    }
    let coding = seen.coding();
    let count = made.iter().map(|(_, table)| table.count()).sum();
    let mut cells: Vec<u8> = allocate(coding.bytes(count).unwrap_or(u64::MAX), 0)?;
    let each = coding.width.bytes(1).unwrap_or(1) as usize;
    let mut rest = cells.as_mut_slice();
    for (_, table) in &made {
        let (own, behind) = rest.split_at_mut(table.count() as usize * each);
        match table.cells().filter(|_| table.coding() == coding) {
            Some(cells) => own.copy_from_slice(cells),
            None => {
                let codes = (0..table.count()).map(|n| coding.of_distance(distance_code(table, n)));
                let wide = own.chunks_mut(each).zip(codes);
                wide.for_each(|(cell, code)| cell.copy_from_slice(&code.to_le_bytes()[..each]));
            }
        }
        rest = behind;
    }
    finished(coding, count, cells)
}

/// Returns the code of a state of a tier's table in a table of plain distances.
fn distance_code(table: &Table, number: u64) -> u32 {
    let wide = Coding { meaning: Meaning::Distance, width: Width::Four };
    table.get(number).and_then(|value| wide.encode(value)).unwrap_or(HOLE)
}
