//! Proof-number search: does the value of a position reach a target?
//!
//! Depth-first proof-number search (df-pn) with a table. For each position the table holds a proof number and a
//! disproof number: lower bounds of how many positions must still be examined to show that the value reaches the
//! target, and to show that it does not. The search always expands the position where the smaller number is left, at
//! any depth. So it finds narrow wins, in which one side has few replies, sooner than alpha-beta.
//!
//! Positions are reached on several paths, and a plain sum of disproof numbers would count some of them many times. The
//! disproof number of a set of children is therefore that of the hardest one, plus one for each other (weak
//! proof-number search).
//!
//! Where positions can repeat, a line of play that comes back to a position of its own is a draw. Two targets can then be
//! asked for, a win and at least a draw, and a proof of the second may rest on such lines: it holds as long as the positions
//! above, to which play comes back, are proved in turn. Such a result is *conditional*. It is kept apart with the ply of
//! the highest position that it rests on, becomes permanent when that position is proved and rests on none above it, and
//! is dropped when the search leaves a position above it undecided or refuted. (The permanent results are then a set of
//! positions that the player can stay within, and none of which is lost.)
//!
//! Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002; J. Pawlewicz and L. Lew,
//! "Improving depth-first PN-search: 1+epsilon trick", 2006; T. Ueda and others, "Weak proof-number search", 2008;
//! A. Kishimoto and M. Mueller, "A solution to the GHI problem for depth-first proof-number search", 2005, on results that
//! depend on the path.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use bytemuck::allocation::try_zeroed_slice_box;
use rustc_hash::FxHashMap;

use crate::Visits;
use crate::alpha_beta::{Bounds, Heuristic, prefetch};
use grundy_core::game::{Flow, MORE, Scored, step};
use grundy_core::random::{mix_pair, place};
use grundy_core::value::{Step, Unit, Value};
use grundy_session::Limits;

/// Any win at all: the least value above a draw.
pub const ANY_WIN: Value = Value::from_raw(1);

/// The proof or disproof number of a claim known to be false.
const ENDLESS: u32 = u32::MAX >> 2;
/// Entries per bucket of the table.
const WAYS: usize = 4;
/// Nodes between two checks of the deadline.
const CLOCK: u64 = 128;

/// The proof number and the disproof number of a position, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    /// The proof number: effort to show that it reaches its target; 0 if that is shown.
    yes: u32,
    /// The disproof number: effort to show that it does not.
    no: u32,
}

const YES: Effort = Effort { yes: 0, no: ENDLESS };
const NO: Effort = Effort { yes: ENDLESS, no: 0 };
/// The effort of a position that was not looked at.
const UNKNOWN: Effort = Effort { yes: 0, no: 0 };

/// Entries of the table for each conditional result; results beyond that many are found again when they are needed.
const CONDITIONAL: usize = 4;

/// The ply that a result rests on if it rests on no position above it.
const NOTHING: usize = usize::MAX;

/// A key, the two numbers (`yes` in the low half), and the nodes they took; an empty entry has no nodes.
type Entry = [u64; 3];

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofOutcome<M> {
    /// The target or more, by this move.
    Reached(M),
    /// Less than the target.
    Missed,
}

/// The context of one search.
struct PnContext<'a, G> {
    game: &'a G,
    limits: &'a Limits,
    stop: &'a AtomicBool,
}

/// A move and what is known of it.
struct Branch<G: Scored> {
    m: G::Move,
    position: G::Position,
    key: u64,
    target: i32,
    turned: bool,
    /// As the player who makes the move sees it.
    effort: Effort,
    /// The ply of the highest position that a decided effort rests on.
    rests_on: usize,
}

/// A result that rests on positions above it.
#[derive(Clone, Copy, Debug)]
struct Conditional {
    effort: Effort,
    rests_on: usize,
    /// The nodes that it took.
    work: u64,
}

/// The line of play under search in a game in which positions repeat, and the results that rest on it.
#[derive(Default)]
struct Line {
    /// The keys of the open positions, the root first.
    path: Vec<u64>,
    conditional: FxHashMap<u64, Conditional>,
    /// The keys of the conditional results in the order in which they were found.
    trail: Vec<u64>,
}

