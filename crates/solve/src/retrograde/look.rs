//! The first look at every position: what it is worth where it is over, how many children it has in the part, and the best
//! of the moves out of it.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cells::{
    CellArray, DISTANCES, Slot, Stage, copy_both, copy_shared, owned, shared, too_many_moves, with_exits,
};
use super::part::{Part, Seen, Sight, Sights};
use crate::crew::{Crew, allocate};
use grundy_core::table::{Checkpoint, Checkpoints, DRAW, HOLE, Snapshot, loss_code};
use grundy_core::value::{Value, Wdl};
use grundy_session::{Progress, SolveError, Work};

/// What one stretch of positions holds.
#[derive(Clone, Default)]
pub(super) struct StretchSummary {
    pub(super) done: u64,
    pub(super) edges: u64,
    pub(super) ends: Vec<u64>,
    pub(super) most_children: u32,
    pub(super) last_end: u32,
    pub(super) last_exit: u32,
    pub(super) largest_code: u32,
    pub(super) no_distances: bool,
}

/// Positions one task looks at.
pub(super) const TASK: usize = 1 << 14;
/// Tasks for each thread between two looks at the clock.
pub(super) const TASKS: u64 = if cfg!(test) { 1 } else { 16 };

/// The places of a part that tasks look at.
pub(super) struct Steps {
    /// How many there are.
    pub(super) places: u64,
    /// So many go to a task.
    task: u64,
    /// So many lie between two looks at the clock.
    group: u64,
    /// How many numbers there are.
    count: u64,
}

impl Steps {
    pub(super) fn new(part: &dyn Part, crew: &Crew) -> Steps {
        let (count, places) = (part.len(), part.places());
        let task = (u128::from(places) * TASK as u128 / u128::from(count.max(1))).max(1) as u64;
        Steps { places, task, group: task * TASKS * crew.size() as u64, count }
    }

    /// The tasks of the group that begins with a place, and its end.
    pub(super) fn tasks(&self, from: u64) -> (Vec<Range<u64>>, u64) {
        let end = self.places.min(from + self.group);
        let tasks = (from..end).step_by(self.task as usize);
        (tasks.map(|first| first..end.min(first + self.task)).collect(), end)
    }

    /// How far the work is that goes on from a place.
    pub(super) fn progress(&self, from: u64) -> Progress {
        let done = u128::from(from) * u128::from(self.count) / u128::from(self.places.max(1));
        Progress { what: "positions".to_owned(), done: done as u64, total: self.count }
    }
}

/// The first look half done.
pub(super) struct Looked {
    /// The place where it goes on.
    from: u64,
    cells: CellArray,
    exits: Option<CellArray>,
    seen: StretchSummary,
    /// Positions that are over, while they are few.
    ends: Option<Vec<u64>>,
}

impl Looked {
    fn new(part: &dyn Part) -> Result<Looked, SolveError> {
        let empty = || Ok(CellArray::One(allocate(part.len(), HOLE as u8)?));
        Ok(Looked {
            from: 0,
            cells: empty()?,
            exits: if part.leaves() { Some(empty()?) } else { None },
            seen: StretchSummary::default(),
            ends: Some(Vec::new()),
        })
    }

    /// Goes on from what an earlier run has kept; `None` where that cannot be.
    pub(super) fn from_checkpoint(kept: Checkpoint, count: u64) -> Option<Looked> {
        let &[from, exits, ref words @ ..] = kept.stage.as_slice() else { return None };
        let seen = StretchSummary::of_words(words.try_into().ok()?);
        let (cells, exits) = with_exits(kept.width, kept.cells, exits, count)?;
        Some(Looked { from, cells, exits, seen, ends: None })
    }
}

