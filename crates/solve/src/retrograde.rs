//! Retrograde analysis: tables of games whose positions may repeat, distance by distance from the finished positions.
//!
//! A cell holds the value of its position where it is known. Otherwise it counts the distinct children that may still
//! avoid a loss. One byte a position is enough for large games.
//!
//! The positions of one distance are kept in a list while they are few, and found by a scan of the cells while they are
//! many. Their predecessors are collected in buckets, one for each stretch of the table, and then applied stretch by
//! stretch. So generating moves does not wait for memory, and no two threads write to the same stretch.

mod ability;
mod backward;
mod cells;
mod forward;

use std::ops::Range;

use crate::crew::{Crew, refuse_beyond};
use grundy_core::game::{Indexed, Scored};
use grundy_core::table::{Checkpoints, NoCheckpoints, Table, loss_code, win_code};
use grundy_session::{Progress, SolveError, Work};

pub use ability::Reversible;
use backward::{Backward, Distinct, GamePredecessors, Reversed};
use cells::{CellArray, Halt, Slot, Stage};

/// The value of every numbered position, with distances, for a game that knows its predecessors.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks a promise of its abilities.
pub fn solve_reversible<G: Scored + Reversible>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    solve_reversible_resumable(game, work, &mut NoCheckpoints)
}

/// As [`solve_reversible`], with checkpoints.
///
/// # Errors
/// As [`solve_reversible`].
pub fn solve_reversible_resumable<G: Scored + Reversible>(
    game: &G,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let mut stage = begin(game, &crew, work, checkpoints)?;
    if !stage.counted {
        drop(stage);
        stage = cells::start(game, &crew, work)?;
    }
    analyse(stage, &GamePredecessors { game }, &crew, work, checkpoints)
}

/// The value of every numbered position, with distances, for a game that does not know its predecessors. The reversed
/// graph of a small game is built in memory; a large game is solved as by [`solve_forwards`].
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks a promise of its abilities.
pub fn solve<G: Scored + Indexed>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    solve_resumable(game, work, &mut NoCheckpoints)
}

/// As [`solve`], with checkpoints.
///
/// # Errors
/// As [`solve`].
pub fn solve_resumable<G: Scored + Indexed>(
    game: &G,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let stage = begin(game, &crew, work, checkpoints)?;
    go_on(stage, game, &crew, work, checkpoints)
}

/// The rest of the analysis: by a graph in memory where it is small, else forwards.
fn go_on<G: Scored + Indexed>(
    stage: Stage,
    game: &G,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let graph = Reversed::bytes(game.size(), stage.edges);
    let room = work.memory_limit.map_or(u64::MAX, |limit| limit.saturating_sub(game.size()));
    if stage.counted && graph <= LARGEST_GRAPH.min(room) {
        let reversed = Reversed::build(game, work)?;
        return analyse(stage, &reversed, crew, work, checkpoints);
    }
    forward::analyse(stage, game, crew, work, checkpoints)
}

/// Distances to the ends where some end has none: each end counts as the last position. They show that no circle of
/// outcomes holds itself up, and say nothing else.
///
/// # Errors
/// As [`solve`].
pub(crate) fn solve_ranks<G: Scored + Indexed>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let stage = Stage { no_distances: false, ..begin(game, &crew, work, &mut NoCheckpoints)? };
    go_on(stage, game, &crew, work, &mut NoCheckpoints)
}

/// As [`solve`], without a graph in memory: for each distance, every position of unknown value looks at its children.
///
/// # Errors
/// As [`solve`].
pub fn solve_forwards<G: Scored + Indexed>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    solve_forwards_resumable(game, work, &mut NoCheckpoints)
}

/// As [`solve_forwards`], with checkpoints.
///
/// # Errors
/// As [`solve`].
pub fn solve_forwards_resumable<G: Scored + Indexed>(
    game: &G,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let stage = begin(game, &crew, work, checkpoints)?;
    forward::analyse(stage, game, &crew, work, checkpoints)
}

