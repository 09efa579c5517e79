//! One thread's share of a proof: is a core worth at least so much to the player who must move in it?

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::Bounds;
use super::table::{Recent, Table};
use crate::game::{Offer, Reduced};
use crate::value::Value;

/// What the threads of a proof share.
pub(super) struct Shared<'a, G> {
    pub game: &'a G,
    pub table: &'a Table<'a>,
    /// Set by whoever wants the work to end.
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
pub(super) struct Hunt<'a, G: Reduced> {
    shared: &'a Shared<'a, G>,
    step: i32,
    /// Whether other threads work on the same proof.
    company: bool,
    /// Cores that this thread looked at last, by their quick keys.
    recent: &'a mut Recent,
    /// Children of all positions on the line of play that is looked at, one after another.
    children: Vec<Child<G::Core>>,
    nodes: u64,
    halted: bool,
}

struct Child<C> {
    offer: Offer<C>,
    key: [u64; 2],
}

/// The proof was stopped before it ended.
pub(super) struct Halted;

/// Nodes between two looks at the clock.
const PAUSE: u64 = 1 << 10;
/// Cores with fewer possible values than this are not shared between threads.
const WORTH_SHARING: i32 = 6;

impl<'a, G: Reduced> Hunt<'a, G> {
    pub fn new(shared: &'a Shared<'a, G>, company: bool, recent: &'a mut Recent) -> Hunt<'a, G> {
        let step = shared.game.step().max(1);
        Hunt { shared, step, company, recent, children: Vec::new(), nodes: 0, halted: false }
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
        self.children.clear();
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
        if let Some((proved_lo, proved_hi)) = self.recent.find(key) {
            (lo, hi) = (lo.max(proved_lo), hi.min(proved_hi));
            if lo >= beta {
                return lo;
            }
            if hi < beta {
                return hi;
            }
        }
        // Seen closely, many cores are one that was met before.
        let view = game.view(core);
        let same = game.view_key(&view);
        if let Some((proved_lo, proved_hi)) = self.shared.table.find(same) {
            (lo, hi) = (lo.max(proved_lo), hi.min(proved_hi));
        }
        if lo >= beta || hi < beta {
            self.recent.store(key, lo, hi);
            return if lo >= beta { lo } else { hi };
        }
        let before = self.nodes;
        self.count();
        let first = self.children.len();
        let children = &mut self.children;
        let left_out = game.offers(core, &view, beta, &mut |offer| {
            let key = game.key(&offer.core);
            children.push(Child { offer, key });
        });
        let mut best = self.sift(first, beta).max(left_out);
        if best < beta {
            best = self.search(first, beta, best, hi - lo);
        }
        self.children.truncate(first);
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
        self.shared.table.store(same, lo, hi, work);
        self.recent.store(key, lo, hi);
        best
    }

    /// Asks the children from the given one on, until one is worth `beta`.
    fn search(&mut self, first: usize, beta: i32, mut best: i32, range: i32) -> i32 {
        let mut waiting = 0;
        let last = self.children.len();
        let mut i = first;
        let share = self.company && range > WORTH_SHARING * self.step;
        while i < last && !self.halted {
            let child = &self.children[i];
            let (offer, key) = (child.offer, child.key);
            let bound = if share {
                let slot = &self.shared.busy[key[0] as usize % self.shared.busy.len()];
                if i > first && slot.load(Relaxed) == key[1] {
                    self.children.swap(first + waiting, i);
                    waiting += 1;
                    i += 1;
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
            if best >= beta {
                return best;
            }
            i += 1;
        }
        for w in first..first + waiting {
            if best >= beta || self.halted {
                break;
            }
            let (offer, key) = (self.children[w].offer, self.children[w].key);
            best = best.max(self.offer(&offer, key, beta));
        }
        best
    }

    /// Drops the children that are known not to reach `beta`, and those that come twice; gives the best bound of
    /// the dropped, or a bound of at least `beta` where a child is known to reach it.
    fn sift(&mut self, first: usize, beta: i32) -> i32 {
        let mut best = -Value::MAX_POINTS;
        let mut kept = first;
        for i in first..self.children.len() {
            let child = &self.children[i];
            let (worst, good) = self.range(child);
            if worst >= beta {
                return worst;
            }
            if good < beta {
                best = best.max(good);
                continue;
            }
            self.children.swap(kept, i);
            kept += 1;
        }
        self.children.truncate(kept);
        best
    }

    /// The range of what making an offer may be worth, as far as it is known.
    #[inline]
    fn range(&self, child: &Child<G::Core>) -> (i32, i32) {
        let mut bounds = Bounds::of(self.shared.game, &child.offer.core);
        if bounds.lo < bounds.hi {
            bounds.learn(self.recent.find(child.key));
        }
        let (least, most) = bounds.worth(self.shared.game, &child.offer);
        (-most, -least)
    }

    /// Whether making an offer is worth `beta` or more, as a bound like that of [`Hunt::test`].
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
        }
    }
}