/// Looks at every position once, or goes on with that.
pub(super) fn start(
    part: &dyn Part,
    looked: Option<Looked>,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Stage, SolveError> {
    let mut looked = match looked
        .filter(|looked| looked.from <= part.places() && looked.exits.is_some() == part.leaves())
    {
        Some(looked) => looked,
        None => Looked::new(part)?,
    };
    while looked.from < part.places() {
        looked = match looked.cells {
            CellArray::One(_) => go_on::<u8>(part, looked, crew, work, checkpoints),
            CellArray::Two(_) => go_on::<u16>(part, looked, crew, work, checkpoints),
            CellArray::Four(_) => go_on::<u32>(part, looked, crew, work, checkpoints),
        }?;
    }
    let Looked { cells, exits, seen, ends, .. } = looked;
    Ok(Stage {
        cells,
        exits,
        last_exit: seen.last_exit,
        listed: ends,
        plies: 0,
        done: seen.done,
        most_children: seen.most_children,
        last_end: seen.last_end,
        no_distances: seen.no_distances,
        edges: seen.edges,
        counted: true,
        from: 0,
        news: 0,
    })
}

/// Goes on to the end, or until cells of this width are too narrow: then they are wider.
fn go_on<S: Slot>(
    part: &dyn Part,
    looked: Looked,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Looked, SolveError> {
    let Looked { mut from, cells, exits, mut seen, mut ends } = looked;
    let steps = Steps::new(part, crew);
    let cells: Vec<S::Shared> = shared(S::cells(cells).ok_or_else(too_many_moves)?);
    let exits: Option<Vec<S::Shared>> = match exits {
        Some(exits) => Some(shared(S::cells(exits).ok_or_else(too_many_moves)?)),
        None => None,
    };
    let cap = cells.len() / 128 + 4096;
    let mut wider = false;
    while from < steps.places {
        let (tasks, end) = steps.tasks(from);
        let listed = AtomicUsize::new(ends.as_ref().map_or(cap, Vec::len));
        let found = crew.map(tasks, &|places: Range<u64>| {
            let mut stretch = StretchSummary::default();
            let mut result = Ok(());
            Sights::of(&|sights| part.look_at_places(places.clone(), sights), &mut |sights| {
                if result.is_ok() {
                    result = sights.iter().try_for_each(|&(number, sight)| {
                        let noted = stretch.note(number, sight)?;
                        write::<S>(number, noted, &cells, exits.as_deref());
                        Ok(())
                    });
                }
            });
            // Too many ends are not listed at all: the list may not grow larger than the table.
            if listed.fetch_add(stretch.ends.len(), Ordering::Relaxed) > cap {
                stretch.ends = Vec::new();
            }
            result.map(|()| stretch)
        });
        let (mut all, mut more) = (seen.clone(), Vec::new());
        for stretch in found {
            let stretch = stretch?;
            all.add(&stretch);
            more.extend(stretch.ends);
        }
        if !all.fits::<S>() {
            // Some of these did not fit: they are looked at again.
            wider = true;
            break;
        }
        ends = ends.filter(|_| listed.into_inner() <= cap);
        if let Some(ends) = &mut ends {
            ends.append(&mut more);
        }
        (seen, from) = (all, end);
        (work.report)(&steps.progress(from));
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        if from < steps.places && checkpoints.due() {
            save::<S>(from, &seen, &cells, exits.as_deref(), checkpoints);
        }
    }
    let (mut cells, mut exits) = (S::array(owned(cells)), exits.map(|exits| S::array(owned(exits))));
    if wider {
        cells = cells.widened(seen.most_children)?;
        exits = exits.map(|exits| exits.widened(0)).transpose()?;
    }
    Ok(Looked { from, cells, exits, seen, ends })
}

/// Writes what was noted of a position.
#[inline]
fn write<S: Slot>(
    number: u64,
    (cell, exit): (Noted, Option<u32>),
    cells: &[S::Shared],
    exits: Option<&[S::Shared]>,
) {
    let at = number as usize;
    if let Some(place) = cells.get(at) {
        cell.code::<S>().put(place);
    }
    if let (Some(exit), Some(place)) = (exit, exits.and_then(|exits| exits.get(at))) {
        S::new(exit.min(S::MAX)).put(place);
    }
}

/// Keeps the first look half done.
fn save<S: Slot>(
    from: u64,
    seen: &StretchSummary,
    cells: &[S::Shared],
    exits: Option<&[S::Shared]>,
    checkpoints: &mut dyn Checkpoints,
) {
    let size = size_of::<S>() as u64;
    let bytes = size * cells.len() as u64;
    let stage = [&[from, if exits.is_some() { size } else { 0 }], &seen.words()[..]].concat();
    checkpoints.save(&Snapshot {
        stage: &stage,
        width: S::WIDTH,
        len: bytes + size * exits.map_or(0, <[_]>::len) as u64,
        copy: &|offset, into| {
            let exits = exits.unwrap_or_default();
            copy_both(
                offset,
                into,
                bytes,
                |at, into| copy_shared::<S>(cells, at, into),
                |at, into| {
                    copy_shared::<S>(exits, at, into);
                },
            );
        },
    });
}

/// What a cell holds after the first look.
#[derive(Clone, Copy)]
pub(super) enum Noted {
    /// This code.
    Code(u32),
    /// So many children may still avoid a loss.
    Left(u32),
}

impl Noted {
    #[inline]
    pub(super) fn code<S: Slot>(self) -> S {
        S::new(match self {
            Noted::Code(code) => code.min(S::MAX),
            Noted::Left(left) => S::MAX.saturating_sub(left),
        })
    }
}

/// The numbers that one task looks at, with their cells and exits; either may be empty where it is not wanted.
struct Share<'a, S> {
    numbers: Range<u64>,
    cells: &'a mut [S],
    exits: &'a mut [S],
}

impl<S: Slot> Share<'_, S> {
    /// Fills the cells and the exits.
    fn look(self, part: &dyn Part) -> Result<StretchSummary, SolveError> {
        let Share { numbers, cells, exits } = self;
        let mut found = StretchSummary::default();
        let mut result = Ok(());
        let first = numbers.start;
        Sights::of(&|sights| part.look(numbers.clone(), sights), &mut |sights| {
            for &(number, sight) in sights {
                if result.is_err() {
                    return;
                }
                let Some(at) = number.checked_sub(first).map(|at| at as usize) else { continue };
                result = found.note(number, sight).map(|(noted, exit)| {
                    if let Some(cell) = cells.get_mut(at) {
                        *cell = noted.code();
                    }
                    if let (Some(exit), Some(cell)) = (exit, exits.get_mut(at)) {
                        *cell = S::new(exit.min(S::MAX));
                    }
                });
            }
        });
        result.map(|()| found)
    }
}

