//! Exact values of games for points by null-window searches over reduced positions ([`Reduced`]).
//!
//! A search answers one question: is this core worth at least `b` to the player who must move in it? At the root it is
//! asked for several `b`, until the lower and the upper bound meet (MTD). Proved bounds are stored in a table, so that
//! later questions use the work of earlier ones. All offers of a core are looked up there before one is searched.
//!
//! Several threads search for the answer to the same question, and the first one ends it for all. A child that another
//! thread is searching is deferred (ABDADA, J.-C. Weill 1996).

mod ability;
mod bounds;
mod search_file;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};

pub use ability::{Offer, Reduced};
use bounds::CoreBounds;
use grundy_core::game::{legal_moves, step};
use grundy_core::table::TableError;
use grundy_core::threads;
use grundy_core::value::{Score, Value};
use grundy_session::Limits;
pub use search_file::SearchFile;
use search_file::tell;
use table::BoundsMemory;
use worker::{ProofContext, ProofWorker};

/// A null-window search with its table, for one position after another of one game.
pub struct WindowProver {
    megabytes: usize,
    threads: usize,
    memory: Option<BoundsMemory>,
    keeper: Option<SearchFile>,
    nodes: u64,
}

/// Slots for the keys of cores being searched.
const BUSY: usize = 1 << 12;

impl WindowProver {
    /// Returns a prover with a table of `megabytes` and `threads` threads (at least one). The first question allocates
    /// the memory.
    pub fn new(megabytes: usize, threads: usize) -> WindowProver {
        WindowProver { megabytes, threads: threads.max(1), memory: None, keeper: None, nodes: 0 }
    }

    /// Starts from the results in a file, if it exists, and saves results to it: at intervals while a position is
    /// searched, and when its search ends. Returns whether the file exists already.
    ///
    /// # Errors
    /// The file is damaged, or of another game or table; nothing will be saved.
    pub fn keep(&mut self, keeper: SearchFile) -> Result<bool, TableError> {
        let there = keeper.check(self.megabytes)?;
        self.keeper = Some(keeper);
        Ok(there)
    }

    /// Returns the nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the fill level of the table, in thousandths.
    pub fn fullness(&mut self) -> u32 {
        self.memory.as_mut().map_or(0, |memory| memory.table().fullness())
    }

    /// Forgets everything, for another game or for a measurement.
    pub fn forget(&mut self) {
        self.memory = None;
        self.nodes = 0;
    }

