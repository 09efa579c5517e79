//! One thread of a proof: is a core worth at least so much to the player who must move in it?

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::ability::{Offer, Reduced};
use super::bounds::CoreBounds;
use super::table::BoundsTable;
use grundy_core::value::Value;

/// State shared by the threads of a proof.
pub(super) struct ProofContext<'a, G> {
    pub game: &'a G,
    pub table: &'a BoundsTable<'a>,
    /// Set to end the work.
    pub stop: &'a AtomicBool,
    /// Set where one thread has the answer, or the time is up.
    pub halt: AtomicBool,
    pub deadline: Option<Instant>,
    /// The most nodes of all threads together.
    pub most_nodes: u64,
    pub nodes: AtomicU64,
    /// Cores that a thread is at work on, by key.
    pub busy: Vec<AtomicU64>,
}

/// The work of one thread.
pub(super) struct ProofWorker<'a, G: Reduced> {
    shared: &'a ProofContext<'a, G>,
    step: i32,
    /// True if other threads work on the same proof.
    company: bool,
    /// The offers in all positions on the current line, one after another.
    offers: Vec<Offer<G::Core>>,
    /// The keys of their cores.
    keys: Vec<[u64; 2]>,
    nodes: u64,
    halted: bool,
    watch: Option<Watch<'a>>,
}

/// A caller who is told the nodes of all threads at intervals.
struct Watch<'a> {
    tell: &'a mut dyn FnMut(u64),
    next: Instant,
}

/// Interval of these reports.
const INTERVAL: Duration = Duration::from_secs(1);

/// The proof was stopped before it ended.
pub(super) struct Halted;

/// Nodes between two checks of the deadline.
const PAUSE: u64 = 1 << 7;
/// Offers whose keys are asked for together.
const TOGETHER: usize = 8;
/// Cores with fewer possible values than this are not shared between threads.
const WORTH_SHARING: i32 = 6;

