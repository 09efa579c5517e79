//! The state of one thread of a search, and the expansion of a position: its children with what is known of them before
//! any search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::ability::{Bounds, Heuristic};
use super::memory::{Memory, first_greatest};
use super::pool::Pool;
use super::score::INFINITE;
use super::table::{NO_MOVE, Proof, TranspositionTable};
use crate::Visits;
use crate::evaluator::Evaluator;
use grundy_core::game::{Flow, MORE, Scored, step};
use grundy_core::random::fibonacci;
use grundy_core::value::{Step, Value};
use grundy_core::weights::Accumulators;
use grundy_tables::Oracle;

/// Nodes between two checks of the deadline.
const CLOCK: u64 = 128;
/// Number of kinds of questions, each with a history table of its own.
pub(super) const KINDS: usize = 4;
/// Entries of a history table.
const HISTORY: usize = 4096;
/// Maximum count in a history table.
const HISTORY_MAX: i32 = 500;
/// Weights of the history score and of the game's hint in move ordering.
const HISTORY_WEIGHT: i32 = 16;
const HINT_WEIGHT: i32 = 1024;
/// Special values of `order`: decided without a search, searched already, deferred until the others are searched.
pub(super) const CLOSED: i32 = i32::MIN;
pub(super) const TRIED: i32 = CLOSED + 1;
pub(super) const LATER: i32 = CLOSED + 2;
/// Slots for the keys of children being searched by some thread.
const BUSY: usize = 1 << 12;

/// State shared by the threads of a search, independent of the game.
#[derive(Clone, Copy)]
pub(super) struct SharedState<'a> {
    /// Transposition table for all other positions.
    pub far: TranspositionTable<'a>,
    /// Transposition table for positions with little left to play: see [`Heuristic::brief`](super::Heuristic::brief).
    pub near: TranspositionTable<'a>,
    /// Set by the caller to end the search.
    pub stop: &'a AtomicBool,
    /// Set by the first thread that has an answer.
    pub halt: &'a AtomicBool,
    pub deadline: Option<Instant>,
    /// Nodes of all threads, updated now and then.
    pub nodes: &'a AtomicU64,
    /// Keys of children that some thread is searching; `None` with a single thread.
    pub busy: Option<&'a [AtomicU64]>,
    /// True if a limit of time or nodes is set, or the search is infinite, so that the depth-limited search may prune.
    pub limited: bool,
}

/// Everything a thread of a search reads: the state that the threads share, and what depends on the game.
pub(super) struct Context<'a, G: Scored> {
    pub game: &'a G,
    pub oracle: Option<&'a dyn Oracle<G>>,
    /// Evaluation in place of the game's own.
    pub evaluator: Option<&'a dyn Evaluator<G>>,
    /// [Keys](Heuristic::repetition_key) of positions that have occurred twice in the game: the next time is the third.
    pub twice: &'a [u64],
    pub shared: SharedState<'a>,
}

impl<'a, G: Scored + Heuristic> Context<'a, G> {
    /// Returns the table that stores this position.
    #[inline]
    pub(super) fn table(&self, position: &G::Position) -> TranspositionTable<'a> {
        if self.game.brief(position) { self.shared.near } else { self.shared.far }
    }

    /// Reports whether another thread is searching the position with this key.
    pub(super) fn is_busy(&self, key: u64) -> bool {
        self.shared.busy.is_some_and(|b| b[slot(key)].load(Relaxed) == key)
    }

    pub(super) fn mark(&self, key: u64, mark: u64) {
        if let Some(busy) = self.shared.busy {
            busy[slot(key)].store(mark, Relaxed);
        }
    }
}

/// Returns slots for the keys of children being searched; none for a single thread.
pub(super) fn marks(threads: usize) -> Vec<AtomicU64> {
    let room = if threads > 1 { BUSY } else { 0 };
    (0..room).map(|_| AtomicU64::new(0)).collect()
}

fn slot(key: u64) -> usize {
    (fibonacci(key) >> 52) as usize % BUSY
}

/// A move with the position after it and what is known of that. Values are raw.
pub(super) struct Child<G: Scored> {
    pub m: G::Move,
    pub position: G::Position,
    pub step: Step,
    /// Number of forced moves played after `m`, each passing the turn, on the way to `position`.
    pub forced: u32,
    /// True if the player to move in `position` is not the one who makes the move.
    pub turned: bool,
    /// The target for `position` that decides whether the move reaches its own: see [`child_target`].
    pub aim: i32,
    pub key: u64,
    /// Its entry in the table.
    spot: usize,
    /// Proved bounds of the child's value, for the player to move in it.
    pub lo: i32,
    pub hi: i32,
    /// The child's best move, if the table has one.
    pub best: u16,
    /// The move's place in the game's order.
    pub index: u16,
    /// Priority: larger ones are searched earlier. Before the children are ordered, the game's hint.
    pub order: i32,
    /// True if the game ends here.
    pub over: bool,
    /// True if the position is only evaluated, or solved by the game, so that the table is not probed.
    pub leaf: bool,
}