/// The state of an earlier run from its checkpoint, or the state after looking at every position once.
fn begin<G: Scored + Indexed>(
    game: &G,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Stage, SolveError> {
    refuse_beyond(Some(memory(game.size())), work)?;
    match checkpoints.resume().and_then(|kept| Stage::from_checkpoint(kept, game.size())) {
        Some(stage) => Ok(stage),
        None => cells::start(game, crew, work),
    }
}

/// The bytes of memory that a table of so many one-byte cells needs while it is made.
pub fn memory(count: u64) -> u64 {
    count.saturating_add(forward::extra_bytes(count)).saturating_add(BATCH_BYTES)
}

/// The largest graph that is reversed in memory, in bytes.
const LARGEST_GRAPH: u64 = 40 << 20;
/// About what the buckets of one batch take.
const BATCH_BYTES: u64 = 16 << 20;
/// Cells in a stretch that one thread updates at a time: they stay in a core's cache.
const STRETCH: usize = 1 << 18;
/// Listed positions whose predecessors one task collects.
const LISTED: usize = 1 << 12;
/// Cells that one task scans for positions of the present distance.
const SCANNED: usize = 1 << 15;

/// An update of a predecessor's cell: its offset in its stretch and, in the highest bit, whether the move wins.
type Update = u32;
const WINS: Update = 1 << 31;

/// The positions of one distance.
enum Frontier {
    /// These.
    Listed(Vec<u64>),
    /// All whose cells say so.
    Scanned,
}

/// Works backwards from the ends of the game, or on from where an earlier run has stopped.
fn analyse<B: Backward>(
    mut stage: Stage,
    back: &B,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let count = stage.cells.len() as u64;
    let most_children = stage.most_children;
    let mut frontier = match stage.listed.take() {
        Some(ends) if stage.last_end == 0 => Frontier::Listed(ends),
        _ => Frontier::Scanned,
    };
    loop {
        let plies = stage.plies;
        stage.cells = stage.cells.with_room_for(win_code(plies + 1), most_children)?;
        let level = Level { plies, most_children, back, crew, work };
        // What an earlier run found at this distance is listed nowhere.
        let mut listed = if stage.from == 0 { Some(Vec::new()) } else { None };
        loop {
            let halt = Halt { from: stage.from, done: stage.done, due: &|| checkpoints.due() };
            let (news, from) = match &mut stage.cells {
                CellArray::One(cells) => level.run(cells, &frontier, listed, &halt),
                CellArray::Two(cells) => level.run(cells, &frontier, listed, &halt),
                CellArray::Four(cells) => level.run(cells, &frontier, listed, &halt),
            }?;
            stage.done += news.count;
            stage.news += news.count;
            stage.from = from;
            listed = news.numbers;
            (work.report)(&Progress { what: format!("distance {plies}"), done: stage.done, total: count });
            match &frontier {
                Frontier::Scanned if from < count => stage.save(checkpoints),
                _ => break,
            }
        }
        if stage.end_distance() {
            break;
        }
        if checkpoints.due() {
            stage.save(checkpoints);
        }
        frontier = match listed {
            Some(numbers) if stage.plies > stage.last_end => Frontier::Listed(numbers),
            _ => Frontier::Scanned,
        };
    }
    stage.into_table()
}

/// What one distance has brought.
struct News {
    /// How many positions were resolved.
    count: u64,
    /// Which, while they are few.
    numbers: Option<Vec<u64>>,
}

/// One distance: resolves the positions that are one ply further away than the frontier.
struct Level<'a, B> {
    plies: u32,
    most_children: u32,
    back: &'a B,
    crew: &'a Crew,
    work: &'a Work<'a>,
}

