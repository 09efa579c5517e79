//! One search from its first node to its last word: what is asked next, by which search, and what is reported.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::guess::{INFINITE, MOST, unscaled};
use super::lane::{Kid, Lane, Purpose, Root, Shared, child_target, marks};
use super::prove::Node;
use super::rank::Rank;
use super::table::{Memory, NO_MOVE, Table};
use super::{Distance, memory};
use crate::game::{Heuristic, Scored};
use crate::solve::crew::side_by_side;
use crate::solve::{Limits, Line, Oracle};
use crate::value::{Score, Unit, Value};

/// Plies of recursion that any thread's stack has room for.
const SHALLOW: u32 = 100;
/// Plies of recursion on a thread of our own, and its stack in bytes.
const DEEP: u32 = 8000;
const DEEP_STACK: usize = 64 << 20;
/// Nodes that are searched on the caller's thread before threads are started.
const ALONE: u64 = 20_000;
/// The same where there is more than one thread, and for each further question of a search that started them.
const FEW: u64 = 5_000;
const AGAIN: u64 = 300;
/// Nodes of the first try at a proof while the clock runs.
const FIRST_TRY: u64 = 256;
/// How much more than guesses a proof has of a round where the value is known and a move for it is looked for.
const KNOWN: u64 = 16;
/// The same where a proof may be near and the time is for this move alone: a book knows something of the position, or a
/// question was answered in one of so many rounds before.
const FRUITFUL: u64 = 8;
const LATELY: u32 = 3;
/// What a bound from a book counts for in the table, in nodes.
const OF_BOOK: u64 = 1 << 20;
/// Nodes of one round after which a search without a clock only proves.
const GUESSED_ENOUGH: u64 = 1 << 22;
/// Plies that a depth-limited search goes to at the most.
const MAX_DEPTH: u32 = 90;
/// The longest principal variation of a game for points, of a draw and of a win of unknown distance.
const LONG_LINE: usize = 200;
/// What the system may take to hand out a kilobyte of memory, on a busy machine.
const FIRST_TOUCH: Duration = Duration::from_micros(4);
/// How often a long proof says that it is alive.
const PULSE: Duration = Duration::from_secs(1);

/// Hears now and then, while threads work, how many nodes were visited.
type Pulse<'p> = &'p mut dyn FnMut(u64);

/// What is asked of a search.
pub(super) struct Quest<'a, G: Scored> {
    pub game: &'a G,
    pub position: &'a G::Position,
    /// Keys of the game's earlier positions.
    pub history: &'a [u64],
    /// The moves that may be looked at.
    pub moves: Vec<G::Move>,
    /// Whether the moves are all that are legal.
    pub all: bool,
    pub oracle: Option<&'a dyn Oracle<G>>,
    pub stop: &'a AtomicBool,
    pub limits: &'a Limits,
    pub distance: Distance,
    /// Who may know more of the position and of those after its moves.
    pub book: Option<&'a dyn Oracle<G>>,
}

