//! The first look at every position: its value if it is over, else the number of its children in the part, and the best of
//! its moves out of the part.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cells::{
    ByParity, CellArray, DISTANCES, Slot, Stage, copy_both, copy_shared, owned, shared, too_many_moves,
    with_exits,
};
use super::part::{Part, Seen, Sight, Sights};
use crate::crew::{Crew, allocate};
use grundy_core::table::{Checkpoint, Checkpoints, DRAW, Distances, HOLE, Snapshot, loss_code};
use grundy_core::value::{Value, Wdl};
use grundy_session::{Activity, Progress, SolveError, Work};

/// Facts about a range of positions.
#[derive(Clone, Default)]
pub(super) struct StretchSummary {
    /// Number of positions with a value.
    pub(super) done: u64,
    /// Number of moves within the part.
    pub(super) edges: u64,
    /// Indices of the positions that are over and not drawn.
    pub(super) ends: Vec<u64>,
    pub(super) most_children: u32,
    /// The largest distance of an end.
    pub(super) last_end: u32,
    /// The largest distance of the best move out of the part.
    pub(super) last_exit: u32,
    /// The distances of the ends and of the moves out of the part.
    pub(super) distances: Distances,
    /// True if the distance of some end is unknown.
    pub(super) no_distances: bool,
}

/// Positions that one task looks at.
pub(super) const TASK: usize = 1 << 14;
/// Tasks for each thread between two checks of the clock.
pub(super) const TASKS: u64 = if cfg!(test) { 1 } else { 16 };

/// The places of a part, divided into tasks.
pub(super) struct Steps {
    /// Number of places.
    pub(super) places: u64,
    /// Places of a task.
    task: u64,
    /// Places between two checks of the clock.
    group: u64,
    /// Number of states.
    count: u64,
}

impl Steps {
    pub(super) fn new(part: &dyn Part, crew: &Crew) -> Steps {
        let (count, places) = (part.len(), part.places());
        let task = (u128::from(places) * TASK as u128 / u128::from(count.max(1))).max(1) as u64;
        Steps { places, task, group: task * TASKS * crew.size() as u64, count }
    }

    /// Returns the tasks of the group that begins at a place, and the end of the group.
    pub(super) fn tasks(&self, from: u64) -> (Vec<Range<u64>>, u64) {
        let end = self.places.min(from + self.group);
        let tasks = (from..end).step_by(self.task as usize);
        (tasks.map(|first| first..end.min(first + self.task)).collect(), end)
    }

    /// Returns the progress of work that continues at a place.
    pub(super) fn progress(&self, from: u64) -> Progress {
        let done = u128::from(from) * u128::from(self.count) / u128::from(self.places.max(1));
        Progress { what: Activity::Positions, done: done as u64, total: self.count }
    }
}

/// The state of an unfinished first look.
pub(super) struct Looked {
    /// The next place.
    from: u64,
    cells: CellArray,
    exits: Option<CellArray>,
    seen: StretchSummary,
    /// Positions that are over, as long as they are few.
    ends: Option<Vec<u64>>,
}

/// Reports whether exits are kept beside the cells: if no move stays in the part, the cells have them.
fn keeps_exits(part: &dyn Part) -> bool {
    part.leaves() && part.stays()
}

impl Looked {
    /// The tag of its checkpoints.
    const TAG: u64 = u64::from_le_bytes(*b"looking2");

    fn new(part: &dyn Part) -> Result<Looked, SolveError> {
        let empty = || Ok(CellArray::One(allocate(part.len(), HOLE as u8)?));
        Ok(Looked {
            from: 0,
            cells: empty()?,
            exits: if keeps_exits(part) { Some(empty()?) } else { None },
            seen: StretchSummary::default(),
            ends: Some(Vec::new()),
        })
    }

