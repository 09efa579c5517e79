//! One search from its first node to its last word: what is asked next, by which search, and what is reported.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Instant;

use super::Distance;
use super::guess::{INFINITE, MOST, unscaled};
use super::lane::{Kid, Lane, Root, Shared, child_target};
use super::prove::Node;
use super::table::NO_MOVE;
use crate::game::{Heuristic, Scored};
use crate::solve::{Limits, Line};
use crate::value::{Score, Unit, Value};

/// Plies of recursion that any thread's stack has room for.
const SHALLOW: u32 = 100;
/// Plies of recursion on a thread of our own, and its stack in bytes.
const DEEP: u32 = 8000;
const DEEP_STACK: usize = 64 << 20;
/// Nodes that are searched on the caller's thread before threads are started.
const ALONE: u64 = 20_000;
/// Nodes of the first try at a proof while the clock runs.
const FIRST_TRY: u64 = 4096;
/// Plies that a depth-limited search goes to at the most.
const MAX_DEPTH: u32 = 90;
/// The longest principal variation of a game for points, of a draw and of a win of unknown distance.
const LONG_LINE: usize = 200;

/// What one line of several is known to be worth.
pub(super) struct Rank<M> {
    lo: i32,
    hi: i32,
    /// What the last question from each side cost, in nodes.
    cost_lo: u64,
    cost_hi: u64,
    /// Where a margin is looked for, and how far from there the next question goes.
    guess: Option<i32>,
    stride: i32,
    /// The move that showed `lo`.
    best: Option<M>,
    distance: Distance,
    line: Option<Line<M>>,
}

impl<M: Copy> Rank<M> {
    /// The value, once it is settled.
    pub(super) fn value(&self) -> Option<Value> {
        if self.lo >= self.hi {
            return Some(Value::from_raw(self.lo));
        }
        match self.distance {
            Distance::First if self.lo > 0 => Some(Value::WIN),
            Distance::First if self.hi < 0 => Some(Value::LOSS),
            _ => None,
        }
    }

    /// What to ask next: whether the value is at least this.
    fn question(&self, unit: Unit) -> i32 {
        if unit == Unit::Points {
            let middle = self.guess.unwrap_or(0);
            return if self.cost_lo == 0 && self.cost_hi == 0 {
                middle.clamp(self.lo + 1, self.hi)
            } else if self.cost_lo > 0 && self.cost_hi == 0 {
                (self.lo + self.stride).min(self.hi)
            } else if self.cost_hi > 0 && self.cost_lo == 0 {
                (self.hi - self.stride + 1).max(self.lo + 1)
            } else {
                self.lo + (self.hi - self.lo + 1) / 2
            };
        }
        let from_below = match Value::from_raw(self.lo) {
            lo if lo.plies().is_none() && lo < Value::DRAW => 0,
            _ => self.lo + 1,
        };
        match self.distance {
            Distance::First => i32::from(self.hi > 0),
            // Short wins and short losses are the cheapest to look for; the side that was cheaper goes on.
            Distance::Exact if self.cost_hi <= self.cost_lo => self.hi,
            Distance::Exact => from_below,
        }
    }

    fn learn(&mut self, target: i32, answer: i32, best: Option<M>, cost: u64) {
        if answer >= target {
            self.lo = self.lo.max(answer);
            self.best = best.or(self.best);
            self.cost_lo = cost.max(1);
        } else {
            self.hi = self.hi.min(answer);
            self.cost_hi = cost.max(1);
        }
        self.stride = self.stride.saturating_mul(2);
    }
}

/// One search under way.
pub(super) struct Run<'a, 'b, G: Scored> {
    sh: Shared<'a, G>,
    position: &'b G::Position,
    limits: &'b Limits,
    moves: Vec<G::Move>,
    /// Whether the moves are all that are legal.
    all: bool,
    distance: Distance,
    lanes: &'b mut Vec<Lane<G>>,
    /// Nodes of all lanes together.
    pub(super) nodes: u64,
    seldepth: u32,
}

