//! The proof of a table: at every position the value is what the rules make of the children's values.

use grundy_session::Doubt;

use crate::crew::{Crew, Meter, refuse_beyond};
use grundy_core::game::{Indexed, Scored};
use grundy_core::random::SplitMix64;
use grundy_core::table::{Meaning, Table};
use grundy_core::value::Value;
use grundy_session::{Progress, SolveError, Work};

/// Positions one task checks.
const TASK: u64 = 1 << 14;

/// Checks every checksum and then every position: an end has the value of the rules, any other the best that a
/// child leaves to its mover, one ply further away; a number that no position has is empty, unless the game's
/// tables are [loose](Indexed::loose).
///
/// With distances or points that proves the table. Outcomes without distances prove only that nobody does better
/// by one move.
///
/// # Errors
/// The first doubt, lowest number first.
pub fn verify<G: Scored + Indexed>(game: &G, table: &Table, work: &Work<'_>) -> Result<(), Doubt> {
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    if table.count() != game.size() || table.coding().unit() != game.unit() {
        return Err(Doubt::Work(SolveError::Broken("the table is of another game".to_owned())));
    }
    let crew = Crew::new(work);
    let meter = Meter::new(work, "positions verified", table.count());
    let group = TASK * 16 * crew.size() as u64;
    for first in (0..table.count()).step_by(group as usize) {
        let end = table.count().min(first + group);
        let tasks = (first..end).step_by(TASK as usize).map(|begin| begin..end.min(begin + TASK)).collect();
        let checked = crew.map(tasks, &|range: std::ops::Range<u64>| {
            let mut next = range.start;
            let mut doubt = None;
            let empty =
                |from: u64, to: u64| (from..to).find(|&number| !game.loose() && table.get(number).is_some());
            game.walk(range.clone(), &mut |number, position| {
                if doubt.is_none() {
                    doubt = empty(next, number).map(|number| (number, None));
                    next = number + 1;
                }
                if doubt.is_none() {
                    let expected = expected(game, table, &position);
                    if table.get(number) != expected {
                        doubt = Some((number, expected));
                    }
                }
            });
            doubt = doubt.or_else(|| empty(next, range.end).map(|number| (number, None)));
            doubt
        });
        if let Some((number, expected)) = checked.into_iter().flatten().next() {
            return Err(Doubt::Wrong { number, found: table.get(number), expected });
        }
        meter.add(end - first).map_err(Doubt::Work)?;
    }
    Ok(())
}

/// What the rules and the children's values make of a position; `None` where a child has no value.
fn expected<G: Scored + Indexed>(game: &G, table: &Table, position: &G::Position) -> Option<Value> {
    let coarse = |value: Value| match table.coding().meaning {
        Meaning::Outcome => table.coding().encode(value).and_then(|code| table.coding().decode(code)),
        _ => Some(value),
    };
    if let Some(ended) = game.over(position) {
        return coarse(ended);
    }
    let mut best = None;
    let mut missing = false;
    game.child_numbers(position, &mut |child, step| match table.get(child) {
        Some(value) => best = best.max(Some(value.back(step))),
        None => missing = true,
    });
    best.filter(|_| !missing)
}

/// Checks every checksum of a table; gives it with its cells in memory where they are packed and fit there, since
/// children lie all over a table, and unpacking a block for each would take hours.
///
/// # Errors
/// A checksum is wrong, or the work was stopped.
pub(super) fn checked(table: &Table, work: &Work<'_>) -> Result<Option<Table>, Doubt> {
    let mut more = |done, total| {
        (work.report)(&Progress { what: "blocks checked".to_owned(), done, total });
        !work.stopped()
    };
    let fits = refuse_beyond(table.coding().width.bytes(table.count()), work).is_ok();
    let loaded = if table.is_packed() && fits {
        table.load(work.threads, &mut more).map_err(Doubt::Table)?
    } else {
        None
    };
    if loaded.is_none() && !work.stopped() {
        table.check_with(work.threads, &mut more).map_err(Doubt::Table)?;
    }
    if work.stopped() { Err(Doubt::Work(SolveError::Stopped)) } else { Ok(loaded) }
}

/// A number that changes with the rules and the numbering: a checksum of up to a thousand positions spread over
/// all numbers, of their ends and of the numbers of their children.
pub fn fingerprint<G: Scored + Indexed>(game: &G) -> u64 {
    const SAMPLES: u64 = 1000;
    let count = game.size();
    let mut sum = RunningHash::default();
    sum.add(count);
    if game.checksum() != 0 {
        sum.add(game.checksum());
    }
    for sample in 0..SAMPLES.min(count) {
        let number = if count <= SAMPLES { sample } else { (count / SAMPLES) * sample + sample % 7 };
        sum.add(number);
        let Some(position) = game.position(number) else { continue };
        if let Some(ended) = game.over(&position) {
            sum.add(ended.raw() as u64);
            continue;
        }
        let mut children = Vec::new();
        game.child_numbers(&position, &mut |child, step| {
            children.push((child, step.turn_passed, step.gain));
        });
        // The order of moves is no part of the rules.
        children.sort_unstable();
        for (child, turn_passed, gain) in children {
            sum.add(child);
            sum.add(u64::from(turn_passed) << 32 | u64::from(gain as u32));
        }
    }
    sum.0
}

/// A running checksum that is the same on every machine (the mixing function is splitmix64's).
#[derive(Default)]
struct RunningHash(u64);

impl RunningHash {
    fn add(&mut self, word: u64) {
        self.0 = SplitMix64(self.0 ^ word).bits();
    }
}
