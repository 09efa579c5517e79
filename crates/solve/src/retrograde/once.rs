//! A part in which no move stays: its positions are looked at once, and hold the best of the moves out of it.

use std::fmt::Display;
use std::ops::Range;

use super::cells::{CellArray, DISTANCES, Slot, copy_shared, owned, shared};
use super::look::Steps;
use super::part::{Part, Seen, Sights};
use crate::crew::{Crew, allocate};
use grundy_core::table::{Checkpoint, Checkpoints, HOLE, Snapshot, Table};
use grundy_session::{SolveError, Work};

/// The table of such a part, going on from a checkpoint where there is one.
pub(super) fn solve(
    part: &dyn Part,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let count = part.len();
    let begun = checkpoints.resume().and_then(|kept| begun(kept, count));
    let (mut from, mut cells) = match begun.filter(|&(from, _)| from <= part.places()) {
        Some(begun) => begun,
        None => (0, CellArray::One(allocate(count, HOLE as u8)?)),
    };
    while from < part.places() {
        (from, cells) = match cells {
            CellArray::One(cells) => fill(part, cells, from, crew, work, checkpoints),
            CellArray::Two(cells) => fill(part, cells, from, crew, work, checkpoints),
            CellArray::Four(cells) => fill(part, cells, from, crew, work, checkpoints),
        }?;
    }
    let coding = cells.settle(0).coding();
    Table::from_cells(coding, count, cells.laid_out(coding))
        .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()))
}

/// What an earlier run has kept: where it was, and the cells.
fn begun(kept: Checkpoint, count: u64) -> Option<(u64, CellArray)> {
    let &[from] = kept.stage.as_slice() else { return None };
    let cells = CellArray::of(kept.width, kept.cells)?;
    (cells.len() as u64 == count).then_some((from, cells))
}

/// Fills the cells of the positions from a place on, until the end or until cells of this width are too narrow: then
/// they are wider. Gives where to go on.
fn fill<S: Slot>(
    part: &dyn Part,
    cells: Vec<S>,
    mut from: u64,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<(u64, CellArray), SolveError> {
    let steps = Steps::new(part, crew);
    let cells = shared(cells);
    while from < steps.places {
        let (tasks, end) = steps.tasks(from);
        let filled = crew.map(tasks, &|places| fill_some::<S>(part, &cells, places));
        let largest = filled.into_iter().try_fold(0, |largest, code| Ok(code?.max(largest)))?;
        if largest >= S::MAX {
            // Some of these did not fit.
            return Ok((from, S::array(owned(cells)).widened(0)?));
        }
        from = end;
        (work.report)(&steps.progress(from));
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        if from < steps.places && checkpoints.due() {
            let copy = |offset, into: &mut [u8]| copy_shared::<S>(&cells, offset, into);
            let len = S::WIDTH.bytes(cells.len() as u64).unwrap_or(0);
            checkpoints.save(&Snapshot { stage: &[from], width: S::WIDTH, len, copy: &copy });
        }
    }
    Ok((from, S::array(owned(cells))))
}

/// Fills the cells of the positions at some places; the largest code among these, which is not in its cell if it does
/// not fit.
fn fill_some<S: Slot>(part: &dyn Part, cells: &[S::Shared], places: Range<u64>) -> Result<u32, SolveError> {
    let (mut largest, mut wrong) = (0, None);
    let mut refuse = |number, why: &dyn Display| {
        wrong.get_or_insert_with(|| format!("position {number}: {why}"));
    };
    Sights::of(&|sights| part.look_at_places(places.clone(), sights), &mut |sights| {
        for &(number, sight) in sights {
            match sight.seen().map(code) {
                Ok(Ok(code)) => {
                    largest = largest.max(code);
                    if let Some(cell) = cells.get(number as usize) {
                        S::new(code.min(S::MAX)).put(cell);
                    }
                }
                Ok(Err(why)) => refuse(number, &why),
                Err(missing) => refuse(number, &missing),
            }
        }
    });
    wrong.map_or(Ok(largest), |why| Err(SolveError::Broken(why)))
}

/// The code of a position's value.
#[inline]
fn code(seen: Seen) -> Result<u32, &'static str> {
    let value = match seen {
        Seen::Over(value) => value,
        Seen::Open { inner: 0, exit: Some(value) } => value,
        Seen::Open { inner: 0, exit: None } => return Err("it has no moves, yet it is not over"),
        Seen::Open { .. } => return Err("a move stays in its tier, where none was said to"),
    };
    DISTANCES
        .encode(value)
        .filter(|_| !value.at_ceiling())
        .ok_or("an end or a move out of its tier has no distance")
}

#[cfg(test)]
mod tests {
    use super::super::part::Sight;
    use super::*;
    use grundy_core::table::{EveryCheckpoint, NoCheckpoints, Width};
    use grundy_core::value::Value;
    use grundy_session::quiet_work;

    /// A hole, an end, and then positions that are won or lost later and later.
    struct Ladder {
        len: u64,
        longest: u32,
        stuck: Option<u64>,
    }

    impl Ladder {
        fn value(&self, number: u64) -> Option<Value> {
            let plies = (number * u64::from(self.longest) / self.len) as u32;
            match number % 5 {
                0 => None,
                1 => Some(Value::DRAW),
                _ if number.is_multiple_of(2) => Some(Value::win_in(plies)),
                _ => Some(Value::loss_in(plies)),
            }
        }
    }

    impl Part for Ladder {
        fn len(&self) -> u64 {
            self.len
        }
        fn leaves(&self) -> bool {
            true
        }
        fn stays(&self) -> bool {
            false
        }
        fn look(&self, range: Range<u64>, sights: &mut Sights<'_>) {
            for number in range {
                let Some(value) = self.value(number) else { continue };
                let inner = u32::from(self.stuck == Some(number));
                let open = Sight::open(inner, Some(value));
                sights.push(number, if number % 3 == 0 { Sight::over(value) } else { open });
            }
        }
    }

    #[test]
    fn cells_widen_as_values_need_it_and_the_work_goes_on_from_every_checkpoint() {
        for (longest, width) in [(100, Width::One), (30_000, Width::Two), (100_000, Width::Four)] {
            let part = Ladder { len: 100_000, longest, stuck: None };
            let mut every = EveryCheckpoint::default();
            let table = solve(&part, &Crew::new(&quiet_work()), &quiet_work(), &mut every).unwrap();
            assert_eq!(table.coding().width, width);
            (0..part.len).for_each(|number| assert_eq!(table.get(number), part.value(number), "{number}"));
            assert!(every.kept.len() > 5);
            for (number, kept) in every.kept.into_iter().enumerate() {
                let work = Work { threads: 1 + number % 3, ..quiet_work() };
                let mut later = EveryCheckpoint { from: Some(kept), kept: Vec::new() };
                assert!(solve(&part, &Crew::new(&work), &work, &mut later).unwrap() == table);
                assert!(later.kept.len() < 7, "checkpoint {number} was not taken");
            }
        }
    }

    #[test]
    fn a_move_that_stays_is_told() {
        let part = Ladder { len: 40_000, longest: 50, stuck: Some(20_002) };
        let work = quiet_work();
        let error = solve(&part, &Crew::new(&work), &work, &mut NoCheckpoints).unwrap_err();
        assert_eq!(error.to_string(), "position 20002: a move stays in its tier, where none was said to");
    }
}
