//! The cells of retrograde analysis: each holds a value, or how many distinct children may still avoid a loss.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::part::{Part, Seen};
use crate::crew::{Crew, Meter, allocate};
use grundy_core::table::{
    Checkpoint, Checkpoints, Coding, DRAW, HOLE, Meaning, Snapshot, Table, Width, loss_code, win_code,
};
use grundy_core::value::{Value, Wdl};
use grundy_session::{SolveError, Work};

/// A cell of some width: codes of values from 0 upwards, unknown positions from [`Slot::MAX`] downwards.
///
/// `MAX - n` says that `n` distinct children are not yet known to be lost moves; a game has room where the longest
/// distance and the largest number of children do not meet.
pub(super) trait Slot: Copy + Eq + Send + Sync {
    const MAX: u32;
    fn new(code: u32) -> Self;
    fn get(self) -> u32;
}

macro_rules! slots {
    ($($int:ty),*) => {$(
        impl Slot for $int {
            const MAX: u32 = <$int>::MAX as u32;
            #[inline]
            fn new(code: u32) -> Self {
                code as $int
            }
            #[inline]
            fn get(self) -> u32 {
                u32::from(self)
            }
        }
    )*};
}
slots!(u8, u16, u32);

/// All cells of a game, in the least width that has served so far.
pub(super) enum CellArray {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl CellArray {
    /// Cells without values.
    pub(super) fn empty(width: Width, len: u64) -> Result<CellArray, SolveError> {
        Ok(match width {
            Width::Quarter | Width::One => CellArray::One(allocate(len, HOLE as u8)?),
            Width::Two => CellArray::Two(allocate(len, HOLE as u16)?),
            Width::Four => CellArray::Four(allocate(len, HOLE)?),
        })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            CellArray::One(cells) => cells.len(),
            CellArray::Two(cells) => cells.len(),
            CellArray::Four(cells) => cells.len(),
        }
    }

    /// The places of a range whose code is the loss or the win in so many plies, counted from the range's beginning,
    /// and whether it is the win.
    pub(super) fn of_distance(&self, range: Range<usize>, plies: u32) -> Vec<(u32, bool)> {
        fn find<S: Slot>(cells: &[S], plies: u32) -> Vec<(u32, bool)> {
            if win_code(plies) > S::MAX {
                return Vec::new();
            }
            of_distance(cells, plies).map(|(at, win)| (at as u32, win)).collect()
        }
        match self {
            CellArray::One(cells) => find(&cells[range], plies),
            CellArray::Two(cells) => find(&cells[range], plies),
            CellArray::Four(cells) => find(&cells[range], plies),
        }
    }

    /// The cells widened until codes up to `code` do not meet the counters.
    pub(super) fn with_room_for(self, code: u32, most_children: u32) -> Result<CellArray, SolveError> {
        fn widened<S: Slot, T: Slot>(narrow: &[S], most_children: u32) -> Result<Vec<T>, SolveError> {
            let mut wide = allocate(narrow.len() as u64, T::new(HOLE))?;
            for (wide, narrow) in wide.iter_mut().zip(narrow) {
                let code = narrow.get();
                let unknown = code >= S::MAX - most_children;
                *wide = T::new(if unknown { T::MAX - (S::MAX - code) } else { code });
            }
            Ok(wide)
        }
        let fits = |max: u32| code < max.saturating_sub(most_children);
        match self {
            CellArray::One(cells) if !fits(u8::MAX.into()) => {
                CellArray::Two(widened(&cells, most_children)?).with_room_for(code, most_children)
            }
            CellArray::Two(cells) if !fits(u16::MAX.into()) => {
                Ok(CellArray::Four(widened(&cells, most_children)?))
            }
            CellArray::Four(_) if !fits(u32::MAX) => {
                Err(SolveError::Broken("a distance is beyond all cells".to_owned()))
            }
            wide => Ok(wide),
        }
    }