impl<G: Scored> Child<G> {
    /// Returns proved bounds of the move's value for the player who makes it.
    pub(super) fn bounds(&self) -> (i32, i32) {
        (
            self.back(if self.turned { self.hi } else { self.lo }),
            self.back(if self.turned { self.lo } else { self.hi }),
        )
    }

    /// Returns the child's value `child` seen by the player who makes the move.
    #[inline]
    pub(super) fn back(&self, child: i32) -> i32 {
        let mut value = Value::from_raw(child);
        for _ in 0..self.forced {
            value = value.back(PASSED);
        }
        value.back(self.step).raw()
    }

    /// Reports whether the move is known to reach the target.
    #[inline]
    pub(super) fn reaches(&self) -> bool {
        if self.turned { self.hi < self.aim } else { self.lo >= self.aim }
    }

    /// Reports whether the move is known not to reach the target.
    #[inline]
    pub(super) fn fails(&self) -> bool {
        if self.turned { self.lo >= self.aim } else { self.hi < self.aim }
    }

    /// Adds proved bounds of the child.
    #[inline]
    pub(super) fn learn(&mut self, proof: Proof) {
        self.lo = self.lo.max(proof.lo);
        self.hi = self.hi.min(proof.hi);
        self.best = proof.best;
    }
}

/// The purpose of expanding a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Proof search: forced moves are played, and expansion stops at the first move known to reach the target.
    Proof,
    /// Depth-limited search.
    Guess,
    /// Leaves of the depth-limited search: each is evaluated, unless it is not quiet.
    Leaves,
}

/// A move that passes the turn and gains nothing.
const PASSED: Step = Step::PASSED;

/// Returns the target for a child, seen by its player to move, that decides whether the move reaches `target`: if the
/// turn passes, a child that reaches it refutes the move.
#[inline]
pub(super) fn child_target(target: i32, step: Step) -> i32 {
    Value::from_raw(target).forth(step).raw() + i32::from(step.turn_passed)
}

/// A question about a position on the path: does its value reach `target`?
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub key: u64,
    pub target: i32,
    pub ply: u32,
}

/// The position that is searched.
pub(super) struct Root<G: Scored> {
    pub position: G::Position,
    /// The moves to consider.
    pub moves: Vec<G::Move>,
    /// Excluded moves among them; `None` if all legal moves are considered, so that the game's candidates suffice.
    pub without: Option<Vec<G::Move>>,
}

/// The state of one thread.
pub(super) struct Worker<G: Scored> {
    pub nodes: u64,
    /// The search ends when `nodes` reaches this.
    pub budget: u64,
    /// The clock is looked at when `nodes` reaches this.
    pub next_look: u64,
    /// Greatest ply reached.
    pub seldepth: u32,
    /// Greatest ply that fits the thread's stack.
    pub max_ply: u32,
    /// True if the search was cut short: its results are then meaningless.
    pub cut: bool,
    /// True if the stack was the reason.
    pub too_deep: bool,
    /// The questions about positions on the path that other threads may answer first.
    pub asked: Vec<Asked>,
    /// Another thread's answer to one of these, with the ply of the question, to which the search is cut back.
    pub answered: Option<(u32, i32)>,
    /// Keys on the path, for games that repeat.
    pub path: Vec<u64>,
    history: Box<[[[i32; HISTORY]; 2]; KINDS]>,
    /// The kind of the current question, below [`KINDS`]; each has its own history table.
    pub kind: usize,
    pub pool: Pool<Child<G>>,
    /// Principal variations by ply of a depth-limited search.
    pub lines: Vec<Vec<G::Move>>,
    /// The memory of the selective search, once it was used.
    pub memory: Option<Box<Memory<G::Move>>>,
    /// The last position evaluated by learned weights.
    accumulators: Accumulators,
}

impl<G: Scored + Heuristic + Bounds> Worker<G> {
    pub(super) fn new() -> Worker<G> {
        Worker {
            nodes: 0,
            budget: u64::MAX,
            next_look: 0,
            seldepth: 0,
            max_ply: 0,
            cut: false,
            too_deep: false,
            asked: Vec::new(),
            answered: None,
            path: Vec::new(),
            history: Box::new([[[0; HISTORY]; 2]; KINDS]),
            kind: 0,
            pool: Pool::default(),
            lines: Vec::new(),
            memory: None,
            accumulators: Accumulators::default(),
        }
    }

    /// Returns the static evaluation of an unfinished position.
    #[inline]
    pub(super) fn evaluate(&mut self, context: &Context<'_, G>, position: &G::Position) -> i32 {
        match context.evaluator {
            Some(evaluator) => evaluator.guess(context.game, position, &mut self.accumulators),
            None => context.game.guess(position),
        }
    }

