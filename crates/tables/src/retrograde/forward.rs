//! Retrograde analysis by forward moves, for large games that do not know their predecessors: one sweep over the positions
//! of unknown value for each distance.
//!
//! A position gets its value only after one of its children did. For each stretch of the table a bit set has the regions of
//! the table in which the children of its unknown positions lie. A stretch is skipped if no region has new values.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::cells::{CellArray, Halt, Slot, Stage, with_cells};
use super::children::Children;
use crate::crew::Crew;
use grundy_core::table::{Checkpoints, DRAW, HOLE, Table, loss_code, win_code};
use grundy_session::{Activity, Progress, SolveError, Work};

/// Positions in a stretch.
const STRETCH: usize = 1 << 12;
/// Words of a set of regions.
const WORDS: usize = 8;
/// Number of regions of the table.
const REGIONS: u64 = WORDS as u64 * 64;
/// If at most one in this number of positions is unknown, the unknown ones are found one by one.
const SPARSE: usize = 8;

/// Returns the bytes of the sets of regions.
pub(super) fn extra_bytes(count: u64) -> u64 {
    count.div_ceil(STRETCH as u64) * (WORDS as u64 * 8 + 4)
}

/// A set of regions of the table.
#[derive(Default)]
struct Regions([AtomicU64; WORDS]);

impl Regions {
    fn add(&self, region: u64) {
        let word = &self.0[(region / 64) as usize];
        if word.load(Ordering::Relaxed) >> (region % 64) & 1 == 0 {
            word.fetch_or(1 << (region % 64), Ordering::Relaxed);
        }
    }

    fn all() -> Regions {
        Regions(std::array::from_fn(|_| AtomicU64::new(u64::MAX)))
    }

    fn meets(&self, other: &Regions) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a.load(Ordering::Relaxed) & b.load(Ordering::Relaxed) != 0)
    }
}

/// The state of a stretch.
struct StretchState {
    /// The regions of the children of its unknown positions.
    reach: Regions,
    /// Number of unknown positions; `u32::MAX` before they were counted.
    unknown: AtomicU32,
}

/// Sweeps until a distance resolves no position.
pub(super) fn analyse(
    mut stage: Stage,
    game: &dyn Children,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let count = stage.cells.len() as u64;
    let shift = count.div_ceil(REGIONS).next_power_of_two().trailing_zeros();
    let stretches: Vec<StretchState> = (0..count.div_ceil(STRETCH as u64))
        .map(|_| StretchState { reach: Regions::all(), unknown: AtomicU32::new(u32::MAX) })
        .collect();
    stage.counted = false;
    let mut fresh = Regions::all();
    // The regions of the positions that an earlier run found at this distance are not known.
    let mut noted = stage.from == 0;
    loop {
        let plies = stage.plies;
        stage.cells = stage.cells.with_room_for(win_code(plies + 1), stage.most_children, false)?;
        let next = Regions::default();
        let sweep = Sweep {
            game,
            plies,
            shift,
            most_children: stage.most_children,
            stretches: &stretches,
            fresh: &fresh,
            next: &next,
            crew,
            work,
        };
        loop {
            let halt = Halt { from: stage.from, done: stage.done, due: &|| checkpoints.due() };
            let (found, from) = with_cells!(&mut stage.cells, cells => sweep.run(cells, &halt))?;
            stage.done += found;
            stage.news += found;
            stage.from = from;
            if from == stretches.len() as u64 {
                break;
            }
            stage.save(checkpoints);
        }
        if stage.end_distance() {
            break;
        }
        // Ends with distances of their own may lie anywhere.
        fresh = if noted && stage.plies > stage.last_end { next } else { Regions::all() };
        noted = true;
        if checkpoints.due() {
            stage.save(checkpoints);
        }
    }
    stage.into_table()
}

/// One distance.
struct Sweep<'a> {
    game: &'a dyn Children,
    plies: u32,
    /// The region of a state is its index without this number of low bits.
    shift: u32,
    most_children: u32,
    stretches: &'a [StretchState],
    /// The regions with positions of the current distance.
    fresh: &'a Regions,
    /// Receives the regions with positions of the next distance.
    next: &'a Regions,
    crew: &'a Crew,
    work: &'a Work<'a>,
}