/// Fills some cells, and exits of the same width, with what is seen of the positions from a number on. Cells that are not
/// wanted are empty.
pub(super) fn look_into(
    part: &dyn Part,
    first: u64,
    cells: &mut CellArray,
    exits: Option<&mut CellArray>,
    range: Range<usize>,
) -> Result<StretchSummary, SolveError> {
    fn some<S>(cells: &mut [S], range: Range<usize>) -> &mut [S] {
        cells.get_mut(range).unwrap_or_default()
    }
    let numbers = first..first + range.len() as u64;
    let again = range.clone();
    match (cells, exits) {
        (CellArray::One(cells), Some(CellArray::One(exits))) => {
            Share { numbers, cells: some(cells, range), exits: some(exits, again) }.look(part)
        }
        (CellArray::Two(cells), Some(CellArray::Two(exits))) => {
            Share { numbers, cells: some(cells, range), exits: some(exits, again) }.look(part)
        }
        (CellArray::Four(cells), Some(CellArray::Four(exits))) => {
            Share { numbers, cells: some(cells, range), exits: some(exits, again) }.look(part)
        }
        // Exits alone.
        (_, Some(CellArray::One(exits))) => {
            Share { numbers, cells: &mut [], exits: some(exits, again) }.look(part)
        }
        (_, Some(CellArray::Two(exits))) => {
            Share { numbers, cells: &mut [], exits: some(exits, again) }.look(part)
        }
        (_, Some(CellArray::Four(exits))) => {
            Share { numbers, cells: &mut [], exits: some(exits, again) }.look(part)
        }
        (CellArray::One(cells), None) => {
            Share { numbers, cells: some(cells, range), exits: &mut [] }.look(part)
        }
        (CellArray::Two(cells), None) => {
            Share { numbers, cells: some(cells, range), exits: &mut [] }.look(part)
        }
        (CellArray::Four(cells), None) => {
            Share { numbers, cells: some(cells, range), exits: &mut [] }.look(part)
        }
    }
}

