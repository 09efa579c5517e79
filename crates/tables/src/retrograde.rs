//! Retrograde analysis: tables of games whose positions may repeat, distance by distance from the finished positions.
//!
//! A cell holds the value of its position if it is known. Otherwise it counts the distinct children that may still avoid a
//! loss. One byte per position is enough for large games: to about 120 plies, and to 250 if distances alternate, so that
//! their parity tells wins from losses.
//!
//! 1. Look at every position once: an end gets its value, any other position the number of its children.
//! 2. Find the positions of the current distance: from a list if they are few, else by a scan of the cells.
//! 3. Collect their predecessors, sorted by stretches of the table.
//! 4. Update the cells of each stretch: a predecessor of a lost position is won; one whose last child is won by the
//!    opponent is lost. Generating moves does not wait for memory, and no two threads write to the same stretch.
//! 5. Continue with the next distance until nothing changes; positions without a value are draws.

mod ability;
mod backward;
mod cells;
mod children;
mod forward;
pub(crate) mod graph;
mod look;
mod marks;
mod part;
pub(crate) mod shard;
pub(crate) mod spilled;
mod steps;
pub(crate) mod updates;

use std::ops::Range;

use crate::crew::{Crew, refuse_beyond};
use grundy_core::game::{Indexed, Scored};
use grundy_core::table::{Checkpoints, NoCheckpoints, Table, win_code};
use grundy_session::{Activity, Progress, SolveError, Work};

pub use ability::Reversible;
pub(crate) use backward::{Backward, Collect, Distinct, Known, TakePredecessors, Update, WINS};
use backward::{Buckets, GamePredecessors, Reversed, Sorted};
use cells::{CellArray, Halt, Slot, Stage, is_lost, of_distance, with_cells};
use children::Children;
use look::Looked;
use marks::Marks;
pub use part::{Missing, Seen, Sight};
pub(crate) use part::{Part, Sights, Whole};
use steps::{LISTED, SCANNED, STRETCH_BITS};

/// Computes the table of a game that knows its predecessors, with distances.
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
    let mut stage = begin(&Whole(game), &crew, work, checkpoints)?;
    if !stage.counted {
        drop(stage);
        stage = look::start(&Whole(game), None, &crew, work, checkpoints)?;
    }
    analyse(stage, &GamePredecessors { game }, &crew, work, checkpoints)
}

/// Computes the table of a game that does not know its predecessors, with distances. The reversed graph of a small game is
/// built in memory; a large game is solved as by [`solve_forwards`].
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
    let stage = begin(&Whole(game), &crew, work, checkpoints)?;
    go_on(stage, &Whole(game), &crew, work, checkpoints)
}

/// Continues the analysis: by a reversed graph in memory if it is small, else forwards.
fn go_on(
    stage: Stage,
    game: &dyn Children,
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

/// Computes distances to the ends for a game in which some end has none: each end counts as the last position. They show
/// that no outcomes support each other in a cycle, and mean nothing else.
///
/// # Errors
/// As [`solve`].
pub(crate) fn solve_ranks<G: Scored + Indexed>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let stage = Stage { no_distances: false, ..begin(&Whole(game), &crew, work, &mut NoCheckpoints)? };
    go_on(stage, &Whole(game), &crew, work, &mut NoCheckpoints)
}

/// As [`solve`], without a graph in memory: at each distance, every position of unknown value looks at its children.
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
    let stage = begin(&Whole(game), &crew, work, checkpoints)?;
    forward::analyse(stage, &Whole(game), &crew, work, checkpoints)
}