    /// Returns the exact value of a position, or the bound proved when the limits or `stop` end the search. `watch`
    /// receives each new bound and the nodes so far, and once a second the nodes with [`Score::Guess`]: nothing new is proved.
    pub fn value<G: Reduced>(
        &mut self,
        game: &G,
        position: &G::Position,
        limits: &Limits,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Score, u64),
    ) -> Score {
        if let Some(value) = game.over(position) {
            return Score::Exact(value);
        }
        let offer = game.reduce(position);
        let floor = CoreBounds::of(game, &offer.core).worth(game, &offer).0;
        let score = |lo: i32, hi: i32| match (CoreBounds { lo, hi }).worth(game, &offer) {
            (worst, best) if worst == best => Score::Exact(Value::points(worst)),
            (worst, _) if worst > floor => Score::AtLeast(Value::points(worst)),
            (_, best) => Score::AtMost(Value::points(best)),
        };
        let CoreBounds { mut lo, mut hi } = CoreBounds::of(game, &offer.core);
        let step = game.step().max(1);
        let start = self.nodes;
        let mut next = lo + (-lo).div_euclid(step) * step;
        while lo < hi {
            let beta = next.max(lo + step).min(hi);
            let before = self.nodes - start;
            let left = limits.nodes.map(|most| most.saturating_sub(before));
            let limits = &Limits { nodes: left, ..*limits };
            let watch_nodes = &mut |nodes| watch(Score::Guess(0), before + nodes);
            let Some(bound) = self.test(game, &offer.core, beta, limits, stop, watch_nodes) else {
                break;
            };
            if bound >= beta {
                lo = bound.min(hi);
                next = lo + step;
            } else {
                hi = bound.max(lo);
                next = hi;
            }
            watch(score(lo, hi), self.nodes - start);
        }
        if let (Some(keeper), Some(memory)) = (&self.keeper, &mut self.memory) {
            tell(&keeper.path, keeper.save(game, &memory.table()));
        }
        score(lo, hi)
    }

    /// Returns the exact value of a legal move for the player who makes it; `None` if the limits or `stop` end the
    /// work.
    pub fn value_of_move<G: Reduced>(
        &mut self,
        game: &G,
        position: &G::Position,
        m: G::Move,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<Value> {
        let child = game.play(position, m);
        let step = step(game, position, m, &child);
        Some(self.value(game, &child, limits, stop, &mut |_, _| {}).exact()?.back(step))
    }

    /// Returns proved bounds of a legal move's value for the player who makes it, as close as the limits allow. With
    /// `target` only whether it is worth as much is asked. A bound that the rules alone give is the largest margin.
    pub fn bounds_of_move<G: Reduced>(
        &mut self,
        game: &G,
        position: &G::Position,
        m: G::Move,
        target: Option<Value>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> (Value, Value) {
        let child = game.play(position, m);
        let step = step(game, position, m, &child);
        let wanted = target.and_then(|target| Some((target.forth(step).margin()?, !step.turn_passed)));
        let (mut lo, mut hi) = self.bounds(game, &child, wanted, limits, stop);
        if target.is_none() {
            match self.value(game, &child, limits, stop, &mut |_, _| {}) {
                Score::Exact(value) => (lo, hi) = (value, value),
                Score::AtLeast(value) => lo = lo.max(value),
                Score::AtMost(value) => hi = hi.min(value),
                Score::Guess(_) => {}
            }
        }
        let (worst, best) = (Value::points(i32::MIN), Value::points(i32::MAX));
        let (mut low, mut high) = (lo.back(step), hi.back(step));
        if lo < hi {
            let offer = game.reduce(&child);
            let (least, most) = CoreBounds::of(game, &offer.core).worth(game, &offer);
            if lo == Value::points(least) {
                low = if step.turn_passed { best } else { worst };
            }
            if hi == Value::points(most) {
                high = if step.turn_passed { worst } else { best };
            }
        }
        if step.turn_passed { (high, low) } else { (low, high) }
    }

    /// Returns a move that keeps a position's exact value. One whose value is still in the table is found without a
    /// search.
    pub fn keeping_move<G: Reduced>(
        &mut self,
        game: &G,
        position: &G::Position,
        value: Value,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<G::Move> {
        let moves = legal_moves(game, position);
        let nothing = Limits { nodes: Some(0), ..*limits };
        let start = self.nodes;
        let mut keeps = |m, limits: &Limits| {
            let left = limits.nodes.map(|most| most.saturating_sub(self.nodes - start));
            let limits = &Limits { nodes: left, ..*limits };
            let child = game.play(position, m);
            let step = step(game, position, m, &child);
            let wanted = value.forth(step);
            // The position's value is proved, so no move is worth more: one bound of the child settles it.
            let target = wanted.margin().map(|margin| (margin, !step.turn_passed));
            let (lo, hi) = self.bounds(game, &child, target, limits, stop);
            if step.turn_passed { hi <= wanted } else { lo >= wanted }
        };
        let known = moves.iter().copied().find(|&m| keeps(m, &nothing));
        known.or_else(|| moves.iter().copied().find(|&m| keeps(m, limits)))
    }

    /// Returns proved bounds of a position's value; tight enough, unless the limits end the work, to tell whether it is
    /// at least the given margin (true) or at most (false).
    fn bounds<G: Reduced>(
        &mut self,
        game: &G,
        position: &G::Position,
        asked: Option<(i32, bool)>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> (Value, Value) {
        if let Some(value) = game.over(position) {
            return (value, value);
        }
        let offer = game.reduce(position);
        // The values of the core at which the worth crosses the margin, from below and from above.
        let crossings = asked.filter(|_| limits.nodes != Some(0)).map(|(margin, least)| {
            let (margin, next) = (margin - offer.gain, i32::from(!least));
            [Some(margin + next), offer.price.map(|price| -price - margin + 1 - next)]
        });
        let mut core = CoreBounds::of(game, &offer.core);
        if let (Some(memory), true) = (&mut self.memory, core.lo < core.hi) {
            core.learn(memory.table().find(game.key(&offer.core)));
        }
        for beta in crossings.into_iter().flatten().flatten() {
            if beta <= core.lo || beta > core.hi {
                continue;
            }
            match self.test(game, &offer.core, beta, limits, stop, &mut |_| {}) {
                Some(bound) if bound >= beta => core.lo = core.lo.max(bound),
                Some(bound) => core.hi = core.hi.min(bound),
                None => break,
            }
        }
        let (worst, best) = core.worth(game, &offer);
        (Value::points(worst), Value::points(best))
    }

    fn test<G: Reduced>(
        &mut self,
        game: &G,
        core: &G::Core,
        beta: i32,
        limits: &Limits,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(u64),
    ) -> Option<i32> {
        if self.memory.is_none() {
            self.memory = BoundsMemory::new(self.megabytes);
            if let (Some(keeper), Some(memory)) = (&self.keeper, &mut self.memory) {
                let loaded = keeper.load(game, &memory.table());
                if loaded.is_err() {
                    // What is not believed is not written over.
                    tell(&keeper.path, loaded.map(|_| ()));
                    self.keeper = None;
                }
            }
        }
        let table = self.memory.as_mut()?.table();
        let shared = ProofContext {
            game,
            table: &table,
            stop,
            halt: AtomicBool::new(false),
            deadline: limits.hard,
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            busy: (0..if self.threads > 1 { BUSY } else { 0 }).map(|_| AtomicU64::new(0)).collect(),
        };
        let (shared, crew) = (&shared, self.threads);
        let bound = std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            if let Some(keeper) = &self.keeper {
                // Where there is no thread for it the results are saved at the end only.
                let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                    while ended.recv_timeout(keeper.every) == Err(RecvTimeoutError::Timeout) {
                        tell(&keeper.path, keeper.save(game, shared.table));
                    }
                });
            }
            let company = crew > 1;
            let work = |worker: ProofWorker<'_, G>| {
                let bound = { worker }.test(core, beta).ok();
                shared.halt.store(true, Relaxed);
                bound
            };
            let others: Vec<_> = (1..crew)
                .map(|_| threads::start(scope, move || work(ProofWorker::new(shared, company))))
                .collect();
            let own = work(ProofWorker::new(shared, company).watched(watch));
            let found = others.into_iter().filter_map(|other| other.join().flatten()).next();
            drop(done);
            own.or(found)
        });
        self.nodes += shared.nodes.load(Relaxed);
        bound
    }
}