    /// Continues from a checkpoint of a part with `count` states; `None` if it is not one of a first look.
    pub(super) fn from_checkpoint(kept: Checkpoint, count: u64) -> Option<Looked> {
        let &[Looked::TAG, from, exits, by_parity, ref words @ ..] = kept.stage.as_slice() else {
            return None;
        };
        let seen = StretchSummary::of_words(words.try_into().ok()?);
        let (mut cells, mut exits) = with_exits(kept.width, kept.cells, exits, count)?;
        if by_parity == 1 {
            (cells, exits) = (cells.by_parity(), exits.map(CellArray::by_parity));
        }
        Some(Looked { from, cells, exits, seen, ends: None })
    }
}

/// Looks at every position once, or continues with that.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks a promise of its abilities.
pub(super) fn start(
    part: &dyn Part,
    looked: Option<Looked>,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Stage, SolveError> {
    let mut looked = match looked
        .filter(|looked| looked.from <= part.places() && looked.exits.is_some() == keeps_exits(part))
    {
        Some(looked) => looked,
        None => Looked::new(part)?,
    };
    while looked.from < part.places() {
        looked = match looked.cells {
            CellArray::One(_) => go_on::<u8>(part, looked, crew, work, checkpoints),
            CellArray::ByParity(_) => go_on::<ByParity>(part, looked, crew, work, checkpoints),
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
        alternate: seen.distances.alternate(),
        no_distances: seen.no_distances,
        edges: seen.edges,
        counted: true,
        from: 0,
        news: 0,
    })
}

/// Continues to the end, or until cells of this width are too narrow: then it returns wider ones.
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
    let (cap, stays) = (cells.len() / 128 + 4096, part.stays());
    let mut wider = None;
    while from < steps.places {
        let (tasks, end) = steps.tasks(from);
        let listed = AtomicUsize::new(ends.as_ref().map_or(cap, Vec::len));
        let found = crew.map(tasks, &|places: Range<u64>| {
            let mut stretch = StretchSummary::default();
            let mut result = Ok(());
            Sights::of(&|sights| part.look_at_places(places.clone(), sights), &mut |sights| {
                if result.is_ok() {
                    result = sights.iter().try_for_each(|&(number, sight)| {
                        let noted = stretch.note(stays, number, sight)?;
                        write::<S>(number, noted, &cells, exits.as_deref());
                        Ok(())
                    });
                }
            });
            // Too many ends are not listed at all: the list must not become larger than the table.
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
            // Some codes did not fit: their positions are looked at again.
            wider = Some(all.distances.alternate());
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
    if let Some(alternate) = wider {
        cells = cells.widened(seen.most_children, alternate)?;
        exits = exits.map(|exits| exits.widened(0, alternate)).transpose()?;
    }
    Ok(Looked { from, cells, exits, seen, ends })
}

/// Writes the cells of a position.
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
        S::of_stored(S::stored(exit).min(S::MAX)).put(place);
    }
}

/// Saves a checkpoint of an unfinished first look.
fn save<S: Slot>(
    from: u64,
    seen: &StretchSummary,
    cells: &[S::Shared],
    exits: Option<&[S::Shared]>,
    checkpoints: &mut dyn Checkpoints,
) {
    let size = size_of::<S>() as u64;
    let bytes = size * cells.len() as u64;
    let head = [Looked::TAG, from, if exits.is_some() { size } else { 0 }, S::ALTERNATES.into()];
    let stage = [&head, &seen.words()[..]].concat();
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

/// The content of a cell after the first look.
#[derive(Clone, Copy)]
pub(super) enum Noted {
    /// The code of a value.
    Code(u32),
    /// The number of children that may still avoid a loss.
    Left(u32),
}

impl Noted {
    #[inline]
    pub(super) fn code<S: Slot>(self) -> S {
        S::of_stored(match self {
            Noted::Code(code) => S::stored(code).min(S::MAX),
            Noted::Left(left) => S::MAX.saturating_sub(left),
        })
    }
}

/// The states that one task looks at, with their cells and exits; either is empty if it is not wanted.
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
                result = found.note(true, number, sight).map(|(noted, exit)| {
                    if let Some(cell) = cells.get_mut(at) {
                        *cell = noted.code();
                    }
                    if let (Some(exit), Some(cell)) = (exit, exits.get_mut(at)) {
                        *cell = S::of_stored(S::stored(exit).min(S::MAX));
                    }
                });
            }
        });
        result.map(|()| found)
    }
}

