//! The bounds proved for one line of the root, and the choice of the next target.

use grundy_core::value::{Score, Unit, Value, Wdl};
use grundy_session::{Distance, Info};

/// Node budget of the first search for the outcome.
const FIRST_GLANCE: u64 = 16;
/// A search for a short win or loss up to this cost, in nodes, was cheap.
const HASTE: u64 = 1000;
/// A search for a short win or loss above this cost, in nodes, was expensive.
const LABOUR: u64 = 6000;
/// Minimum node budget of a search with a limit.
const GLIMPSE: u64 = 16;

/// The knowledge about one line of several. Values are raw.
pub(super) struct Rank {
    pub lo: i32,
    pub hi: i32,
    /// Nodes spent by the most recent search that raised `lo` / lowered `hi`. If the winner is known, searches that
    /// reached their limit count as well.
    cost_lo: u64,
    cost_hi: u64,
    /// Nodes spent on searches for short wins and losses / for the outcome.
    outside: u64,
    inside: u64,
    /// The estimates of the last three depth-limited searches, in hundredths of a point, the latest first.
    guesses: [Option<i32>; 3],
    /// A number of the parity that the margin most likely has.
    pub parity: Option<i32>,
    /// Step from the last target to the next, for margins.
    stride: i32,
    /// A lower bound known from elsewhere, without a move that reaches it.
    floor: i32,
    /// The move that showed `lo`.
    pub best: Option<u32>,
    distance: Distance,
    pub line: Option<Info<u32>>,
    /// The excluded moves, in rising order: those of the better lines.
    pub without: Vec<u32>,
    /// Depth of the last plain iteration that looked for a shorter win or loss than a selective one had found.
    pub plain: u32,
    /// Nodes of these iterations.
    pub plain_nodes: u64,
}

/// A question to the proof search: is the value at least `target`? With a node budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    pub target: i32,
    pub budget: u64,
}

impl Rank {
    pub(super) fn new(lo: i32, hi: i32, distance: Distance) -> Rank {
        Rank {
            lo,
            hi,
            cost_lo: 0,
            cost_hi: 0,
            outside: 0,
            inside: 0,
            guesses: [None; 3],
            parity: None,
            stride: 1,
            floor: i32::MIN,
            best: None,
            distance,
            line: None,
            without: Vec::new(),
            plain: 0,
            plain_nodes: 0,
        }
    }

    /// Adds proved bounds from elsewhere.
    pub(super) fn know(&mut self, (lo, hi): (Value, Value)) {
        self.floor = self.floor.max(lo.raw());
        self.hi = self.hi.min(hi.raw());
    }

    /// Reports whether a lower bound is known from elsewhere.
    pub(super) fn is_bounded(&self) -> bool {
        self.floor > i32::MIN
    }

    /// Reports whether the value is known, so that only a move that reaches it is missing.
    pub(super) fn is_known(&self) -> bool {
        self.floor >= self.hi
    }

    /// Returns the value, once it is settled.
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

    /// Returns the line known so far after `nodes` nodes, with the outcome if that is proved.
    pub(super) fn so_far(&self, unit: Unit, nodes: u64) -> Option<Info<u32>> {
        let mut line = self.line.clone()?;
        line.nodes = nodes;
        if unit == Unit::Outcome {
            match (Value::from_raw(self.lo).wdl(), Value::from_raw(self.hi).wdl(), self.best) {
                (Wdl::Win, _, Some(best)) => (line.score, line.pv) = (Score::AtLeast(Value::WIN), vec![best]),
                (_, Wdl::Loss, _) => line.score = Score::AtMost(Value::LOSS),
                _ => {}
            }
        }
        Some(line)
    }

