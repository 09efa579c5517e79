//! The search that proves: "is this position worth at least so much?", asked to the end of the game.
//!
//! [`Lane::prove`] is alpha-beta with a null window and no depth limit: its answer is a proved bound. The exact
//! value is closed in on by asking from both sides (see the schedule in `mod.rs`). Every child is looked at
//! before any is searched (its bounds, the table), which is the enhanced transposition cut-off of Schaeffer and
//! Plaat; children that another thread is searching are put off (Feldmann's and Weill's ABDADA, made simple).

use super::lane::{Kid, Lane, Shared};
use super::table::NO_MOVE;
use crate::game::{Heuristic, Scored};
use crate::value::Value;

/// An unfinished position of which this much is known.
#[derive(Clone, Copy)]
pub(super) struct Node<'a, P> {
    pub position: &'a P,
    pub key: u64,
    pub lo: i32,
    pub hi: i32,
    pub best: u16,
}

impl<G: Scored + Heuristic> Lane<G> {
    /// A proved bound of the node's value that decides whether it reaches `target`: a lower bound where the
    /// result is at least `target`, else an upper bound. `lo < target <= hi` must hold. Means nothing once
    /// `self.cut` is set.
    pub(super) fn prove(
        &mut self,
        sh: &Shared<'_, G>,
        node: Node<'_, G::Position>,
        target: i32,
        ply: u32,
    ) -> i32 {
        debug_assert!(node.lo < target && target <= node.hi);
        let before = self.nodes;
        if let Some(value) = sh.game.finish(node.position, Value::from_raw(target), &mut self.nodes) {
            return value.raw();
        }
        let mut kids = self.kids(ply);
        self.open(sh, node.position, false, target, true, &mut kids);
        if let Some(kid) = kids.last()
            && kid.reaches()
        {
            // The position is decided by what the game says of its children: that is no node of its own.
            let value = kid.bounds().0;
            self.keep(ply, kids);
            return value;
        }
        if let [kid] = &kids[..] {
            // A forced move is played out; its position is no node of its own.
            let value = if kid.reaches() {
                kid.bounds().0
            } else if kid.fails() {
                kid.bounds().1
            } else {
                let Kid { position, key, lo, hi, best, .. } = kid;
                let child = Node { position, key: *key, lo: *lo, hi: *hi, best: *best };
                if ply >= self.max_ply {
                    self.enter(sh, ply);
                }
                if self.cut { 0 } else { kid.back(self.prove(sh, child, kid.aim, ply + 1)) }
            };
            self.keep(ply, kids);
            return value;
        }
        if !self.enter(sh, ply) {
            self.keep(ply, kids);
            return 0;
        }
        let (value, best) = self.prove_kids(sh, &node, &mut kids, target, ply);
        if !self.cut {
            let cost = self.nodes - before;
            let best = best.map_or(NO_MOVE, |i| kids[i].index);
            if value >= target {
                sh.table.prove(node.key, value, node.hi, best, cost);
            } else {
                sh.table.prove(node.key, node.lo, value, NO_MOVE, cost);
            }
        }
        self.keep(ply, kids);
        value
    }

    /// The same over children that were opened already; also the place of the child that reached the target.
    pub(super) fn prove_kids(
        &mut self,
        sh: &Shared<'_, G>,
        node: &Node<'_, G::Position>,
        kids: &mut [Kid<G>],
        target: i32,
        ply: u32,
    ) -> (i32, Option<usize>) {
        let mut value = i32::MIN;
        let mut open = 0;
        for i in 0..kids.len() {
            if kids[i].reaches() {
                return (kids[i].bounds().0, Some(i));
            }
            if kids[i].fails() {
                value = value.max(kids[i].bounds().1);
            } else {
                kids.swap(open, i);
                open += 1;
            }
        }
        let kids = &mut kids[..open];
        if open > 1 {
            self.sort(sh, node.position, node.best, kids);
            let plies = sh.game.foresight(node.position);
            if plies > 0 {
                self.sort_by_guess(sh, kids, plies, ply);
            }
        }
        let opened_at = self.nodes;
        let share = ply < self.split_ply && sh.busy.is_some();
        let mut put_off: Vec<usize> = Vec::new();
        let mut next = 0;
        let mut late = 0;
        while next < open || late < put_off.len() {
            let i = if next < open {
                next += 1;
                next - 1
            } else {
                late += 1;
                put_off[late - 1]
            };
            let first = i == 0;
            if share && !first && late == 0 && sh.is_busy(kids[i].key) {
                put_off.push(i);
                continue;
            }
            if self.nodes > opened_at || late > 0 {
                if let Some(proof) = sh.table.proof(kids[i].key) {
                    kids[i].learn(proof);
                }
                if kids[i].reaches() {
                    return (kids[i].bounds().0, Some(i));
                }
                if kids[i].fails() {
                    value = value.max(kids[i].bounds().1);
                    continue;
                }
            }
            let kid = &kids[i];
            let child =
                Node { position: &kid.position, key: kid.key, lo: kid.lo, hi: kid.hi, best: kid.best };
            if share {
                sh.mark(kid.key, kid.key);
            }
            let reached = kid.back(self.prove(sh, child, kids[i].aim, ply + 1));
            if share {
                sh.mark(kids[i].key, 0);
            }
            if self.cut {
                return (0, None);
            }
            value = value.max(reached);
            if reached >= target {
                self.reward(sh, node.position, kids, i);
                return (value, Some(i));
            }
        }
        (value, None)
    }
}
