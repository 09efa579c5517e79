//! Selective search: principal variation search for a move under limits, in games that ask for it.
//!
//! Moves that look bad are searched less deep or not at all, so its scores are guesses. A score beyond [`MOST`] is a win
//! or a loss that was played out in every line: no move is pruned while the best one so far loses, and no null move
//! decides such a score.

use super::ability::{Bounds, Heuristic};
use super::memory::{Memory, NO_LANE, Pick};
use super::score::{INFINITE, MOST, scaled, scaled_step, unscaled};
use super::table::{Bound, Guess, NO_MOVE};
use super::worker::{Child, Context, Worker};
use grundy_core::game::{MORE, Scored, step};
use grundy_core::value::{Step, Value};

/// The change of the evaluation by a good quiet move, in hundredths of a point: the unit of all margins.
const SWING: i32 = 80;
/// Depth up to which a position far above the window is not searched.
const CALM_DEPTH: i32 = 8;
/// Depth up to which quiet moves are skipped if even a good one would not raise the evaluation to the window.
const FUTILE_DEPTH: i32 = 7;
/// Depth up to which moves that lose men in the exchange are skipped.
const EXCHANGE_DEPTH: i32 = 8;
/// Priorities: noisy moves that lose nothing, killers, quiet moves by their counts, noisy moves that lose something.
const GOOD: i32 = 1_000_000_000;
const KILLER: i32 = 900_000_000;
const BAD: i32 = -1_000_000_000;

/// What the search hands on to a child.
#[derive(Clone, Copy)]
struct Way {
    depth: i32,
    ply: u32,
    /// True if the move before was a null move.
    passed: bool,
}

impl<G: Scored + Heuristic + Bounds> Worker<G> {
    pub(super) fn memory(&mut self) -> &mut Memory<G::Move> {
        self.memory.get_or_insert_with(|| Box::new(Memory::new()))
    }

    /// Returns the score of a position to a depth. The principal variation is left in `self.lines[ply]`.
    fn select(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        way: Way,
        (mut alpha, mut beta): (i32, i32),
    ) -> i32 {
        let game = context.game;
        let Way { mut depth, ply, .. } = way;
        self.line(ply).clear();
        if !self.enter(context, ply) {
            return 0;
        }
        if let Some(value) = game.over(position) {
            return scaled(game, value.raw());
        }
        let mut repetition_key = 0;
        if game.cyclic() {
            repetition_key = game.repetition_key(position);
            if context.twice.contains(&repetition_key) || self.path.contains(&repetition_key) {
                return 0;
            }
        }
        let key = game.key(position);
        let (lo, hi) = self.known(context, position, key, beta);
        if lo >= beta || lo == hi {
            return lo;
        }
        if hi <= alpha {
            return hi;
        }
        let threatened = game.threatened(position);
        if threatened {
            let deeper = depth <= 0 || (ply as i32) < 2 * self.memory().depth;
            depth = depth.max(0) + i32::from(deeper);
        }
        if ply + 2 >= self.max_ply {
            return self.evaluate(context, position).clamp(-MOST + 1, MOST - 1).clamp(lo, hi);
        }
        let open = beta - alpha > 1;
        let table = context.table(position);
        let old = table.guess(selected(key)).filter(|old| in_time(game, position, old.score));
        if let Some(old) = old
            && !open
            && i32::from(old.depth) >= depth.max(0)
            && match old.bound {
                Bound::Exact => true,
                Bound::Lower => old.score >= beta,
                Bound::Upper => old.score <= alpha,
            }
        {
            return old.score;
        }
        let best = old.map_or(NO_MOVE, |old| old.best);
        let mut estimate = None;
        if !threatened {
            let mut guess = self.evaluate(context, position).clamp(-MOST + 1, MOST - 1).clamp(lo, hi);
            self.memory().frame(ply).estimate = Some(guess);
            if let Some(old) = old.filter(|old| old.score.abs() < MOST)
                && match old.bound {
                    Bound::Exact => true,
                    Bound::Lower => old.score > guess,
                    Bound::Upper => old.score < guess,
                }
            {
                guess = old.score;
            }
            estimate = Some(guess);
        } else {
            self.memory().frame(ply).estimate = None;
        }
        if depth <= 0 {
            let stand = estimate.unwrap_or(-INFINITE);
            return self.quiesce(context, position, key, stand, (alpha, beta), ply);
        }
        let improves = self.memory().improves(ply);
        if let Some(score) =
            self.glance(context, position, way, (alpha, beta), estimate, improves, repetition_key)
        {
            return score;
        }
        if self.cut {
            return 0;
        }
        if best == NO_MOVE && depth >= 4 {
            depth -= 1;
        }
        (alpha, beta) = (alpha.max(lo), beta.min(hi));
        if game.cyclic() {
            self.path.push(repetition_key);
        }
        let (value, winner) = self.select_moves(
            context,
            position,
            Way { depth, ..way },
            (alpha, beta),
            best,
            estimate,
            improves,
        );
        if game.cyclic() {
            self.path.pop();
        }
        if self.cut {
            return 0;
        }
        let value = value.clamp(lo, hi);
        store(context, position, key, depth, (alpha, beta), value, winner);
        value
    }