impl<B: Backward> Level<'_, B> {
    /// Goes through the frontier, a scanned one until the work should be kept; gives what came of it, `listed` and all
    /// that is added, and where to go on.
    fn run<S: Slot>(
        &self,
        cells: &mut [S],
        frontier: &Frontier,
        listed: Option<Vec<u64>>,
        halt: &Halt<'_>,
    ) -> Result<(News, u64), SolveError> {
        let cap = cells.len() / 128 + 4096;
        let mut news = News { count: 0, numbers: listed };
        let (len, task, begin) = match frontier {
            Frontier::Listed(numbers) => (numbers.len(), LISTED, 0),
            Frontier::Scanned => (cells.len(), SCANNED, halt.from as usize),
        };
        let group = task * 4 * self.crew.size();
        for first in (begin..len).step_by(group) {
            if self.work.stopped() {
                return Err(SolveError::Stopped);
            }
            if matches!(frontier, Frontier::Scanned) && first > begin && (halt.due)() {
                return Ok((news, first as u64));
            }
            let end = len.min(first + group);
            let tasks = (first..end).step_by(task).map(|begin| begin..end.min(begin + task)).collect();
            let collected = self.crew.map(tasks, &|range: Range<usize>| match frontier {
                Frontier::Listed(numbers) => self.collect(cells, numbers[range].iter().copied()),
                Frontier::Scanned => self.collect(cells, self.scan(cells, range)),
            });
            let collected = collected.into_iter().collect::<Result<Vec<_>, _>>()?;
            let stretches = cells.chunks_mut(STRETCH).enumerate();
            let touched =
                stretches.filter(|(at, _)| collected.iter().any(|buckets| !buckets[*at].is_empty()));
            let applied = self.crew.map(touched.collect(), &|(at, stretch)| {
                let updates = collected.iter().flat_map(|buckets| &buckets[at]);
                self.apply(stretch, (at * STRETCH) as u64, updates)
            });
            for numbers in applied {
                news.count += numbers.len() as u64;
                news.numbers = news.numbers.filter(|all| all.len() + numbers.len() <= cap);
                if let Some(all) = &mut news.numbers {
                    all.extend(numbers);
                }
            }
            let (done, total) = (halt.done + news.count, cells.len() as u64);
            (self.work.report)(&Progress { what: format!("distance {}", self.plies), done, total });
        }
        Ok((news, cells.len() as u64))
    }

    /// The numbers of a range whose cells have the present distance.
    fn scan<S: Slot>(&self, cells: &[S], range: Range<usize>) -> impl Iterator<Item = u64> {
        /// So many cells are looked at in one step of the vector unit or a few.
        const LANES: usize = 64;
        let (loss, win) = (S::new(loss_code(self.plies)), S::new(win_code(self.plies)));
        let begins = (range.start..range.end).step_by(LANES);
        begins.zip(cells[range].chunks(LANES)).flat_map(move |(begin, lanes)| {
            let any = lanes.iter().fold(false, |any, &cell| any | (cell == loss) | (cell == win));
            let lanes = if any { lanes } else { &[] };
            let found = (begin as u64..).zip(lanes).filter(move |&(_, &cell)| cell == loss || cell == win);
            found.map(|(number, _)| number)
        })
    }

    /// The updates that these positions mean for their predecessors, a bucket for each stretch.
    fn collect<S: Slot>(
        &self,
        cells: &[S],
        numbers: impl Iterator<Item = u64>,
    ) -> Result<Vec<Vec<Update>>, SolveError> {
        let mut buckets = vec![Vec::new(); cells.len().div_ceil(STRETCH)];
        let mut seen = Distinct::new();
        let mut beyond = None;
        let loss = S::new(loss_code(self.plies));
        for number in numbers {
            seen.clear();
            let lost = cells[number as usize] == loss;
            self.back.visit(number, &mut |predecessor, turn_passed| {
                if !seen.insert(predecessor, turn_passed) {
                    return;
                }
                let wins = if lost == turn_passed { WINS } else { 0 };
                let at = predecessor as usize;
                match buckets.get_mut(at / STRETCH) {
                    Some(bucket) if at < cells.len() => bucket.push((at % STRETCH) as Update | wins),
                    _ => beyond = Some((number, predecessor)),
                }
            });
        }
        match beyond {
            None => Ok(buckets),
            Some((number, predecessor)) => Err(SolveError::Broken(format!(
                "position {number} has the predecessor {predecessor}, which is beyond the table"
            ))),
        }
    }

    /// Updates the cells of one stretch; gives the numbers of those that have a value now.
    fn apply<'u, S: Slot>(
        &self,
        stretch: &mut [S],
        first: u64,
        updates: impl Iterator<Item = &'u Update>,
    ) -> Vec<u64> {
        let unknown = S::MAX - self.most_children;
        let (loss, win) = (S::new(loss_code(self.plies + 1)), S::new(win_code(self.plies + 1)));
        let mut news = Vec::new();
        for update in updates {
            let at = (update & !WINS) as usize;
            let code = stretch[at].get();
            // Only what is unknown is touched: a value once given is never overwritten.
            if code < unknown {
                continue;
            }
            if update & WINS != 0 {
                stretch[at] = win;
            } else if code + 1 < S::MAX {
                stretch[at] = S::new(code + 1);
                continue;
            } else {
                stretch[at] = loss;
            }
            news.push(first + at as u64);
        }
        news
    }
}

#[cfg(test)]
pub(crate) mod tests;