/// A proof-number search with its table, for one question after another of one game.
pub struct ProofNumberSearch {
    table: Box<[Entry]>,
    line: Line,
    nodes: u64,
    next_look: u64,
    budget: u64,
    cut: bool,
}

impl ProofNumberSearch {
    /// Returns a search with a table of this size in megabytes, which is only touched as it fills.
    ///
    /// # Errors
    /// There is not enough memory; the text says how much was requested.
    pub fn new(megabytes: usize) -> Result<ProofNumberSearch, String> {
        let entries = megabytes.clamp(1, usize::MAX >> 21).saturating_mul(1 << 20) / size_of::<Entry>();
        let table = try_zeroed_slice_box(entries / WAYS * WAYS)
            .map_err(|()| format!("cannot allocate {megabytes} MB for the table of proofs"))?;
        let line = Line::default();
        Ok(ProofNumberSearch { table, line, nodes: 0, next_look: 0, budget: u64::MAX, cut: false })
    }

    /// Returns the positions expanded so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches whether an unfinished position is worth at least `target` to the player to move; `None` if the limits
    /// (of time and nodes) or `stop` ended the search first, or if positions can repeat and the target is neither a win of any
    /// length nor a draw.
    ///
    /// Results stay in the table, so that a question asked again continues where it stopped.
    pub fn ask<G: Scored + Heuristic + Bounds>(
        &mut self,
        game: &G,
        position: &G::Position,
        target: Value,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<ProofOutcome<G::Move>> {
        let of_outcome = game.unit() == Unit::Outcome && asks_outcome(target);
        if game.cyclic() && !of_outcome || game.over(position).is_some() {
            return None;
        }
        if target > Value::win_in(1) {
            return Some(ProofOutcome::Missed);
        }
        self.cut = false;
        self.next_look = self.nodes;
        self.budget = limits.nodes.map_or(u64::MAX, |most| self.nodes.saturating_add(most));
        let context = PnContext { game, limits, stop };
        let key = question_key(game, position, target.raw());
        let most = Effort { yes: ENDLESS, no: ENDLESS };
        let mut found = self.open(&context, position, target.raw(), key, most, true);
        if let (YES, None, _) = found {
            // The game's bounds decide it and name no move.
            found = self.open(&context, position, target.raw(), key, most, false);
        }
        match found {
            (YES, by, _) => by.map(ProofOutcome::Reached),
            (NO, ..) => Some(ProofOutcome::Missed),
            _ => None,
        }
    }

    /// Searches a position until its numbers reach `most`, and stores them. Also returns a move that reaches the
    /// target, if there is one; not where the game's bounds decide the position, which they may if `bounded`. Returns last
    /// the ply of the highest position that a decision rests on.
    fn open<G: Scored + Heuristic + Bounds>(
        &mut self,
        context: &PnContext<'_, G>,
        position: &G::Position,
        target: i32,
        key: u64,
        most: Effort,
        bounded: bool,
    ) -> (Effort, Option<G::Move>, usize) {
        let before = self.nodes;
        self.enter(context);
        let game = context.game;
        let (ply, mark) = (self.line.path.len(), self.line.trail.len());
        let finished = bounded.then(|| {
            let stops = [context.stop];
            Visits::new(self.nodes, self.budget, context.limits.hard, &stops)
                .answer((&mut self.nodes, &mut self.cut), |visits| {
                    game.finish(position, Value::from_raw(target), visits)
                })
        });
        if let Some(value) = finished.flatten() {
            let effort = if value >= Value::from_raw(target) { YES } else { NO };
            self.store(key, effort, self.nodes - before);
            return (effort, None, NOTHING);
        }
        self.line.path.push(key);
        let mut kids: Vec<Branch<G>> = Vec::new();
        let mut list = |m| {
            let child = game.play(position, m);
            let step = step(game, position, m, &child);
            let kid = self.look(game, (m, kids.len()), child, step, target);
            let decided = kid.effort == YES;
            kids.push(kid);
            if decided { Flow::Break(()) } else { MORE }
        };
        if bounded {
            let aim = Value::from_raw(target);
            if let Some(effort) = decided(game.open(position, aim, &mut list), aim) {
                self.line.path.pop();
                self.store(key, effort, 1);
                return (effort, None, NOTHING);
            }
        } else {
            let _ = game.candidates(position, &mut list);
        }
        if game.cyclic() || !G::THREATS {
            kids.iter().for_each(|kid| self.prefetch(kid.key));
            kids.iter_mut().enumerate().for_each(|(rank, kid)| self.recall(game, kid, rank));
        }
        let mut refuted_on = NOTHING;
        let (effort, by, rests_on) = loop {
            kids.retain(|kid| {
                let refuted = kid.effort == NO;
                refuted_on = if refuted { refuted_on.min(kid.rests_on) } else { refuted_on };
                !refuted
            });
            let easiest = (0..kids.len()).min_by_key(|&i| (kids[i].effort.yes, kids[i].effort.no));
            let Some(best) = easiest else { break (NO, None, refuted_on) };
            let others = kids.len() as u32 - 1;
            let hardest = kids.iter().map(|kid| kid.effort.no).max().unwrap_or(0);
            let no = hardest.saturating_add(others).min(ENDLESS);
            let effort = Effort { yes: kids[best].effort.yes, no };
            if effort.yes == 0 {
                break (YES, Some(kids[best].m), kids[best].rests_on);
            }
            if effort.yes >= most.yes || effort.no >= most.no || self.cut {
                break (effort, None, NOTHING);
            }
            // A little more than the next best asks for, so as not to go back and forth between the two.
            let rivals = kids.iter().enumerate().filter(|&(i, _)| i != best);
            let second = rivals.map(|(_, kid)| kid.effort.yes).min().unwrap_or(ENDLESS);
            let yes = most.yes.min(second.saturating_add(second / 4 + 1));
            let share = Effort { yes, no: most.no.saturating_sub(others) };
            let Branch { position, key, target, .. } = &kids[best];
            let (found, _, found_on) =
                self.open(context, position, *target, *key, kids[best].seen(share), true);
            for kid in &mut kids {
                if let Some((known, rests_on)) = self.find(kid.key) {
                    (kid.effort, kid.rests_on) = (kid.seen(known), rests_on);
                }
            }
            (kids[best].effort, kids[best].rests_on) = (kids[best].seen(found), found_on);
        };
        self.line.path.pop();
        let work = self.nodes - before;
        self.settle(ply, mark, effort == endless(target), rests_on);
        if rests_on >= ply {
            self.store(key, effort, work);
        } else if self.line.trail.len() < self.table.len() / CONDITIONAL {
            self.line.trail.push(key);
            self.line.conditional.insert(key, Conditional { effort, rests_on, work });
        }
        (effort, by, rests_on)
    }

    /// Settles the conditional results found below the position at `ply`, those of the trail from `mark` on, when it is
    /// closed. Where it `holds` what they took for granted, they are permanent or rest on what it rests on itself; else they
    /// are dropped.
    fn settle(&mut self, ply: usize, mark: usize, holds: bool, rests_on: usize) {
        let mut kept = mark;
        for at in mark..self.line.trail.len() {
            let key = self.line.trail[at];
            let conditional = &mut self.line.conditional;
            let Some(found) = conditional.get_mut(&key) else { continue };
            if holds && (rests_on < ply || found.rests_on < ply) {
                found.rests_on = found.rests_on.min(rests_on);
                self.line.trail[kept] = key;
                kept += 1;
            } else if let Some(Conditional { effort, work, .. }) = conditional.remove(&key)
                && holds
            {
                self.store(key, effort, work);
            }
        }
        self.line.trail.truncate(kept);
    }

    /// Counts a node, and checks now and then whether the search must end.
    fn enter<G>(&mut self, context: &PnContext<'_, G>) {
        self.nodes += 1;
        self.cut |= self.nodes >= self.budget || context.stop.load(Relaxed);
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + CLOCK;
            self.cut |= context.limits.hard.is_some_and(|end| Instant::now() >= end);
        }
    }

