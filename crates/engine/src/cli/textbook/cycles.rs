//! Cyclic games for points: strongly connected components, one after another.

use grundy_core::value::Value;

use super::outcome::{Failure, OPEN};
use super::reach::{Backwards, Reach};

/// A strongly connected component. The states after its other moves are settled.
pub struct Cycle<'a> {
    /// The indices of its states.
    pub places: &'a [u32],
}

/// The moves of a state of a cycle.
pub struct Exits {
    /// The number of moves that stay in the cycle.
    pub inside: u32,
    /// The best value of those that leave it.
    pub best: Option<Value>,
}

impl Cycle<'_> {
    /// Returns the moves of a state of the cycle, before any of its states is settled.
    ///
    /// # Errors
    /// The time is up, or a move gains points and stays in the cycle: endless play then has no value.
    pub fn exits(&self, reach: &mut Reach<'_>, values: &[Value], place: u32) -> Result<Exits, Failure> {
        let mut exits = Exits { inside: 0, best: None };
        let mut gains = false;
        reach.expand(place, &mut |to, step| {
            match values[to as usize] {
                OPEN => {
                    exits.inside += 1;
                    gains |= step.gain != 0;
                }
                value => exits.best = exits.best.max(Some(value.back(step))),
            }
            true
        })?;
        if gains { Err(Failure::Gains(self.places.len() as u64)) } else { Ok(exits) }
    }
}

/// Settles one cycle: finds values of its states.
pub type SettleCycle<'a> =
    dyn FnMut(&mut Reach<'_>, &Backwards, &mut [Value], &Cycle<'_>) -> Result<(), Failure> + 'a;

/// Settles all open states of a game for points, component by component, successors first.
///
/// # Errors
/// As `settle`.
pub fn settle_cycles(
    reach: &mut Reach<'_>,
    backwards: &Backwards,
    values: &mut [Value],
    settle: &mut SettleCycle<'_>,
) -> Result<(), Failure> {
    let (places, ends) = components(backwards, values);
    for (number, &end) in ends.iter().enumerate().rev() {
        let begin = number.checked_sub(1).map_or(0, |before| ends[before]);
        let cycle = Cycle { places: &places[begin..end] };
        match cycle.places {
            &[place] if cycle.exits(reach, values, place)?.inside == 0 => {
                values[place as usize] = reach.best(place, &|to| values[to as usize])?;
            }
            _ => settle(reach, backwards, values, &cycle)?,
        }
    }
    Ok(())
}

/// Returns the strongly connected components of the open states and the end of each, each before those that it leads to
/// (R. E. Tarjan, "Depth-first search and linear graph algorithms", 1972, on the reversed graph).
fn components(backwards: &Backwards, values: &[Value]) -> (Vec<u32>, Vec<usize>) {
    const NEW: u32 = u32::MAX;
    /// Above every number: the state is in a component already.
    const DONE: u32 = u32::MAX - 1;
    let (mut numbers, mut lowest) = (vec![NEW; values.len()], vec![NEW; values.len()]);
    let (mut stack, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    let (mut places, mut ends, mut time) = (Vec::new(), Vec::new(), 0);
    let open = |place: u32| values[place as usize] == OPEN;
    for root in (0..values.len() as u32).filter(|&place| open(place)) {
        if numbers[root as usize] == NEW {
            path.push((root, 0));
        }
        while let Some((place, followed)) = path.pop() {
            let own = place as usize;
            if followed == 0 {
                (numbers[own], lowest[own]) = (time, time);
                time += 1;
                stack.push(place);
            }
            let mut deeper = None;
            for (at, arrow) in backwards.arrows(place).iter().enumerate().skip(followed) {
                let before = arrow.place();
                match numbers[before as usize] {
                    _ if !open(before) => {}
                    NEW => {
                        // It is looked at once more when the way has come back from there.
                        path.push((place, at + 1));
                        deeper = Some(before);
                        break;
                    }
                    DONE => {}
                    number => lowest[own] = lowest[own].min(number),
                }
            }
            if let Some(before) = deeper {
                path.push((before, 0));
                continue;
            }
            if lowest[own] == numbers[own] {
                while let Some(other) = stack.pop() {
                    numbers[other as usize] = DONE;
                    places.push(other);
                    if other == place {
                        break;
                    }
                }
                ends.push(places.len());
            }
            if let Some(&(after, _)) = path.last() {
                lowest[after as usize] = lowest[after as usize].min(lowest[own]);
            }
        }
    }
    (places, ends)
}