/// Fills a range of `cells`, and of `exits` of the same width, with what is seen of the positions from `first` on. Either is
/// empty if it is not wanted.
pub(super) fn look_into(
    part: &dyn Part,
    first: u64,
    cells: &mut CellArray,
    exits: Option<&mut CellArray>,
    range: Range<usize>,
) -> Result<StretchSummary, SolveError> {
    fn share<S: Slot>(
        part: &dyn Part,
        first: u64,
        cells: &mut CellArray,
        exits: Option<&mut CellArray>,
        range: Range<usize>,
    ) -> Result<StretchSummary, SolveError> {
        let numbers = first..first + range.len() as u64;
        let cells = S::slice(cells).and_then(|cells| cells.get_mut(range.clone())).unwrap_or_default();
        let exits = exits.and_then(S::slice).and_then(|exits| exits.get_mut(range)).unwrap_or_default();
        Share { numbers, cells, exits }.look(part)
    }
    // Where something was kept, only the exits are wanted.
    match exits.as_deref().unwrap_or(cells) {
        CellArray::One(_) => share::<u8>(part, first, cells, exits, range),
        CellArray::ByParity(_) => share::<ByParity>(part, first, cells, exits, range),
        CellArray::Two(_) => share::<u16>(part, first, cells, exits, range),
        CellArray::Four(_) => share::<u32>(part, first, cells, exits, range),
    }
}

impl StretchSummary {
    /// Adds the facts about another range, without its list of ends.
    pub(super) fn add(&mut self, other: &StretchSummary) {
        self.done += other.done;
        self.edges += other.edges;
        self.most_children = self.most_children.max(other.most_children);
        self.last_end = self.last_end.max(other.last_end);
        self.last_exit = self.last_exit.max(other.last_exit);
        self.distances = self.distances.and(other.distances);
        self.no_distances |= other.no_distances;
    }

    /// Returns all but the ends as words, for reports and checkpoints.
    pub(super) fn words(&self) -> [u64; 8] {
        let [largest, strays] = self.distances.words();
        [
            self.done,
            self.edges,
            self.most_children.into(),
            self.last_end.into(),
            self.last_exit.into(),
            largest,
            strays,
            self.no_distances.into(),
        ]
    }

    /// Creates the summary with these [`StretchSummary::words`].
    pub(super) fn of_words(words: [u64; 8]) -> StretchSummary {
        let [done, edges, most_children, last_end, last_exit, largest, strays, no_distances] = words;
        StretchSummary {
            done,
            edges,
            most_children: most_children as u32,
            last_end: last_end as u32,
            last_exit: last_exit as u32,
            distances: Distances::of_words([largest, strays]),
            no_distances: no_distances == 1,
            ..StretchSummary::default()
        }
    }

    /// Reports whether cells `S` hold the codes of ends and the counts of children without overlap.
    pub(super) fn fits<S: Slot>(&self) -> bool {
        let room = S::stored(self.distances.largest()) < S::MAX.saturating_sub(self.most_children);
        room && (self.distances.alternate() || !S::ALTERNATES)
    }

    /// Notes what was seen of a position. Returns the content of its cell and the code of its exits, if it has these apart:
    /// in a part in which no move `stays` the cell has the best of the moves.
    ///
    /// # Errors
    /// The game breaks a promise of its abilities.
    #[inline]
    pub(super) fn note(
        &mut self,
        stays: bool,
        number: u64,
        sight: Sight,
    ) -> Result<(Noted, Option<u32>), SolveError> {
        match sight.seen() {
            Ok(Seen::Over(value)) => Ok((Noted::Code(self.end(stays, number, value)?), None)),
            Ok(Seen::Open { inner, exit }) if stays => {
                let (left, exit) = self.open(number, inner, exit)?;
                Ok((Noted::Left(left), Some(exit)))
            }
            Ok(Seen::Open { inner: 0, exit: Some(value) }) => {
                let code = exit_code(number, value)?;
                self.done += 1;
                self.distances = self.distances.and(Distances::of(code));
                Ok((Noted::Code(code), None))
            }
            Ok(Seen::Open { inner: 0, exit: None }) => Err(no_moves(number)),
            Ok(Seen::Open { .. }) => Err(SolveError::Broken(format!(
                "position {number}: a move stays in its tier, where none was said to"
            ))),
            Err(missing) => Err(SolveError::Broken(missing.to_string())),
        }
    }

