//! Forward sweeps: all states are gone through again and again, each takes its value from those after it as they were
//! known in the sweep before, until a sweep changes nothing. What is then open is a draw: nobody can end it.

use std::collections::HashMap;

use grundy_core::value::{Unit, Value, Wdl};

use super::cycles::{Cycle, settle_cycles};
use super::outcome::{Failure, Found, OPEN};
use super::reach::Reach;

/// The value of the state at place 0.
///
/// # Errors
/// The budget is used up, or points are gained on the way round a cycle.
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

/// The value of an open state, where those after it tell: it is won as soon as one move wins; all else needs all.
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

/// Settles the states of a cycle, in which no move gains anything: after so many sweeps their values are those of play
/// that is broken off after so many plies, and in the end those of play that may go on for ever.
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