    /// Returns what is known of a move before it is opened. `rank` counts the moves before it.
    fn look<G: Scored + Heuristic + Bounds>(
        &mut self,
        game: &G,
        (m, rank): (G::Move, usize),
        position: G::Position,
        step: Step,
        target: i32,
    ) -> Branch<G> {
        // Where the turn passes, a child that reaches its target refutes the move.
        let turned = step.turn_passed;
        let target = Value::from_raw(target).forth(step).raw() + i32::from(turned);
        let aim = Value::from_raw(target);
        let key = || question_key(game, &position, target);
        // Where bounds are expensive, the table is asked first, and also has what they decided.
        let asked = G::THREATS.then(key);
        let known = asked.and_then(|key| self.find(key));
        let (effort, rests_on) = known.unwrap_or_else(|| {
            let bounds =
                game.over(&position).map_or_else(|| game.glance(&position, aim), |value| (value, value));
            let effort = decided(bounds, aim).unwrap_or_else(|| match G::THREATS {
                true => expected(game, &position, aim, rank),
                // Left to `recall`.
                false => UNKNOWN,
            });
            if let Some(key) = asked {
                self.store(key, effort, 1);
            }
            (effort, NOTHING)
        });
        let decided = effort == YES || effort == NO;
        let key = asked.unwrap_or_else(|| if decided { 0 } else { key() });
        let mut kid = Branch { m, position, key, target, turned, effort, rests_on };
        kid.effort = kid.seen(effort);
        kid
    }

