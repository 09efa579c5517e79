//! Forward sweeps: all positions are gone through again and again, each takes its value from those after it as they
//! were known in the sweep before, until a sweep changes nothing. What is then open is a draw: nobody can end it.

use grundy_core::value::{Unit, Value, Wdl};

use super::outcome::{Budget, Failure, Found};
use super::reach::Reach;

/// The value of position 0.
///
/// # Errors
/// The time is up, or points are played for in circles.
pub fn by_sweeps(reach: &Reach, unit: Unit, budget: Budget) -> Result<Found, Failure> {
    let mut values: Vec<Option<Value>> = (0..reach.len()).map(|at| reach.over(at)).collect();
    let mut counts = reach.counts;
    let mut sweeps = 0;
    let mut settled = Vec::new();
    loop {
        sweeps += 1;
        for at in 0..reach.len() {
            if at.is_multiple_of(4096) && budget.over() {
                return Err(Failure::Time(counts));
            }
            if values[at].is_some() {
                continue;
            }
            counts.lookups += reach.arrows(at).len() as u64;
            if let Some(value) = settle(reach, &values, at, unit) {
                settled.push((at, value));
            }
        }
        if settled.is_empty() {
            break;
        }
        settled.drain(..).for_each(|(at, value)| values[at] = Some(value));
    }
    let open = values.iter().filter(|value| value.is_none()).count();
    if unit.is_points() && open > 0 {
        return Err(Failure::Circles(open as u64));
    }
    let also = Some(format!("sweeps {sweeps}"));
    Ok(Found { value: values[0].unwrap_or(Value::DRAW), estimated: false, counts, also })
}

/// The value of an open position, where those after it tell: it is won as soon as one move wins; all else needs all.
fn settle(reach: &Reach, values: &[Option<Value>], at: usize, unit: Unit) -> Option<Value> {
    let back = |arrow: &super::reach::Arrow| values[arrow.to as usize].map(|value| value.back(arrow.step));
    let arrows = reach.arrows(at);
    if unit == Unit::Outcome {
        let best = arrows.iter().filter_map(back).max();
        if let Some(won) = best.filter(|best| best.wdl() == Wdl::Win) {
            return Some(won);
        }
    }
    arrows.iter().map(back).collect::<Option<Vec<Value>>>()?.into_iter().max()
}
