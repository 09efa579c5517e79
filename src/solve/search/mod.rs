//! Alpha-beta for the games no table holds: proves values to the end of the game where it can, and guesses by
//! iterative deepening where it cannot yet.
//!
//! Two searches share one transposition table. `prove` asks "is the position worth at least so much?" without a
//! depth limit, outside in: a win in one, a loss in two, a win in three and so on until both sides meet, which
//! finds short wins first and leaves no doubt about distances; margins are closed in on from a guess. `guess`
//! gives an answer at any time. While the clock runs they take turns; without limits it is all proof.
//!
//! A node of the proof is a position whose children had to be searched: forced moves on the way, and positions that
//! what the game says of their children decides, are none.

mod guess;
mod lane;
mod prefetch;
mod prove;
mod rank;
mod run;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::game::{Game, Heuristic, Scored, legal_moves};
use crate::solve::crew::Crew;
use crate::solve::{Limits, Line, Oracle};
use crate::value::Value;
use lane::Lane;
pub(super) use prefetch::prefetch;
use run::{Full, Quest, Run};
use table::{Memory, Table};

/// Kilobytes of the table for short searches.
const SMALL: usize = 1024;

/// What of a won or lost game is proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    /// That it is won or lost: the first proof will do.
    First,
    /// In how many plies at the best.
    #[default]
    Exact,
}

/// What [`Searcher::search`] is asked.
pub struct Task<'a, G: Game> {
    /// The position.
    pub position: &'a G::Position,
    /// Keys of the game's earlier positions, of interest only where positions can come twice.
    pub history: &'a [u64],
    /// The moves to be looked at; all, where it names no legal one.
    pub only: &'a [G::Move],
    /// How many moves are asked for, each with a line of its own.
    pub multi_pv: usize,
    /// When it ends.
    pub limits: &'a Limits,
    /// Who may know what the position and those after its moves are worth, or bounds of that.
    pub book: Option<&'a dyn Oracle<G>>,
}

impl<'a, G: Game> Task<'a, G> {
    /// The best of all moves, by what the position alone says.
    pub fn new(position: &'a G::Position, limits: &'a Limits) -> Task<'a, G> {
        Task { position, history: &[], only: &[], multi_pv: 1, limits, book: None }
    }
}

/// The search with its memory. It may be used for one position after another of a game, and for several games of
/// one type after [`Searcher::forget`].
pub struct Searcher<G: Scored> {
    hash_mb: usize,
    threads: usize,
    distance: Distance,
    /// A table small enough to stay in the processor's cache: all that short searches use, and in long ones the place
    /// of what will soon be of no use.
    small: Option<Memory>,
    /// The table of `hash_mb`, once a search was long enough.
    full: Option<Memory>,
    lanes: Vec<Lane<G>>,
    nodes: u64,
}

impl<G: Scored + Heuristic> Searcher<G> {
    /// A search with a transposition table of `hash_mb` megabytes and this many threads (at least one is used).
    /// The table's memory is asked for by the first search.
    pub fn new(hash_mb: usize, threads: usize) -> Searcher<G> {
        Searcher {
            hash_mb,
            threads: threads.max(1),
            distance: Distance::Exact,
            small: None,
            full: None,
            lanes: Vec::new(),
            nodes: 0,
        }
    }

    /// What of a won or lost game is proved; [`Distance::Exact`] unless set.
    pub fn set_distance(&mut self, distance: Distance) {
        self.distance = distance;
    }

    /// Nodes visited since the search was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets everything, for another game or for a measurement.
    pub fn forget(&mut self) {
        self.small = None;
        self.full = None;
        self.lanes.clear();
    }

    /// Asks for the table's memory now.
    ///
    /// # Errors
    /// The memory could not be had. A search would then make do with less.
    pub fn allocate(&mut self) -> Result<(), String> {
        if self.full.is_none() {
            self.full = Some(Memory::new(self.full_size())?);
        }
        Ok(())
    }

    /// The exact value of a position, or `None` if the limits or `stop` end the search before the proof.
    pub fn value(
        &mut self,
        game: &G,
        position: &G::Position,
        limits: &Limits,
        stop: &AtomicBool,
        oracle: Option<&dyn Oracle<G>>,
    ) -> Option<Value> {
        if let Some(value) = game.over(position) {
            return Some(value);
        }
        let task = Task::new(position, limits);
        if game.cyclic() {
            return self.search(game, &task, stop, oracle, &mut |_| {}).first()?.score.exact();
        }
        let moves = legal_moves(game, position);
        self.with_run(game, &task, (moves, true), stop, oracle, |run| run.value())
    }

