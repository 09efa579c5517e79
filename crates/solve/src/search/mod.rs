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

mod ability;
mod driver;
mod guess;
mod prefetch;
mod prove;
mod rank;
mod root;
mod score;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use grundy_core::game::Scored;
use grundy_core::value::Value;

pub use ability::{Bounds, Endgame, EndgamePolicy, Finished, Heuristic, Retract, Searched};
use driver::{Driver, Full};
pub(super) use prefetch::prefetch;
use root::{Prober, RootScene, RootWorker};
use table::{TableMemory, TranspositionTable};
use worker::Worker;

use crate::crew::Crew;
use crate::question::{Question, Variation};

/// Kilobytes of the table for short searches.
const SMALL: usize = 1024;

/// The search with its memory. It may be used for one position after another of a game, and for several games of
/// one type after [`Searcher::forget`]. `E` says how the last moves are dealt with: [`Searched`], or [`Finished`] for
/// games with an [`Endgame`] of their own.
pub struct Searcher<G: Scored, E = Searched> {
    hash_mb: usize,
    threads: usize,
    /// A table small enough to stay in the processor's cache: all that short searches use, and in long ones the place
    /// of what will soon be of no use.
    small: Option<TableMemory>,
    /// The table of `hash_mb`, once a search was long enough.
    full: Option<TableMemory>,
    lanes: Vec<Worker<G, E>>,
    nodes: u64,
}

impl<G: Scored + Heuristic + Bounds> Searcher<G> {
    /// A search with a transposition table of `hash_mb` megabytes and this many threads (at least one is used).
    /// The table's memory is asked for by the first search.
    pub fn new(hash_mb: usize, threads: usize) -> Searcher<G> {
        Searcher::with_ending(hash_mb, threads)
    }
}

impl<G: Scored + Heuristic + Bounds, E: EndgamePolicy<G>> Searcher<G, E> {
    /// As [`Searcher::new`], with this way of dealing with the last moves.
    pub fn with_ending(hash_mb: usize, threads: usize) -> Searcher<G, E> {
        let threads = threads.max(1);
        Searcher { hash_mb, threads, small: None, full: None, lanes: Vec::new(), nodes: 0 }
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
            self.full = Some(TableMemory::new(self.full_size())?);
        }
        Ok(())
    }

    /// The exact value of a position, finished or not; `None` where a limit or the stop flag ends the search before
    /// the proof. How many lines are asked for makes no difference.
    pub fn value(&mut self, question: &Question<'_, G>) -> Option<Value> {
        if let Some(value) = question.game.over(question.position) {
            return Some(value);
        }
        if question.game.cyclic() {
            return self.search(question, &mut |_| {}).first()?.score.exact();
        }
        self.with_run(&RootScene::new(*question), |run| run.value())
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
        let ask = |position| Question { stop, ..Question::new(game, position) };
        if game.cyclic() {
            return positions.into_iter().map(|position| self.value(&ask(position))).collect();
        }
        let kilobytes = self.full_size();
        let (small, full, lanes) = self.begin(crew.size());
        let tables = [full.get_or_insert_with(|| TableMemory::at_most(kilobytes)).table(), small];
        let idle = Mutex::new(lanes.iter_mut().collect::<Vec<_>>());
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = AtomicU64::new(0);
        let values = crew.map(positions, &|position| {
            let lane = idle().pop()?;
            let scene = RootScene::new(ask(position));
            let hands: Vec<Box<dyn Prober + '_>> = vec![Box::new(RootWorker::new(lane, &scene))];
            let mut run = Driver::new(scene.facts::<E>(), stop, tables, None, hands);
            let value = run.value();
            nodes.fetch_add(run.nodes, Relaxed);
            drop(run);
            idle().push(lane);
            value
        });
        self.nodes += nodes.into_inner();
        values
    }

    /// Finds the best move, or the best of several, and how much of their worth can be proved within the limits. What
    /// the question's oracle knows ends a line of play. `report` sees every line as it is found; the lines returned are
    /// the last word, best first, one for each rank, and none only where the game is over.
    pub fn search(
        &mut self,
        question: &Question<'_, G>,
        report: &mut dyn FnMut(&Variation),
    ) -> Vec<Variation> {
        let scene = RootScene::new(*question);
        if scene.count() == 0 {
            return Vec::new();
        }
        let ranks = question.lines.clamp(1, scene.count());
        let lines = self.with_run(&scene, |run| run.lines(ranks, report));
        let limits = question.limits;
        if limits.infinite {
            while !question.stop.load(Relaxed) && limits.hard.is_none_or(|hard| Instant::now() < hard) {
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

    /// Does something with a search of this scene.
    fn with_run<R>(&mut self, scene: &RootScene<'_, G>, body: impl FnOnce(&mut Driver<'_>) -> R) -> R {
        let kilobytes = self.full_size();
        let (small, full, lanes) = self.begin(self.threads);
        let hand = |lane| -> Box<dyn Prober + '_> { Box::new(RootWorker::new(lane, scene)) };
        let hands = lanes.iter_mut().map(hand).collect();
        let full = Some(Full::new(full, kilobytes));
        let mut run = Driver::new(scene.facts::<E>(), scene.question.stop, [small, small], full, hands);
        let result = body(&mut run);
        let nodes = run.nodes;
        drop(run);
        self.nodes += nodes;
        result
    }

    /// The small table, the place of the large one, and so many lanes, for the next search.
    #[allow(clippy::type_complexity)]
    fn begin(
        &mut self,
        lanes: usize,
    ) -> (TranspositionTable<'_>, &mut Option<TableMemory>, &mut [Worker<G, E>]) {
        self.lanes.resize_with(lanes, Worker::new);
        let small = self.small.get_or_insert_with(|| TableMemory::at_most(SMALL));
        small.age();
        if let Some(full) = &mut self.full {
            full.age();
        }
        (small.table(), &mut self.full, &mut self.lanes)
    }
}

#[cfg(test)]
mod tests;
