//! Retrograde analysis: values propagate backwards from the ends of the game through a queue. A state is won as soon as
//! one move to a lost one is found, and lost when its counter of open moves reaches zero.

use std::collections::{BinaryHeap, HashMap, VecDeque};

use grundy_core::value::{Unit, Value, Wdl};

use super::cycles::{Cycle, settle_cycles};
use super::outcome::{Failure, Found, OPEN};
use super::reach::{Backwards, Reach};

/// The work counters of the method.
#[derive(Default)]
struct Work {
    queued: u64,
    lowered: u64,
}

/// Returns the value of the state at index 0.
///
/// # Errors
/// The budget is used up, or moves inside a cycle gain points.
pub fn by_queue(reach: &mut Reach<'_>, unit: Unit) -> Result<Found, Failure> {
    let mut values: Vec<Value> = vec![OPEN; reach.len()];
    let mut open: Vec<u32> = vec![0; reach.len()];
    let mut queue: VecDeque<u32> = VecDeque::new();
    let mut work = Work::default();
    let backwards = reach.backwards(&mut |place, moves, over| {
        open[place as usize] = moves;
        let Some(value) = over else { return };
        values[place as usize] = value;
        // Drawn ends wait for nobody: what only they could settle is a draw anyway.
        if unit.is_points() || value.wdl() != Wdl::Draw {
            queue.push_back(place);
        }
    })?;
    work.queued = queue.len() as u64;
    while let Some(at) = queue.pop_front() {
        let value = values[at as usize];
        for arrow in backwards.arrows(at) {
            let before = arrow.place();
            reach.counts.lookups += 1;
            if values[before as usize] != OPEN {
                continue;
            }
            let seen = value.back(arrow.step());
            let open = &mut open[before as usize];
            *open -= 1;
            work.lowered += 1;
            let settled = match unit {
                // A win is settled by its first move; of losing moves the last one loses latest.
                Unit::Outcome => (seen.wdl() == Wdl::Win || *open == 0).then_some(seen),
                _ if *open > 0 => None,
                _ => Some(reach.best(before, &|to| values[to as usize])?),
            };
            if let Some(value) = settled {
                values[before as usize] = value;
                queue.push_back(before);
                work.queued += 1;
            }
        }
    }
    drop(open);
    if unit.is_points() {
        settle_cycles(reach, &backwards, &mut values, &mut |reach, backwards, values, cycle| {
            settle(reach, backwards, values, cycle, &mut work)
        })?;
    }
    let value = if values[0] == OPEN { Value::DRAW } else { values[0] };
    let also = Some(format!("queued {}\tcounters lowered {}", work.queued, work.lowered));
    Ok(Found { value, estimated: false, counts: reach.counts, also })
}

/// An open state of a cycle.
struct Waiting {
    /// Number of its moves to open states of the cycle.
    open: u32,
    /// The best value of its settled moves.
    best: Option<Value>,
}

/// Settles the states of a cycle in which no move gains points, from the largest margins to the smallest. A gain is
/// settled by the first move to it, a loss when the counter reaches zero. The other states can cycle forever and are
/// worth 0.
fn settle(
    reach: &mut Reach<'_>,
    backwards: &Backwards,
    values: &mut [Value],
    cycle: &Cycle<'_>,
    work: &mut Work,
) -> Result<(), Failure> {
    let mut waiting: HashMap<u32, Waiting> = HashMap::new();
    let mut next: BinaryHeap<(u32, i32, u32)> = BinaryHeap::new();
    let event = |value: Value, place: u32| (value.raw().unsigned_abs(), value.raw(), place);
    for &place in cycle.places {
        let exits = cycle.exits(reach, values, place)?;
        if let Some(best) = exits.best.filter(|best| *best > Value::DRAW) {
            next.push(event(best, place));
        }
        waiting.insert(place, Waiting { open: exits.inside, best: exits.best });
    }
    while let Some((_, raw, place)) = next.pop() {
        if values[place as usize] != OPEN {
            continue;
        }
        let value = Value::from_raw(raw);
        values[place as usize] = value;
        work.queued += 1;
        for arrow in backwards.arrows(place) {
            let before = arrow.place();
            reach.counts.lookups += 1;
            let Some(waits) = waiting.get_mut(&before).filter(|_| values[before as usize] == OPEN) else {
                continue;
            };
            let seen = value.back(arrow.step());
            if seen > Value::DRAW {
                next.push(event(seen, before));
                continue;
            }
            waits.open -= 1;
            waits.best = waits.best.max(Some(seen));
            work.lowered += 1;
            if let Some(best) = waits.best.filter(|_| waits.open == 0) {
                next.push(event(best, before));
            }
        }
    }
    for &place in cycle.places {
        let value = &mut values[place as usize];
        if *value == OPEN {
            *value = Value::DRAW;
        }
    }
    Ok(())
}