    /// Sets the effort of an undecided move to what is known, or else to what the game expects: a draw where it comes back to
    /// an open position, if positions can repeat.
    fn recall<G: Scored + Heuristic + Bounds>(&self, game: &G, kid: &mut Branch<G>, rank: usize) {
        if kid.effort == YES || kid.effort == NO {
            return;
        }
        let path = if game.cyclic() { &self.line.path[..] } else { &[] };
        let above = path.iter().position(|&open| open == kid.key);
        let known = above.map(|ply| (endless(kid.target), ply)).or_else(|| self.find(kid.key));
        if let Some((effort, rests_on)) = known {
            (kid.effort, kid.rests_on) = (kid.seen(effort), rests_on);
        } else if kid.effort == UNKNOWN {
            kid.effort = kid.seen(expected(game, &kid.position, Value::from_raw(kid.target), rank));
        }
    }

    fn bucket(&self, key: u64) -> usize {
        place(key, (self.table.len() / WAYS) as u64) * WAYS
    }

    /// Starts to load the bucket of a key, which may span two cache lines.
    fn prefetch(&self, key: u64) {
        let at = self.bucket(key);
        prefetch(&self.table[at]);
        prefetch(&self.table[at + WAYS - 1]);
    }

    /// Returns the efforts of a position, and the ply of the highest position that they rest on.
    fn find(&self, key: u64) -> Option<(Effort, usize)> {
        if !self.line.trail.is_empty()
            && let Some(found) = self.line.conditional.get(&key)
        {
            return Some((found.effort, found.rests_on));
        }
        let at = self.bucket(key);
        let [_, efforts, _] =
            self.table[at..at + WAYS].iter().find(|entry| entry[0] == key && entry[2] > 0)?;
        Some((Effort { yes: *efforts as u32, no: (efforts >> 32) as u32 }, NOTHING))
    }

    /// Stores efforts in place of the entry that took the least work.
    fn store(&mut self, key: u64, effort: Effort, work: u64) {
        let at = self.bucket(key);
        let places = &mut self.table[at..at + WAYS];
        let own = places.iter().position(|entry| entry[0] == key && entry[2] > 0);
        let taken = own.or_else(|| (0..WAYS).min_by_key(|&i| places[i][2])).unwrap_or(0);
        let before = if own.is_some() { places[taken][2] } else { 0 };
        places[taken] = [key, u64::from(effort.yes) | u64::from(effort.no) << 32, work + before];
    }
}

/// Returns the effort that the game expects of a search.
fn expected<G: Bounds>(game: &G, position: &G::Position, aim: Value, rank: usize) -> Effort {
    let [yes, no] = game.effort(position, aim, rank);
    Effort { yes, no }
}

/// Returns the key of the question whether a position reaches a target.
fn question_key<G: Heuristic>(game: &G, position: &G::Position, target: i32) -> u64 {
    let of_outcome = asks_outcome(Value::from_raw(target));
    let key = if of_outcome { game.outcome_key(position) } else { game.key(position) };
    mix_pair(key, target as u64)
}

/// Reports whether a target is a win of any length or a draw, so that distances do not count.
pub fn asks_outcome(target: Value) -> bool {
    target == Value::DRAW || target == ANY_WIN
}