/// As [`looked_at`], for all positions of a game, after a check of the memory.
fn begin(
    whole: &dyn Part,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Stage, SolveError> {
    refuse_beyond(Some(memory(whole.len())), work)?;
    looked_at(whole, crew, work, checkpoints)
}

/// Returns the state of an earlier run from its checkpoint, or else after a first look at every position of a part.
fn looked_at(
    part: &dyn Part,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Stage, SolveError> {
    let looked = match checkpoints.resume() {
        Some(kept) if Stage::is_in(&kept) => match Stage::from_checkpoint(kept, part.len()) {
            Some(stage) => return Ok(stage),
            None => None,
        },
        kept => kept.and_then(|kept| Looked::from_checkpoint(kept, part.len())),
    };
    look::start(part, looked, crew, work, checkpoints)
}

/// Computes the table of a part of a game; the moves out of it lead to positions of known value. The part, and with it the
/// tables it needs, is dropped after the first look at every position.
///
/// # Errors
/// As [`solve`]; or an end has no distance.
pub(crate) fn solve_part(
    part: Box<dyn Part + '_>,
    back: &dyn Collect,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let stage = looked_at(&*part, &crew, work, checkpoints)?;
    let stays = part.stays();
    drop(part);
    if stage.no_distances {
        return Err(SolveError::Broken("an end of the game has no distance".to_owned()));
    }
    if stays { analyse(stage, back, &crew, work, checkpoints) } else { stage.into_table() }
}

/// Returns the bytes of memory that a table of `count` one-byte cells needs while it is computed.
pub fn memory(count: u64) -> u64 {
    count.saturating_add(forward::extra_bytes(count)).saturating_add(BATCH_BYTES)
}

/// The largest graph that is reversed in memory, in bytes.
const LARGEST_GRAPH: u64 = 40 << 20;
/// Approximate bytes of the updates of one batch.
const BATCH_BYTES: u64 = 16 << 20;
/// Cells in a stretch that one thread updates at a time.
const STRETCH: usize = 1 << STRETCH_BITS;

/// The positions of one distance.
enum Frontier {
    /// A list of states.
    Listed(Vec<u64>),
    /// All states whose cells have the distance.
    Scanned,
}

/// Works backwards from the ends of the game, or continues an earlier run.
fn analyse(
    mut stage: Stage,
    back: &dyn Collect,
    crew: &Crew,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let count = stage.cells.len() as u64;
    let most_children = stage.most_children;
    let marks = stage.exits.as_ref().map(|exits| Marks::by(crew, exits));
    let mut frontier = match stage.listed.take() {
        Some(ends) if stage.last_end == 0 => Frontier::Listed(ends),
        _ => Frontier::Scanned,
    };
    loop {
        let plies = stage.plies;
        stage.cells = stage.cells.with_room_for(win_code(plies + 1), most_children, stage.alternate)?;
        let level = Level { plies, most_children, back, crew, work };
        // The positions that an earlier run found at this distance are not listed.
        let mut news = News { count: 0, numbers: if stage.from == 0 { Some(Vec::new()) } else { None } };
        if let Some(exits) = stage.exits.as_ref().zip(marks.as_ref()).filter(|_| stage.from == 0) {
            with_cells!(&mut stage.cells, cells => level.leave(cells, exits, &mut news))?;
        }
        loop {
            let halt = Halt { from: stage.from, done: stage.done, due: &|| checkpoints.due() };
            let reached =
                with_cells!(&mut stage.cells, cells => level.run(cells, &frontier, &mut news, &halt))?;
            let resolved = std::mem::take(&mut news.count);
            stage.done += resolved;
            stage.news += resolved;
            stage.from = reached.from;
            (work.report)(&Progress { what: Activity::Distance(plies), done: stage.done, total: count });
            if reached.strays && stage.alternate {
                stage.alternate = false;
                stage.cells = stage.cells.with_room_for(win_code(plies + 1), most_children, false)?;
            }
            match &frontier {
                _ if reached.from == count => break,
                Frontier::Scanned => stage.save(checkpoints),
                Frontier::Listed(_) => {}
            }
        }
        if stage.end_distance() {
            break;
        }
        if checkpoints.due() {
            stage.save(checkpoints);
        }
        frontier = match news.numbers {
            Some(numbers) if stage.plies > stage.last_end => Frontier::Listed(numbers),
            _ => Frontier::Scanned,
        };
    }
    stage.into_table()
}

/// The positions that one distance has resolved.
struct News {
    count: u64,
    /// A list of them, as long as they are few.
    numbers: Option<Vec<u64>>,
}

impl News {
    /// Adds resolved states; a list longer than `cap` is dropped.
    fn add(&mut self, numbers: Vec<u64>, cap: usize) {
        self.count += numbers.len() as u64;
        self.numbers.take_if(|all| all.len() + numbers.len() > cap);
        if let Some(all) = &mut self.numbers {
            all.extend(numbers);
        }
    }
}

/// Returns the most positions that are listed.
fn most_listed<S>(cells: &[S]) -> usize {
    cells.len() / 128 + 4096
}

/// The progress of a distance.
struct Reached {
    /// Where it continues; the number of cells if it is complete.
    from: u64,
    /// True if the turn did not pass with some move.
    strays: bool,
}

/// One distance: resolves the positions that are one ply further away than the frontier.
struct Level<'a> {
    plies: u32,
    most_children: u32,
    back: &'a dyn Collect,
    crew: &'a Crew,
    work: &'a Work<'a>,
}

impl Level<'_> {
    /// Processes the frontier: a scanned one until a checkpoint is due, each until a move strays that these cells cannot hold.
    /// Adds the positions resolved to `news`, and returns how far it came.
    fn run<S: Slot>(
        &self,
        cells: &mut [S],
        frontier: &Frontier,
        news: &mut News,
        halt: &Halt<'_>,
    ) -> Result<Reached, SolveError> {
        let (len, task) = match frontier {
            Frontier::Listed(numbers) => (numbers.len(), LISTED),
            Frontier::Scanned => (cells.len(), SCANNED),
        };
        let (begin, group) = (halt.from as usize, task * 4 * self.crew.size());
        let mut strays = false;
        for first in (begin..len).step_by(group) {
            if self.work.stopped() {
                return Err(SolveError::Stopped);
            }
            if matches!(frontier, Frontier::Scanned) && first > begin && (halt.due)() {
                return Ok(Reached { from: first as u64, strays });
            }
            let end = len.min(first + group);
            let tasks = (first..end).step_by(task).map(|begin| begin..end.min(begin + task)).collect();
            let collected = self.crew.map(tasks, &|range: Range<usize>| match frontier {
                Frontier::Listed(numbers) => self.collect(cells, numbers[range].iter().copied()),
                Frontier::Scanned => self.collect(cells, self.scan(cells, range)),
            });
            let collected = collected.into_iter().collect::<Result<Vec<_>, _>>()?;
            strays |= collected.iter().any(|updates| updates.strays);
            if strays && S::ALTERNATES {
                return Ok(Reached { from: first as u64, strays });
            }
            let stretches = cells.chunks_mut(STRETCH).enumerate();
            let touched =
                stretches.filter(|(at, _)| collected.iter().any(|updates| !updates.of(*at).is_empty()));
            let applied = self.crew.map(touched.collect(), &|(at, stretch)| {
                let updates = collected.iter().flat_map(|updates| updates.of(at));
                self.apply(stretch, (at * STRETCH) as u64, updates)
            });
            applied.into_iter().for_each(|numbers| news.add(numbers, most_listed(cells)));
            let (done, total) = (halt.done + news.count, cells.len() as u64);
            (self.work.report)(&Progress { what: Activity::Distance(self.plies), done, total });
        }
        Ok(Reached { from: cells.len() as u64, strays })
    }

    /// Resolves the positions that are won one ply further away by a move out of the part, and takes one child from those
    /// whose moves out of it are all lost at that distance.
    fn leave<S: Slot>(
        &self,
        cells: &mut [S],
        (exits, marks): (&CellArray, &Marks),
        news: &mut News,
    ) -> Result<(), SolveError> {
        if self.work.stopped() {
            return Err(SolveError::Stopped);
        }
        let stretches = cells.chunks_mut(STRETCH).enumerate().collect();
        let applied = self.crew.map(stretches, &|(at, stretch): (usize, &mut [S])| {
            let first = at * STRETCH;
            let left = marks.of_distance(exits, first..first + stretch.len(), self.plies + 1);
            let updates: Vec<Update> =
                left.into_iter().map(|(at, win)| at | if win { WINS } else { 0 }).collect();
            self.apply(stretch, first as u64, updates.iter())
        });
        applied.into_iter().for_each(|numbers| news.add(numbers, most_listed(cells)));
        Ok(())
    }

    /// Returns the states of a range whose cells have the current distance.
    fn scan<S: Slot>(&self, cells: &[S], range: Range<usize>) -> impl Iterator<Item = u64> {
        let begin = range.start as u64;
        of_distance(&cells[range], self.plies).map(move |(at, _)| begin + at as u64)
    }

    /// Collects the updates of the predecessors of these positions, sorted by stretches.
    fn collect<S: Slot>(
        &self,
        cells: &[S],
        numbers: impl Iterator<Item = u64>,
    ) -> Result<Sorted, SolveError> {
        let lost = |n: u64| u64::from(is_lost(cells[n as usize], self.plies));
        let known: Vec<Known> = numbers.map(|n| n << 1 | lost(n)).collect();
        let mut buckets = Buckets::new(cells.len() as u64, STRETCH_BITS);
        self.back.collect(&known, &mut buckets)?;
        Ok(buckets.sorted())
    }

    /// Updates the cells of one stretch; returns the states that are resolved by that.
    fn apply<'u, S: Slot>(
        &self,
        stretch: &mut [S],
        first: u64,
        updates: impl Iterator<Item = &'u Update>,
    ) -> Vec<u64> {
        let mut news = Vec::new();
        let mut note = |at| news.push(first + u64::from(at));
        steps::apply(stretch, self.plies, self.most_children, updates.copied(), &mut note);
        news
    }
}

#[cfg(test)]
pub(crate) mod tests;
