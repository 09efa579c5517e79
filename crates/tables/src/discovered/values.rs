//! Values of discovered positions, component by component: first the values of moves out of the component, then distance by
//! distance backwards along the moves within it.

use std::ops::Range;

use super::edges::{Edge, Looked, PASSES, Reversed, UNKNOWN};
use super::find::Found;
use super::keys::Places;
use super::packed::Packed;
use super::rounds;
use crate::crew::{Crew, Meter, allocate, finished, refuse_beyond};
use crate::parts::Part;
use grundy_core::table::{Checkpoints, Coding, Meaning, Snapshot, Table, Width};
use grundy_core::text::grouped;
use grundy_core::value::{Unit, Value, Wdl};
use grundy_session::{SolveError, Work};

/// Positions that one task expands.
const TASK: u64 = 1 << 11;

/// Computes the table of all positions found.
///
/// # Errors
/// The work was stopped, needs too much memory, or points are gained in a cycle.
pub fn solve<G: Packed>(
    game: &G,
    found: &Found,
    work: &Work<'_>,
    keep: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let count = found.keys.len() as u64;
    refuse_beyond(Some(memory(count, found.largest(), moves_each(game, found))), work)?;
    let mut kept = kept(keep, found);
    // A checkpoint without ranks is of a game that has none.
    let ranks = kept.as_ref().is_none_or(|(values, _)| values.len() as u64 > count);
    if ranks
        && game.unit().is_points()
        && found.is_cyclic()
        && let Some(table) = fill(game, found, work, (&mut *keep, kept.take()), true)?
    {
        return Ok(table);
    }
    let table = fill(game, found, work, (keep, kept), false)?;
    table.ok_or_else(|| SolveError::Broken("the table has no ranks".to_owned()))
}

/// Values, behind them the ranks if there are any, and the number of components that are done.
type Progress = (Vec<i32>, usize);

/// Computes the table, if `ranked` with ranks, from where a checkpoint ends; `None` if points gained within a component do not
/// allow ranks.
fn fill<G: Packed>(
    game: &G,
    found: &Found,
    work: &Work<'_>,
    (keep, kept): (&mut dyn Checkpoints, Option<Progress>),
    ranked: bool,
) -> Result<Option<Table>, SolveError> {
    let count = found.keys.len() as u64;
    let crew = Crew::new(work);
    let places = Places::new(&found.keys);
    let all = count * (1 + u64::from(ranked));
    let (mut cells, mut done) = match kept.filter(|(values, _)| values.len() as u64 == all) {
        Some(kept) => kept,
        None => (allocate(all, UNKNOWN)?, 0),
    };
    let before: u64 = found.components[..done].iter().map(Part::len).sum();
    let classes = match found.components.len() {
        1 => "1 class".to_owned(),
        classes => format!("{} classes", grouped(classes as u64)),
    };
    let meter = Meter::new(work, format!("positions solved, {classes}"), count);
    meter.add(before)?;
    for (at, component) in found.components.iter().enumerate().skip(done) {
        // Values stand first, and behind them all ranks.
        let (values, ranks) = cells.split_at_mut(count as usize);
        if !solve_component(game, found, &places, component, (values, ranks), (&crew, work), &meter)? {
            return Ok(None);
        }
        done = at + 1;
        if keep.due() {
            let copy = |offset: u64, into: &mut [u8]| {
                for (cell, bytes) in cells[offset as usize / 4..].iter().zip(into.chunks_mut(4)) {
                    bytes.copy_from_slice(&cell.to_le_bytes()[..bytes.len()]);
                }
            };
            keep.save(&Snapshot { stage: &[done as u64], width: Width::Four, len: all * 4, copy: &copy });
        }
    }
    drop(places);
    let (values, ranks) = cells.split_at(count as usize);
    if ranked { rounds::encode(values, ranks) } else { encode(game.unit(), values) }.map(Some)
}

/// Estimates the bytes that solving takes, for a largest component of `largest` positions with `moves` moves each.
pub(super) fn memory(count: u64, largest: u64, moves: u64) -> u64 {
    count * 16 + super::keys::places_bytes(count) + largest * moves * 16 + largest * 16
}

