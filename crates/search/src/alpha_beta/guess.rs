//! Depth-limited search: principal variation search, for a move before anything is proved.
//!
//! Every [score](super::score) comes with the part of it that is proved. Proved bounds are stored in the
//! transposition table as proofs, estimates only as estimates of their depth.

use super::ability::{Bounds, Heuristic, Prediction};
use super::score::{EXACT, INFINITE, MOST, NOTHING, Proved, scaled, scaled_step, unscaled, window_after};
use super::table::{Bound, Guess, NO_MOVE, with_any_plies_left};
use super::worker::{Child, Context, Purpose, Worker, arrange, calm, first_comes_first};
use grundy_core::game::Scored;
use grundy_core::value::{Step, Value};

/// Depth from which positions that the game solves itself are solved, in a search with limits.
const FINISHED: i32 = 3;

impl<G: Scored + Heuristic + Bounds> Worker<G> {
    /// Returns the score of an unfinished position to a depth, and which part of it is proved. `kid` is the position as
    /// its parent knows it; the principal variation is left in `self.lines[ply]`.
    fn guess(
        &mut self,
        context: &Context<'_, G>,
        kid: &Child<G>,
        depth: i32,
        window: (i32, i32),
        ply: u32,
    ) -> (i32, Proved) {
        let game = context.game;
        let (mut alpha, beta) = window;
        self.line(ply).clear();
        if !self.enter(context, ply) {
            return (0, NOTHING);
        }
        let (mut low, mut high, mut best) = (kid.lo, kid.hi, kid.best);
        let table = context.table(&kid.position);
        let quiet = depth <= 0;
        let leaf = quiet && (kid.leaf || calm(game, &kid.position));
        // What the parent knew may have grown since.
        let decided = kid.over || low == high;
        if let Some(proof) = (!leaf && !decided).then(|| table.proof(kid.key)).flatten() {
            let proof = proof.with_plies_left(game.plies_left(&kid.position));
            (low, high, best) = (low.max(proof.lo), high.min(proof.hi), proof.best);
        }
        // Whoever can win sooner does not need a position twice, so for that question the draw is a proof.
        let draw = Proved { lo: beta <= -MOST, hi: alpha >= MOST, path: true };
        let mut repetition_key = 0;
        if game.cyclic() && !kid.over && (low < high || !context.twice.is_empty()) {
            repetition_key = game.repetition_key(&kid.position);
            if context.twice.contains(&repetition_key) {
                return (0, draw);
            }
        }
        if kid.over || low == high {
            return (scaled(game, low), EXACT);
        }
        if game.cyclic() && self.path.contains(&repetition_key) {
            return (0, draw);
        }
        let (lo, hi) = (scaled(game, low), scaled(game, high));
        if lo >= beta {
            return (lo, Proved { lo: true, ..NOTHING });
        }
        if hi <= alpha {
            return (hi, Proved { hi: true, ..NOTHING });
        }
        let open_window = beta.saturating_sub(alpha) > 1;
        if let Some(old) = (!leaf).then(|| table.guess(kid.key)).flatten() {
            let deep = i32::from(old.depth) >= depth;
            let decides = match old.bound {
                Bound::Exact => true,
                Bound::Lower => old.score >= beta,
                Bound::Upper => old.score <= alpha,
            };
            if deep && decides && !open_window {
                return (old.score, NOTHING);
            }
            if best == NO_MOVE {
                best = old.best;
            }
        }
        let position = &kid.position;
        if context.shared.limited && !open_window && !quiet {
            if let Some(answer) = self.finished(context, position, depth, beta) {
                return answer;
            }
            if let Some(score) = self.predicted(context, kid, depth, window, ply) {
                return (score, NOTHING);
            }
            if self.cut {
                return (0, NOTHING);
            }
        }
        let mut value = -INFINITE;
        let mut proved = Proved { lo: false, hi: true, path: false };
        if quiet {
            value = self.evaluate(context, position).clamp(-MOST + 1, MOST - 1).clamp(lo, hi);
            proved = NOTHING;
            if leaf || value >= beta || ply >= self.max_ply.saturating_sub(1) {
                return (value, proved);
            }
            alpha = alpha.max(value);
        }
        let mut kids = self.pool.take(ply);
        let target = Value::from_raw(unscaled(game, beta.clamp(-INFINITE, INFINITE), true)).raw();
        let purpose = if depth <= 1 { Purpose::Leaves } else { Purpose::Guess };
        self.open(context, position, false, target, purpose, &mut kids);
        if quiet {
            kids.retain(|k| k.over || game.noisy(position, k.m));
        }
        self.weigh(context, position, best, &mut kids);
        if game.cyclic() {
            self.path.push(repetition_key);
        }
        let mut winner = None;
        // A forced move costs no depth; long chains of them still end.
        let single = kids.len() == 1 && !quiet && ply < 100;
        if let ([kid], true, Purpose::Leaves) = (&mut kids[..], single, purpose) {
            kid.key = game.key(&kid.position);
        }
        for i in 0..kids.len() {
            first_comes_first(&mut kids[i..]);
            let k = &kids[i];
            let step = scaled_step(game, k.step);
            let less = if single { 0 } else { 1 };
            let late = i >= 4 && depth >= 3 && !game.noisy(position, k.m);
            let reduction = if late { 1 + i32::from(i >= 12 && depth >= 6) } else { 0 };
            let mut result;
            if i > 0 && open_window || late {
                result = self.try_kid(context, k, step, depth - less - reduction, (alpha, alpha + 1), ply);
                if result.0 > alpha && !self.cut && (reduction > 0 || result.0 < beta) {
                    result = self.try_kid(context, k, step, depth - less, (alpha, beta), ply);
                }
            } else {
                result = self.try_kid(context, k, step, depth - less, (alpha, beta), ply);
            }
            if self.cut {
                break;
            }
            let (score, known) = result;
            proved.hi &= known.hi;
            proved.path |= known.path;
            if score > value {
                value = score;
                proved.lo = known.lo;
                winner = Some(i);
                if score > alpha {
                    alpha = score;
                    if open_window {
                        self.extend_line(ply, k.m);
                    }
                    if score >= beta {
                        proved.hi = false;
                        proved.path = known.path;
                        break;
                    }
                }
            }
        }
        if game.cyclic() {
            self.path.pop();
        }
        if !self.cut {
            if value >= beta
                && let Some(i) = winner
            {
                self.reward(context, position, kids[..i].iter().map(|k| k.m), kids[i].m);
            }
            // What the game knows of the position beats what the search saw of it.
            if value < lo {
                (value, proved.lo) = (lo, true);
            }
            if value > hi {
                (value, proved.hi) = (hi, true);
            }
            self.remember(
                context,
                kid,
                depth,
                window,
                value,
                proved,
                winner.map_or(NO_MOVE, |i| kids[i].index),
            );
        }
        self.pool.keep(ply, kids);
        (value, proved)
    }

