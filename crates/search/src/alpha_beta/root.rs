//! The root of a search as one thread sees it: the generic side of [`Prober`].
//!
//! [`Driver`](super::driver::Driver) decides what is asked next. It sees a move as the number that [`RootScene`] gives it,
//! and each thread as a [`Prober`].

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use grundy_core::game::{Scored, legal_moves, step};
use grundy_core::interner::Interner;
use grundy_core::value::{Unit, Value};
use grundy_core::weights::Accumulators;
use grundy_session::{Distance, Info, Limits};

use super::ability::{Bounds, Heuristic};
use super::prove::Node;
use super::score::{INFINITE, MOST, Proved, unscaled};
use super::select::selected;
use super::table::NO_MOVE;
use super::worker::{Child, Context, Purpose, Root, SharedState, Worker, arrange, child_target};
use crate::question::Question;

/// Maximum length of the principal variation of a game for points, of a draw and of a win of unknown distance.
const LONG_LINE: usize = 200;

/// Maximum work on the bounds of a root, in units of about 10 microseconds.
const MOST_ATTEMPTS: u32 = 1 << 22;
/// Maximum work on the bounds of each child of a root at first, in units of about 10 microseconds; one of them may then get
/// an eighth of the root's.
const ATTEMPTS: u32 = 500;

/// Reports whether a search has no limit of time or nodes.
fn unlimited(limits: &Limits) -> bool {
    limits.soft.or(limits.hard).is_none() && limits.nodes.is_none()
}

/// Returns the work that the bounds of a root are worth, in units of about 10 microseconds: two for each millisecond that is
/// left, one for 8 nodes, or 4,000 without a limit, [`MOST_ATTEMPTS`] at most; 0 if the time is short.
pub(crate) fn attempts(limits: &Limits) -> u32 {
    let work = match (limits.soft.or(limits.hard), limits.nodes) {
        (Some(end), _) => {
            let left = end.saturating_duration_since(Instant::now()).as_millis() as u64;
            if left < 200 { 0 } else { left * 2 }
        }
        (None, Some(nodes)) => nodes / 8,
        (None, None) => 4_000,
    };
    work.min(MOST_ATTEMPTS.into()) as u32
}

/// Half the width of the first window of an iteration of the selective search, in hundredths of a point.
const NARROW: i32 = 16;
/// Half the width from which it is open.
const WIDE: i32 = 1_000;

/// Facts about the root before any search.
pub(super) struct Facts {
    pub unit: Unit,
    pub cyclic: bool,
    /// True if a search with limits may be selective.
    pub selective: bool,
    /// The key of the position.
    pub key: u64,
    /// The moves to consider.
    pub moves: Vec<u32>,
    /// True if these are all legal moves.
    pub all: bool,
    /// Bounds proved by the game itself.
    pub bounds: (Value, Value),
    /// Bounds from a book, or proved before.
    pub known: Option<(Value, Value)>,
    /// A proved upper bound of the moves' values.
    pub at_most: Option<Value>,
    /// Bounds from the book for the children.
    pub after: Vec<After>,
    /// The game's static evaluation.
    pub guess: i32,
    /// A number of the parity that the margin most likely has.
    pub parity: Option<i32>,
    /// Depth of the search for move ordering that is worth its time.
    pub foresight: u32,
    /// Nodes of the proof search and of the depth-limited search in a round, as a ratio.
    pub shares: (u64, u64),
    pub distance: Distance,
    pub limits: Limits,
}

impl Facts {
    /// Reports whether the search may end before the value is proved: it then prunes, in games that ask for it.
    pub(super) fn limited(&self) -> bool {
        limited(&self.limits)
    }
}

/// Reports whether a search may be ended before the value is proved, by a limit other than depth or from outside.
fn limited(limits: &Limits) -> bool {
    !unlimited(limits) || limits.infinite
}

/// Bounds of a child from a book.
pub(super) struct After {
    pub key: u64,
    /// True if the small table stores the position.
    pub brief: bool,
    pub lo: i32,
    pub hi: i32,
}