/// Returns the mean number of moves, rounded up, of a sample of the positions.
pub(super) fn moves_each<G: Packed>(game: &G, found: &Found) -> u64 {
    const SAMPLE: usize = 1_000;
    let count = found.keys.len();
    let (mut moves, mut looked) = (0, 0);
    for number in (0..count).step_by(count.div_ceil(SAMPLE).max(1)) {
        game.expand(found.keys.get(number), &mut |_, _| moves += 1);
        looked += 1;
    }
    u64::div_ceil(moves, looked.max(1))
}

/// Reads a checkpoint.
fn kept(keep: &mut dyn Checkpoints, found: &Found) -> Option<Progress> {
    let kept = keep.resume()?;
    let &[done] = kept.stage.as_slice() else { return None };
    let values: Vec<i32> = kept.cells.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
    (done <= found.components.len() as u64).then_some((values, done as usize))
}

fn encode(unit: Unit, values: &[i32]) -> Result<Table, SolveError> {
    let meaning = if unit.is_points() { Meaning::Points } else { Meaning::Distance };
    for width in [Width::One, Width::Two, Width::Four] {
        let coding = Coding { meaning, width };
        let size = width.bytes(1).unwrap_or(4) as usize;
        let mut cells = Vec::with_capacity(values.len() * size);
        let fits = values.iter().all(|&raw| {
            let code = coding.encode(Value::from_raw(raw));
            if let Some(code) = code {
                cells.extend_from_slice(&code.to_le_bytes()[..size]);
            }
            code.is_some()
        });
        if fits {
            return finished(coding, values.len() as u64, cells);
        }
    }
    Err(SolveError::Broken("a value is beyond all cells".to_owned()))
}

/// The local indices of a component: those of its positions without the gaps between its ranges.
struct Local<'t> {
    ranges: &'t [Range<u64>],
    /// The local index at which each range begins.
    begins: Vec<u32>,
}