    /// Returns what is proved of a position before its search, as scores.
    #[inline]
    fn known(&self, context: &Context<'_, G>, position: &G::Position, key: u64, beta: i32) -> (i32, i32) {
        let game = context.game;
        if game.tabled(position)
            && let Some(value) = context.oracle.and_then(|oracle| oracle.value(game, position))
        {
            let score = scaled(game, value.raw());
            return (score, score);
        }
        let target = Value::from_raw(unscaled(game, beta.clamp(-INFINITE, INFINITE), true));
        let (lo, hi) = game.bounds(position, target);
        let (mut lo, mut hi) = (lo.raw(), hi.raw());
        if !game.cyclic()
            && let Some(proof) = context.table(position).proof(key)
        {
            (lo, hi) = (lo.max(proof.lo), hi.min(proof.hi));
        }
        (scaled(game, lo), scaled(game, hi))
    }

    /// Returns a score without looking at every move, if the evaluation is far above the window, or far below it: reverse
    /// futility, razoring and the null move.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn glance(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        Way { depth, ply, passed }: Way,
        (alpha, beta): (i32, i32),
        estimate: Option<i32>,
        improves: bool,
        repetition_key: u64,
    ) -> Option<i32> {
        let estimate = estimate?;
        let game = context.game;
        if beta - alpha > 1 || alpha.abs() >= MOST || beta.abs() >= MOST {
            return None;
        }
        if depth <= CALM_DEPTH && estimate - SWING * (depth - i32::from(improves)) >= beta {
            return Some((estimate + beta) / 2);
        }
        if depth <= 3 && estimate + 3 * SWING * depth + SWING < alpha {
            let score = self.quiesce(context, position, game.key(position), estimate, (alpha, beta), ply);
            if score <= alpha || self.cut {
                return Some(score);
            }
        }
        if passed || depth < 3 || estimate < beta {
            return None;
        }
        let child = game.pass(position)?;
        let less = 3 + depth / 4 + ((estimate - beta) / (2 * SWING + SWING / 2)).min(3);
        self.memory().frame(ply).lane = NO_LANE;
        if game.cyclic() {
            self.path.push(repetition_key);
        }
        let way = Way { depth: depth - less, ply: ply + 1, passed: true };
        let score = -self.select(context, &child, way, (-beta, -beta + 1));
        if game.cyclic() {
            self.path.pop();
        }
        (score >= beta && !self.cut).then_some(if score >= MOST { beta } else { score })
    }

    /// Returns the best score of the moves of a position, and the index of the one that raised it above the window's lower
    /// end.
    #[allow(clippy::too_many_arguments)]
    fn select_moves(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        Way { depth, ply, .. }: Way,
        (mut alpha, beta): (i32, i32),
        best: u16,
        estimate: Option<i32>,
        improves: bool,
    ) -> (i32, u16) {
        let game = context.game;
        let open = beta - alpha > 1;
        let mut picks = self.list(context, position, best, ply);
        let player = game.turn(position).index();
        let mut value = -INFINITE;
        let mut winner = NO_MOVE;
        let mut skip_quiet = false;
        let most_quiet = (3 + depth * depth) as usize / if improves { 1 } else { 2 };
        // A forced move costs no depth; long chains of them still end.
        let single = picks.len() == 1 && ply < 100;
        self.memory().frame(ply + 2).killers = [None; 2];
        let mut tried = 0;
        for i in 0..picks.len() {
            next_pick(game, position, &mut picks[i..]);
            let Pick { m, order, lane, noisy, index } = picks[i];
            let worth = if noisy { 0 } else { self.memory().worth(player, ply, lane) };
            let reduction = self.memory().reductions.of(depth, i);
            if value > -MOST && tried > 0 {
                if !noisy {
                    skip_quiet |= i >= most_quiet && depth <= 8;
                    let rest = (depth - reduction).max(0);
                    if rest <= FUTILE_DEPTH
                        && estimate.is_some_and(|e| e + SWING * (rest + 1) + worth / 200 <= alpha)
                    {
                        skip_quiet = true;
                    }
                    if skip_quiet || depth <= 4 && worth < -4_000 * depth {
                        continue;
                    }
                }
                let least = if noisy { -SWING * depth } else { -SWING / 2 * depth };
                if depth <= EXCHANGE_DEPTH && order < KILLER - 1 && !game.exchange(position, m, least) {
                    continue;
                }
            }
            tried += 1;
            let child = game.play(position, m);
            let step = step(game, position, m, &child);
            self.memory().frame(ply).lane = lane;
            let deep = depth - i32::from(!single);
            let mut score = beta;
            if tried > 1 {
                let mut less = 0;
                if i > usize::from(open) && depth >= 2 && (!noisy || order < 0) {
                    less = reduction - i32::from(open) - i32::from(improves) - worth / 8_000;
                    less -= i32::from(order >= KILLER - 1) + i32::from(estimate.is_none());
                    less = (less + i32::from(!open && !noisy)).clamp(0, (deep - 1).max(0));
                }
                score = self.descend(context, &child, step, deep - less, (alpha, alpha + 1), ply);
                if score > alpha && less > 0 && !self.cut {
                    score = self.descend(context, &child, step, deep, (alpha, alpha + 1), ply);
                }
            }
            if tried == 1 || open && score > alpha && score < beta && !self.cut {
                score = self.descend(context, &child, step, deep, (alpha, beta), ply);
            }
            if self.cut {
                break;
            }
            if score > value {
                value = score;
                if score > alpha {
                    (alpha, winner) = (score, index);
                    if open {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        self.memory().reward(player, ply, depth, &picks[..=i]);
                        break;
                    }
                }
            }
        }
        self.memory().keep(ply, picks);
        (value, winner)
    }

    /// Follows noisy moves that gain something, until the position is quiet; all moves under a threat.
    fn quiesce(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        key: u64,
        stand: i32,
        (mut alpha, beta): (i32, i32),
        ply: u32,
    ) -> i32 {
        let game = context.game;
        if stand >= beta {
            return stand;
        }
        let window = (alpha, beta);
        let mut value = stand;
        alpha = alpha.max(stand);
        let mut picks = self.memory().picks(ply);
        let _ = game.noisy_moves(position, &mut |m| {
            picks.push(Pick {
                m,
                order: game.urgency(position, m),
                index: NO_MOVE,
                lane: NO_LANE,
                noisy: true,
            });
            MORE
        });
        for i in 0..picks.len() {
            first_pick(&mut picks[i..]);
            let m = picks[i].m;
            // What it takes must reach the window, with a swing to spare.
            if !game.exchange(position, m, (alpha - stand - 2 * SWING).max(0)) {
                continue;
            }
            let child = game.play(position, m);
            let step = step(game, position, m, &child);
            self.memory().frame(ply).lane = NO_LANE;
            let score = self.descend(context, &child, step, 0, (alpha, beta), ply);
            if self.cut {
                break;
            }
            if score > value {
                value = score;
                if score > alpha {
                    alpha = score;
                    if beta - window.0 > 1 {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.memory().keep(ply, picks);
        if !self.cut {
            store(context, position, key, 0, window, value, NO_MOVE);
        }
        value
    }

    /// Lists the moves of a position with their priorities.
    fn list(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        best: u16,
        ply: u32,
    ) -> Vec<Pick<G::Move>> {
        let game = context.game;
        let player = game.turn(position).index();
        let mut picks = self.memory().picks(ply);
        let killers = self.memory().frame(ply).killers;
        let memory = &*self.memory();
        let _ = game.candidates(position, &mut |m| {
            let index = picks.len().min(NO_MOVE.into()) as u16;
            let (noisy, lane) = (game.noisy(position, m), game.lane(position, m) as u16);
            let order = if index == best && best != NO_MOVE {
                i32::MAX
            } else if noisy {
                GOOD + game.urgency(position, m)
            } else if killers[0] == Some(m) {
                KILLER
            } else if killers[1] == Some(m) {
                KILLER - 1
            } else {
                memory.worth(player, ply, lane) + game.urgency(position, m)
            };
            picks.push(Pick { m, order, index, lane, noisy });
            MORE
        });
        picks
    }

    /// Returns the score of a move to the position `child`, for the player who makes it.
    fn descend(
        &mut self,
        context: &Context<'_, G>,
        child: &G::Position,
        step: Step,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> i32 {
        let step = scaled_step(context.game, step);
        let forth = |v: i32| {
            if v.abs() >= INFINITE {
                if step.turn_passed { -v } else { v }
            } else {
                Value::from_raw(v).forth(step).raw()
            }
        };
        let (a, b) = (forth(alpha), forth(beta));
        let window = if step.turn_passed { (b, a) } else { (a, b) };
        let score = self.select(context, child, Way { depth, ply: ply + 1, passed: false }, window);
        Value::from_raw(score).back(step).raw()
    }

    /// Returns the best of some moves to a depth, within a window: its index and its score. The principal variation is in
    /// `self.lines[0]`.
    pub(super) fn select_root(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        kids: &[Child<G>],
        depth: i32,
        (mut alpha, beta): (i32, i32),
    ) -> (usize, i32) {
        let mut best = (0, -INFINITE);
        self.line(0).clear();
        self.memory().depth = depth;
        for (i, k) in kids.iter().enumerate() {
            let before = self.nodes;
            self.memory().frame(0).lane = context.game.lane(position, k.m) as u16;
            let mut score = beta;
            if i > 0 {
                let less = if i > 3 && depth >= 3 { self.memory().reductions.of(depth, i) / 2 } else { 0 };
                score = self.descend(context, &k.position, k.step, depth - 1 - less, (alpha, alpha + 1), 0);
                if score > alpha && less > 0 && !self.cut {
                    score = self.descend(context, &k.position, k.step, depth - 1, (alpha, alpha + 1), 0);
                }
            }
            if i == 0 || score > alpha && score < beta && !self.cut {
                score = self.descend(context, &k.position, k.step, depth - 1, (alpha, beta), 0);
            }
            if self.cut {
                break;
            }
            let spent = self.nodes - before;
            self.memory().spent_on(k.m, spent);
            if score > best.1 {
                best = (i, score);
            }
            if score > alpha {
                alpha = score;
                self.extend_line(0, k.m);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// Moves the move to be tried first to the front.
#[inline]
fn first_pick<M: Copy>(picks: &mut [Pick<M>]) {
    let mut first = 0;
    for (i, pick) in picks.iter().enumerate() {
        if pick.order > picks[first].order {
            first = i;
        }
    }
    picks.swap(0, first);
}

/// Moves the move to be tried next to the front; noisy moves that lose men are put off till then.
#[inline]
fn next_pick<G: Scored + Heuristic>(game: &G, position: &G::Position, picks: &mut [Pick<G::Move>]) {
    loop {
        first_pick(picks);
        let Some(pick) = picks.first_mut() else { return };
        if !(GOOD / 2 + KILLER / 2..i32::MAX).contains(&pick.order) || game.exchange(position, pick.m, 0) {
            return;
        }
        pick.order -= GOOD - BAD;
    }
}

/// Stores a score.
#[inline]
fn store<G: Scored + Heuristic>(
    context: &Context<'_, G>,
    position: &G::Position,
    key: u64,
    depth: i32,
    (alpha, beta): (i32, i32),
    score: i32,
    best: u16,
) {
    let bound = match () {
        () if score >= beta => Bound::Lower,
        () if score <= alpha => Bound::Upper,
        () => Bound::Exact,
    };
    let depth = depth.clamp(0, 63) as u8;
    context.table(position).guessed(selected(key), Guess { score, depth, bound, best });
}

/// Reports whether a score found at any time holds with the plies left now: a win by the rules may come too late.
#[inline]
fn in_time<G: Scored + Heuristic>(game: &G, position: &G::Position, score: i32) -> bool {
    score.abs() < MOST
        || game
            .plies_left(position)
            .is_none_or(|left| Value::from_raw(score).plies().is_some_and(|plies| plies <= left))
}

/// Returns the key of a position's entry of the selective search, whose scores the plain one must not take over.
#[inline]
pub(super) fn selected(key: u64) -> u64 {
    key ^ 0x6C62_272E_07BB_0142
}
