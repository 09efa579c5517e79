//! Retrograde analysis: values go backwards from the ends of the game through a queue. A position is won as soon as
//! one move to a lost one is found, and lost when its counter of open moves has come down to none.

use std::collections::VecDeque;

use grundy_core::value::{Unit, Value, Wdl};

use super::outcome::{Budget, Failure, Found};
use super::reach::Reach;

/// The value of position 0.
///
/// # Errors
/// The time is up, or points are played for in circles.
pub fn by_queue(reach: &Reach, unit: Unit, budget: Budget) -> Result<Found, Failure> {
    let backwards = reach.backwards();
    let mut counts = reach.counts;
    let mut values: Vec<Option<Value>> = (0..reach.len()).map(|at| reach.over(at)).collect();
    let mut open: Vec<u32> = (0..reach.len()).map(|at| reach.arrows(at).len() as u32).collect();
    // Drawn ends wait for nobody: what only they could settle is a draw anyway.
    let decides = |value: Value| unit.is_points() || value.wdl() != Wdl::Draw;
    let mut queue: VecDeque<u32> =
        (0..reach.len()).filter(|&at| values[at].is_some_and(decides)).map(|at| at as u32).collect();
    let (mut queued, mut lowered) = (queue.len() as u64, 0u64);
    while let Some(at) = queue.pop_front() {
        if at.is_multiple_of(4096) && budget.over() {
            return Err(Failure::Time(counts));
        }
        let Some(value) = values[at as usize] else { continue };
        for arrow in backwards.arrows(at as usize) {
            let before = arrow.to as usize;
            counts.lookups += 1;
            if values[before].is_some() {
                continue;
            }
            let seen = value.back(arrow.step);
            open[before] -= 1;
            lowered += 1;
            let settled = match unit {
                Unit::Outcome if seen.wdl() == Wdl::Win => Some(seen),
                // The last of the moves is the one that loses latest.
                Unit::Outcome => (open[before] == 0).then_some(seen),
                Unit::Points | Unit::Fractions(_) if open[before] > 0 => None,
                Unit::Points | Unit::Fractions(_) => {
                    let after = reach.arrows(before).iter();
                    after.filter_map(|arrow| Some(values[arrow.to as usize]?.back(arrow.step))).max()
                }
            };
            if settled.is_some() {
                values[before] = settled;
                queue.push_back(before as u32);
                queued += 1;
            }
        }
    }
    let left = values.iter().filter(|value| value.is_none()).count();
    if unit.is_points() && left > 0 {
        return Err(Failure::Circles(left as u64));
    }
    let also = Some(format!("queued {queued}\tcounters lowered {lowered}"));
    Ok(Found { value: values[0].unwrap_or(Value::DRAW), estimated: false, counts, also })
}