impl<'t> Local<'t> {
    fn new(component: &'t Part) -> Local<'t> {
        let mut begin = 0;
        let begins = component.ranges.iter().map(|range| {
            begin += (range.end - range.start) as u32;
            begin - (range.end - range.start) as u32
        });
        Local { begins: begins.collect(), ranges: &component.ranges }
    }

    /// Returns the local index of a position; `None` if it is in another component.
    fn place(&self, number: u64) -> Option<u32> {
        let at = self.ranges.partition_point(|range| range.start <= number).checked_sub(1)?;
        let range = &self.ranges[at];
        range.contains(&number).then(|| self.begins[at] + (number - range.start) as u32)
    }
}

/// Solves a component. Returns false if ranks are wanted and points gained within it do not allow them.
fn solve_component<G: Packed>(
    game: &G,
    found: &Found,
    places: &Places,
    component: &Part,
    (values, ranks): (&mut [i32], &mut [i32]),
    (crew, work): (&Crew, &Work<'_>),
    meter: &Meter<'_, '_>,
) -> Result<bool, SolveError> {
    let local = Local::new(component);
    let points = game.unit().is_points();
    let chunks: Vec<Range<u64>> = component
        .ranges
        .iter()
        .flat_map(|range| {
            let end = range.end;
            range.clone().step_by(TASK as usize).map(move |begin| begin..end.min(begin + TASK))
        })
        .collect();
    let mut all = Looked::default();
    for group in chunks.chunks(64 * crew.size()) {
        let known = &*values;
        let looked =
            crew.map(group.to_vec(), &|chunk| look(game, found, places, &local, known, points, chunk));
        for looked in looked {
            let looked = looked?;
            meter.add(looked.best.len() as u64)?;
            all.best.extend(looked.best);
            all.open.extend(looked.open);
            all.over.extend(looked.over);
            all.edges.extend(looked.edges);
            all.gains.extend(looked.gains);
        }
        // The moves, and those that are sorted by where they lead.
        let moves = all.edges.capacity() * 8 + all.edges.len() * 4 + all.gains.capacity() * 8;
        let needed = memory(found.keys.len() as u64, component.len(), 0) + moves as u64;
        // What the system has available is less by what is used already.
        if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
            return Err(SolveError::TooLarge { needed, limit });
        }
    }
    if let Some(fault) = game.fault() {
        return Err(SolveError::Broken(fault));
    }
    let numbers = component.ranges.iter().flat_map(|range| range.clone());
    if ranks.is_empty() {
        let solved = if all.edges.is_empty() { all.best } else { backwards(all, points)? };
        numbers.zip(solved).for_each(|(number, value)| values[number as usize] = value);
        return Ok(true);
    }
    if all.gains.iter().any(|&gain| gain != 0) {
        return Ok(false);
    }
    for (number, (value, rank)) in numbers.zip(rounds::settle(all)?) {
        (values[number as usize], ranks[number as usize]) = (value, rank.cast_signed());
    }
    Ok(true)
}

/// Expands some positions of a component.
fn look<G: Packed>(
    game: &G,
    found: &Found,
    places: &Places,
    local: &Local<'_>,
    values: &[i32],
    points: bool,
    chunk: Range<u64>,
) -> Result<Looked, SolveError> {
    let mut looked = Looked::default();
    let mut wrong = None;
    let mut own: Vec<(u32, bool, i32)> = Vec::new();
    for number in chunk {
        let Some(place) = local.place(number) else { continue };
        own.clear();
        let mut best = UNKNOWN;
        let over = game.expand(found.keys.get(number as usize), &mut |child, step| {
            let Some(child) = places.find(&found.keys, child) else {
                wrong = Some(number);
                return;
            };
            if values[child] != UNKNOWN {
                best = best.max(Value::from_raw(values[child]).back(step).raw());
            } else if let Some(inner) = local.place(child as u64) {
                own.push((inner, step.turn_passed, step.gain));
            } else {
                wrong = Some(number);
            }
        });
        if let Some(number) = wrong {
            let what = format!("position {number} leads to one that was not found, or not in its order");
            return Err(SolveError::Broken(what));
        }
        // Moves to the same position count once.
        own.sort_unstable();
        own.dedup();
        looked.best.push(over.map_or(best, Value::raw));
        looked.open.push(own.len() as u32);
        if points {
            looked.over.push(over.is_some());
        }
        for &(child, passes, gain) in &own {
            let from = place | if passes { PASSES } else { 0 };
            looked.edges.push((child, Edge { from }));
            if points {
                looked.gains.push(gain);
            }
        }
    }
    Ok(looked)
}

/// Computes the values of a component from those of the moves out of it.
///
/// # Errors
/// Points are gained in a cycle.
fn backwards(looked: Looked, points: bool) -> Result<Vec<i32>, SolveError> {
    let Looked { mut best, mut open, edges, gains, .. } = looked;
    let count = best.len();
    let reversed = Reversed::new(count, edges, &gains)?;
    let mut solved: Vec<i32> = allocate(count as u64, UNKNOWN)?;
    // Positions by the distance at which they are known.
    let mut levels: Vec<Vec<u32>> = Vec::new();
    let at = |levels: &mut Vec<Vec<u32>>, level: usize, place: u32| {
        if levels.len() <= level {
            levels.resize_with(level + 1, Vec::new);
        }
        levels[level].push(place);
    };
    let level_of = |raw: i32| if points { 0 } else { Value::from_raw(raw).plies().unwrap_or(0) as usize };
    for place in 0..count as u32 {
        let own = best[place as usize];
        let decided = open[place as usize] == 0;
        // A win is taken when its distance comes; a nearer one within the component comes earlier.
        if decided || !points && own != UNKNOWN && Value::from_raw(own).wdl() == Wdl::Win {
            at(&mut levels, level_of(own), place);
        }
    }
    let mut level = 0;
    while level < levels.len() {
        let mut next = 0;
        while let Some(&place) = levels[level].get(next) {
            next += 1;
            if solved[place as usize] != UNKNOWN {
                continue;
            }
            let value = best[place as usize];
            if level_of(value) != level {
                continue;
            }
            solved[place as usize] = value;
            for (from, step) in reversed.to(place) {
                let before = from as usize;
                if solved[before] != UNKNOWN {
                    continue;
                }
                let seen = Value::from_raw(value).back(step);
                if seen.raw() > best[before] {
                    best[before] = seen.raw();
                    if !points && seen.wdl() == Wdl::Win {
                        at(&mut levels, level_of(seen.raw()), from);
                    }
                }
                open[before] -= 1;
                if open[before] == 0 {
                    at(&mut levels, level_of(best[before]).max(level), from);
                }
            }
        }
        levels[level] = Vec::new();
        level += 1;
    }
    for solved in &mut solved {
        if *solved == UNKNOWN {
            if points {
                let what =
                    "positions come again between moves that gain points: expected that no score falls again";
                return Err(SolveError::Broken(what.to_owned()));
            }
            *solved = Value::DRAW.raw();
        }
    }
    Ok(solved)
}
