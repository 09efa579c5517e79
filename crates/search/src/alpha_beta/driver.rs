//! The control of one search: which question comes next, which of the two searches answers it, and what is reported.
//!
//! Nothing here is generic over a game. It calls the generic part through [`Prober`].

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use grundy_core::sorting;
use grundy_core::value::{Score, Unit, Value};
use grundy_session::{Distance, Info};

use super::pace::Pace;
use super::rank::Rank;
use super::root::{Facts, Guessed, Probe, Prober};
use super::score::MOST;
use super::select::selected;
use super::table::{NO_MOVE, TableMemory, TranspositionTable};
use super::worker::{SharedState, marks};
use grundy_tables::crew::side_by_side;

/// The depth of recursion that fits the stack of any thread, in plies.
const SHALLOW: u32 = 100;
/// The depth of recursion on a thread of the search, in plies, and the size of its stack in bytes. WebAssembly has one
/// thread with the browser's stack.
const DEEP: u32 = if cfg!(target_family = "wasm") { 4 * SHALLOW } else { 8000 };
const DEEP_STACK: usize = 64 << 20;
/// Nodes searched on the caller's thread before the search starts a thread of its own.
const ALONE: u64 = 20_000;
/// The same where the search has several threads: until this many nodes have been searched in all ..
const FEW: u64 = 5_000;
/// .. and after that, in each call.
const AGAIN: u64 = 300;
/// Nodes of the proof search in the first round, then about as many of the depth-limited search. Each later round is
/// twice as long.
const FIRST_ROUND: u64 = 256;
/// Factor of a round's proof nodes if the value is known and only a move that reaches it is missing.
const KNOWN: u64 = 16;
/// The same if a proof seems near: a book has bounds of the position, or one of the last [`LATELY`] rounds found a
/// bound. Not used on a clock.
const FRUITFUL: u64 = 8;
const LATELY: u32 = 3;
/// The part of a round for the proof search, where the depth-limited one is selective, is one by this for each legal move: it
/// plays all moves of a node, and the selective search one.
const SELECTIVE: u64 = 4;
/// The cost in nodes under which bounds from a book are stored, so that they are seldom overwritten.
const OF_BOOK: u64 = 1 << 20;
/// In a search without limits, rounds above this number of nodes have no depth-limited part.
const GUESSED_ENOUGH: u64 = 1 << 22;
/// Maximum depth of the depth-limited search.
const MAX_DEPTH: u32 = 90;
/// Iterations by the plain search before the selective one: they prove what is nearest.
const PLAIN: u32 = 1;
/// Time that a loaded system may need to provide a kilobyte of memory.
const FIRST_TOUCH: Duration = Duration::from_micros(4);
/// Interval between reports of a long proof.
const PULSE: Duration = Duration::from_secs(1);

/// Receives the number of nodes now and then, while threads work.
type Pulse<'p> = &'p mut dyn FnMut(u64);