impl<'a, 'b, G: Scored + Heuristic> Run<'a, 'b, G> {
    pub(super) fn new(
        sh: Shared<'a, G>,
        position: &'b G::Position,
        limits: &'b Limits,
        moves: Vec<G::Move>,
        all: bool,
        distance: Distance,
        lanes: &'b mut Vec<Lane<G>>,
    ) -> Run<'a, 'b, G> {
        for lane in lanes.iter_mut() {
            lane.nodes = 0;
            lane.seldepth = 0;
            lane.path.clear();
        }
        Run { sh, position, limits, moves, all, distance, lanes, nodes: 0, seldepth: 0 }
    }

    fn root(&self, without: &[G::Move]) -> Root<G> {
        let every = self.all && without.is_empty();
        Root {
            position: self.position.clone(),
            moves: if every { Vec::new() } else { self.moves.clone() },
            without: (!every).then(|| without.to_vec()),
        }
    }

    /// What is known of the root without some of its moves before anything was asked.
    pub(super) fn rank(&self, without: &[G::Move]) -> Rank<G::Move> {
        let (mut lo, mut hi) = (Value::loss_in(1).raw(), Value::win_in(1).raw());
        if self.all && without.is_empty() {
            let (low, high) = self.sh.game.bounds(self.position, Value::DRAW);
            (lo, hi) = (low.raw(), high.raw());
        }
        let mut distance = self.distance;
        if self.sh.game.unit() == Unit::Points {
            distance = Distance::Exact;
            (lo, hi) = (lo.max(-Value::MAX_POINTS), hi.min(Value::MAX_POINTS));
        }
        Rank { lo, hi, cost_lo: 0, cost_hi: 0, guess: None, stride: 1, best: None, distance, line: None }
    }

    /// Whether a limit or the caller wants the search to end.
    fn ended(&self) -> bool {
        self.sh.stop.load(Relaxed)
            || self.limits.hard.is_some_and(|hard| Instant::now() >= hard)
            || self.limits.nodes.is_some_and(|most| self.nodes >= most)
    }