impl Sweep<'_> {
    /// Sweeps the stretches, from where the distance continues to the end or until a checkpoint is due. Returns the number of
    /// positions resolved, and where to continue.
    fn run<S: Slot>(&self, cells: &mut [S], halt: &Halt<'_>) -> Result<(u64, u64), SolveError> {
        let mut found = 0;
        let mut at = halt.from as usize;
        let group = 16 * self.crew.size();
        while at < self.stretches.len() {
            if self.work.stopped() {
                return Err(SolveError::Stopped);
            }
            if at > halt.from as usize && (halt.due)() {
                break;
            }
            let mut tasks = Vec::with_capacity(group);
            while tasks.len() < group && at < self.stretches.len() {
                let stretch = &self.stretches[at];
                if stretch.unknown.load(Ordering::Relaxed) > 0 && stretch.reach.meets(self.fresh) {
                    tasks.push(at);
                }
                at += 1;
            }
            let looked = self.crew.map(tasks, &|at| self.look(cells, at));
            for news in looked {
                for (number, code) in news? {
                    cells[number as usize] = code;
                    self.next.add(number >> self.shift);
                    found += 1;
                }
            }
            let what = Activity::Distance(self.plies);
            let total = cells.len() as u64;
            (self.work.report)(&Progress { what, done: halt.done + found, total });
        }
        Ok((found, at as u64))
    }

    /// Looks at the unknown positions of one stretch; returns those that are resolved.
    fn look<S: Slot>(&self, cells: &[S], at: usize) -> Result<Vec<(u64, S)>, SolveError> {
        let unknown = S::MAX - self.most_children;
        let begin = at * STRETCH;
        let range = begin..cells.len().min(begin + STRETCH);
        let mine = &cells[range.clone()];
        let mut wanted = vec![0u64; mine.len().div_ceil(64)];
        let mut many = 0;
        for (at, _) in mine.iter().enumerate().filter(|(_, cell)| cell.get() >= unknown) {
            wanted[at / 64] |= 1 << (at % 64);
            many += 1;
        }
        let mut seen =
            LevelView { cells, unknown, plies: self.plies, shift: self.shift, reach: Regions::default() };
        let mut news = Vec::new();
        let mut result = Ok(());
        let few = many <= mine.len() / SPARSE;
        self.game.each(begin as u64..range.end as u64, &wanted, few, &mut |number, children| match seen
            .judge(children)
        {
            Ok(code) => news.extend(code.map(|code| (number, S::new(code)))),
            Err(child) => {
                result = Err(SolveError::Broken(format!(
                    "position {number} leads to index {child}, which no position has"
                )));
            }
        });
        result?;
        let stretch = &self.stretches[at];
        stretch.unknown.store((many - news.len()) as u32, Ordering::Relaxed);
        for (word, reach) in stretch.reach.0.iter().zip(&seen.reach.0) {
            word.store(reach.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        Ok(news)
    }
}

/// The values known when a distance begins; those of the same sweep are ignored.
struct LevelView<'a, S> {
    cells: &'a [S],
    unknown: u32,
    plies: u32,
    shift: u32,
    /// The regions of the children of positions that stay unknown.
    reach: Regions,
}

impl<S: Slot> LevelView<'_, S> {
    /// Returns the code of a position that its children resolve at this distance, if they do.
    ///
    /// # Errors
    /// The index of a child without a position.
    fn judge(&mut self, children: &[(u64, bool)]) -> Result<Option<u32>, u64> {
        let (loss, win) = (loss_code(self.plies), win_code(self.plies));
        let (mut wins, mut open, mut hole) = (false, false, None);
        for &(child, turn_passed) in children {
            let code = self.cells.get(child as usize).map_or(HOLE, |cell| cell.code());
            let lost = code.is_multiple_of(2);
            if code == HOLE {
                hole = Some(child);
            } else if code == DRAW || code > if lost { loss } else { win } || code >= self.unknown {
                open = true;
                self.reach.add(child >> self.shift);
            } else {
                wins |= lost == turn_passed;
            }
        }
        match hole {
            Some(child) => Err(child),
            None if wins => Ok(Some(win_code(self.plies + 1))),
            None if open => Ok(None),
            None => Ok(Some(loss_code(self.plies + 1))),
        }
    }
}