/// The table of full size, which is only made when a search is long enough to need it.
pub(super) enum Full<'a> {
    /// Not made yet: where it will be, and its size in kilobytes.
    Later(&'a mut Option<Memory>, usize),
    /// Made.
    Now(Table<'a>),
}

impl<'a> Full<'a> {
    pub(super) fn new(memory: &'a mut Option<Memory>, kilobytes: usize) -> Full<'a> {
        match memory {
            Some(_) => Full::make(memory, kilobytes),
            None => Full::Later(memory, kilobytes),
        }
    }

    fn make(slot: &'a mut Option<Memory>, kilobytes: usize) -> Full<'a> {
        Full::Now(slot.get_or_insert_with(|| memory(kilobytes)).table())
    }
}

/// What the threads share of a search.
fn shared<'s, G: Scored>(
    quest: &Quest<'s, G>,
    [far, near]: [Table<'s>; 2],
    halt: &'s AtomicBool,
    busy: &'s [AtomicU64],
) -> Shared<'s, G> {
    Shared {
        game: quest.game,
        far,
        near,
        oracle: quest.oracle,
        stop: quest.stop,
        halt,
        deadline: quest.limits.hard,
        nodes: AtomicU64::new(0),
        history: quest.history,
        busy: (!busy.is_empty()).then_some(busy),
    }
}

/// One search under way.
pub(super) struct Run<'a, G: Scored> {
    quest: Quest<'a, G>,
    /// The table in use.
    table: Table<'a>,
    /// The small table.
    near: Table<'a>,
    /// The table of full size, where it is not in use yet.
    full: Option<Full<'a>>,
    halt: AtomicBool,
    busy: Vec<AtomicU64>,
    lanes: &'a mut [Lane<G>],
    /// Nodes of all lanes together.
    pub(super) nodes: u64,
    seldepth: u32,
}

impl<'a, G: Scored + Heuristic> Run<'a, G> {
    /// A search with these tables, the second one for positions with little left to play, which goes over to the one
    /// of full size where it gets long.
    pub(super) fn new(
        quest: Quest<'a, G>,
        [table, near]: [Table<'a>; 2],
        full: Option<Full<'a>>,
        lanes: &'a mut [Lane<G>],
    ) -> Run<'a, G> {
        for lane in lanes.iter_mut() {
            lane.nodes = 0;
            lane.next_look = 0;
            lane.seldepth = 0;
            lane.path.clear();
        }
        let busy = marks(lanes.len());
        let halt = AtomicBool::new(false);
        let mut run = Run { quest, table, near, full, halt, busy, lanes, nodes: 0, seldepth: 0 };
        // A game that goes on finds itself in the table of its last move.
        let key = run.quest.game.key(run.quest.position);
        if let Some(Full::Now(table)) = &run.full
            && (table.proof(key).is_some() || table.guess(key).is_some())
        {
            run.grow();
        }
        run.look_up();
        run
    }

    /// Puts into the table what the book knows of the positions after the moves.
    fn look_up(&self) {
        let Some(book) = self.quest.book else { return };
        let game = self.quest.game;
        let sh = shared(&self.quest, [self.table, self.near], &self.halt, &self.busy);
        for &m in &self.quest.moves {
            let child = game.play(self.quest.position, m);
            if game.over(&child).is_none()
                && let Some((lo, hi)) = book.bounds(game, &child)
            {
                sh.table(&child).prove(game.key(&child), lo.raw(), hi.raw(), NO_MOVE, OF_BOOK);
            }
        }
    }

    /// Goes over to the table of full size, with all that was found so far.
    fn grow(&mut self) {
        if let (Some(Full::Later(_, kilobytes)), Some(hard)) = (&self.full, self.quest.limits.hard) {
            // The first touch of so much memory may take longer than there is time.
            let needed = FIRST_TOUCH.saturating_mul(u32::try_from(*kilobytes).unwrap_or(u32::MAX));
            if hard.saturating_duration_since(Instant::now()) < needed {
                return;
            }
        }
        let Some(full) = self.full.take() else { return };
        let full = match full {
            Full::Later(slot, kilobytes) => Full::make(slot, kilobytes),
            made => made,
        };
        if let Full::Now(table) = full
            && table.copy(&self.table, &|| self.ended())
        {
            self.table = table;
        }
    }

    /// The exact value, where nothing ends the search before.
    pub(super) fn value(&mut self) -> Option<Value> {
        let mut rank = self.rank(&[]);
        self.look_ahead(&mut rank);
        self.close_in(&mut rank, &[], u64::MAX, &mut |_, _| {});
        rank.value()
    }

    fn root(&self, without: &[G::Move]) -> Root<G> {
        let every = self.quest.all && without.is_empty();
        Root {
            position: self.quest.position.clone(),
            moves: if every { Vec::new() } else { self.quest.moves.clone() },
            without: (!every).then(|| without.to_vec()),
        }
    }

    /// What is known of the root without some of its moves before anything was asked.
    pub(super) fn rank(&self, without: &[G::Move]) -> Rank<G::Move> {
        let (mut lo, mut hi) = (Value::loss_in(1).raw(), Value::win_in(1).raw());
        if self.quest.all && without.is_empty() {
            let (low, high) = self.quest.game.bounds(self.quest.position, Value::DRAW);
            (lo, hi) = (low.raw(), high.raw());
        }
        let mut distance = self.quest.distance;
        if self.quest.game.unit() == Unit::Points {
            distance = Distance::Exact;
            (lo, hi) = (lo.max(-Value::MAX_POINTS), hi.min(Value::MAX_POINTS));
        }
        let mut rank = Rank::new(lo, hi, distance);
        if self.quest.all && without.is_empty() {
            let known = self.quest.book.and_then(|book| book.bounds(self.quest.game, self.quest.position));
            known.into_iter().for_each(|bounds| rank.know(bounds));
        }
        rank.parity = self.quest.game.parity(self.quest.position);
        rank
    }

    /// Whether a limit or the caller wants the search to end.
    fn ended(&self) -> bool {
        self.quest.stop.load(Relaxed)
            || self.quest.limits.hard.is_some_and(|hard| Instant::now() >= hard)
            || self.quest.limits.nodes.is_some_and(|most| self.nodes >= most)
    }

    /// Lets the lanes work: the first that has an answer ends the work of all. `None` where the limits or the
    /// budget of nodes ended it.
    fn work<R: Send>(
        &mut self,
        budget: u64,
        own_threads: bool,
        pulse: Pulse<'_>,
        job: impl Fn(&Shared<'_, G>, &mut Lane<G>, usize) -> Option<R> + Sync,
    ) -> Option<R> {
        let left =
            self.quest.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes)).min(budget);
        self.halt.store(false, Relaxed);
        if own_threads || self.nodes > ALONE {
            self.grow();
        }
        let sh = &shared(&self.quest, [self.table, self.near], &self.halt, &self.busy);
        let count = if own_threads { self.lanes.len() } else { 1 };
        let before: u64 = self.lanes.iter().map(|l| l.nodes).sum();
        for lane in self.lanes.iter_mut() {
            lane.cut = false;
            lane.answered = None;
            lane.asked.clear();
            lane.too_deep = false;
            lane.path.clear();
            lane.max_ply = if own_threads { DEEP } else { SHALLOW };
            lane.budget = lane.nodes.saturating_add(left.div_ceil(count as u64));
        }
        let answer = if own_threads {
            let (job, found) = (&job, &Mutex::new(None));
            let begun = self.nodes;
            let work = |(i, lane)| -> Box<dyn FnOnce() + Send + '_> {
                Box::new(move || {
                    if let Some(answer) = job(sh, lane, i) {
                        sh.halt.store(true, Relaxed);
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        if found.as_ref().is_none_or(|&(first, _)| i < first) {
                            *found = Some((i, answer));
                        }
                    }
                })
            };
            let jobs = self.lanes.iter_mut().enumerate().map(work).collect();
            side_by_side(jobs, DEEP_STACK, PULSE, &mut || pulse(begun + sh.nodes.load(Relaxed)));
            let found = found.lock().unwrap_or_else(PoisonError::into_inner).take();
            found.map(|(_, answer)| answer)
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
        pulse: Pulse<'_>,
        job: impl Fn(&Shared<'_, G>, &mut Lane<G>, usize) -> Option<R> + Sync,
    ) -> Option<R> {
        let before = self.nodes;
        let alone = match self.lanes.len() {
            1 => ALONE,
            _ if self.nodes <= FEW => FEW,
            _ => AGAIN,
        };
        let answer = self.work(budget.min(alone), false, pulse, &job);
        let left = budget.saturating_sub(self.nodes - before);
        if answer.is_some() || self.ended() || (left == 0 && !self.lanes[0].too_deep) {
            return answer;
        }
        self.work(left.max(1), true, pulse, job)
    }

    /// Asks from both sides until the value is settled, the budget of nodes is used up, or the search must end. `tell`
    /// hears now and then what is proved by then, and after how many nodes.
    pub(super) fn close_in(
        &mut self,
        rank: &mut Rank<G::Move>,
        without: &[G::Move],
        budget: u64,
        tell: &mut dyn FnMut(&Rank<G::Move>, u64),
    ) {
        let until = self.nodes.saturating_add(budget);
        let root = self.root(without);
        while rank.value().is_none() && self.nodes < until && !self.ended() {
            let question = rank.question(self.quest.game.unit());
            let target = question.target;
            let before = self.nodes;
            let first = rank.best;
            let kind = Rank::<G::Move>::kind(target, self.quest.game.unit());
            let budget = question.budget.min(until - self.nodes);
            let answer = self.work_twice(budget, &mut |nodes| tell(rank, nodes), |sh, lane, _| {
                lane.kind = kind;
                let mut kids = lane.open_root(sh, &root, target);
                let best = first.and_then(|m| kids.iter().find(|k| k.m == m)).map_or(NO_MOVE, |k| k.index);
                let node = Node { position: &root.position, key: 0, lo: i32::MIN, hi: i32::MAX, best };
                let (value, winner) = lane.prove_kids(sh, &node, &mut kids, target, 0);
                (!lane.cut).then(|| (value, winner.map(|i| kids[i].m)))
            });
            let cost = self.nodes - before;
            match answer {
                Some((value, best)) => rank.learn(target, value, best, cost),
                None if cost > 0 && question.budget < u64::MAX => rank.put_off(cost),
                None => return,
            }
        }
    }

    /// The principal variation of a settled root, to the end of the game where the search is not ended before.
    fn follow(&mut self, value: Value, without: &[G::Move], start: &[G::Move]) -> Vec<G::Move> {
        let root = self.root(without);
        let begun = start.to_vec();
        let line = self.work_twice(u64::MAX, &mut |_| {}, |sh, lane, _| {
            let line = lane.follow(sh, &root, value, &begun);
            (!lane.cut).then_some(line)
        });
        line.unwrap_or(begun)
    }

    fn line(&self, rank: u32, depth: u32, score: Score, pv: Vec<G::Move>) -> Line<G::Move> {
        let hashfull = self.table.hashfull();
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
        let game = self.quest.game;
        let cyclic = game.cyclic();
        let limits = self.quest.limits;
        let timeless = limits.depth.is_none()
            && limits.nodes.is_none()
            && limits.soft.is_none()
            && limits.hard.is_none()
            && !limits.infinite;
        let mut ranks: Vec<Rank<G::Move>> = Vec::new();
        let mut depth = 1;
        let mut fruitful = 0u32;
        let mut slice = if timeless && game.unit() == Unit::Outcome { u64::MAX } else { FIRST_TRY };
        for number in 1..=count {
            // A legal move for whatever happens.
            let without: Vec<G::Move> =
                ranks.iter().filter_map(|r| r.line.as_ref()).map(|l| l.pv[0]).collect();
            let mut rank = self.rank(&without);
            let root = self.root(&without);
            let sh = shared(&self.quest, [self.table, self.near], &self.halt, &self.busy);
            let mut kids = self.lanes[0].open_root(&sh, &root, 1);
            self.lanes[0].sort(&sh, self.quest.position, NO_MOVE, &mut kids);
            if let Some(kid) = kids.first() {
                let guess = game.guess(self.quest.position).clamp(-MOST, MOST);
                rank.line = Some(self.line(number as u32, 0, Score::Guess(guess), vec![kid.m]));
                ranks.push(rank);
            }
        }
        loop {
            if !cyclic && limits.depth.is_none() {
                let mut without = Vec::new();
                for (i, rank) in ranks.iter_mut().enumerate() {
                    if rank.line.as_ref().is_some_and(|l| l.score.exact().is_none()) {
                        let mut tell = |rank: &Rank<G::Move>, nodes| {
                            if let Some(line) = rank.so_far(game.unit(), nodes) {
                                report(&line);
                            }
                        };
                        let share = match () {
                            () if rank.is_known() => KNOWN,
                            () if (fruitful > 0 || rank.is_bounded()) && limits.soft.is_none() => FRUITFUL,
                            () => 1,
                        };
                        let before = (rank.lo, rank.hi);
                        self.close_in(rank, &without, slice.saturating_mul(share), &mut tell);
                        fruitful =
                            if (rank.lo, rank.hi) == before { fruitful.saturating_sub(1) } else { LATELY };
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
            // Without a clock a proof is what is waited for; guesses are for who says stop.
            if timeless && (depth > MAX_DEPTH || slice > GUESSED_ENOUGH) {
                slice = u64::MAX;
            }
        }
        self.last_words(ranks)
    }

    /// Guesses where a margin may lie, before it is proved.
    pub(super) fn look_ahead(&mut self, rank: &mut Rank<G::Move>) {
        if self.quest.game.unit() == Unit::Points {
            let plies = self.quest.game.foresight(self.quest.position) + 1;
            let ranks = std::slice::from_mut(rank);
            let _ = (1..=plies).all(|depth| self.deepen(ranks, depth, &mut |_| {}));
        }
    }

    /// One iteration of the search that guesses, for every rank that is not settled; false where it was cut.
    fn deepen(
        &mut self,
        ranks: &mut [Rank<G::Move>],
        depth: u32,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) -> bool {
        let game = self.quest.game;
        let mut without: Vec<G::Move> = Vec::new();
        for (i, rank) in ranks.iter_mut().enumerate() {
            let exact = rank.line.as_ref().is_some_and(|l| l.score.exact().is_some());
            if exact && without.iter().all(|m| rank.line.as_ref().is_none_or(|l| l.pv[0] != *m)) {
                without.extend(rank.line.as_ref().map(|l| l.pv[0]));
                continue;
            }
            let root = self.root(&without);
            let first = rank.line.as_ref().map(|l| l.pv[0]);
            let key = game.key(self.quest.position);
            let own_threads = self.nodes > ALONE;
            let answer = self.work(u64::MAX, own_threads, &mut |_| {}, |sh, lane, number| {
                let mut kids = lane.open_root(sh, &root, 1);
                let best = first.and_then(|m| kids.iter().find(|k| k.m == m)).map_or(NO_MOVE, |k| k.index);
                lane.sort(sh, &root.position, best, &mut kids);
                if game.cyclic() {
                    lane.path.push(key);
                }
                // Helpers look further, so that the first thread finds its moves in the table: by two plies, for
                // guesses swing with who made the last move.
                let depth = depth as i32 + 2 * (number % 2) as i32;
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
                rank.guessed(score);
            }
            if let (Score::Guess(0), [only]) = (known, &pv[..]) {
                // One move and a draw would read as the end of the game.
                let child = game.play(self.quest.position, *only);
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

    /// What is known at the end: of each line its last report, or something better that is proved.
    fn last_words(&mut self, ranks: Vec<Rank<G::Move>>) -> Vec<Line<G::Move>> {
        let mut lines: Vec<Line<G::Move>> = Vec::new();
        for rank in ranks {
            let Some(mut line) = rank.line else { continue };
            let won = self.quest.game.unit() == Unit::Outcome && rank.lo > 0;
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
                let Some(&other) = self.quest.moves.iter().find(|&&m| !used(m)) else { continue };
                let guess = self.quest.game.guess(self.quest.position).clamp(-MOST, MOST);
                line = self.line(line.rank, 0, Score::Guess(guess), vec![other]);
            }
            line.rank = lines.len() as u32 + 1;
            line.nodes = self.nodes;
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
                self.open(sh, &position, false, target, Purpose::Guess, &mut kids);
                kids
            };
            let best = sh.table(&position).proof(sh.game.key(&position)).map_or(NO_MOVE, |p| p.best);
            self.sort(sh, &position, best, &mut kids);
            if let Some(m) = begun.get(line.len()) {
                if kids.iter().all(|k| k.m != *m) {
                    kids.clear();
                    self.open(sh, &position, true, target, Purpose::Guess, &mut kids);
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
