//! Alpha-beta search, for games that are too large for a table.
//!
//! Three searches share one transposition table:
//!
//! * The **proof search** (`prove`) has no depth limit. It asks with null windows whether the value is at least some
//!   target. In a game of outcome the targets are a win in 1 ply, a loss in 2, a win in 3 and so on, so that short wins
//!   are found first and distances are exact. In a game for points they start at an estimate and close in on the
//!   margin.
//! * The **depth-limited search** (`guess`) is principal-variation search with iterative deepening. It has a move to
//!   play at any time.
//!
//! * The **selective search** (`select`) takes its place from the second iteration on in games that ask for it, where a
//!   limit of time or nodes is set or the search is infinite. It reduces and prunes moves, and proves nothing but wins and
//!   losses.
//!
//! Under a limit of time or nodes, and in games for points until a round gets long, proofs and guesses take turns. A game of
//! outcome without limits is searched by proofs, after a few guesses where the game asks for mostly proofs. With a limit of
//! depth there are only guesses.
//!
//! A node of the proof search is a position whose children were searched. Forced moves, and positions that the game's
//! own bounds decide, are not counted.

mod ability;
mod driver;
mod glance;
mod guess;
mod memory;
mod pace;
mod pool;
mod prefetch;
mod prove;
mod rank;
mod root;
mod score;
mod select;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use grundy_core::game::Scored;
use grundy_core::value::Value;
use grundy_session::Info;

pub use ability::{ASPECTS, Bounds, Heuristic, LANES, Prediction, Selection};
use driver::{Driver, Full};
pub(super) use prefetch::prefetch;
pub(crate) use root::attempts;
use root::{Facts, Prober, RootScene, RootWorker};
use table::{TableMemory, TranspositionTable};
use worker::Worker;

use crate::question::Question;
use grundy_tables::crew::Crew;

/// Kilobytes of the table for short searches; few in tests, which make thousands of them.
const SMALL: usize = if cfg!(test) { 64 } else { 1024 };

/// An alpha-beta search with its transposition table. It serves one position after another of a game, and another game
/// of the type after [`AlphaBeta::forget`].
///
/// `OneHeap` is a heap of which a move takes one or two counters; who takes the last one wins.
///
/// ```
#[doc = include_str!("../../doc/one_heap.txt")]
/// use grundy_search::{Question, alpha_beta::AlphaBeta};
///
/// let game = OneHeap(10);
/// let mut searcher: AlphaBeta<OneHeap> = AlphaBeta::new(1, 1); // a megabyte, a thread
/// assert_eq!(searcher.value(&Question::new(&game, &game.start())), Some(Value::win_in(7)));
/// assert!(searcher.nodes() > 0);
/// ```
pub struct AlphaBeta<G: Scored> {
    threads: usize,
    tables: Tables,
    workers: Vec<Worker<G>>,
}

/// The memory of a search, whatever the game.
struct Tables {
    hash_mb: usize,
    /// A table that fits the processor's cache. Short searches use it alone; long ones store positions in it that are
    /// soon out of date.
    small: Option<TableMemory>,
    /// The table of `hash_mb`, once a search was long enough.
    full: Option<TableMemory>,
    /// Nodes visited so far.
    nodes: u64,
}

impl Tables {
    /// Kilobytes of the large table: what the small one leaves of the memory, at least half as much as the small one.
    fn full_size(&self) -> usize {
        let all = self.hash_mb.max(1).saturating_mul(1 << 10);
        all.saturating_sub(SMALL).max(SMALL / 2)
    }

    /// The small table and the place of the large one, for the next search.
    fn begin(&mut self) -> (TranspositionTable<'_>, &mut Option<TableMemory>) {
        let small = self.small.get_or_insert_with(|| TableMemory::at_most(SMALL));
        small.age();
        if let Some(full) = &mut self.full {
            full.age();
        }
        (small.table(), &mut self.full)
    }

    /// Does something with a search that these threads make.
    fn drive<'a>(
        &'a mut self,
        facts: Facts,
        stop: &'a AtomicBool,
        probers: Vec<Box<dyn Prober + 'a>>,
        body: &mut dyn FnMut(&mut Driver<'_>),
    ) {
        let kilobytes = self.full_size();
        let (small, full) = self.begin();
        let mut driver = Driver::new(facts, stop, [small, small], Some(Full::new(full, kilobytes)), probers);
        body(&mut driver);
        let nodes = driver.nodes;
        drop(driver);
        self.nodes += nodes;
    }
}

impl<G: Scored + Heuristic + Bounds> AlphaBeta<G> {
    /// Returns a search with a transposition table of `hash_mb` megabytes and `threads` threads (at least one is used).
    /// The first search allocates the table.
    pub fn new(hash_mb: usize, threads: usize) -> AlphaBeta<G> {
        let threads = threads.max(1);
        let tables = Tables { hash_mb, small: None, full: None, nodes: 0 };
        AlphaBeta { threads, tables, workers: Vec::new() }
    }

