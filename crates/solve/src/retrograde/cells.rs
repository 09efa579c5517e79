//! The cells of retrograde analysis: each holds a value, or how many distinct children may still avoid a loss.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::backward::Distinct;
use crate::crew::{Crew, Meter, allocate};
use grundy_core::game::{Indexed, Scored};
use grundy_core::table::{
    Checkpoint, Checkpoints, Coding, DRAW, HOLE, Meaning, Snapshot, Table, Width, loss_code,
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
    pub(super) fn len(&self) -> usize {
        match self {
            CellArray::One(cells) => cells.len(),
            CellArray::Two(cells) => cells.len(),
            CellArray::Four(cells) => cells.len(),
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

    /// The finished table: what is still unknown is a draw.
    pub(super) fn finish(self, most_children: u32, no_distances: bool) -> (Width, Vec<u8>) {
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
        match self {
            CellArray::One(mut cells) => {
                settle(&mut cells, most_children);
                if no_distances { outcomes(&cells) } else { (Width::One, cells) }
            }
            CellArray::Two(mut cells) => match settle(&mut cells, most_children) {
                _ if no_distances => outcomes(&cells),
                0..=0xFF => (Width::One, cells.into_iter().map(|cell| cell as u8).collect()),
                _ => (Width::Two, cells.into_iter().flat_map(u16::to_le_bytes).collect()),
            },
            CellArray::Four(mut cells) => match settle(&mut cells, most_children) {
                _ if no_distances => outcomes(&cells),
                0..=0xFF => (Width::One, cells.into_iter().map(|cell| cell as u8).collect()),
                0x100..=0xFFFF => {
                    (Width::Two, cells.into_iter().flat_map(|cell| (cell as u16).to_le_bytes()).collect())
                }
                _ => (Width::Four, cells.into_iter().flat_map(u32::to_le_bytes).collect()),
            },
        }
    }
}

/// How far the analysis is. At the beginning ends have their values, the others the number of their distinct
/// children.
pub(super) struct Stage {
    pub(super) cells: CellArray,
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
        let cells = match kept.width {
            Width::Quarter => return None,
            Width::One => CellArray::One(kept.cells),
            Width::Two => CellArray::Two(
                kept.cells.as_chunks().0.iter().map(|cell| u16::from_le_bytes(*cell)).collect(),
            ),
            Width::Four => CellArray::Four(
                kept.cells.as_chunks().0.iter().map(|cell| u32::from_le_bytes(*cell)).collect(),
            ),
        };
        (cells.len() as u64 == count).then_some(Stage {
            cells,
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
    pub(super) fn into_table(self) -> Result<Table, SolveError> {
        let count = self.cells.len() as u64;
        let (width, bytes) = self.cells.finish(self.most_children, self.no_distances);
        let meaning = if self.no_distances { Meaning::Outcome } else { Meaning::Distance };
        Table::from_cells(Coding { meaning, width }, count, bytes)
            .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()))
    }

    /// Ends a distance; whether it was the last one.
    pub(super) fn end_distance(&mut self) -> bool {
        let last = self.news == 0 && self.plies >= self.last_end;
        self.plies += 1;
        self.from = 0;
        self.news = 0;
        last
    }

    /// Keeps the stage.
    pub(super) fn save(&self, checkpoints: &mut dyn Checkpoints) {
        fn copy<S: Slot>(cells: &[S], offset: u64, into: &mut [u8]) {
            let size = size_of::<S>();
            let first = offset as usize / size;
            for (cell, bytes) in cells[first..].iter().zip(into.chunks_mut(size)) {
                bytes.copy_from_slice(&cell.get().to_le_bytes()[..size]);
            }
        }
        let Stage { plies, done, most_children, last_end, no_distances, edges, counted, from, news, .. } =
            *self;
        let width = match self.cells {
            CellArray::One(_) => Width::One,
            CellArray::Two(_) => Width::Two,
            CellArray::Four(_) => Width::Four,
        };
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
            copy: &|offset, into| match &self.cells {
                CellArray::One(cells) => copy(cells, offset, into),
                CellArray::Two(cells) => copy(cells, offset, into),
                CellArray::Four(cells) => copy(cells, offset, into),
            },
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

/// Looks at every position once.
pub(super) fn start<G: Scored + Indexed>(
    game: &G,
    crew: &Crew,
    work: &Work<'_>,
) -> Result<Stage, SolveError> {
    if let Some(start) = start_with::<G, u8>(game, crew, work, CellArray::One)? {
        return Ok(start);
    }
    if let Some(start) = start_with::<G, u16>(game, crew, work, CellArray::Two)? {
        return Ok(start);
    }
    start_with::<G, u32>(game, crew, work, CellArray::Four)?
        .ok_or_else(|| SolveError::Broken("a position has too many moves".to_owned()))
}

/// What one stretch of positions holds.
#[derive(Default)]
struct StretchSummary {
    done: u64,
    edges: u64,
    ends: Vec<u64>,
    most_children: u32,
    last_end: u32,
    largest_code: u32,
    no_distances: bool,
}

/// Positions one task looks at.
const TASK: usize = 1 << 14;

/// [`start`] with cells of one width; `None` where it is too narrow.
fn start_with<G: Scored + Indexed, S: Slot>(
    game: &G,
    crew: &Crew,
    work: &Work<'_>,
    wrap: impl Fn(Vec<S>) -> CellArray,
) -> Result<Option<Stage>, SolveError> {
    let mut cells: Vec<S> = allocate(game.size(), S::new(HOLE))?;
    let cap = cells.len() / 128 + 4096;
    let meter = Meter::new(work, "positions", cells.len() as u64);
    let tasks = cells.chunks_mut(TASK).enumerate().collect();
    let listed = AtomicUsize::new(0);
    let looked = crew.map(tasks, &|(at, cells): (usize, &mut [S])| -> Result<StretchSummary, SolveError> {
        meter.add(cells.len() as u64)?;
        let mut stretch = look(game, (at * TASK) as u64, cells)?;
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
        all.done += stretch.done;
        all.edges += stretch.edges;
        ends = ends.filter(|_: &Vec<u64>| listed <= cap);
        if let Some(ends) = &mut ends {
            ends.extend(stretch.ends);
        }
        all.most_children = all.most_children.max(stretch.most_children);
        all.last_end = all.last_end.max(stretch.last_end);
        all.largest_code = all.largest_code.max(stretch.largest_code);
        all.no_distances |= stretch.no_distances;
    }
    if all.largest_code >= S::MAX.saturating_sub(all.most_children) {
        return Ok(None);
    }
    Ok(Some(Stage {
        cells: wrap(cells),
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

/// Fills the cells of one stretch.
fn look<G: Scored + Indexed, S: Slot>(
    game: &G,
    first: u64,
    cells: &mut [S],
) -> Result<StretchSummary, SolveError> {
    let mut found = StretchSummary::default();
    let mut children = Distinct::new();
    let mut result = Ok(());
    game.walk(first..first + cells.len() as u64, &mut |number, position| {
        if result.is_err() {
            return;
        }
        let Some(cell) = number.checked_sub(first).and_then(|at| cells.get_mut(at as usize)) else { return };
        result = match game.over(&position) {
            Some(value) => found.end(number, value).map(|code| *cell = S::new(code)),
            None => {
                let left = game.child_count(&position).unwrap_or_else(|| {
                    children.clear();
                    let mut left = 0;
                    game.child_numbers(&position, &mut |child, step| {
                        left += u32::from(children.insert(child, step.turn_passed));
                    });
                    left
                });
                found.most_children = found.most_children.max(left);
                found.edges += u64::from(left);
                *cell = S::new(S::MAX.saturating_sub(left));
                let stuck =
                    || SolveError::Broken(format!("position {number} has no moves, yet it is not over"));
                if left > 0 { Ok(()) } else { Err(stuck()) }
            }
        };
    });
    result.map(|()| found)
}

impl StretchSummary {
    /// Notes an end; gives its code.
    fn end(&mut self, number: u64, value: Value) -> Result<u32, SolveError> {
        let coding = Coding { meaning: Meaning::Distance, width: Width::Four };
        let code = match coding.encode(value) {
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
}