    /// Returns a proved bound that decides whether a position reaches `target`, by the game's own code; `None` if it does not
    /// solve the position, or the search must end now.
    #[inline]
    pub(super) fn finish(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        target: Value,
    ) -> Option<Value> {
        let shared = &context.shared;
        let stops = [shared.stop, shared.halt];
        Visits::new(self.nodes, self.budget, shared.deadline, &stops)
            .answer((&mut self.nodes, &mut self.cut), |visits| context.game.finish(position, target, visits))
    }

    /// Counts a node; returns false if the search must end now.
    #[inline]
    pub(super) fn enter(&mut self, context: &Context<'_, G>, ply: u32) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if ply >= self.max_ply {
            self.too_deep = true;
            self.cut = true;
        }
        if context.shared.stop.load(Relaxed) || context.shared.halt.load(Relaxed) || self.nodes >= self.budget
        {
            self.cut = true;
        }
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + CLOCK;
            context.shared.nodes.fetch_add(CLOCK, Relaxed);
            self.cut |= context.shared.deadline.is_some_and(|d| Instant::now() >= d);
            self.hear_others(context);
        }
        !self.cut
    }

    /// Cuts the search short if another thread has answered a question on the path.
    fn hear_others(&mut self, context: &Context<'_, G>) {
        if self.cut {
            return;
        }
        for asked in &self.asked {
            let Some(proof) = context.shared.far.proof(asked.key) else { continue };
            if let Some(value) = proof.answers(asked.target) {
                self.answered = Some((asked.ply, value));
                self.cut = true;
                return;
            }
        }
    }

    /// Adds a child with what is known of it without search and table. `target` is for the move; for a `proof`, forced
    /// moves after it are played as well.
    #[inline(always)]
    fn look(
        game: &G,
        parent: &G::Position,
        m: G::Move,
        target: i32,
        proof: bool,
        kids: &mut Vec<Child<G>>,
    ) -> bool {
        let position = game.play(parent, m);
        let step = step(game, parent, m, &position);
        kids.push(Child {
            m,
            position,
            step,
            forced: 0,
            turned: step.turn_passed,
            aim: child_target(target.max(-INFINITE), step),
            key: 0,
            spot: 0,
            lo: -INFINITE,
            hi: INFINITE,
            best: NO_MOVE,
            index: kids.len().min(NO_MOVE.into()) as u16,
            order: 0,
            over: false,
            leaf: false,
        });
        let Some(kid) = kids.last_mut() else { return false };
        loop {
            if let Some(value) = game.over(&kid.position) {
                (kid.lo, kid.hi, kid.over) = (value.raw(), value.raw(), true);
                break;
            }
            let (lo, hi) = game.bounds(&kid.position, Value::from_raw(kid.aim));
            // A forced move is worth what its position is: what was known before it still is.
            (kid.lo, kid.hi) = (kid.lo.max(lo.raw()), kid.hi.min(hi.raw()));
            if !proof || kid.lo >= kid.aim || kid.hi < kid.aim {
                break;
            }
            let Some(m) = game.forced(&kid.position) else { break };
            let next = game.play(&kid.position, m);
            if grundy_core::game::step(game, &kid.position, m, &next) != PASSED {
                break;
            }
            if kid.forced == 0 {
                kid.order = game.hint(parent, kid.m, &kid.position);
            }
            kid.position = next;
            kid.forced += 1;
            let forth = |v: i32| Value::from_raw(v).forth(PASSED).raw();
            (kid.lo, kid.hi) = (forth(kid.hi), forth(kid.lo));
            kid.aim = child_target(kid.aim, PASSED);
            kid.turned = !kid.turned;
        }
        kid.reaches()
    }

    /// Fills `kids` with the children of an unfinished position, in the game's order.
    #[inline]
    pub(super) fn open(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        all: bool,
        target: i32,
        purpose: Purpose,
        kids: &mut Vec<Child<G>>,
    ) {
        let game = context.game;
        let proof = purpose == Purpose::Proof;
        let mut visit = |m| {
            let reaches = Self::look(game, position, m, target, proof, kids);
            if proof && reaches { Flow::Break(()) } else { MORE }
        };
        let flow = if all { game.moves(position, &mut visit) } else { game.candidates(position, &mut visit) };
        if flow.is_break() {
            return;
        }
        // All entries are on their way before the first is read.
        for kid in kids.iter_mut().filter(|kid| kid.lo < kid.hi) {
            kid.leaf = match purpose {
                Purpose::Proof => game.finishes(&kid.position),
                Purpose::Guess => false,
                Purpose::Leaves => calm(game, &kid.position),
            };
            if !kid.leaf || proof {
                kid.key = game.key(&kid.position);
            }
            if !kid.leaf {
                kid.spot = context.table(&kid.position).prefetch(kid.key);
            }
            // Where moves are forced after this one the hint was taken before them.
            if kid.forced == 0 {
                kid.order = if kid.leaf && !proof {
                    game.hint_at_leaf(position, kid.m, &kid.position)
                } else {
                    game.hint(position, kid.m, &kid.position)
                };
            }
        }
        for kid in kids.iter_mut().filter(|kid| kid.lo < kid.hi) {
            if let Some(value) = context.oracle.and_then(|o| o.value(game, &kid.position)) {
                (kid.lo, kid.hi) = (value.raw(), value.raw());
            } else if kid.leaf {
                // Hardly any is known, and to ask would take longer than to guess; what the game plays out is not kept.
            } else if let Some(proof) = context.table(&kid.position).proof_at(kid.spot, kid.key) {
                kid.learn(proof.with_plies_left(game.plies_left(&kid.position)));
            }
        }
    }

    /// Adds what has become known of a child since it was expanded.
    #[inline]
    pub(super) fn look_again(&self, context: &Context<'_, G>, kid: &mut Child<G>) {
        if !kid.leaf
            && let Some(proof) = context.table(&kid.position).proof_at(kid.spot, kid.key)
        {
            kid.learn(proof.with_plies_left(context.game.plies_left(&kid.position)));
        }
    }

    /// Returns the children of the root to consider.
    pub(super) fn open_root(
        &mut self,
        context: &Context<'_, G>,
        root: &Root<G>,
        target: i32,
    ) -> Vec<Child<G>> {
        let mut kids = Vec::new();
        self.open(context, &root.position, root.without.is_some(), target, Purpose::Guess, &mut kids);
        if let Some(without) = &root.without {
            kids.retain(|k| root.moves.contains(&k.m) && !without.contains(&k.m));
        }
        kids
    }

    /// Sets the priorities of the children that are not closed.
    #[inline]
    pub(super) fn weigh(
        &self,
        context: &Context<'_, G>,
        position: &G::Position,
        best: u16,
        kids: &mut [Child<G>],
    ) {
        let history = &self.history[self.kind][context.game.turn(position).index()];
        for kid in kids.iter_mut().filter(|kid| kid.order != CLOSED) {
            kid.order = if kid.index == best && best != NO_MOVE {
                i32::MAX
            } else {
                kid.order.clamp(-1_000_000, 1_000_000) * HINT_WEIGHT
                    + HISTORY_WEIGHT * history[place(context.game.history_key(position, kid.m))]
            };
        }
    }

    /// Sorts the children by move ordering.
    pub(super) fn sort(
        &self,
        context: &Context<'_, G>,
        position: &G::Position,
        best: u16,
        kids: &mut [Child<G>],
    ) {
        self.weigh(context, position, best, kids);
        (0..kids.len()).for_each(|i| first_comes_first(&mut kids[i..]));
    }

    /// Updates the history table: a move caused a cut-off, those tried before it did not.
    pub(super) fn reward(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        tried: impl Iterator<Item = G::Move>,
        winner: G::Move,
    ) {
        let game = context.game;
        let place = |m| place(game.history_key(position, m));
        let history = &mut self.history[self.kind][game.turn(position).index()];
        for m in tried {
            let h = &mut history[place(m)];
            *h -= (HISTORY_MAX + *h) / 32;
        }
        let h = &mut history[place(winner)];
        *h += (HISTORY_MAX - *h) / 16;
    }
}