impl After {
    fn new<G: Heuristic>(game: &G, child: &G::Position, (lo, hi): (Value, Value)) -> After {
        After { key: game.key(child), brief: game.brief(child), lo: lo.raw(), hi: hi.raw() }
    }
}

/// The work of one thread so far.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    pub nodes: u64,
    pub seldepth: u32,
    pub too_deep: bool,
}

/// A question about the root: does a move that is not excluded reach `target`?
pub(super) struct Probe<'a> {
    pub without: &'a [u32],
    pub target: i32,
    /// The kind of question, for the history heuristic.
    pub kind: usize,
    /// The move to search first.
    pub first: Option<u32>,
}

/// The result of a depth-limited search of the root.
pub(super) struct Guessed {
    pub best: u32,
    pub score: i32,
    pub proved: Proved,
    /// The score as a value.
    pub value: Value,
    pub pv: Vec<u32>,
    /// The share of the nodes that the best move took, in hundredths, in a selective search.
    pub effort: u32,
}

/// One thread at a root. Answers are `None` if limits, or another thread's answer, cut the work short.
pub(super) trait Prober: Send {
    /// Prepares for work of at most `nodes` nodes, with a stack for `plies` plies.
    fn begin(&mut self, nodes: u64, plies: u32);
    /// Returns the work so far.
    fn tally(&self) -> Tally;
    /// Returns the first move in move ordering.
    fn first(&mut self, shared: &SharedState<'_>, without: &[u32]) -> Option<u32>;
    /// Returns a proved bound that decides a question, and the move that shows it.
    fn prove(&mut self, shared: &SharedState<'_>, ask: &Probe<'_>) -> Option<(i32, Option<u32>)>;
    /// Returns a line of best play that begins with `begun`, from the root of value `value`.
    fn follow(
        &mut self,
        shared: &SharedState<'_>,
        without: &[u32],
        value: Value,
        begun: &[u32],
    ) -> Option<Vec<u32>>;
    /// Returns the best move to a depth.
    fn guess(
        &mut self,
        shared: &SharedState<'_>,
        without: &[u32],
        depth: i32,
        first: Option<u32>,
    ) -> Option<Guessed>;
    /// Returns the best move to a depth by the selective search; of an unfinished iteration only a move that turned out
    /// better than `first`.
    fn select(
        &mut self,
        shared: &SharedState<'_>,
        without: &[u32],
        depth: i32,
        first: Option<u32>,
    ) -> Option<Guessed>;
    /// Returns the expected reply to a root move: the move of the transposition table, else the first in move ordering;
    /// `None` if the game is over after it.
    fn reply(&mut self, shared: &SharedState<'_>, m: u32) -> Option<u32>;
}

/// A root with the question about it.
pub(super) struct RootScene<'a, G: Scored> {
    pub question: Question<'a, G>,
    /// The moves seen by the driver, by number: first those that are legal at the root.
    numbered: Mutex<Interner<G::Move>>,
    /// The root moves to consider.
    moves: Vec<G::Move>,
    all: bool,
    /// Keys of positions that have occurred twice in the game.
    twice: Vec<u64>,
}

impl<'a, G: Scored + Heuristic + Bounds> RootScene<'a, G> {
    pub(super) fn new(question: Question<'a, G>) -> RootScene<'a, G> {
        let legal = legal_moves(question.game, question.position);
        let mut moves = legal.clone();
        moves.retain(|m| question.only.contains(m));
        if moves.is_empty() {
            moves = legal.clone();
        }
        let all = moves.len() == legal.len();
        let twice = question.twice();
        let mut numbered = Interner::default();
        legal.into_iter().for_each(|m| {
            numbered.insert(m);
        });
        RootScene { question, numbered: Mutex::new(numbered), moves, all, twice }
    }

    /// Returns the number of moves to consider; 0 if the game is over.
    pub(super) fn count(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn facts(&self) -> Facts {
        let Question { game, position, book, evaluator, at_least, at_most, distance, limits, .. } =
            self.question;
        let mut after = Vec::new();
        let bounds = match self.all {
            true if G::STRATEGIES => self.strategies(&mut after),
            true => game.bounds(position, Value::DRAW),
            false => (Value::loss_in(1), Value::win_in(1)),
        };
        for &m in book.iter().flat_map(|_| &self.moves) {
            let child = game.play(position, m);
            if game.over(&child).is_none()
                && let Some(bounds) = book.and_then(|book| book.bounds(game, &child))
            {
                after.push(After::new(game, &child, bounds));
            }
        }
        let of_book = book.and_then(|book| book.bounds(game, position));
        let known = match (of_book, at_least) {
            (Some((lo, hi)), Some(least)) => Some((lo.max(least), hi)),
            (None, Some(least)) => Some((least, Value::win_in(1))),
            (of_book, None) => of_book,
        };
        let guess = match evaluator {
            Some(evaluator) => evaluator.guess(game, position, &mut Accumulators::default()),
            None => game.guess(position),
        };
        Facts {
            unit: game.unit(),
            cyclic: game.cyclic(),
            selective: G::SELECTIVE && game.selective(position),
            key: game.key(position),
            moves: self.numbers(&self.moves),
            all: self.all,
            bounds,
            known: if self.all { known } else { None },
            at_most,
            after,
            guess: guess.clamp(-MOST, MOST),
            parity: game.parity(position),
            foresight: game.foresight(position),
            shares: game.shares(position, limited(&limits)),
            distance,
            limits,
        }
    }

    /// Returns bounds of the root, and adds those of its children, by strategies. With a limit they count only if some move
    /// keeps the lower one.
    fn strategies(&self, after: &mut Vec<After>) -> (Value, Value) {
        let Question { game, position, limits, stop, at_least, at_most, .. } = self.question;
        let known = game.bounds(position, Value::DRAW);
        // Of a proved draw only a move that keeps it is missing.
        let drawn = [at_least, at_most] == [Some(Value::DRAW); 2];
        let work = if drawn { MOST_ATTEMPTS } else { attempts(&limits) };
        if work == 0 {
            return known;
        }
        let (lo, hi) = match drawn {
            true => (Value::DRAW, Value::DRAW),
            false => game.bounds_of_root(position, work, stop),
        };
        if (lo, hi) == (Value::DRAW, Value::DRAW) && game.all_keep_a_draw(position) {
            for &m in &self.moves {
                let child = game.play(position, m);
                if game.over(&child).is_none() {
                    after.push(After::new(game, &child, (lo, hi)));
                }
            }
            return (lo, hi);
        }
        let mut best = known.0;
        let mut ask = |m: G::Move, work: u32| {
            let child = game.play(position, m);
            let (least, most) = match game.over(&child) {
                Some(value) => (value, value),
                None => {
                    let bounds = game.bounds_of_root(&child, work, stop);
                    after.push(After::new(game, &child, bounds));
                    bounds
                }
            };
            let step = step(game, position, m, &child);
            best = best.max(if step.turn_passed { most } else { least }.back(step));
            best >= lo
        };
        let mut keeps = false;
        for &m in &self.moves {
            keeps |= ask(m, (work / 64).min(ATTEMPTS));
        }
        if !keeps
            && let Some(&m) =
                self.moves.iter().max_by_key(|&&m| game.hint(position, m, &game.play(position, m)))
        {
            keeps = ask(m, work / 8);
        }
        if unlimited(&limits) || keeps { (lo, hi) } else { known }
    }

    fn numbered(&self) -> MutexGuard<'_, Interner<G::Move>> {
        self.numbered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, m: G::Move) -> u32 {
        self.numbered().insert(m).0
    }

    fn numbers(&self, moves: &[G::Move]) -> Vec<u32> {
        let mut numbered = self.numbered();
        moves.iter().map(|&m| numbered.insert(m).0).collect()
    }

    pub(super) fn the(&self, number: u32) -> Option<G::Move> {
        self.numbered().list().get(number as usize).copied()
    }

    fn moves(&self, numbers: &[u32]) -> Vec<G::Move> {
        let numbered = self.numbered();
        numbers.iter().filter_map(|&number| numbered.list().get(number as usize).copied()).collect()
    }

    /// Returns a report of the driver with the moves of the game.
    pub(super) fn with_moves(&self, info: &Info<u32>) -> Info<G::Move> {
        info.with_pv(self.moves(&info.pv))
    }

    fn root(&self, without: &[u32]) -> Root<G> {
        let every = self.all && without.is_empty();
        Root {
            position: self.question.position.clone(),
            moves: if every { Vec::new() } else { self.moves.clone() },
            without: (!every).then(|| self.moves(without)),
        }
    }

    fn context<'s>(&'s self, shared: &SharedState<'s>) -> Context<'s, G> {
        let Question { game, oracle, evaluator, .. } = self.question;
        Context { game, oracle, evaluator, twice: &self.twice, shared: *shared }
    }
}

/// A worker at one root.
pub(super) struct RootWorker<'a, 's, G: Scored> {
    worker: &'a mut Worker<G>,
    scene: &'a RootScene<'s, G>,
}

impl<'a, 's, G: Scored + Heuristic + Bounds> RootWorker<'a, 's, G> {
    pub(super) fn new(worker: &'a mut Worker<G>, scene: &'a RootScene<'s, G>) -> RootWorker<'a, 's, G> {
        worker.nodes = 0;
        worker.next_look = 0;
        worker.seldepth = 0;
        worker.path.clear();
        worker.memory.iter_mut().for_each(|memory| memory.begin());
        RootWorker { worker, scene }
    }