    /// Returns a proved bound that decides whether the score reaches `beta`, if the game solves the position itself.
    #[inline]
    fn finished(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        depth: i32,
        beta: i32,
    ) -> Option<(i32, Proved)> {
        let game = context.game;
        if depth < FINISHED || !game.finishes(position) || beta.abs() >= MOST {
            return None;
        }
        let target = Value::from_raw(unscaled(game, beta, false));
        let value = self.finish(context, position, target)?;
        let reached = value >= target;
        Some((scaled(game, value.raw()), Proved { lo: reached, hi: !reached, path: false }))
    }

    /// Returns an end of the window if a shallower search shows that the score is almost certainly beyond it
    /// (Multi-ProbCut).
    #[inline]
    fn predicted(
        &mut self,
        context: &Context<'_, G>,
        kid: &Child<G>,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Option<i32> {
        let Prediction { depth, margin } = context.game.prediction(&kid.position, depth)?;
        if alpha.abs() >= MOST || beta.abs() >= MOST {
            return None;
        }
        let estimate = self.evaluate(context, &kid.position);
        let (low, high) = (alpha - margin, beta + margin);
        if estimate >= beta && self.guess(context, kid, depth, (high - 1, high), ply).0 >= high && !self.cut {
            return Some(beta);
        }
        if estimate <= alpha && !self.cut && self.guess(context, kid, depth, (low, low + 1), ply).0 <= low {
            return Some(alpha).filter(|_| !self.cut);
        }
        None
    }

    #[allow(clippy::too_many_arguments)]
    fn remember(
        &self,
        context: &Context<'_, G>,
        kid: &Child<G>,
        depth: i32,
        (alpha, beta): (i32, i32),
        value: i32,
        proved: Proved,
        best: u16,
    ) {
        let bound = if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if !(proved.lo && proved.hi) {
            let depth = depth.clamp(0, 63) as u8;
            context.table(&kid.position).guessed(kid.key, Guess { score: value, depth, bound, best });
        }
        if (proved.lo || proved.hi) && !proved.path {
            let lo = if proved.lo { unscaled(context.game, value, true) } else { i32::MIN };
            let hi = if proved.hi { unscaled(context.game, value, false) } else { i32::MAX };
            let (lo, hi) = with_any_plies_left((lo, hi), context.game.plies_left(&kid.position));
            context.table(&kid.position).prove(kid.key, lo, hi, best, 1);
        }
    }

    fn try_kid(
        &mut self,
        context: &Context<'_, G>,
        kid: &Child<G>,
        step: Step,
        depth: i32,
        window: (i32, i32),
        ply: u32,
    ) -> (i32, Proved) {
        let window = window_after(step, window);
        let (score, proved) = self.guess(context, kid, depth, window, ply + 1);
        let seen = Value::from_raw(score).back(step).raw();
        if step.turn_passed {
            (seen, Proved { lo: proved.hi, hi: proved.lo, path: proved.path })
        } else {
            (seen, proved)
        }
    }

    /// Sorts children by a search of a few plies, the best first; the others are only known to be worse.
    pub(super) fn sort_by_guess(
        &mut self,
        context: &Context<'_, G>,
        kids: &mut [Child<G>],
        plies: u32,
        ply: u32,
    ) {
        // Looking less far first costs little and finds the move that is to be beaten.
        for plies in (2 - plies % 2..=plies).step_by(2) {
            let mut best = -INFINITE;
            for kid in kids.iter_mut() {
                let step = scaled_step(context.game, kid.step);
                kid.order = self.try_kid(context, kid, step, plies as i32 - 1, (best, INFINITE), ply).0;
                if self.cut {
                    return;
                }
                best = best.max(kid.order);
            }
            arrange(kids, |kid| -i64::from(kid.order));
        }
    }

    /// Returns the best of some moves to a depth, within a window: its index, its score, and which part of it is
    /// proved. The principal variation is in `self.lines[0]`.
    pub(super) fn guess_root(
        &mut self,
        context: &Context<'_, G>,
        kids: &mut [Child<G>],
        depth: i32,
        window: (i32, i32),
    ) -> (usize, i32, Proved) {
        let (mut alpha, beta) = window;
        let mut best = (0, -INFINITE, Proved { lo: false, hi: true, path: false });
        self.line(0).clear();
        for (i, k) in kids.iter().enumerate() {
            let step = scaled_step(context.game, k.step);
            let mut result;
            if i > 0 {
                result = self.try_kid(context, k, step, depth - 1, (alpha, alpha + 1), 0);
                if result.0 > alpha && result.0 < beta && !self.cut {
                    result = self.try_kid(context, k, step, depth - 1, (alpha, beta), 0);
                }
            } else {
                result = self.try_kid(context, k, step, depth - 1, (alpha, beta), 0);
            }
            if self.cut {
                break;
            }
            let (score, known) = result;
            best.2.hi &= known.hi;
            best.2.path |= known.path;
            if score > best.1 {
                (best.0, best.1, best.2.lo) = (i, score, known.lo);
            }
            if score > alpha {
                alpha = score;
                self.extend_line(0, k.m);
                if score >= beta {
                    best.2.hi = false;
                    break;
                }
            }
        }
        best
    }

    pub(super) fn line(&mut self, ply: u32) -> &mut Vec<G::Move> {
        let ply = ply as usize;
        if self.lines.len() <= ply + 1 {
            self.lines.resize_with(ply + 2, Vec::new);
        }
        &mut self.lines[ply]
    }

    pub(super) fn extend_line(&mut self, ply: u32, m: G::Move) {
        self.line(ply + 1);
        let (head, tail) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut head[ply as usize];
        line.clear();
        line.push(m);
        line.extend_from_slice(&tail[0]);
    }
}