impl StretchSummary {
    /// Adds what another stretch holds; the ends are not listed.
    pub(super) fn add(&mut self, other: &StretchSummary) {
        self.done += other.done;
        self.edges += other.edges;
        self.most_children = self.most_children.max(other.most_children);
        self.last_end = self.last_end.max(other.last_end);
        self.last_exit = self.last_exit.max(other.last_exit);
        self.largest_code = self.largest_code.max(other.largest_code);
        self.no_distances |= other.no_distances;
    }

    /// What a shard tells and keeps of it: all but the ends.
    pub(super) fn words(&self) -> [u64; 7] {
        [
            self.done,
            self.edges,
            self.most_children.into(),
            self.last_end.into(),
            self.last_exit.into(),
            self.largest_code.into(),
            self.no_distances.into(),
        ]
    }

    /// The summary with these [`StretchSummary::words`].
    pub(super) fn of_words(words: [u64; 7]) -> StretchSummary {
        let [done, edges, most_children, last_end, last_exit, largest_code, no_distances] = words;
        StretchSummary {
            done,
            edges,
            most_children: most_children as u32,
            last_end: last_end as u32,
            last_exit: last_exit as u32,
            largest_code: largest_code as u32,
            no_distances: no_distances == 1,
            ..StretchSummary::default()
        }
    }

    /// Whether codes of ends and counts of children do not meet in such cells.
    pub(super) fn fits<S: Slot>(&self) -> bool {
        self.largest_code < S::MAX.saturating_sub(self.most_children)
    }

    /// Notes what was seen of a position; gives what its cell holds and the code of its exits, if it goes on.
    #[inline]
    pub(super) fn note(&mut self, number: u64, sight: Sight) -> Result<(Noted, Option<u32>), SolveError> {
        match sight.seen() {
            Ok(Seen::Over(value)) => Ok((Noted::Code(self.end(number, value)?), None)),
            Ok(Seen::Open { inner, exit }) => {
                let (left, exit) = self.open(number, inner, exit)?;
                Ok((Noted::Left(left), Some(exit)))
            }
            Err(missing) => Err(SolveError::Broken(missing.to_string())),
        }
    }

    /// Notes an end; gives its code.
    fn end(&mut self, number: u64, value: Value) -> Result<u32, SolveError> {
        let code = match DISTANCES.encode(value) {
            Some(code) => code,
            None if value.margin().is_some() => {
                return Err(SolveError::Broken(
                    "games for points are not for retrograde analysis".to_owned(),
                ));
            }
            None => {
                self.no_distances = true;
                loss_code(0) + u32::from(value.wdl() == Wdl::Win)
            }
        };
        if code != DRAW {
            self.ends.push(number);
            self.last_end = self.last_end.max((code - loss_code(0)) / 2);
        }
        self.done += 1;
        self.largest_code = self.largest_code.max(code);
        Ok(code)
    }

    /// Notes an unfinished position; gives how many children may still avoid a loss, and the code of its exits. All
    /// exits together count as one child: it is lost when the longest of them is, and a draw or a win never is.
    fn open(&mut self, number: u64, inner: u32, exit: Option<Value>) -> Result<(u32, u32), SolveError> {
        let code = match exit {
            None => HOLE,
            Some(value) => DISTANCES.encode(value).filter(|_| !value.at_ceiling()).ok_or_else(|| {
                SolveError::Broken(format!("a move of position {number} leads to a value without a distance"))
            })?,
        };
        if code > DRAW {
            self.last_exit = self.last_exit.max((code - loss_code(0)) / 2);
            self.largest_code = self.largest_code.max(code);
        }
        let left = inner + u32::from(exit.is_some());
        if left == 0 {
            return Err(SolveError::Broken(format!("position {number} has no moves, yet it is not over")));
        }
        self.most_children = self.most_children.max(left);
        self.edges += u64::from(inner);
        Ok((left, code))
    }
}