    /// Returns the children of the root, and the index of the one to search first.
    fn open(
        &mut self,
        context: &Context<'_, G>,
        root: &Root<G>,
        target: i32,
        first: Option<u32>,
    ) -> (Vec<Child<G>>, u16) {
        let kids = self.worker.open_root(context, root, target);
        let first = first.and_then(|number| self.scene.the(number));
        let best = first.and_then(|m| kids.iter().find(|k| k.m == m)).map_or(NO_MOVE, |k| k.index);
        (kids, best)
    }

    /// Returns the children of the root, the one to search first in front, for an iteration of a depth-limited search.
    fn open_sorted(
        &mut self,
        context: &Context<'_, G>,
        without: &[u32],
        first: Option<u32>,
    ) -> Vec<Child<G>> {
        let Question { game, position, .. } = self.scene.question;
        let (mut kids, best) = self.open(context, &self.scene.root(without), 1, first);
        self.worker.sort(context, position, best, &mut kids);
        // A line that comes back to the root is a draw, but not where some of its moves are left out: what they are worth may
        // be what the others reach there.
        if game.cyclic() && self.scene.all && without.is_empty() {
            self.worker.path.push(game.repetition_key(position));
        }
        kids
    }

    /// Returns the answer of an iteration.
    fn guessed(&self, best: G::Move, score: i32, proved: Proved) -> Guessed {
        let line = &self.worker.lines[0];
        let pv = if line.first() == Some(&best) { &line[..] } else { &[best] };
        let value = Value::from_raw(unscaled(self.scene.question.game, score, true));
        let (best, pv) = (self.scene.number(best), self.scene.numbers(pv));
        Guessed { best, score, proved, value, pv, effort: 0 }
    }
}

impl<G: Scored + Heuristic + Bounds> Prober for RootWorker<'_, '_, G> {
    fn begin(&mut self, nodes: u64, plies: u32) {
        let worker = &mut *self.worker;
        worker.cut = false;
        worker.answered = None;
        worker.asked.clear();
        worker.too_deep = false;
        worker.path.clear();
        worker.max_ply = plies;
        worker.budget = worker.nodes.saturating_add(nodes);
    }