/// Moves the child to be searched first to the front; the others stay in order.
#[inline]
pub(super) fn first_comes_first<G: Scored>(kids: &mut [Child<G>]) {
    let first = first_greatest(kids, |kid| kid.order);
    kids[..=first].rotate_right(1);
}

/// Sorts children by rising keys; equal ones stay in order. The lists are short, and the standard library's sort would be
/// compiled for each game.
pub(super) fn arrange<G: Scored>(kids: &mut [Child<G>], key: impl Fn(&Child<G>) -> i64) {
    for sorted in 1..kids.len() {
        let own = key(&kids[sorted]);
        let place = kids[..sorted].partition_point(|kid| key(kid) <= own);
        kids[place..=sorted].rotate_right(1);
    }
}

/// Reports whether an unfinished position is quiet, so that its evaluation needs no move played out: no move is noisy, in
/// a game for points, where ending the game is worth no more than going on.
#[inline]
pub(super) fn calm<G: Scored + Heuristic>(game: &G, position: &G::Position) -> bool {
    let mut noisy = |m| if game.noisy(position, m) { Flow::Break(()) } else { MORE };
    game.unit().is_points() && game.moves(position, &mut noisy).is_continue()
}

fn place(hash: u64) -> usize {
    (hash >> 52) as usize % HISTORY
}