impl<'a, G: Reduced> ProofWorker<'a, G> {
    pub fn new(shared: &'a ProofContext<'a, G>, company: bool) -> ProofWorker<'a, G> {
        let step = shared.game.step().max(1);
        let (offers, keys) = (Vec::new(), Vec::new());
        ProofWorker { shared, step, company, offers, keys, nodes: 0, halted: false, watch: None }
    }

    /// Reports the nodes of all threads once a second.
    pub fn watched(self, tell: &'a mut dyn FnMut(u64)) -> ProofWorker<'a, G> {
        ProofWorker { watch: Some(Watch { tell, next: Instant::now() + INTERVAL }), ..self }
    }

    /// A bound on the value of a core that settles whether it is `beta` or more: a lower bound if it is at least
    /// `beta`, else an upper bound.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn test(&mut self, core: &G::Core, beta: i32) -> Result<i32, Halted> {
        let key = self.shared.game.key(core);
        let bound = self.seek(core, key, beta);
        self.shared.nodes.fetch_add(self.nodes % PAUSE, Relaxed);
        self.nodes = 0;
        self.offers.clear();
        self.keys.clear();
        if self.halted { Err(Halted) } else { Ok(bound) }
    }

    fn seek(&mut self, core: &G::Core, key: [u64; 2], beta: i32) -> i32 {
        let game = self.shared.game;
        if let Some(value) = game.known(core) {
            return value;
        }
        let (mut lo, mut hi) = game.bounds(core);
        let beta = lo + (beta - lo + self.step - 1).div_euclid(self.step) * self.step;
        if beta <= lo {
            return lo;
        }
        if beta > hi {
            return hi;
        }
        if let Some((proved_lo, proved_hi)) = self.shared.table.find(key) {
            (lo, hi) = (lo.max(proved_lo), hi.min(proved_hi));
            if lo >= beta {
                return lo;
            }
            if hi < beta {
                return hi;
            }
        }
        let before = self.nodes;
        self.count();
        let first = self.offers.len();
        let mut best = self.look(core, beta);
        if best < beta {
            best = self.search(first, beta, best, hi - lo);
        }
        self.offers.truncate(first);
        self.keys.truncate(first);
        if self.halted {
            return best;
        }
        // Between two values that are possible there is none.
        if best >= beta {
            best = lo + (best - lo + self.step - 1).div_euclid(self.step) * self.step;
            lo = best.max(lo);
        } else {
            best = lo + (best - lo).div_euclid(self.step) * self.step;
            hi = best.min(hi);
        }
        let work = 64 - (self.nodes.wrapping_sub(before)).leading_zeros();
        self.shared.table.store(key, lo, hi, work);
        best
    }

    /// Lists what may be offered in a core; gives the best bound of what is known not to reach `beta`, which is left
    /// out, or a bound of at least `beta` where an offer is known to reach it.
    fn look(&mut self, core: &G::Core, beta: i32) -> i32 {
        let ProofContext { game, table, .. } = *self.shared;
        let first = self.offers.len();
        let mut best = -Value::MAX_POINTS;
        let offers = &mut self.offers;
        let left_out = game.offers(core, beta, &mut |offer| {
            let (least, most) = CoreBounds::of(game, &offer.core).worth(game, &offer);
            if -most >= beta {
                best = best.max(-most);
            } else if -least < beta {
                best = best.max(-least);
            } else {
                offers.push(offer);
            }
        });
        best = best.max(left_out);
        if best >= beta {
            return best;
        }
        let mut kept = first;
        for from in (first..self.offers.len()).step_by(TOGETHER) {
            let end = self.offers.len().min(from + TOGETHER);
            game.keys(&self.offers[from..end], &mut self.keys);
            self.keys[from..].iter().for_each(|&key| table.prefetch(key));
            for i in from..end {
                let (offer, key) = (self.offers[i], self.keys[i]);
                let mut bounds = CoreBounds::of(game, &offer.core);
                bounds.learn(table.find(key));
                let (least, most) = bounds.worth(game, &offer);
                if -most >= beta {
                    return -most;
                }
                if -least < beta {
                    best = best.max(-least);
                    continue;
                }
                let twice = (first..kept).any(|other| {
                    let known = &self.offers[other];
                    self.keys[other] == key && known.gain == offer.gain && known.price == offer.price
                });
                if !twice {
                    (self.offers[kept], self.keys[kept]) = (offer, key);
                    kept += 1;
                }
            }
        }
        self.offers.truncate(kept);
        self.keys.truncate(kept);
        best
    }

    /// Asks the offers from the given one on, until one is worth `beta`.
    fn search(&mut self, first: usize, beta: i32, mut best: i32, range: i32) -> i32 {
        let mut waiting = 0;
        let last = self.offers.len();
        let share = self.company && range > WORTH_SHARING * self.step;
        for i in first..last {
            if best >= beta || self.halted {
                return best;
            }
            let (offer, key) = (self.offers[i], self.keys[i]);
            let bound = if share {
                let slot = &self.shared.busy[key[0] as usize % self.shared.busy.len()];
                if i > first && slot.load(Relaxed) == key[1] {
                    self.offers.swap(first + waiting, i);
                    self.keys.swap(first + waiting, i);
                    waiting += 1;
                    continue;
                }
                slot.store(key[1], Relaxed);
                let bound = self.offer(&offer, key, beta);
                if slot.load(Relaxed) == key[1] {
                    slot.store(0, Relaxed);
                }
                bound
            } else {
                self.offer(&offer, key, beta)
            };
            best = best.max(bound);
        }
        for w in first..first + waiting {
            if best >= beta || self.halted {
                break;
            }
            let (offer, key) = (self.offers[w], self.keys[w]);
            best = best.max(self.offer(&offer, key, beta));
        }
        best
    }

    /// Returns a bound, as [`ProofWorker::test`] does, that decides whether making an offer is worth at least `beta`.
    fn offer(&mut self, offer: &Offer<G::Core>, key: [u64; 2], beta: i32) -> i32 {
        // The other player must not get more than this.
        let most = -beta;
        let all = most - offer.gain;
        let Some(price) = offer.price else {
            return -(offer.gain + self.seek(&offer.core, key, all + 1));
        };
        let least = -price - all;
        if least > all {
            return price.div_euclid(2) - offer.gain;
        }
        let value = self.seek(&offer.core, key, all + 1);
        if value > all {
            return -(offer.gain + value);
        }
        let low = self.seek(&offer.core, key, least);
        if low < least {
            return -(offer.gain - price - low);
        }
        -(offer.gain + value.max(-price - low))
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PAUSE) {
            let shared = self.shared;
            let all = shared.nodes.fetch_add(PAUSE, Relaxed) + PAUSE;
            let late = shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || all >= shared.most_nodes || shared.stop.load(Relaxed) || shared.halt.load(Relaxed) {
                self.halted = true;
            }
            if let Some(watch) = &mut self.watch
                && Instant::now() >= watch.next
            {
                (watch.tell)(all);
                watch.next = Instant::now() + INTERVAL;
            }
        }
    }
}
