//! Forward sweeps (value iteration): every sweep takes the value of each state from its successors' values in the sweep
//! before, until nothing changes. States still open are draws: nobody can force an end.

use std::collections::HashMap;

use grundy_core::value::{Unit, Value, Wdl};

use super::cycles::{Cycle, settle_cycles};
use super::outcome::{Failure, Found, OPEN};
use super::reach::Reach;

/// Returns the value of the state at index 0.
///
/// # Errors
/// The budget is used up, or moves inside a cycle gain points.
pub fn by_sweeps(reach: &mut Reach<'_>, unit: Unit) -> Result<Found, Failure> {
    let mut values: Vec<Value> = vec![OPEN; reach.len()];
    let mut sweeps = 0;
    let mut settled: Vec<(u32, Value)> = Vec::new();
    loop {
        sweeps += 1;
        for place in 0..reach.len() as u32 {
            if values[place as usize] == OPEN
                && let Some(value) = settle(reach, &values, place, unit)?
            {
                settled.push((place, value));
            }
        }
        if settled.is_empty() {
            break;
        }
        settled.drain(..).for_each(|(place, value)| values[place as usize] = value);
    }
    if unit.is_points() && values.contains(&OPEN) {
        let backwards = reach.backwards(&mut |_, _, _| {})?;
        settle_cycles(reach, &backwards, &mut values, &mut |reach, _, values, cycle| {
            sweep_cycle(reach, values, cycle, &mut sweeps)
        })?;
    }
    let value = if values[0] == OPEN { Value::DRAW } else { values[0] };
    let also = Some(format!("sweeps {sweeps}"));
    Ok(Found { value, estimated: false, counts: reach.counts, also })
}

/// Returns the value of an open state if its successors determine it: one winning move suffices, anything else needs
/// all.
fn settle(reach: &mut Reach<'_>, values: &[Value], place: u32, unit: Unit) -> Result<Option<Value>, Failure> {
    let (mut best, mut whole, mut won) = (None, true, false);
    let over = reach.expand(place, &mut |to, step| {
        match values[to as usize] {
            OPEN => whole = false,
            value => best = best.max(Some(value.back(step))),
        }
        // What was settled before the last sweep has led to this state already: no other win is nearer.
        won = unit == Unit::Outcome && best.is_some_and(|best| best.wdl() == Wdl::Win);
        !won
    })?;
    Ok(over.or(best.filter(|_| whole || won)))
}

/// Settles the states of a cycle in which no move gains points. After n sweeps their values are those of play cut off
/// after n plies; the limit is the value of endless play.
fn sweep_cycle(
    reach: &mut Reach<'_>,
    values: &mut [Value],
    cycle: &Cycle<'_>,
    sweeps: &mut u64,
) -> Result<(), Failure> {
    let numbers: HashMap<u32, usize> = cycle.places.iter().copied().zip(0..).collect();
    let mut before = vec![Value::DRAW; cycle.places.len()];
    for &place in cycle.places {
        cycle.exits(reach, values, place)?;
    }
    loop {
        *sweeps += 1;
        let value = |to: u32| numbers.get(&to).map_or(values[to as usize], |&number| before[number]);
        let after = cycle.places.iter().map(|&place| reach.best(place, &value));
        let after = after.collect::<Result<Vec<Value>, Failure>>()?;
        if after == before {
            break;
        }
        before = after;
    }
    cycle.places.iter().zip(before).for_each(|(&place, value)| values[place as usize] = value);
    Ok(())
}