    /// Lets the lanes work: the first that has an answer ends the work of all. `None` where the limits or the
    /// budget of nodes ended it.
    fn work<R: Send>(
        &mut self,
        budget: u64,
        own_threads: bool,
        job: impl Fn(&Shared<'_, G>, &mut Lane<G>, usize) -> Option<R> + Sync,
    ) -> Option<R> {
        let left = self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes)).min(budget);
        let sh = &self.sh;
        sh.halt.store(false, Relaxed);
        let count = if own_threads { self.lanes.len() } else { 1 };
        let before: u64 = self.lanes.iter().map(|l| l.nodes).sum();
        for lane in self.lanes.iter_mut() {
            lane.cut = false;
            lane.too_deep = false;
            lane.path.clear();
            lane.max_ply = if own_threads { DEEP } else { SHALLOW };
            lane.budget = lane.nodes.saturating_add(left.div_ceil(count as u64));
        }
        let answer = if own_threads {
            let job = &job;
            thread::scope(|scope| {
                let work = |(i, lane)| {
                    let body = move || {
                        let answer = job(sh, lane, i);
                        if answer.is_some() {
                            sh.halt.store(true, Relaxed);
                        }
                        answer
                    };
                    thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, body)
                };
                let threads: Vec<_> = self.lanes.iter_mut().enumerate().map(work).collect();
                let mut answer = None;
                for thread in threads.into_iter().flatten() {
                    let one = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    answer = answer.or(one);
                }
                answer
            })
        } else {
            job(sh, &mut self.lanes[0], 0)
        };
        self.nodes += self.lanes.iter().map(|l| l.nodes).sum::<u64>() - before;
        self.seldepth = self.lanes.iter().map(|l| l.seldepth).max().unwrap_or(0);
        answer
    }

    /// Works first on the caller's thread, which starts nothing, and on threads of its own where that was not
    /// enough.
    fn work_twice<R: Send>(
        &mut self,
        budget: u64,
        job: impl Fn(&Shared<'_, G>, &mut Lane<G>, usize) -> Option<R> + Sync,
    ) -> Option<R> {
        let before = self.nodes;
        let answer = self.work(budget.min(ALONE), false, &job);
        let left = budget.saturating_sub(self.nodes - before);
        if answer.is_some() || self.ended() || (left == 0 && !self.lanes[0].too_deep) {
            return answer;
        }
        self.work(left.max(ALONE), true, job)
    }

    /// Asks from both sides until the value is settled, the budget of nodes is used up, or the search must end.
    pub(super) fn close_in(&mut self, rank: &mut Rank<G::Move>, without: &[G::Move], budget: u64) {
        let until = self.nodes.saturating_add(budget);
        let root = self.root(without);
        while rank.value().is_none() && self.nodes < until && !self.ended() {
            let target = rank.question(self.sh.game.unit());
            let before = self.nodes;
            let first = rank.best;
            let answer = self.work_twice(until - self.nodes, |sh, lane, _| {
                let mut kids = lane.open_root(sh, &root, target);
                let best = first.and_then(|m| kids.iter().find(|k| k.m == m)).map_or(NO_MOVE, |k| k.index);
                let node = Node { position: &root.position, key: 0, lo: i32::MIN, hi: i32::MAX, best };
                let (value, winner) = lane.prove_kids(sh, &node, &mut kids, target, 0);
                (!lane.cut).then(|| (value, winner.map(|i| kids[i].m)))
            });
            let Some((value, best)) = answer else { return };
            rank.learn(target, value, best, self.nodes - before);
        }
    }

    /// The principal variation of a settled root, to the end of the game where the search is not ended before.
    fn follow(&mut self, value: Value, without: &[G::Move], start: &[G::Move]) -> Vec<G::Move> {
        let root = self.root(without);
        let begun = start.to_vec();
        let line = self.work_twice(u64::MAX, |sh, lane, _| {
            let line = lane.follow(sh, &root, value, &begun);
            (!lane.cut).then_some(line)
        });
        line.unwrap_or(begun)
    }

    fn line(&self, rank: u32, depth: u32, score: Score, pv: Vec<G::Move>) -> Line<G::Move> {
        let hashfull = self.sh.table.hashfull();
        Line { depth, seldepth: self.seldepth.max(depth), nodes: self.nodes, hashfull, rank, score, pv }
    }

    /// The line of a settled rank.
    fn settle(&mut self, number: u32, rank: &mut Rank<G::Move>, without: &[G::Move]) {
        let Some(value) = rank.value() else { return };
        let start: Vec<G::Move> = rank.best.into_iter().collect();
        let pv = self.follow(value, without, &start);
        let depth = pv.len() as u32;
        if !pv.is_empty() {
            rank.line = Some(self.line(number, depth, Score::Exact(value), pv));
        }
    }

    /// Searches until everything is proved or a limit ends it; the best lines, best first.
    pub(super) fn lines(
        &mut self,
        count: usize,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) -> Vec<Line<G::Move>> {
        let game = self.sh.game;
        let cyclic = game.cyclic();
        let limits = self.limits;
        let timeless = limits.depth.is_none()
            && limits.nodes.is_none()
            && limits.soft.is_none()
            && limits.hard.is_none()
            && !limits.infinite;
        let mut ranks: Vec<Rank<G::Move>> = Vec::new();
        let mut depth = 1;
        let mut slice = if timeless && game.unit() == Unit::Outcome { u64::MAX } else { FIRST_TRY };
        for number in 1..=count {
            // A legal move for whatever happens.
            let without: Vec<G::Move> =
                ranks.iter().filter_map(|r| r.line.as_ref()).map(|l| l.pv[0]).collect();
            let mut rank = self.rank(&without);
            let root = self.root(&without);
            let mut kids = self.lanes[0].open_root(&self.sh, &root, 1);
            self.lanes[0].sort(&self.sh, self.position, NO_MOVE, &mut kids);
            if let Some(kid) = kids.first() {
                let guess = game.guess(self.position).clamp(-MOST, MOST);
                rank.line = Some(self.line(number as u32, 0, Score::Guess(guess), vec![kid.m]));
                ranks.push(rank);
            }
        }
        loop {
            if !cyclic && limits.depth.is_none() {
                let mut without = Vec::new();
                for (i, rank) in ranks.iter_mut().enumerate() {
                    if rank.line.as_ref().is_some_and(|l| l.score.exact().is_none()) {
                        self.close_in(rank, &without, slice);
                        if rank.value().is_none() {
                            break;
                        }
                        self.settle(i as u32 + 1, rank, &without);
                        rank.line.iter().for_each(&mut *report);
                    }
                    without.extend(rank.line.as_ref().map(|l| l.pv[0]));
                }
            }
            let settled = |r: &Rank<G::Move>| r.line.as_ref().is_some_and(|l| l.score.exact().is_some());
            if ranks.iter().all(settled) || self.ended() {
                break;
            }
            let soft_end = || limits.soft.is_some_and(|soft| Instant::now() >= soft);
            if soft_end() || limits.depth.is_some_and(|most| depth > most) || (depth > MAX_DEPTH && cyclic) {
                break;
            }
            let before = self.nodes;
            while self.nodes - before < slice && depth <= limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
                if !self.deepen(&mut ranks, depth, report) || soft_end() {
                    break;
                }
                depth += 1;
                if ranks.iter().all(settled) {
                    break;
                }
            }
            slice = slice.max(self.nodes - before).saturating_mul(2);
            if depth > MAX_DEPTH && timeless {
                slice = u64::MAX;
            }
        }
        self.last_words(ranks, report)
    }

    /// One iteration of the search that guesses, for every rank that is not settled; false where it was cut.
    fn deepen(
        &mut self,
        ranks: &mut [Rank<G::Move>],
        depth: u32,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) -> bool {
        let game = self.sh.game;
        let mut without: Vec<G::Move> = Vec::new();
        for (i, rank) in ranks.iter_mut().enumerate() {
            let exact = rank.line.as_ref().is_some_and(|l| l.score.exact().is_some());
            if exact && without.iter().all(|m| rank.line.as_ref().is_none_or(|l| l.pv[0] != *m)) {
                without.extend(rank.line.as_ref().map(|l| l.pv[0]));
                continue;
            }
            let root = self.root(&without);
            let first = rank.line.as_ref().map(|l| l.pv[0]);
            let key = game.key(self.position);
            let own_threads = self.nodes > ALONE;
            let answer = self.work(u64::MAX, own_threads, |sh, lane, number| {
                let mut kids = lane.open_root(sh, &root, 1);
                let best = first.and_then(|m| kids.iter().find(|k| k.m == m)).map_or(NO_MOVE, |k| k.index);
                lane.sort(sh, &root.position, best, &mut kids);
                if game.cyclic() {
                    lane.path.push(key);
                }
                // Helpers look a ply further, so that the first thread finds its moves in the table.
                let depth = depth as i32 + i32::from(number % 2 == 1);
                let (best, score, proved) = lane.guess_root(sh, &mut kids, depth, (-INFINITE, INFINITE));
                (!lane.cut && number == 0).then(|| (kids[best].m, score, proved, lane.lines[0].clone()))
            });
            let Some((m, score, proved, mut pv)) = answer else { return false };
            if pv.first() != Some(&m) {
                pv = vec![m];
            }
            let mut known = Score::Guess(score);
            if proved.lo && proved.hi {
                let value = Value::from_raw(unscaled(game, score, true));
                (rank.lo, rank.hi, rank.best) = (value.raw(), value.raw(), Some(m));
                known = Score::Exact(value);
                // In a game that repeats the line itself is the only witness.
                let sure = if game.cyclic() { pv.len() } else { 1 };
                pv = self.follow(value, &without, &pv[..sure]);
                if value.plies().is_some_and(|plies| plies as usize != pv.len()) {
                    // The line is not to be had in full, so the distance is not claimed.
                    known = if score > 0 { Score::AtLeast(value) } else { Score::AtMost(value) };
                }
            } else if score.abs() > MOST {
                let value = Value::from_raw(score);
                known = if score > 0 { Score::AtLeast(value) } else { Score::AtMost(value) };
            } else {
                rank.guess = Some(unscaled(game, score, true));
            }
            if let (Score::Guess(0), [only]) = (known, &pv[..]) {
                // One move and a draw would read as the end of the game.
                let child = game.play(self.position, *only);
                if game.over(&child).is_none() {
                    let _ = game.moves(&child, &mut |m| {
                        pv.push(m);
                        std::ops::ControlFlow::Break(())
                    });
                }
            }
            let line = self.line(i as u32 + 1, depth, known, pv);
            report(&line);
            without.push(m);
            rank.line = Some(line);
        }
        true
    }

    /// What is said at the end: every line once more where something better is known than was reported.
    fn last_words(
        &mut self,
        ranks: Vec<Rank<G::Move>>,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) -> Vec<Line<G::Move>> {
        let mut lines: Vec<Line<G::Move>> = Vec::new();
        for rank in ranks {
            let Some(mut line) = rank.line else { continue };
            let won = self.sh.game.unit() == Unit::Outcome && rank.lo > 0;
            if let (true, Score::Guess(_), Some(m)) = (won, line.score, rank.best) {
                line = self.line(
                    line.rank,
                    line.depth.max(1),
                    Score::AtLeast(Value::from_raw(rank.lo)),
                    vec![m],
                );
            }
            let used = |m: G::Move| lines.iter().any(|l| l.pv[0] == m);
            if used(line.pv[0]) {
                // The best move changed after this line was found.
                let Some(&other) = self.moves.iter().find(|&&m| !used(m)) else { continue };
                let guess = self.sh.game.guess(self.position).clamp(-MOST, MOST);
                line = self.line(line.rank, 0, Score::Guess(guess), vec![other]);
            }
            line.rank = lines.len() as u32 + 1;
            line.nodes = self.nodes;
            report(&line);
            lines.push(line);
        }
        lines
    }
}