    /// Lets searches from now on use a transposition table of `hash_mb` megabytes; one of another size is dropped.
    pub fn resize(&mut self, hash_mb: usize) {
        if hash_mb != self.tables.hash_mb {
            (self.tables.hash_mb, self.tables.full) = (hash_mb, None);
        }
    }

    /// Nodes visited since the search was made.
    pub fn nodes(&self) -> u64 {
        self.tables.nodes
    }

    /// Forgets everything, for another game or for a measurement.
    pub fn forget(&mut self) {
        self.tables.small = None;
        self.tables.full = None;
        self.workers.clear();
    }

    /// Allocates the table now.
    ///
    /// # Errors
    /// There is not enough memory. A search then uses a smaller table.
    pub fn allocate(&mut self) -> Result<(), String> {
        if self.tables.full.is_none() {
            self.tables.full = Some(TableMemory::new(self.tables.full_size())?);
        }
        Ok(())
    }

    /// The exact value of a position, finished or not, or who wins alone if no distance is asked for; `None` where a limit or
    /// the stop flag ends the search first. The number of lines in the question is ignored.
    pub fn value(&mut self, question: &Question<'_, G>) -> Option<Value> {
        if let Some(value) = question.game.over(question.position) {
            return Some(value);
        }
        if question.game.cyclic() {
            return self.search(question, &mut |_| {}).first()?.score.exact();
        }
        let mut value = None;
        self.drive(&RootScene::new(*question), &mut |driver| value = driver.value());
        value
    }

    /// Returns proved bounds of the value of the best move to consider in an unfinished position of an acyclic game, as
    /// close as the limits allow. With `target` only whether it is worth as much is asked.
    pub(super) fn bounds(&mut self, question: &Question<'_, G>, target: Option<Value>) -> (Value, Value) {
        let mut bounds = (Value::loss_in(0), Value::win_in(0));
        self.drive(&RootScene::new(*question), &mut |driver| bounds = driver.bounds(target));
        bounds
    }

    /// Returns a move worth at least `target` in an unfinished position of an acyclic game, or `None` inside if there is
    /// none; `None` if the search ended first.
    pub(super) fn reaching(&mut self, question: &Question<'_, G>, target: Value) -> Option<Option<G::Move>> {
        let scene = RootScene::new(*question);
        let mut found = None;
        self.drive(&scene, &mut |driver| found = driver.reaching(target));
        found.map(|number| scene.the(number?))
    }

    /// The exact values of many unfinished positions, each searched by one thread of the crew; `None` where `stop` came
    /// first. They share the large table from the first node on.
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
        self.workers.resize_with(crew.size(), Worker::new);
        let kilobytes = self.tables.full_size();
        let (small, full) = self.tables.begin();
        let tables = [full.get_or_insert_with(|| TableMemory::at_most(kilobytes)).table(), small];
        let idle = Mutex::new(self.workers.iter_mut().collect::<Vec<_>>());
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = AtomicU64::new(0);
        let values = crew.map(positions, &|position| {
            let worker = idle().pop()?;
            let scene = RootScene::new(ask(position));
            let probers: Vec<Box<dyn Prober + '_>> = vec![Box::new(RootWorker::new(worker, &scene))];
            let mut driver = Driver::new(scene.facts(), stop, tables, None, probers);
            let value = driver.value();
            nodes.fetch_add(driver.nodes, Relaxed);
            drop(driver);
            idle().push(worker);
            value
        });
        self.tables.nodes += nodes.into_inner();
        values
    }

    /// Finds the best moves, and proves as much of their values as the limits allow. `report` sees every line as it is
    /// found. The lines returned are final: one for each rank, best first; none only where the game is over.
    pub fn search(
        &mut self,
        question: &Question<'_, G>,
        report: &mut dyn FnMut(Info<G::Move>),
    ) -> Vec<Info<G::Move>> {
        let scene = RootScene::new(*question);
        if scene.count() == 0 {
            return Vec::new();
        }
        let ranks = question.lines.clamp(1, scene.count());
        let mut lines = Vec::new();
        self.drive(&scene, &mut |driver| {
            lines = driver.lines(ranks, &mut |line| report(scene.with_moves(line)));
        });
        question.limits.hold(question.stop);
        lines.iter().map(|line| scene.with_moves(line)).collect()
    }

    /// Does something with a search of this scene.
    fn drive(&mut self, scene: &RootScene<'_, G>, body: &mut dyn FnMut(&mut Driver<'_>)) {
        self.workers.resize_with(self.threads, Worker::new);
        let prober = |worker| -> Box<dyn Prober + '_> { Box::new(RootWorker::new(worker, scene)) };
        let probers = self.workers.iter_mut().map(prober).collect();
        self.tables.drive(scene.facts(), scene.question.stop, probers, body);
    }
}

#[cfg(test)]
mod tests;
