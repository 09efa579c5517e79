//! The proof search: does the value of a position reach a target? Answered by play to the end of the game.
//!
//! [`Worker::prove`] is alpha-beta with a null window and no depth limit: its answer is a proved bound. The exact
//! value is found by asking from below and above (`rank.rs`). Every child is looked up in the table before any is
//! searched: the enhanced transposition cut-off of Schaeffer and Plaat. Children that another thread is searching are
//! put off where all have to be searched: a simple form of J.-C. Weill's ABDADA.

use super::ability::{Bounds, Heuristic};
use super::score::scaled;
use super::table::NO_MOVE;
use super::worker::{Asked, CLOSED, Child, Context, LATER, Purpose, TRIED, Worker, arrange};
use grundy_core::game::Scored;
use grundy_core::value::Value;

/// An unfinished position with its proved bounds and its best move, as far as known.
#[derive(Clone, Copy)]
pub(super) struct Node<'a, P> {
    pub position: &'a P,
    pub key: u64,
    pub lo: i32,
    pub hi: i32,
    pub best: u16,
}

impl<G: Scored + Heuristic + Bounds> Worker<G> {
    /// Returns a proved bound of the node's value that decides whether it reaches `target`: a lower bound if the result
    /// is at least `target`, else an upper bound. `lo < target <= hi` must hold. Meaningless once `self.cut` is set.
    pub(super) fn prove(
        &mut self,
        context: &Context<'_, G>,
        node: Node<'_, G::Position>,
        target: i32,
        ply: u32,
    ) -> i32 {
        debug_assert!(node.lo < target && target <= node.hi);
        let before = self.nodes;
        if let Some(value) = self.finish(context, node.position, Value::from_raw(target)) {
            return value.raw();
        }
        let mut kids = self.pool.take(ply);
        self.open(context, node.position, false, target, Purpose::Proof, &mut kids);
        if let Some(kid) = kids.last()
            && kid.reaches()
        {
            // The position is decided by what the game says of its children: that is no node of its own.
            let value = kid.bounds().0;
            self.pool.keep(ply, kids);
            return value;
        }
        if let [kid] = &kids[..] {
            // A forced move is played out; its position is no node of its own.
            let value = if kid.reaches() {
                kid.bounds().0
            } else if kid.fails() {
                kid.bounds().1
            } else {
                let Child { position, key, lo, hi, best, .. } = kid;
                let child = Node { position, key: *key, lo: *lo, hi: *hi, best: *best };
                if ply >= self.max_ply {
                    self.enter(context, ply);
                }
                if self.cut { 0 } else { kid.back(self.prove(context, child, kid.aim, ply + 1)) }
            };
            self.pool.keep(ply, kids);
            return value;
        }
        if !self.enter(context, ply) {
            self.pool.keep(ply, kids);
            return 0;
        }
        let share = context.shared.busy.is_some() && !context.game.brief(node.position);
        if share {
            self.asked.push(Asked { key: node.key, target, ply });
        }
        let (value, best) = self.prove_kids(context, &node, &mut kids, target, ply);
        if share {
            self.asked.pop();
            if let Some((_, answer)) = self.answered.take_if(|(asked_at, _)| *asked_at == ply) {
                self.cut = false;
                self.pool.keep(ply, kids);
                return answer;
            }
        }
        if !self.cut {
            let cost = self.nodes - before;
            let best = best.map_or(NO_MOVE, |i| kids[i].index);
            let table = context.table(node.position);
            if value >= target {
                table.prove(node.key, value, node.hi, best, cost);
            } else {
                table.prove(node.key, node.lo, value, NO_MOVE, cost);
            }
        }
        self.pool.keep(ply, kids);
        value
    }

    /// The same over children opened already; also returns the index of the child that reached the target.
    pub(super) fn prove_kids(
        &mut self,
        context: &Context<'_, G>,
        node: &Node<'_, G::Position>,
        kids: &mut [Child<G>],
        target: i32,
        ply: u32,
    ) -> (i32, Option<usize>) {
        let mut value = i32::MIN;
        let mut open = 0;
        for (i, kid) in kids.iter_mut().enumerate() {
            if kid.reaches() {
                return (kid.bounds().0, Some(i));
            }
            if kid.fails() {
                value = value.max(kid.bounds().1);
                kid.order = CLOSED;
            } else {
                open += 1;
            }
        }
        let likely = if open > 1 { self.put_in_order(context, node, kids, target, ply) } else { None };
        let opened_at = self.nodes;
        let share = context.shared.busy.is_some() && !context.game.brief(node.position);
        let mut first = true;
        let mut late = false;
        loop {
            let Some(i) = next(kids, if late { LATER } else { LATER + 1 }) else {
                if late || !share {
                    return (value, None);
                }
                late = true;
                continue;
            };
            // Where one child is likely to be enough threads help each other with it, where all must be searched they
            // share them.
            let help = likely.unwrap_or(first);
            if share && !help && !late && context.is_busy(kids[i].key) {
                kids[i].order = LATER;
                continue;
            }
            if self.nodes > opened_at || late {
                self.look_again(context, &mut kids[i]);
                if kids[i].reaches() {
                    return (kids[i].bounds().0, Some(i));
                }
                if kids[i].fails() {
                    value = value.max(kids[i].bounds().1);
                    kids[i].order = TRIED;
                    continue;
                }
            }
            let kid = &kids[i];
            let child =
                Node { position: &kid.position, key: kid.key, lo: kid.lo, hi: kid.hi, best: kid.best };
            if share {
                context.mark(kid.key, kid.key);
            }
            let reached = kid.back(self.prove(context, child, kid.aim, ply + 1));
            if share {
                context.mark(kids[i].key, 0);
            }
            if self.cut {
                return (0, None);
            }
            value = value.max(reached);
            if reached >= target {
                let tried = kids.iter().filter(|k| k.order == TRIED).map(|k| k.m);
                self.reward(context, node.position, tried, kids[i].m);
                return (value, Some(i));
            }
            kids[i].order = TRIED;
            first = false;
        }
    }

    /// Orders the children. Where the game asks for a look ahead ([`Heuristic::foresight`]), children that need no search go last,
    /// and the result says whether the best guess reaches the target; else `None`.
    #[inline]
    fn put_in_order(
        &mut self,
        context: &Context<'_, G>,
        node: &Node<'_, G::Position>,
        kids: &mut [Child<G>],
        target: i32,
        ply: u32,
    ) -> Option<bool> {
        let plies = context.game.foresight(node.position);
        if plies == 0 {
            self.weigh(context, node.position, node.best, kids);
            return None;
        }
        arrange(kids, |kid| i64::from(kid.order == CLOSED));
        let open = kids.partition_point(|kid| kid.order != CLOSED);
        let kids = &mut kids[..open];
        self.sort(context, node.position, node.best, kids);
        self.sort_by_guess(context, kids, plies, ply);
        let likely = kids.first().is_some_and(|kid| kid.order >= scaled(context.game, target));
        for (order, kid) in (0..).zip(kids.iter_mut().rev()) {
            kid.order = order;
        }
        Some(likely)
    }
}

/// Returns the child to search next, of those with an order of at least `least`.
#[inline]
fn next<G: Scored>(kids: &[Child<G>], least: i32) -> Option<usize> {
    let mut best = None;
    let mut most = least;
    for (i, kid) in kids.iter().enumerate() {
        if kid.order > most || kid.order >= most && best.is_none() {
            (best, most) = (Some(i), kid.order);
        }
    }
    best
}