    /// Notes an end; returns its code.
    fn end(&mut self, stays: bool, number: u64, value: Value) -> Result<u32, SolveError> {
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
        if code != DRAW && stays {
            self.ends.push(number);
            self.last_end = self.last_end.max((code - loss_code(0)) / 2);
        }
        self.done += 1;
        self.distances = self.distances.and(Distances::of(code));
        Ok(code)
    }

    /// Notes an unfinished position. Returns the number of children that may still avoid a loss, and the code of its exits.
    /// All exits together count as one child: it is lost when the longest of them is, and a draw or a win never is.
    fn open(&mut self, number: u64, inner: u32, exit: Option<Value>) -> Result<(u32, u32), SolveError> {
        let code = exit.map_or(Ok(HOLE), |value| exit_code(number, value))?;
        if code > DRAW {
            self.last_exit = self.last_exit.max((code - loss_code(0)) / 2);
            self.distances = self.distances.and(Distances::of(code));
        }
        let left = inner + u32::from(exit.is_some());
        if left == 0 {
            return Err(no_moves(number));
        }
        self.most_children = self.most_children.max(left);
        self.edges += u64::from(inner);
        Ok((left, code))
    }
}

/// Returns the code of the best move out of a part.
fn exit_code(number: u64, value: Value) -> Result<u32, SolveError> {
    DISTANCES.encode(value).filter(|_| !value.at_ceiling()).ok_or_else(|| {
        SolveError::Broken(format!("a move of position {number} leads to a value without a distance"))
    })
}

fn no_moves(number: u64) -> SolveError {
    SolveError::Broken(format!("position {number} has no moves, yet it is not over"))
}

#[cfg(test)]
mod tests {
    use super::super::backward::{Buckets, Collect, Known};
    use super::super::solve_part;
    use super::*;
    use grundy_core::table::{EveryCheckpoint, NoCheckpoints, Width};
    use grundy_session::quiet_work;

    /// A hole, an end, and then positions that are won or lost later and later.
    #[derive(Clone, Copy)]
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

    /// No position has a predecessor.
    struct Nowhere;

    impl Collect for Nowhere {
        fn collect(&self, _: &[Known], _: &mut Buckets) -> Result<usize, SolveError> {
            Ok(0)
        }
    }

    #[test]
    fn cells_widen_as_values_need_it_and_the_work_goes_on_from_every_checkpoint() {
        for (longest, width) in [(100, Width::One), (30_000, Width::Two), (100_000, Width::Four)] {
            let part = Ladder { len: 100_000, longest, stuck: None };
            let mut every = EveryCheckpoint::default();
            let table = solve_part(Box::new(part), &Nowhere, &quiet_work(), &mut every).unwrap();
            assert_eq!(table.coding().width, width);
            (0..part.len).for_each(|number| assert_eq!(table.get(number), part.value(number), "{number}"));
            assert!(every.kept.len() > 5);
            for (number, kept) in every.kept.into_iter().enumerate() {
                let work = Work { threads: 1 + number % 3, ..quiet_work() };
                let mut later = EveryCheckpoint { from: Some(kept), kept: Vec::new() };
                assert!(solve_part(Box::new(part), &Nowhere, &work, &mut later).unwrap() == table);
                assert!(later.kept.len() < 7, "checkpoint {number} was not taken");
            }
        }
    }

    #[test]
    fn a_move_that_stays_is_told() {
        let part = Ladder { len: 40_000, longest: 50, stuck: Some(20_002) };
        let error = solve_part(Box::new(part), &Nowhere, &quiet_work(), &mut NoCheckpoints).unwrap_err();
        assert_eq!(error.to_string(), "position 20002: a move stays in its tier, where none was said to");
    }
}
