//! Exact values of games for points by null windows over positions boiled down ([`Reduced`]).
//!
//! The one question is "is this core worth `b` or more to who must move in it?", asked at the root for a few `b`
//! until both sides meet. Proved bounds are kept by key, so that a later question finds the work of an earlier one.
//! Where several threads work, all ask the same question; a child that another thread is at work on is left for
//! the end (ABDADA, J.-C. Weill 1996), and the first answer ends the question for all.

mod hunt;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::game::Reduced;
use crate::solve::Limits;
use crate::value::{Score, Value};
use hunt::{Hunt, Shared};
use table::Table;

/// The method with its memory, which serves one position after another of one game.
pub struct Prover {
    megabytes: usize,
    threads: usize,
    table: Option<Table>,
    nodes: u64,
}

/// Slots that say which cores are worked on.
const BUSY: usize = 1 << 12;

impl Prover {
    /// A prover with a table of `megabytes` and this many threads (at least one is used). The memory is asked for
    /// by the first question.
    pub fn new(megabytes: usize, threads: usize) -> Prover {
        Prover { megabytes, threads: threads.max(1), table: None, nodes: 0 }
    }

    /// Nodes visited since the prover was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How full the table is, in thousandths.
    pub fn fullness(&self) -> u32 {
        self.table.as_ref().map_or(0, Table::fullness)
    }

    /// Forgets everything, for another game or for a measurement.
    pub fn forget(&mut self) {
        self.table = None;
        self.nodes = 0;
    }

    /// The exact value of a position, or what is proved of it when the limits or `stop` end the work. `watch` is
    /// told each new bound.
    pub fn value<G: Reduced>(
        &mut self,
        game: &G,
        position: &G::Position,
        limits: &Limits,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Score),
    ) -> Score {
        if let Some(value) = game.over(position) {
            return Score::Exact(value);
        }
        let offer = game.reduce(position);
        let score = |lo: i32, hi: i32| {
            let (a, b) = (offer.worth(lo), offer.worth(hi));
            if lo == hi {
                return Score::Exact(Value::points(a));
            }
            match offer.price {
                // Between the bounds the worth may dip, so the bounds of the core bound it only from above.
                Some(_) => Score::AtMost(Value::points(a.max(b))),
                None if lo > game.bounds(&offer.core).0 => Score::AtLeast(Value::points(a)),
                None => Score::AtMost(Value::points(b)),
            }
        };
        let (mut lo, mut hi) =
            game.known(&offer.core).map_or_else(|| game.bounds(&offer.core), |value| (value, value));
        let step = game.step().max(1);
        let start = self.nodes;
        let mut next = lo + (-lo).div_euclid(step) * step;
        while lo < hi {
            let beta = next.clamp(lo + step, hi);
            let left = limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes - start));
            let Some(bound) = self.test(game, &offer.core, beta, limits, left, stop) else {
                break;
            };
            if bound >= beta {
                lo = bound.min(hi);
                next = lo + step;
            } else {
                hi = bound.max(lo);
                next = hi;
            }
            watch(score(lo, hi));
        }
        score(lo, hi)
    }

    fn test<G: Reduced>(
        &mut self,
        game: &G,
        core: &G::Core,
        beta: i32,
        limits: &Limits,
        most_nodes: u64,
        stop: &AtomicBool,
    ) -> Option<i32> {
        let megabytes = self.megabytes;
        let table = self.table.get_or_insert_with(|| Table::new(megabytes));
        let shared = Shared {
            game,
            table,
            stop,
            halt: AtomicBool::new(false),
            deadline: limits.hard,
            most_nodes,
            nodes: AtomicU64::new(0),
            busy: (0..if self.threads > 1 { BUSY } else { 0 }).map(|_| AtomicU64::new(0)).collect(),
        };
        let bound = if self.threads == 1 {
            Hunt::new(&shared, false).test(core, beta).ok()
        } else {
            std::thread::scope(|scope| {
                let work = || {
                    let bound = Hunt::new(&shared, true).test(core, beta).ok();
                    shared.halt.store(true, Relaxed);
                    bound
                };
                let crew: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
                crew.into_iter().filter_map(|thread| thread.join().ok().flatten()).next()
            })
        };
        self.nodes += shared.nodes.load(Relaxed);
        bound
    }
}