    /// Makes what is still unknown a draw; gives the largest code.
    pub(super) fn settle(&mut self, most_children: u32) -> u32 {
        fn settle<S: Slot>(cells: &mut [S], most_children: u32) -> u32 {
            let mut largest = 0;
            for cell in cells {
                if cell.get() >= S::MAX - most_children {
                    *cell = S::new(DRAW);
                }
                largest = largest.max(cell.get());
            }
            largest
        }
        match self {
            CellArray::One(cells) => settle(cells, most_children),
            CellArray::Two(cells) => settle(cells, most_children),
            CellArray::Four(cells) => settle(cells, most_children),
        }
    }

    /// Settled cells as a table lays them out whose largest code this is: in the least width, or as outcomes.
    pub(super) fn laid_out(self, largest: u32, no_distances: bool) -> (Width, Vec<u8>) {
        fn outcomes<S: Slot>(cells: &[S]) -> (Width, Vec<u8>) {
            let coding = Coding { meaning: Meaning::Distance, width: Width::Four };
            let outcome = |code: u32| match coding.decode(code).map(Value::wdl) {
                None => 0,
                Some(Wdl::Loss) => 1,
                Some(Wdl::Draw) => 2,
                Some(Wdl::Win) => 3,
            };
            let byte = |four: &[S]| four.iter().rev().fold(0, |byte, cell| byte << 2 | outcome(cell.get()));
            (Width::Quarter, cells.chunks(4).map(byte).collect())
        }
        fn narrowed<S: Slot>(cells: &[S], largest: u32) -> (Width, Vec<u8>) {
            let codes = cells.iter().map(|cell| cell.get());
            match largest {
                0..=0xFF => (Width::One, codes.map(|code| code as u8).collect()),
                0x100..=0xFFFF => (Width::Two, codes.flat_map(|code| (code as u16).to_le_bytes()).collect()),
                _ => (Width::Four, codes.flat_map(u32::to_le_bytes).collect()),
            }
        }
        match self {
            CellArray::One(cells) if no_distances => outcomes(&cells),
            CellArray::Two(cells) if no_distances => outcomes(&cells),
            CellArray::Four(cells) if no_distances => outcomes(&cells),
            CellArray::One(cells) => (Width::One, cells),
            CellArray::Two(cells) => narrowed(&cells, largest),
            CellArray::Four(cells) => narrowed(&cells, largest),
        }
    }

    /// The width of a cell.
    pub(super) fn width(&self) -> Width {
        match self {
            CellArray::One(_) => Width::One,
            CellArray::Two(_) => Width::Two,
            CellArray::Four(_) => Width::Four,
        }
    }

    /// Cells as [`CellArray::copy`] lays them out; `None` where cells are never so narrow.
    pub(super) fn of(width: Width, bytes: Vec<u8>) -> Option<CellArray> {
        Some(match width {
            Width::Quarter => return None,
            Width::One => CellArray::One(bytes),
            Width::Two => {
                CellArray::Two(bytes.as_chunks().0.iter().map(|cell| u16::from_le_bytes(*cell)).collect())
            }
            Width::Four => {
                CellArray::Four(bytes.as_chunks().0.iter().map(|cell| u32::from_le_bytes(*cell)).collect())
            }
        })
    }

    /// Copies bytes of the cells, the lowest of each cell first, from an offset on, which is a whole number of cells.
    pub(super) fn copy(&self, offset: u64, into: &mut [u8]) {
        fn copy<S: Slot>(cells: &[S], offset: u64, into: &mut [u8]) {
            let size = size_of::<S>();
            let first = offset as usize / size;
            for (cell, bytes) in cells[first..].iter().zip(into.chunks_mut(size)) {
                bytes.copy_from_slice(&cell.get().to_le_bytes()[..size]);
            }
        }
        match self {
            CellArray::One(cells) => copy(cells, offset, into),
            CellArray::Two(cells) => copy(cells, offset, into),
            CellArray::Four(cells) => copy(cells, offset, into),
        }
    }
}