    fn tally(&self) -> Tally {
        Tally { nodes: self.worker.nodes, seldepth: self.worker.seldepth, too_deep: self.worker.too_deep }
    }

    fn first(&mut self, shared: &SharedState<'_>, without: &[u32]) -> Option<u32> {
        let context = self.scene.context(shared);
        let mut kids = self.worker.open_root(&context, &self.scene.root(without), 1);
        self.worker.sort(&context, self.scene.question.position, NO_MOVE, &mut kids);
        kids.first().map(|kid| self.scene.number(kid.m))
    }

    fn prove(&mut self, shared: &SharedState<'_>, ask: &Probe<'_>) -> Option<(i32, Option<u32>)> {
        let context = self.scene.context(shared);
        let root = self.scene.root(ask.without);
        self.worker.kind = ask.kind;
        let (mut kids, best) = self.open(&context, &root, ask.target, ask.first);
        let node = Node { position: &root.position, key: 0, lo: i32::MIN, hi: i32::MAX, best };
        let (value, winner) = self.worker.prove_kids(&context, &node, &mut kids, ask.target, 0);
        (!self.worker.cut).then(|| (value, winner.map(|i| self.scene.number(kids[i].m))))
    }

    fn follow(
        &mut self,
        shared: &SharedState<'_>,
        without: &[u32],
        value: Value,
        begun: &[u32],
    ) -> Option<Vec<u32>> {
        let context = self.scene.context(shared);
        let begun = self.scene.moves(begun);
        // Less in each of the many positions of a line.
        let attempts = if unlimited(&self.scene.question.limits) { ATTEMPTS / 8 } else { 0 };
        let line = self.worker.follow(&context, &self.scene.root(without), value, &begun, attempts);
        (!self.worker.cut).then(|| self.scene.numbers(&line))
    }