impl<G: Scored + Heuristic> Lane<G> {
    /// A line of best play from a root of known value that begins with `begun`.
    fn follow(
        &mut self,
        sh: &Shared<'_, G>,
        root: &Root<G>,
        value: Value,
        begun: &[G::Move],
    ) -> Vec<G::Move> {
        let mut line: Vec<G::Move> = Vec::new();
        let mut position = root.position.clone();
        let mut value = value.raw();
        while Value::from_raw(value).plies().is_some() || line.len() < LONG_LINE {
            let ply = line.len() as u32;
            // A win of unknown distance is any win.
            let target = match Value::from_raw(value) {
                Value::WIN => 1,
                Value::LOSS => i32::MIN,
                _ => value,
            };
            let mut kids = if ply == 0 {
                self.open_root(sh, root, target)
            } else {
                let mut kids = Vec::new();
                self.open(sh, &position, false, target, &mut kids);
                kids
            };
            let best = sh.table.proof(sh.game.key(&position)).map_or(NO_MOVE, |p| p.best);
            self.sort(sh, &position, best, &mut kids);
            if let Some(m) = begun.get(line.len()) {
                if kids.iter().all(|k| k.m != *m) {
                    kids.clear();
                    self.open(sh, &position, true, target, &mut kids);
                }
                kids.retain(|k| k.m == *m);
            }
            let Some(i) = self.choose(sh, &kids, target, line.len() < begun.len()) else { break };
            let kid = kids.swap_remove(i);
            line.push(kid.m);
            if kid.over {
                break;
            }
            value = Value::from_raw(value).forth(kid.step).raw();
            position = kid.position;
        }
        line
    }

    /// The first child that reaches the target; `given` where it is known to.
    fn choose(&mut self, sh: &Shared<'_, G>, kids: &[Kid<G>], target: i32, given: bool) -> Option<usize> {
        if given || target == i32::MIN {
            return (!kids.is_empty()).then_some(0);
        }
        if let Some(i) = kids.iter().position(|k| k.bounds().0 >= target) {
            return Some(i);
        }
        if sh.game.cyclic() {
            return None;
        }
        for (i, kid) in kids.iter().enumerate() {
            let (lo, hi) = kid.bounds();
            if hi < target {
                continue;
            }
            let child =
                Node { position: &kid.position, key: kid.key, lo: kid.lo, hi: kid.hi, best: kid.best };
            if lo >= target || kid.back(self.prove(sh, child, child_target(target, kid.step), 1)) >= target {
                return (!self.cut).then_some(i);
            }
            if self.cut {
                return None;
            }
        }
        None
    }
}