/// The places of cells whose code is the loss or the win in so many plies, and whether it is the win.
pub(super) fn of_distance<S: Slot>(cells: &[S], plies: u32) -> impl Iterator<Item = (usize, bool)> {
    /// So many cells are looked at in one step of the vector unit or a few.
    const LANES: usize = 64;
    let (loss, win) = (S::new(loss_code(plies)), S::new(win_code(plies)));
    cells.chunks(LANES).enumerate().flat_map(move |(chunk, lanes)| {
        let any = lanes.iter().fold(false, |any, &cell| any | (cell == loss) | (cell == win));
        let lanes = if any { lanes } else { &[] };
        let found = lanes.iter().enumerate().filter(move |&(_, &cell)| cell == loss || cell == win);
        found.map(move |(at, &cell)| (chunk * LANES + at, cell == win))
    })
}

/// How far the analysis is. At the beginning ends have their values, the others the number of their distinct
/// children.
pub(super) struct Stage {
    pub(super) cells: CellArray,
    /// The best that the moves out of the part leave to each position's mover, where there are such moves.
    pub(super) exits: Option<CellArray>,
    /// The largest distance among these.
    pub(super) last_exit: u32,
    /// The positions of the present distance, where they are known and few.
    pub(super) listed: Option<Vec<u64>>,
    /// The distance whose predecessors come next.
    pub(super) plies: u32,
    /// How many positions have a value.
    pub(super) done: u64,
    /// The most distinct children of any position.
    pub(super) most_children: u32,
    /// The largest distance of an end (0 unless the game knows the values of positions it does not play on from).
    pub(super) last_end: u32,
    /// Whether some end's distance is not known, so that no distance is.
    pub(super) no_distances: bool,
    /// The moves of all positions, moves to one number counted once.
    pub(super) edges: u64,
    /// Whether the cells of unknown positions count children; a method that does not need that leaves them as they are.
    pub(super) counted: bool,
    /// Where the present distance goes on, in units of the method; 0 where it has not begun.
    pub(super) from: u64,
    /// How many positions the present distance has brought so far.
    pub(super) news: u64,
}

impl Stage {
    /// Goes on from what an earlier run has kept; `None` where that cannot be.
    pub(super) fn from_checkpoint(kept: Checkpoint, count: u64) -> Option<Stage> {
        let &[plies, done, most_children, last_end, no_distances, edges, counted, from, news] =
            kept.stage.as_slice()
        else {
            return None;
        };
        let cells = CellArray::of(kept.width, kept.cells)?;
        (cells.len() as u64 == count).then_some(Stage {
            cells,
            exits: None,
            last_exit: 0,
            listed: None,
            plies: u32::try_from(plies).ok()?,
            done,
            most_children: u32::try_from(most_children).ok()?,
            last_end: u32::try_from(last_end).ok()?,
            no_distances: no_distances == 1,
            edges,
            counted: counted == 1,
            from,
            news,
        })
    }

    /// The finished table.
    pub(super) fn into_table(mut self) -> Result<Table, SolveError> {
        let count = self.cells.len() as u64;
        let largest = self.cells.settle(self.most_children);
        let (width, bytes) = self.cells.laid_out(largest, self.no_distances);
        let meaning = if self.no_distances { Meaning::Outcome } else { Meaning::Distance };
        Table::from_cells(Coding { meaning, width }, count, bytes)
            .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()))
    }

    /// Ends a distance; whether it was the last one.
    pub(super) fn end_distance(&mut self) -> bool {
        let last = self.news == 0 && self.plies >= self.last_end.max(self.last_exit);
        self.plies += 1;
        self.from = 0;
        self.news = 0;
        last
    }

    /// Keeps the stage.
    pub(super) fn save(&self, checkpoints: &mut dyn Checkpoints) {
        let Stage { plies, done, most_children, last_end, no_distances, edges, counted, from, news, .. } =
            *self;
        let width = self.cells.width();
        checkpoints.save(&Snapshot {
            stage: &[
                plies.into(),
                done,
                most_children.into(),
                last_end.into(),
                no_distances.into(),
                edges,
                counted.into(),
                from,
                news,
            ],
            width,
            len: width.bytes(self.cells.len() as u64).unwrap_or(0),
            copy: &|offset, into| self.cells.copy(offset, into),
        });
    }
}

