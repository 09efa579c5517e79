//! What a solve by tiers takes, from a measurement on this machine.

use std::time::{Duration, Instant};

use grundy_core::random::SplitMix64;
use grundy_session::{SolveError, quiet_work};

use super::ability::Tiered;
use super::make::extend;
use super::part::Finished;
use super::plan::Plan;

/// Positions of a tier whose moves are counted.
const SAMPLES: u64 = 400;
/// How long the first tiers are solved to be timed.
const MEASURED: Duration = Duration::from_secs(15);
/// The largest tier that is solved for that: the next one might take too long.
const LARGEST: u64 = 1 << 25;

/// The moves of these tiers, and the seconds that one thread takes to solve them: the first of them are solved in
/// memory and timed, and the others taken to cost as much a move as the dearest third of these.
pub(super) fn measured<G: Tiered>(game: &G, plan: &Plan, tiers: &[usize]) -> Result<(u64, f64), SolveError> {
    let moves: Vec<f64> = tiers.iter().map(|&tier| sampled_moves(game, plan, tier)).collect();
    let began = Instant::now();
    let mut made: Vec<Finished> = Vec::new();
    let mut timed: Vec<(f64, f64)> = Vec::new();
    for (&tier, &moves) in tiers.iter().zip(&moves) {
        let small = plan.size(tier) <= LARGEST;
        let known = |exit: &usize| made.iter().any(|(numbers, _)| *numbers == plan.numbers(*exit));
        if began.elapsed() < MEASURED && small && plan.exits(tier).iter().all(known) {
            let now = Instant::now();
            made.push(extend(game, plan, &made, tier, &quiet_work())?);
            timed.push((now.elapsed().as_secs_f64(), moves));
        }
    }
    // Small tiers are solved within the processor's caches: the largest that were timed say more of the others.
    timed.sort_by(|a, b| a.1.total_cmp(&b.1));
    let largest = &timed[timed.len() - timed.len().div_ceil(3)..];
    let (seconds, counted) = largest.iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    let all: f64 = moves.iter().sum();
    Ok((all as u64, seconds / counted.max(1.0) * all))
}

/// About how many moves a tier's positions have, from some of them at random.
fn sampled_moves<G: Tiered>(game: &G, plan: &Plan, tier: usize) -> f64 {
    let (numbers, size) = (plan.numbers(tier), plan.size(tier));
    let mut dice = SplitMix64(numbers.start);
    let mut moves = 0;
    let samples = SAMPLES.min(size);
    for _ in 0..samples {
        let Some(position) = game.position(numbers.start + dice.bits() % size) else { continue };
        if game.over(&position).is_none() {
            game.child_numbers(&position, &mut |_, _| moves += 1);
        }
    }
    size as f64 * f64::from(moves) / samples.max(1) as f64
}