    /// The exact values of many unfinished positions, each on one thread of the crew; `None` where `stop` came first. All
    /// use one table, and from the first node on: what their neighbours led to is in it.
    pub(super) fn values(
        &mut self,
        game: &G,
        positions: Vec<&G::Position>,
        crew: &Crew,
        stop: &AtomicBool,
    ) -> Vec<Option<Value>> {
        let limits = &Limits::default();
        if game.cyclic() {
            return positions.into_iter().map(|p| self.value(game, p, limits, stop, None)).collect();
        }
        let kilobytes = self.full_size();
        let (small, full, lanes) = self.begin(crew.size());
        let tables = [full.get_or_insert_with(|| memory(kilobytes)).table(), small];
        let idle = Mutex::new(lanes.iter_mut().collect::<Vec<_>>());
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = AtomicU64::new(0);
        let values = crew.map(positions, |position| {
            let lane = idle().pop()?;
            let (history, distance) = (&[], Distance::Exact);
            let moves = legal_moves(game, position);
            let (all, oracle, book) = (true, None, None);
            let quest = Quest { game, position, history, moves, all, oracle, stop, limits, distance, book };
            let mut run = Run::new(quest, tables, None, std::slice::from_mut(&mut *lane));
            let value = run.value();
            nodes.fetch_add(run.nodes, Relaxed);
            idle().push(lane);
            value
        });
        self.nodes += nodes.into_inner();
        values
    }

    /// Finds the best move, or the best of several, and how much of their worth can be proved within the limits. What
    /// `oracle` knows ends a line of play. `report` sees every line as it is found; the lines returned are the last
    /// word, best first, one for each rank, and none only where the game is over.
    pub fn search(
        &mut self,
        game: &G,
        task: &Task<'_, G>,
        stop: &AtomicBool,
        oracle: Option<&dyn Oracle<G>>,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) -> Vec<Line<G::Move>> {
        let limits = task.limits;
        let legal = legal_moves(game, task.position);
        if legal.is_empty() {
            return Vec::new();
        }
        let mut moves = legal.clone();
        moves.retain(|m| task.only.contains(m));
        if moves.is_empty() {
            moves = legal.clone();
        }
        let all = moves.len() == legal.len();
        let ranks = task.multi_pv.clamp(1, moves.len());
        let lines = self.with_run(game, task, (moves, all), stop, oracle, |run| run.lines(ranks, report));
        if limits.infinite {
            while !stop.load(Relaxed) && limits.hard.is_none_or(|hard| Instant::now() < hard) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        lines
    }

    /// Kilobytes of the large table: what the small one leaves of the memory.
    fn full_size(&self) -> usize {
        let all = self.hash_mb.max(1).saturating_mul(1 << 10);
        all.saturating_sub(SMALL).max(SMALL / 2)
    }

    /// Does something with a search for this, over these moves, which may be all that are legal.
    fn with_run<R>(
        &mut self,
        game: &G,
        task: &Task<'_, G>,
        (moves, all): (Vec<G::Move>, bool),
        stop: &AtomicBool,
        oracle: Option<&dyn Oracle<G>>,
        body: impl FnOnce(&mut Run<'_, G>) -> R,
    ) -> R {
        let (kilobytes, distance) = (self.full_size(), self.distance);
        let (small, full, lanes) = self.begin(self.threads);
        let &Task { position, history, limits, book, .. } = task;
        let quest = Quest { game, position, history, moves, all, oracle, stop, limits, distance, book };
        let mut run = Run::new(quest, [small, small], Some(Full::new(full, kilobytes)), lanes);
        let result = body(&mut run);
        let nodes = run.nodes;
        self.nodes += nodes;
        result
    }

    /// The small table, the place of the large one, and so many lanes, for the next search.
    fn begin(&mut self, lanes: usize) -> (Table<'_>, &mut Option<Memory>, &mut [Lane<G>]) {
        self.lanes.resize_with(lanes, Lane::new);
        let small = self.small.get_or_insert_with(|| memory(SMALL));
        small.age();
        if let Some(full) = &mut self.full {
            full.age();
        }
        (small.table(), &mut self.full, &mut self.lanes)
    }
}

/// Memory of this size, or of as much of it as can be had.
fn memory(mut kilobytes: usize) -> Memory {
    loop {
        match Memory::new(kilobytes) {
            Ok(memory) => return memory,
            Err(error) => log::warn!("{error}, trying half of it"),
        }
        kilobytes /= 2;
    }
}

#[cfg(test)]
mod tests;