    fn guess(
        &mut self,
        shared: &SharedState<'_>,
        without: &[u32],
        depth: i32,
        first: Option<u32>,
    ) -> Option<Guessed> {
        let context = self.scene.context(shared);
        let mut kids = self.open_sorted(&context, without, first);
        let (best, score, proved) = self.worker.guess_root(&context, &mut kids, depth, (-INFINITE, INFINITE));
        if self.worker.cut {
            return None;
        }
        Some(self.guessed(kids[best].m, score, proved))
    }

    fn select(
        &mut self,
        shared: &SharedState<'_>,
        without: &[u32],
        depth: i32,
        first: Option<u32>,
    ) -> Option<Guessed> {
        // No code is generated for games without it.
        if G::SELECTIVE { self.narrow(shared, without, depth, first) } else { None }
    }

    fn reply(&mut self, shared: &SharedState<'_>, m: u32) -> Option<u32> {
        let context = self.scene.context(shared);
        let game = context.game;
        let child = game.play(self.scene.question.position, self.scene.the(m)?);
        if game.over(&child).is_some() {
            return None;
        }
        let (table, key) = (context.table(&child), game.key(&child));
        let known = table.guess(selected(key)).or_else(|| table.guess(key));
        let mut kids = Vec::new();
        self.worker.open(&context, &child, false, 1, Purpose::Guess, &mut kids);
        self.worker.sort(&context, &child, known.map_or(NO_MOVE, |known| known.best), &mut kids);
        kids.first().map(|kid| self.scene.number(kid.m))
    }
}

impl<G: Scored + Heuristic + Bounds> RootWorker<'_, '_, G> {
    /// Returns the best move to a depth by the selective search, in a window around the last score that grows as needed.
    fn narrow(
        &mut self,
        shared: &SharedState<'_>,
        without: &[u32],
        depth: i32,
        first: Option<u32>,
    ) -> Option<Guessed> {
        let context = self.scene.context(shared);
        let position = self.scene.question.position;
        let mut kids = self.open_sorted(&context, without, first);
        let memory = self.worker.memory();
        arrange(&mut kids[1..], |kid| -(memory.effort(kid.m) as i64));
        // Around the last score, if this iteration follows one.
        let last = memory.score.filter(|last| depth >= 5 && without.is_empty() && last.abs() < MOST);
        let before = memory.score.filter(|score| score.abs() < MOST).unwrap_or_default();
        let mut widths = [NARROW; 2];
        let (best, score) = loop {
            let low = last.filter(|_| widths[0] < WIDE).map_or(-INFINITE, |last| last - widths[0]);
            let high = last.filter(|_| widths[1] < WIDE).map_or(INFINITE, |last| last + widths[1]);
            // The score of a move that is not searched: the last one; in a window that excludes losses one that fails low.
            let unsearched = if low == -INFINITE { before } else { low };
            let (best, score) =
                self.worker.select_root(&context, position, &kids, depth, (low, high), unsearched);
            match () {
                () if self.worker.cut && best > 0 && score > low => break (best, score),
                () if self.worker.cut => match last.filter(|_| widths[1] > NARROW) {
                    // The first move has failed high before, by a window a quarter as wide. That proves nothing.
                    Some(last) => break (0, (last + widths[1] / 4).min(MOST)),
                    None => return None,
                },
                () if score <= low && low > -INFINITE => widths[0] *= 4,
                () if score >= high && high < INFINITE => {
                    widths[1] *= 4;
                    kids[..=best].rotate_right(1);
                }
                () => break (best, score),
            }
        };
        let best = kids[best].m;
        let memory = self.worker.memory();
        if without.is_empty() {
            memory.score = Some(score);
        }
        let all = kids.iter().map(|kid| memory.effort(kid.m)).sum::<u64>().max(1);
        let effort = (memory.effort(best) * 100 / all) as u32;
        let proved = Proved { lo: score > MOST, hi: score < -MOST, path: false };
        Some(Guessed { effort, ..self.guessed(best, score, proved) })
    }
}

/// Returns the first child in which a strategy shows that the player who moves there does not lose.
fn draws<G: Scored + Heuristic + Bounds>(
    context: &Context<'_, G>,
    kids: &[Child<G>],
    attempts: u32,
) -> Option<usize> {
    let draw = Value::DRAW.raw();
    kids.iter().position(|kid| {
        if kid.over || kid.bounds().0 >= draw {
            return kid.bounds().0 >= draw;
        }
        let (lo, hi) = context.game.bounds_of_root(&kid.position, attempts, context.shared.stop);
        kid.back(if kid.turned { hi } else { lo }.raw()) >= draw
    })
}

impl<G: Scored + Heuristic + Bounds> Worker<G> {
    /// Returns a line of best play that begins with `begun`, from a root of known value. `attempts` limits the work on the
    /// bounds of a position.
    fn follow(
        &mut self,
        context: &Context<'_, G>,
        root: &Root<G>,
        value: Value,
        begun: &[G::Move],
        attempts: u32,
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
                self.open_root(context, root, target)
            } else {
                let mut kids = Vec::new();
                self.open(context, &position, false, target, Purpose::Guess, &mut kids);
                kids
            };
            let best =
                context.table(&position).proof(context.game.key(&position)).map_or(NO_MOVE, |p| p.best);
            self.sort(context, &position, best, &mut kids);
            if let Some(m) = begun.get(line.len()) {
                if kids.iter().all(|k| k.m != *m) {
                    kids.clear();
                    self.open(context, &position, true, target, Purpose::Guess, &mut kids);
                }
                kids.retain(|k| k.m == *m);
            }
            let given = line.len() < begun.len();
            let drawn = G::STRATEGIES && attempts > 0 && !given && target == Value::DRAW.raw();
            let shown = if drawn { draws(context, &kids, attempts) } else { None };
            // A draw by strategy may have no line that a search shows soon.
            if drawn && shown.is_none() && ply > 0 {
                break;
            }
            let Some(i) = shown.or_else(|| self.choose(context, &kids, target, given)) else { break };
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

    /// Returns the first child that reaches the target; `given` if it is known to.
    fn choose(
        &mut self,
        context: &Context<'_, G>,
        kids: &[Child<G>],
        target: i32,
        given: bool,
    ) -> Option<usize> {
        if given || target == i32::MIN {
            return (!kids.is_empty()).then_some(0);
        }
        if let Some(i) = kids.iter().position(|k| k.bounds().0 >= target) {
            return Some(i);
        }
        if context.game.cyclic() {
            return None;
        }
        for (i, kid) in kids.iter().enumerate() {
            let (lo, hi) = kid.bounds();
            if hi < target {
                continue;
            }
            let child =
                Node { position: &kid.position, key: kid.key, lo: kid.lo, hi: kid.hi, best: kid.best };
            if lo >= target
                || kid.back(self.prove(context, child, child_target(target, kid.step), 1)) >= target
            {
                return (!self.cut).then_some(i);
            }
            if self.cut {
                return None;
            }
        }
        None
    }
}