/// Where a distance begins or goes on, and whether it should stop to be kept.
pub(super) struct Halt<'a> {
    pub(super) from: u64,
    /// Positions that had a value by then.
    pub(super) done: u64,
    pub(super) due: &'a dyn Fn() -> bool,
}

/// Looks at every position once. Of `kept`, an earlier run's stage, only the exits are missing.
pub(super) fn start(
    part: &impl Part,
    kept: Option<Stage>,
    crew: &Crew,
    work: &Work<'_>,
) -> Result<Stage, SolveError> {
    let fresh = kept.is_none();
    let mut found = start_with::<_, u8>(part, fresh, crew, work, CellArray::One)?;
    if found.is_none() {
        found = start_with::<_, u16>(part, fresh, crew, work, CellArray::Two)?;
    }
    if found.is_none() {
        found = start_with::<_, u32>(part, fresh, crew, work, CellArray::Four)?;
    }
    let found = found.ok_or_else(too_many_moves)?;
    Ok(match kept {
        Some(kept) => Stage { exits: found.exits, last_exit: found.last_exit, ..kept },
        None => found,
    })
}

/// What is wrong with a game for which no cell is wide enough.
pub(super) fn too_many_moves() -> SolveError {
    SolveError::Broken("a position has too many moves".to_owned())
}

/// What one stretch of positions holds.
#[derive(Default)]
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

/// [`start`] with cells of one width, or with the exits alone; `None` where the width is too narrow.
fn start_with<P: Part, S: Slot>(
    part: &P,
    fresh: bool,
    crew: &Crew,
    work: &Work<'_>,
    wrap: impl Fn(Vec<S>) -> CellArray,
) -> Result<Option<Stage>, SolveError> {
    let count = part.len();
    let hole = S::new(HOLE);
    let mut cells: Vec<S> = allocate(if fresh { count } else { 0 }, hole)?;
    let mut exits: Vec<S> = allocate(if part.leaves() { count } else { 0 }, hole)?;
    let cap = (count / 128 + 4096) as usize;
    let meter = Meter::new(work, "positions", count);
    // Of a part that keeps its cells, or has no exits, the one or the other side is empty all along.
    let (mut cell_tasks, mut exit_tasks) = (cells.chunks_mut(TASK), exits.chunks_mut(TASK));
    let tasks = (0..count).step_by(TASK).map(|first| {
        let (cells, exits) = (cell_tasks.next().unwrap_or_default(), exit_tasks.next().unwrap_or_default());
        Share { numbers: first..count.min(first + TASK as u64), cells, exits }
    });
    let tasks = tasks.collect();
    let listed = AtomicUsize::new(0);
    let looked = crew.map(tasks, &|share: Share<'_, S>| -> Result<StretchSummary, SolveError> {
        meter.add(share.numbers.end - share.numbers.start)?;
        let mut stretch = share.look(part)?;
        // Too many ends are not listed at all: the list may not grow larger than the table.
        if listed.fetch_add(stretch.ends.len(), Ordering::Relaxed) > cap {
            stretch.ends = Vec::new();
        }
        stretch.ends.shrink_to_fit();
        Ok(stretch)
    });
    let mut all = StretchSummary::default();
    let mut ends = Some(Vec::new());
    let listed = listed.into_inner();
    for stretch in looked {
        let stretch = stretch?;
        all.add(&stretch);
        ends = ends.filter(|_: &Vec<u64>| listed <= cap);
        if let Some(ends) = &mut ends {
            ends.extend(stretch.ends);
        }
    }
    if !all.fits::<S>() {
        return Ok(None);
    }
    Ok(Some(Stage {
        cells: wrap(cells),
        exits: part.leaves().then(|| wrap(exits)),
        last_exit: all.last_exit,
        listed: ends,
        plies: 0,
        done: all.done,
        most_children: all.most_children,
        last_end: all.last_end,
        no_distances: all.no_distances,
        edges: all.edges,
        counted: true,
        from: 0,
        news: 0,
    }))
}