    /// Returns the next question.
    pub(super) fn query(&self, unit: Unit) -> Query {
        let ask = |target| Query { target, budget: u64::MAX };
        if self.is_known() && self.lo < self.hi {
            // Any win will do where no distance is asked for.
            return ask(if self.distance == Distance::First { self.hi.min(1) } else { self.hi });
        }
        if self.floor > self.lo && self.distance == Distance::Exact {
            // A bound from elsewhere is often the value.
            return ask(self.floor + 1);
        }
        if unit.is_points() {
            return ask(self.margin());
        }
        let who_wins = i32::from(self.hi > 0);
        if self.distance == Distance::First {
            return ask(who_wins);
        }
        let from_below = match Value::from_raw(self.lo) {
            lo if lo.plies().is_none() && lo < Value::DRAW => 0,
            _ => self.lo + 1,
        };
        if self.lo > 0 || self.hi < 0 {
            // The winner is known; the distance is not. `short` asks whether the shortest distance that is still possible
            // is the right one, `long` the same of the longest one. `long` is asked with a limit, `share` times what
            // `short` cost last. Where it has cost `patience` times as much, `short` is asked, without a limit.
            let up = (self.hi, self.cost_hi);
            let down = (from_below, self.cost_lo);
            let (short, long) = if self.lo > 0 { (up, down) } else { (down, up) };
            let (patience, share) = match short.1 {
                cost if cost <= HASTE => (2, 4),
                cost if cost <= LABOUR => (4, 8),
                _ => (16, 64),
            };
            if short.1.max(1).saturating_mul(patience) <= long.1 {
                return ask(short.0);
            }
            return Query { target: long.0, budget: short.1.max(GLIMPSE).saturating_mul(share) };
        }
        // Either search can be the cheap one: that for a short win or loss, or that for who wins at whatever distance.
        // After a glance at the outcome short ones are looked for. The more nodes they have cost, the more the other gets.
        let glance = self.glance();
        if who_wins != self.hi && who_wins != from_below && self.inside <= glance {
            return Query { target: who_wins, budget: glance.max(FIRST_GLANCE) };
        }
        // The player to move wins more often than he loses, so a win is looked for first and gets twice the nodes.
        ask(if self.cost_hi <= self.cost_lo.saturating_mul(2) { self.hi } else { from_below })
    }

    /// Returns the kind of a target, below [`KINDS`](super::worker::KINDS): win or not, loss or not, distance of a win,
    /// distance of a loss; margins are all of one kind.
    pub(super) fn kind(target: i32, unit: Unit) -> usize {
        match target {
            _ if unit.is_points() => 0,
            1 => 0,
            0 => 1,
            t if t > 0 => 2,
            _ => 3,
        }
    }

    /// Returns the nodes that searches for the outcome may have cost so far: an eighth of the first [`HASTE`] spent on
    /// short wins and losses, and twice those spent after.
    fn glance(&self) -> u64 {
        let early = self.outside.min(HASTE);
        early / 8 + (self.outside - early).saturating_mul(2)
    }

    /// Adds an estimate of the margin, in hundredths of a point.
    pub(super) fn guessed(&mut self, hundredths: i32) {
        let [last, before, _] = self.guesses;
        self.guesses = [Some(hundredths), last, before];
    }

    /// Returns the margin to ask about first. Estimates of even and of odd depth differ, since another player made the
    /// last move, so they are averaged.
    fn guess(&self) -> Option<i32> {
        let [last, before, first] = self.guesses;
        let last = last?;
        let before = before.unwrap_or(last);
        let hundredths = last.midpoint(before).midpoint(before.midpoint(first.unwrap_or(last)));
        Some(match self.parity {
            // Halfway between two likely margins.
            Some(likely) => (hundredths - 100 * likely).div_euclid(200) * 2 + likely + 1,
            None => (hundredths + 50).div_euclid(100),
        })
    }

    /// Returns the next margin to ask about: the estimate, then away from it in growing steps, then by bisection once
    /// there is a bound on either side.
    fn margin(&self) -> i32 {
        let target = match (self.cost_lo, self.cost_hi) {
            (0, 0) => self.guess().unwrap_or(0).clamp(self.lo + 1, self.hi),
            (_, 0) => self.lo.saturating_add(self.stride).min(self.hi),
            (0, _) => self.hi.saturating_sub(self.stride - 1).max(self.lo + 1),
            _ => self.lo + (self.hi - self.lo + 1) / 2,
        };
        // If all final margins have one parity, a target between two of them splits best. It is rounded down when a yes is
        // expected, up when a no is.
        let from_above = self.cost_lo == 0 && self.cost_hi > 0;
        match self.parity.map(|likely| (target - likely) % 2 == 0) {
            Some(true) if !from_above && self.lo + 1 < target => target - 1,
            Some(false) if from_above && target < self.hi => target + 1,
            _ => target,
        }
    }

    /// Adds an answer: a proved bound on the side that it decides.
    pub(super) fn learn(&mut self, target: i32, answer: i32, best: Option<u32>, cost: u64) {
        let cost = cost.max(1);
        *self.spent_on(target) += cost;
        if answer >= target {
            self.lo = self.lo.max(answer);
            self.best = best.or(self.best);
            self.cost_lo = cost;
        } else {
            self.hi = self.hi.min(answer);
            self.cost_hi = cost;
        }
        self.stride = self.stride.saturating_mul(2);
    }

    /// Registers a question without an answer.
    pub(super) fn put_off(&mut self, cost: u64) {
        match () {
            () if self.lo > 0 => self.cost_lo = self.cost_lo.max(cost),
            () if self.hi < 0 => self.cost_hi = self.cost_hi.max(cost),
            () => self.inside += cost,
        }
    }

    fn spent_on(&mut self, target: i32) -> &mut u64 {
        if target == 0 || target == 1 { &mut self.inside } else { &mut self.outside }
    }
}