/// Returns what endless play, a draw, decides of a target.
fn endless(target: i32) -> Effort {
    if Value::from_raw(target) > Value::DRAW { NO } else { YES }
}

/// Returns the effort that is left where bounds decide whether a value reaches the target.
fn decided((lo, hi): (Value, Value), aim: Value) -> Option<Effort> {
    if lo >= aim {
        Some(YES)
    } else if hi < aim {
        Some(NO)
    } else {
        None
    }
}

impl<G: Scored> Branch<G> {
    /// Converts efforts between the views of the child's player and of the player who makes the move.
    fn seen(&self, effort: Effort) -> Effort {
        if self.turned { Effort { yes: effort.no, no: effort.yes } } else { effort }
    }
}

#[cfg(test)]
mod tests {
    use grundy_core::game::{Game, Player};
    use grundy_core::random::SplitMix64;
    use grundy_session::NEVER;

    use super::*;

    /// A random graph with cycles. The player to move at node 0 has lost; at node 1 the game is drawn.
    struct Web {
        exits: Vec<Vec<usize>>,
    }

    type Node = (usize, Player);

    impl Web {
        fn new(random: &mut SplitMix64) -> Web {
            let (nodes, most) = (4 + random.below(30), 1 + random.below(4));
            let mut exits = vec![Vec::new(); nodes];
            for exits in &mut exits[2..] {
                *exits = (0..=random.below(most)).map(|_| random.below(nodes)).collect();
            }
            Web { exits }
        }

        /// Returns whether a player wins and whether he loses, by sweeps until nothing changes.
        fn outcomes(&self) -> Vec<[bool; 2]> {
            let mut known: Vec<[bool; 2]> = (0..self.exits.len()).map(|node| [false, node == 0]).collect();
            loop {
                let before = known.clone();
                for (node, exits) in self.exits.iter().enumerate().filter(|(_, exits)| !exits.is_empty()) {
                    known[node] =
                        [exits.iter().any(|&to| before[to][1]), exits.iter().all(|&to| before[to][0])];
                }
                if known == before {
                    return known;
                }
            }
        }
    }

    impl Game for Web {
        type Position = Node;
        type Move = usize;

        fn start(&self) -> Node {
            (2, Player::One)
        }

        fn turn(&self, position: &Node) -> Player {
            position.1
        }

        fn over(&self, position: &Node) -> Option<Value> {
            [Value::loss_in(0), Value::DRAW].get(position.0).copied()
        }

        fn moves(&self, position: &Node, visit: &mut impl FnMut(usize) -> Flow) -> Flow {
            self.exits[position.0].iter().try_for_each(|&to| visit(to))
        }

        fn play(&self, position: &Node, to: usize) -> Node {
            (to, !position.1)
        }
    }

    impl Scored for Web {}
    impl Bounds for Web {}

    impl Heuristic for Web {
        fn key(&self, position: &Node) -> u64 {
            mix_pair(position.0 as u64, position.1.index() as u64)
        }

        fn guess(&self, _position: &Node) -> i32 {
            0
        }

        fn cyclic(&self) -> bool {
            true
        }
    }

    #[test]
    fn outcomes_are_right_where_positions_repeat() {
        let mut random = SplitMix64(60);
        let (mut seen, mut prover) = ([0; 3], ProofNumberSearch::new(1).unwrap());
        for _ in 0..3_000 {
            let web = Web::new(&mut random);
            let outcomes = web.outcomes();
            prover.table.fill([0; 3]);
            for _ in 2..web.exits.len() {
                let node = 2 + random.below(web.exits.len() - 2);
                let [won, lost] = outcomes[node];
                seen[if won { 0 } else { 1 + usize::from(lost) }] += 1;
                for (target, truth) in [(ANY_WIN, won), (Value::DRAW, !lost)] {
                    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
                    let found = prover.ask(&web, &(node, Player::One), target, &limits, &NEVER);
                    match found.unwrap() {
                        ProofOutcome::Missed => assert!(!truth, "{node} of {:?}", web.exits),
                        ProofOutcome::Reached(to) => {
                            let [child_won, child_lost] = outcomes[to];
                            let keeps = if target == ANY_WIN { child_lost } else { !child_won };
                            assert!(truth && keeps, "{node} to {to} of {:?}", web.exits);
                        }
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
    }
}