/// The numbers that one task looks at, with their cells and exits; either may be empty where it is not wanted.
struct Share<'a, S> {
    numbers: Range<u64>,
    cells: &'a mut [S],
    exits: &'a mut [S],
}

impl<S: Slot> Share<'_, S> {
    /// Fills the cells and the exits.
    fn look(self, part: &impl Part) -> Result<StretchSummary, SolveError> {
        let Share { numbers, cells, exits } = self;
        let mut found = StretchSummary::default();
        let mut result = Ok(());
        let first = numbers.start;
        part.look(numbers, &mut |number, seen| {
            if result.is_err() {
                return;
            }
            let Some(at) = number.checked_sub(first).map(|at| at as usize) else { return };
            let code = match seen {
                Ok(Seen::Over(value)) => found.end(number, value),
                Ok(Seen::Open { inner, exit }) => found.open(number, inner, exit).map(|(left, exit)| {
                    if let Some(cell) = exits.get_mut(at) {
                        *cell = S::new(exit.min(S::MAX));
                    }
                    S::MAX.saturating_sub(left)
                }),
                Err(why) => Err(SolveError::Broken(why)),
            };
            result = code.map(|code| {
                if let Some(cell) = cells.get_mut(at) {
                    *cell = S::new(code);
                }
            });
        });
        result.map(|()| found)
    }
}

/// Positions that are looked at a stretch at a time, with their type erased.
pub(super) trait Look: Sync {
    /// Fills some cells, and exits of the same width, with what is seen of the positions from a number on. Cells that are
    /// not wanted are empty.
    fn look(
        &self,
        first: u64,
        cells: &mut CellArray,
        exits: Option<&mut CellArray>,
        range: Range<usize>,
    ) -> Result<StretchSummary, SolveError>;
}

impl<P: Part> Look for P {
    fn look(
        &self,
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
                Share { numbers, cells: some(cells, range), exits: some(exits, again) }.look(self)
            }
            (CellArray::Two(cells), Some(CellArray::Two(exits))) => {
                Share { numbers, cells: some(cells, range), exits: some(exits, again) }.look(self)
            }
            (CellArray::Four(cells), Some(CellArray::Four(exits))) => {
                Share { numbers, cells: some(cells, range), exits: some(exits, again) }.look(self)
            }
            // Exits alone.
            (_, Some(CellArray::One(exits))) => {
                Share { numbers, cells: &mut [], exits: some(exits, again) }.look(self)
            }
            (_, Some(CellArray::Two(exits))) => {
                Share { numbers, cells: &mut [], exits: some(exits, again) }.look(self)
            }
            (_, Some(CellArray::Four(exits))) => {
                Share { numbers, cells: &mut [], exits: some(exits, again) }.look(self)
            }
            (CellArray::One(cells), None) => {
                Share { numbers, cells: some(cells, range), exits: &mut [] }.look(self)
            }
            (CellArray::Two(cells), None) => {
                Share { numbers, cells: some(cells, range), exits: &mut [] }.look(self)
            }
            (CellArray::Four(cells), None) => {
                Share { numbers, cells: some(cells, range), exits: &mut [] }.look(self)
            }
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

/// What codes mean while cells are being filled.
pub(super) const DISTANCES: Coding = Coding { meaning: Meaning::Distance, width: Width::Four };