/// A job that every thread does, given the number of its thread.
type Probing<'j, R> = &'j (dyn Fn(&SharedState<'_>, &mut dyn Prober, usize) -> Option<R> + Sync);

/// The table of full size, allocated once a search is long enough to need it.
pub(super) enum Full<'a> {
    /// Not allocated yet: its place, and its size in kilobytes.
    Later(&'a mut Option<TableMemory>, usize),
    /// Allocated.
    Now(TranspositionTable<'a>),
}

impl<'a> Full<'a> {
    pub(super) fn new(memory: &'a mut Option<TableMemory>, kilobytes: usize) -> Full<'a> {
        match memory {
            Some(_) => Full::make(memory, kilobytes),
            None => Full::Later(memory, kilobytes),
        }
    }

    fn make(slot: &'a mut Option<TableMemory>, kilobytes: usize) -> Full<'a> {
        Full::Now(slot.get_or_insert_with(|| TableMemory::at_most(kilobytes)).table())
    }
}

/// One search under way.
pub(super) struct Driver<'a> {
    facts: Facts,
    stop: &'a AtomicBool,
    /// The table in use.
    table: TranspositionTable<'a>,
    /// The small table.
    near: TranspositionTable<'a>,
    /// The table of full size, while it is not in use.
    full: Option<Full<'a>>,
    halt: AtomicBool,
    busy: Vec<AtomicU64>,
    probers: Vec<Box<dyn Prober + 'a>>,
    /// Nodes of all threads together.
    pub(super) nodes: u64,
    seldepth: u32,
    begun: Instant,
    pace: Pace,
}

impl<'a> Driver<'a> {
    /// Returns a search with these tables: two small ones, the second for positions with little left to play, and one
    /// of full size, which replaces the first once the search gets long.
    pub(super) fn new(
        facts: Facts,
        stop: &'a AtomicBool,
        [table, near]: [TranspositionTable<'a>; 2],
        full: Option<Full<'a>>,
        probers: Vec<Box<dyn Prober + 'a>>,
    ) -> Driver<'a> {
        let busy = marks(probers.len());
        let halt = AtomicBool::new(false);
        let mut driver = Driver {
            facts,
            stop,
            table,
            near,
            full,
            halt,
            busy,
            probers,
            nodes: 0,
            seldepth: 0,
            begun: Instant::now(),
            pace: Pace::default(),
        };
        // A game that goes on finds itself in the table of its last move.
        let key = driver.facts.key;
        if let Some(Full::Now(table)) = &driver.full
            && (table.proof(key).is_some()
                || table.guess(key).is_some()
                || table.guess(selected(key)).is_some())
        {
            driver.grow();
        }
        for after in &driver.facts.after {
            let table = if after.brief { driver.near } else { driver.table };
            table.prove(after.key, after.lo, after.hi, NO_MOVE, OF_BOOK);
        }
        driver
    }

    /// Switches to the table of full size, with all results so far.
    fn grow(&mut self) {
        if let (Some(Full::Later(_, kilobytes)), Some(hard)) = (&self.full, self.facts.limits.hard) {
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

    /// Returns the exact value, unless the search ends before.
    pub(super) fn value(&mut self) -> Option<Value> {
        let mut rank = self.rank(&[]);
        self.look_ahead(&mut rank);
        self.close_in(&mut rank, &[], u64::MAX, &mut |_, _| {});
        rank.value()
    }

    /// Returns proved bounds of the value, as close as the limits allow. With `target` only whether it is worth as much is
    /// asked.
    pub(super) fn bounds(&mut self, target: Option<Value>) -> (Value, Value) {
        let mut rank = self.rank(&[]);
        if let Some(target) = target.map(Value::raw) {
            let before = self.nodes;
            if let Some((value, best)) = self.ask(target) {
                rank.learn(target, value, best, self.nodes - before);
            }
        } else {
            self.look_ahead(&mut rank);
            self.close_in(&mut rank, &[], u64::MAX, &mut |_, _| {});
        }
        (Value::from_raw(rank.lo), Value::from_raw(rank.hi))
    }

    /// Returns a move worth at least `target`, by its number, or `None` inside if there is none; `None` if the search ended
    /// first.
    pub(super) fn reaching(&mut self, target: Value) -> Option<Option<u32>> {
        let (value, best) = self.ask(target.raw())?;
        Some(best.filter(|_| value >= target.raw()))
    }

    /// Asks by a null window whether the root is worth `target`; returns a proved bound that decides it, and the move that
    /// shows it. `None` if the search ended first.
    fn ask(&mut self, target: i32) -> Option<(i32, Option<u32>)> {
        let kind = Rank::kind(target, self.facts.unit);
        let probe = Probe { without: &[], target, kind, first: None };
        self.work_twice(u64::MAX, &mut |_| {}, &|shared, prober, _| prober.prove(shared, &probe))
    }

    /// Returns what is known of the root, `without` some of its moves, before any search.
    pub(super) fn rank(&self, without: &[u32]) -> Rank {
        let whole = self.facts.all && without.is_empty();
        let (lo, hi) = if whole { self.facts.bounds } else { (Value::loss_in(1), Value::win_in(1)) };
        let most = self.facts.at_most.map_or(hi, |most| hi.min(most));
        let (mut lo, mut hi) = (lo.raw(), most.raw());
        let mut distance = self.facts.distance;
        if self.facts.unit.is_points() {
            distance = Distance::Exact;
            (lo, hi) = (lo.max(-Value::MAX_POINTS), hi.min(Value::MAX_POINTS));
        }
        let mut rank = Rank::new(lo, hi, distance);
        if whole {
            self.facts.known.into_iter().for_each(|bounds| rank.know(bounds));
        }
        rank.parity = self.facts.parity;
        rank.without = without.to_vec();
        sorting::sort_few(&mut rank.without);
        rank
    }

    /// Begins a rank anew if the moves of the better lines are others than before: nothing is proved of what is left of the
    /// moves, except what its own move is worth.
    fn renew(&mut self, number: usize, rank: &mut Rank, without: &[u32]) {
        let mut moves = without.to_vec();
        sorting::sort_few(&mut moves);
        if rank.without == moves {
            return;
        }
        let line = rank.line.take().filter(|line| !without.contains(&line.pv[0]));
        *rank = self.rank(without);
        rank.line = match line {
            Some(line) => {
                if let (Some(value), Distance::Exact) = (line.score.exact(), self.facts.distance) {
                    (rank.lo, rank.best) = (rank.lo.max(value.raw()), Some(line.pv[0]));
                }
                Some(Info { score: Score::Guess(self.facts.guess), ..line })
            }
            None => self.unsearched(number, without),
        };
    }

    /// Returns a line of the first move in move ordering, of those not excluded, before any search.
    fn unsearched(&mut self, number: usize, without: &[u32]) -> Option<Info<u32>> {
        let m = self.first(without)?;
        Some(self.line(number as u32, 0, Score::Guess(self.facts.guess), vec![m]))
    }

    /// Reports whether the search must end.
    fn ended(&self) -> bool {
        self.stop.load(Relaxed)
            || self.facts.limits.hard.is_some_and(|hard| Instant::now() >= hard)
            || self.facts.limits.nodes.is_some_and(|most| self.nodes >= most)
    }

    /// Reports whether the move is sure enough for the time used.
    fn enough(&self) -> bool {
        let Some(soft) = self.facts.limits.soft else {
            // Proofs may still tell how soon.
            let told = self.facts.cyclic || self.facts.distance == Distance::First;
            return self.pace.won && told && self.facts.limits.hard.is_some();
        };
        let usual = soft.saturating_duration_since(self.begun);
        let only = self.facts.moves.len() == 1 && self.pace.selective;
        only || self.pace.won || self.begun.elapsed() >= usual * self.pace.share() / 100
    }

    /// Runs a job on all threads until the first of them has an answer. `None` if the limits or the node budget came
    /// first.
    fn work<R: Send>(
        &mut self,
        budget: u64,
        own_threads: bool,
        pulse: Pulse<'_>,
        job: Probing<'_, R>,
    ) -> Option<R> {
        let left =
            self.facts.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes)).min(budget);
        self.halt.store(false, Relaxed);
        if own_threads || self.nodes > ALONE {
            self.grow();
        }
        let nodes = AtomicU64::new(0);
        let shared = &SharedState {
            far: self.table,
            near: self.near,
            stop: self.stop,
            halt: &self.halt,
            deadline: self.facts.limits.hard,
            nodes: &nodes,
            busy: (!self.busy.is_empty()).then_some(&self.busy[..]),
            limited: self.facts.limited(),
        };
        let count = if own_threads { self.probers.len() } else { 1 };
        let before: u64 = self.probers.iter().map(|prober| prober.tally().nodes).sum();
        let plies = if own_threads { DEEP } else { SHALLOW };
        for prober in &mut self.probers {
            prober.begin(left.div_ceil(count as u64), plies);
        }
        let answer = if own_threads {
            let found = &Mutex::new(None);
            let begun = self.nodes;
            let mut jobs: Vec<Box<dyn FnOnce() + Send + '_>> = Vec::new();
            for (i, prober) in self.probers.iter_mut().enumerate() {
                jobs.push(Box::new(move || {
                    if let Some(answer) = job(shared, prober.as_mut(), i) {
                        shared.halt.store(true, Relaxed);
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        if found.as_ref().is_none_or(|&(first, _)| i < first) {
                            *found = Some((i, answer));
                        }
                    }
                }));
            }
            side_by_side(jobs, DEEP_STACK, PULSE, &mut || pulse(begun + shared.nodes.load(Relaxed)));
            let found = found.lock().unwrap_or_else(PoisonError::into_inner).take();
            found.map(|(_, answer)| answer)
        } else {
            job(shared, self.probers[0].as_mut(), 0)
        };
        let tallies: Vec<_> = self.probers.iter().map(|prober| prober.tally()).collect();
        self.nodes += tallies.iter().map(|tally| tally.nodes).sum::<u64>() - before;
        self.seldepth = tallies.iter().map(|tally| tally.seldepth).max().unwrap_or(0);
        answer
    }

    /// Runs a job on the caller's thread first, then on threads of the search if that was not enough.
    fn work_twice<R: Send>(&mut self, budget: u64, pulse: Pulse<'_>, job: Probing<'_, R>) -> Option<R> {
        let before = self.nodes;
        let alone = match self.probers.len() {
            1 => ALONE,
            _ if self.nodes <= FEW => FEW,
            _ => AGAIN,
        };
        let answer = self.work(budget.min(alone), false, pulse, job);
        let left = budget.saturating_sub(self.nodes - before);
        if answer.is_some() || self.ended() || (left == 0 && !self.probers[0].tally().too_deep) {
            return answer;
        }
        self.work(left.max(1), true, pulse, job)
    }

    /// Reports whether the depth-limited search is selective.
    fn is_selective(&self) -> bool {
        self.facts.selective && self.facts.limited()
    }

    /// Runs a job without a search on the first thread.
    fn on_first_thread<R>(&mut self, job: impl FnOnce(&SharedState<'_>, &mut dyn Prober) -> R) -> R {
        let nodes = AtomicU64::new(0);
        let shared = SharedState {
            far: self.table,
            near: self.near,
            stop: self.stop,
            halt: &self.halt,
            deadline: self.facts.limits.hard,
            nodes: &nodes,
            busy: None,
            limited: self.facts.limited(),
        };
        job(&shared, &mut *self.probers[0])
    }

    /// Returns the first move in move ordering, of those not excluded.
    fn first(&mut self, without: &[u32]) -> Option<u32> {
        self.on_first_thread(|shared, prober| prober.first(shared, without))
    }

    /// Returns the expected reply to a root move; `None` if the game is over after it.
    fn reply(&mut self, m: u32) -> Option<u32> {
        self.on_first_thread(|shared, prober| prober.reply(shared, m))
    }

    /// Closes in on the value from below and above, until it is proved, the node budget is used up, or the search must
    /// end. `tell` receives the bounds proved so far and the number of nodes now and then.
    pub(super) fn close_in(
        &mut self,
        rank: &mut Rank,
        without: &[u32],
        budget: u64,
        tell: &mut dyn FnMut(&Rank, u64),
    ) {
        let until = self.nodes.saturating_add(budget);
        while rank.value().is_none() && self.nodes < until && !self.ended() {
            let query = rank.query(self.facts.unit);
            let target = query.target;
            let before = self.nodes;
            let kind = Rank::kind(target, self.facts.unit);
            let probe = Probe { without, target, kind, first: rank.best };
            let budget = query.budget.min(until - self.nodes);
            let answer = self.work_twice(budget, &mut |nodes| tell(rank, nodes), &|shared, prober, _| {
                prober.prove(shared, &probe)
            });
            let cost = self.nodes - before;
            match answer {
                Some((value, best)) => rank.learn(target, value, best, cost),
                None if cost > 0 && query.budget < u64::MAX => rank.put_off(cost),
                None => return,
            }
        }
    }

    /// Returns the principal variation of a root whose value is proved.
    fn follow(&mut self, value: Value, without: &[u32], start: &[u32]) -> Vec<u32> {
        let line = self.work_twice(u64::MAX, &mut |_| {}, &|shared, prober, _| {
            prober.follow(shared, without, value, start)
        });
        line.unwrap_or_else(|| start.to_vec())
    }

    fn line(&self, rank: u32, depth: u32, score: Score, pv: Vec<u32>) -> Info<u32> {
        let (hashfull, unit) = (self.table.hashfull(), self.facts.unit);
        let seldepth = self.seldepth.max(depth);
        Info { depth, seldepth, nodes: self.nodes, hashfull, rank, score, unit, pv }
    }

    /// Sets the line of a settled rank.
    fn settle(&mut self, number: u32, rank: &mut Rank, without: &[u32]) {
        let Some(value) = rank.value() else { return };
        let start: Vec<u32> = rank.best.into_iter().collect();
        let pv = self.follow(value, without, &start);
        let depth = pv.len() as u32;
        if !pv.is_empty() {
            rank.line = Some(self.line(number, depth, Score::Exact(value), pv));
        }
    }

    /// Searches until everything is proved or a limit is reached; returns the best lines, best first.
    pub(super) fn lines(&mut self, count: usize, report: &mut dyn FnMut(&Info<u32>)) -> Vec<Info<u32>> {
        let (unit, cyclic) = (self.facts.unit, self.facts.cyclic);
        let limits = self.facts.limits;
        let timeless = limits.depth.is_none() && !self.facts.limited();
        let mut ranks: Vec<Rank> = Vec::new();
        let mut depth = 1;
        let mut fruitful = 0u32;
        let mut slice = if timeless && unit == Unit::Outcome { u64::MAX } else { FIRST_ROUND };
        let (proofs, guesses) = self.facts.shares;
        let parts = if self.is_selective() { SELECTIVE * self.facts.moves.len().max(1) as u64 } else { 1 };
        for number in 1..=count {
            // A legal move for whatever happens.
            let without: Vec<u32> = ranks.iter().filter_map(|r| r.line.as_ref()).map(|l| l.pv[0]).collect();
            let mut rank = self.rank(&without);
            rank.line = self.unsearched(number, &without);
            if rank.line.is_some() {
                ranks.push(rank);
            }
        }
        if proofs > guesses && limits.depth.is_none() {
            // Targets near the value, and a move, before most of the time goes to proofs.
            while depth <= self.facts.foresight + 1 && self.deepen(&mut ranks, depth, report) {
                depth += 1;
            }
        }
        loop {
            if !cyclic && limits.depth.is_none() {
                let mut without = Vec::new();
                for (i, rank) in ranks.iter_mut().enumerate() {
                    self.renew(i + 1, rank, &without);
                    if rank.line.as_ref().is_some_and(|l| l.score.exact().is_none()) {
                        let mut tell = |rank: &Rank, nodes| {
                            if let Some(line) = rank.so_far(unit, nodes) {
                                report(&line);
                            }
                        };
                        let share = match () {
                            () if rank.is_known() => KNOWN,
                            () if (fruitful > 0 || rank.is_bounded()) && limits.soft.is_none() => FRUITFUL,
                            () => 1,
                        };
                        let before = (rank.lo, rank.hi);
                        let budget = slice.saturating_mul(share.saturating_mul(proofs)) / parts;
                        self.close_in(rank, &without, budget, &mut tell);
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
            let settled = |r: &Rank| r.line.as_ref().is_some_and(|l| l.score.exact().is_some());
            if ranks.iter().all(settled) || self.ended() {
                break;
            }
            if self.enough()
                || limits.depth.is_some_and(|most| depth > most)
                || depth > MAX_DEPTH && (cyclic || limits.depth.is_some())
            {
                break;
            }
            let before = self.nodes;
            while self.nodes - before < slice.saturating_mul(guesses)
                && depth <= limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
            {
                if !self.deepen(&mut ranks, depth, report) || self.enough() {
                    break;
                }
                depth += 1;
                if ranks.iter().all(settled) {
                    break;
                }
            }
            slice = slice.max((self.nodes - before) / guesses).saturating_mul(2);
            // A search without limits ends with a proof. Its estimates are of use only to a caller who stops it early.
            if timeless && (depth > MAX_DEPTH || slice > GUESSED_ENOUGH) {
                slice = u64::MAX;
            }
        }
        self.last_words(ranks)
    }

    /// Estimates the margin by a depth-limited search, before it is proved.
    pub(super) fn look_ahead(&mut self, rank: &mut Rank) {
        if self.facts.unit.is_points() {
            let plies = self.facts.foresight + 1;
            let ranks = std::slice::from_mut(rank);
            let _ = (1..=plies).all(|depth| self.deepen(ranks, depth, &mut |_| {}));
        }
    }

    /// Runs one iteration of the depth-limited search for every rank that is not proved; returns false if it was cut
    /// short.
    fn deepen(&mut self, ranks: &mut [Rank], depth: u32, report: &mut dyn FnMut(&Info<u32>)) -> bool {
        let mut without: Vec<u32> = Vec::new();
        for (i, rank) in ranks.iter_mut().enumerate() {
            self.renew(i + 1, rank, &without);
            if rank.line.as_ref().is_some_and(|l| l.score.exact().is_some()) {
                without.extend(rank.line.as_ref().map(|l| l.pv[0]));
                continue;
            }
            let first = rank.line.as_ref().map(|l| l.pv[0]);
            let own_threads = self.nodes > ALONE;
            let left_out = &without;
            let selective = self.is_selective() && depth > PLAIN;
            let answer = self.work(u64::MAX, own_threads, &mut |_| {}, &|shared, prober, number| {
                // Every second thread searches two plies deeper, so that the others find its moves in the table. One
                // ply deeper would be of less use: estimates of even and of odd depth differ.
                let depth = depth as i32 + 2 * (number % 2) as i32;
                let guessed = match selective {
                    true => prober.select(shared, left_out, depth, first),
                    false => prober.guess(shared, left_out, depth, first),
                };
                guessed.filter(|_| number == 0)
            });
            let Some(mut guessed) = answer else { return false };
            debug_assert!(guessed.score.abs() <= Value::win_in(0).raw(), "{} is no score", guessed.score);
            if selective {
                let plies = Value::from_raw(guessed.score).plies().filter(|_| guessed.score.abs() > MOST);
                if i == 0 {
                    let won = guessed.score > 0 && plies.is_some_and(|plies| plies <= depth);
                    self.pace.learn(guessed.best, guessed.score, guessed.effort, won);
                }
                // Elsewhere the proof search finds the distance.
                let open = plies.filter(|_| self.facts.cyclic);
                if let Some(exact) = open.and_then(|plies| self.shorten(rank, &without, guessed.best, plies))
                {
                    guessed = exact;
                }
            }
            let Guessed { best: m, score, mut proved, value, mut pv, .. } = guessed;
            let mut known = Score::Guess(score);
            // Nothing is better than a win at once.
            proved.hi |= proved.lo && value.raw() >= rank.hi;
            if proved.lo && proved.hi {
                (rank.lo, rank.hi, rank.best) = (value.raw(), value.raw(), Some(m));
                known = Score::Exact(value);
                // Where positions can repeat, the values in the table depend on the line played: only the line that
                // the search returned is sure.
                let sure = if self.facts.cyclic { pv.len() } else { 1 };
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
            // A line of one move with the score of a draw says that this move ends the game. A line of one move at a greater
            // depth comes from a search that was cut. Both are extended, by the line of the iteration before where it has the
            // same first move.
            if let (Score::Guess(guess), &[only]) = (known, &pv[..])
                && (guess == 0 || depth > 1)
            {
                match rank.line.take_if(|line| line.pv[0] == only && line.pv.len() > 1) {
                    Some(line) => pv = line.pv,
                    None => pv.extend(self.reply(only)),
                }
            }
            let line = self.line(i as u32 + 1, depth, known, pv);
            report(&line);
            without.push(m);
            rank.line = Some(line);
        }
        true
    }

    /// Returns the exact result behind a win or a loss within `plies` plies, of which the selective search knows the shortest
    /// line that it saw, not that there is no shorter one: plain iterations tell, if they need at most half as many nodes as
    /// the search so far, or a few; of the first line, where no clock presses, three times as many.
    fn shorten(&mut self, rank: &mut Rank, without: &[u32], first: u32, plies: u32) -> Option<Guessed> {
        let unpressed = without.is_empty() && self.facts.limits.soft.is_none();
        let (before, others) = (self.nodes, self.nodes - rank.plain_nodes.min(self.nodes));
        let most = ALONE + if unpressed { 3 * others } else { others / 2 };
        let until = before + most.saturating_sub(rank.plain_nodes);
        let mut found = None;
        while found.is_none() && rank.plain < plies.min(MAX_DEPTH) && self.nodes < until && !self.ended() {
            let depth = rank.plain as i32 + 1;
            let guessed = self.work(until - self.nodes, true, &mut |_| {}, &|shared, prober, number| {
                let guessed = prober.guess(shared, without, depth, Some(first));
                guessed.filter(|_| number == 0)
            });
            let Some(guessed) = guessed else { break };
            rank.plain += 1;
            found = (guessed.proved.lo && guessed.proved.hi).then_some(guessed);
        }
        rank.plain_nodes += self.nodes - before;
        found
    }

    /// Returns the final lines: each as last reported, or improved by a proof.
    fn last_words(&mut self, ranks: Vec<Rank>) -> Vec<Info<u32>> {
        let mut lines: Vec<Info<u32>> = Vec::new();
        for rank in ranks {
            let Some(mut line) = rank.line else { continue };
            let won = self.facts.unit == Unit::Outcome && rank.lo > 0;
            if let (true, Score::Guess(_), Some(m)) = (won, line.score, rank.best) {
                line = self.line(
                    line.rank,
                    line.depth.max(1),
                    Score::AtLeast(Value::from_raw(rank.lo)),
                    vec![m],
                );
            }
            let used = |m: u32| lines.iter().any(|l| l.pv[0] == m);
            if used(line.pv[0]) {
                // The best move changed after this line was found.
                let Some(&other) = self.facts.moves.iter().find(|&&m| !used(m)) else { continue };
                line = self.line(line.rank, 0, Score::Guess(self.facts.guess), vec![other]);
            }
            line.rank = lines.len() as u32 + 1;
            line.nodes = self.nodes;
            lines.push(line);
        }
        lines
    }
}
