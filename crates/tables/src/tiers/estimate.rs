//! The time and memory of a solve by tiers, from a measurement on this machine.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use grundy_core::random::SplitMix64;
use grundy_core::table::{Flaw, Maker, Packer, Packing, Table, block_size};
use grundy_session::{SolveError, Work};

use super::ability::Tiered;
use super::list::TierList;
use super::make::extend;
use super::part::FinishedTier;
use crate::prices::{Prices, Timed};

/// Positions of a tier whose moves are counted.
const SAMPLES: u64 = 400;
/// Time after which no further tier is timed.
const MEASURED: Duration = Duration::from_secs(40);
/// The largest tier that is timed: the next one might take too long.
const LARGEST: u64 = 1 << 26;
/// Bytes of cells that are compressed to time it.
const PACKED: usize = 1 << 23;

/// The time and memory of solving some tiers.
pub(super) struct Measured {
    /// Number of moves of their positions.
    pub(super) moves: u64,
    /// The seconds that one thread takes; `None` if no tier could be timed.
    pub(super) seconds: Option<f64>,
    /// Bytes of a cell.
    pub(super) cell: u64,
}

/// Solves the first of these tiers in memory, on one thread, and times that: it gives the cost of a move of the others, and
/// the least size of their cells.
///
/// # Errors
/// As [`solve`](super::solve).
pub(super) fn measured<G: Tiered>(
    game: &G,
    list: &TierList,
    tiers: &[usize],
    work: &Work<'_>,
) -> Result<Measured, SolveError> {
    let moves: Vec<f64> = tiers.iter().map(|&tier| sampled_moves(game, list, tier)).collect();
    let work = &Work { threads: 1, ..*work };
    let began = Instant::now();
    let mut made: Vec<FinishedTier> = Vec::new();
    let mut timed = Vec::new();
    for (&tier, &moves) in tiers.iter().zip(&moves) {
        let small = list.size(tier) <= LARGEST;
        let known = |exit: &usize| made.iter().any(|(numbers, _)| *numbers == list.numbers(*exit));
        if began.elapsed() < MEASURED && small && list.exits(tier).iter().all(known) {
            let now = Instant::now();
            made.push(extend(game, list, &made, tier, work)?);
            timed.push(Timed { size: moves, seconds: now.elapsed().as_secs_f64() });
        }
    }
    let prices = Prices::new(timed);
    let solved = prices.map(|prices| moves.iter().map(|&moves| prices.seconds(moves)).sum::<f64>());
    let packed: f64 = match made.iter().map(|(_, table)| table).max_by_key(|table| table.count()) {
        None => 0.0,
        Some(table) => packing(table, tiers.iter().map(|&tier| list.size(tier)))?,
    };
    let cell = made.iter().filter_map(|(_, table)| table.coding().width.bytes(1)).fold(1, u64::max);
    Ok(Measured {
        moves: moves.iter().sum::<f64>() as u64,
        seconds: solved.map(|solved| solved + packed),
        cell,
    })
}

/// Returns the seconds of compressing tables with these numbers of states, if they are like this one.
fn packing(like: &Table, counts: impl Iterator<Item = u64>) -> Result<f64, SolveError> {
    let coding = like.coding();
    let cells = like.cells().unwrap_or_default();
    let cells = &cells[..cells.len().min(PACKED)];
    let mut bytes: BTreeMap<u32, f64> = BTreeMap::new();
    for count in counts {
        let block = block_size(coding, count, Maker::Retrograde);
        *bytes.entry(block).or_default() += coding.bytes(count).unwrap_or(u64::MAX) as f64;
    }
    let seconds = bytes.into_iter().map(|(block, bytes)| Ok(bytes * seconds_to_pack(cells, block)?));
    seconds.sum::<Result<f64, Flaw>>().map_err(|flaw| SolveError::Broken(flaw.to_string()))
}

/// Returns the seconds of compressing a byte of cells in blocks of `block` bytes.
fn seconds_to_pack(cells: &[u8], block: u32) -> Result<f64, Flaw> {
    let mut packer = Packer::new(Packing::Packed, block)?;
    let began = Instant::now();
    for cells in cells.chunks(block as usize) {
        packer.pack(cells.to_vec())?;
    }
    Ok(began.elapsed().as_secs_f64() / cells.len().max(1) as f64)
}

/// Estimates the number of moves of a tier's positions, from some of them at random.
fn sampled_moves<G: Tiered>(game: &G, list: &TierList, tier: usize) -> f64 {
    let (numbers, size) = (list.numbers(tier), list.size(tier));
    let mut dice = SplitMix64(numbers.start);
    let mut moves = 0;
    let samples = SAMPLES.min(size);
    for _ in 0..samples {
        let Some(position) = game.position(numbers.start + dice.bits() % size) else { continue };
        if game.over(&position).is_none() {
            game.child_indices(&position, &mut |_, _| moves += 1);
        }
    }
    size as f64 * f64::from(moves) / samples.max(1) as f64
}
