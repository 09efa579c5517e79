//! Scores without a look at every move, in the selective search: reverse futility, razoring, null moves and ProbCut.

use super::ability::{Bounds, Heuristic};
use super::memory::{NO_LANE, Pick, first_pick};
use super::score::MOST;
use super::select::{MARGIN, Node, SWING, fresh, store};
use super::table::{Guess, NO_MOVE};
use super::worker::{Context, Worker};
use grundy_core::game::{MORE, Scored, step};

/// Depth up to which a position far above the window is not searched.
const CALM_DEPTH: i32 = 8;
/// Depth from which a null move is verified by moves.
const VERIFIED_DEPTH: i32 = 12;
/// Depth from which good noisy moves are tried in a shallow search first, by how much it is shallower, and the margin.
const PROBE_DEPTH: i32 = 5;
const PROBE_LESS: i32 = 4;
const PROBE_MARGIN: i32 = 2 * SWING;

impl<G: Scored + Heuristic + Bounds> Worker<G> {
    /// Returns a score without a look at every move, if the evaluation is far above the window, or far below it: reverse
    /// futility, razoring and the null move.
    #[inline]
    pub(super) fn glance(&mut self, context: &Context<'_, G>, node: &Node<'_, G::Position>) -> Option<i32> {
        let (game, (alpha, beta), depth) = (context.game, node.window, node.depth);
        let estimate = node.estimate?;
        if node.is_open() || node.without != NO_MOVE || alpha.abs() >= MOST || beta.abs() >= MOST {
            return None;
        }
        if depth <= CALM_DEPTH
            && estimate < MOST
            && estimate - MARGIN * (depth - i32::from(node.improves)) >= beta
        {
            return Some((estimate + beta) / 2);
        }
        if depth <= 3 && estimate + 3 * SWING * depth + SWING < alpha {
            let score = self.quiesce(context, node);
            if score <= alpha || self.cut {
                return Some(score);
            }
        }
        if node.passed || depth < 3 || estimate < beta {
            return None;
        }
        let child = game.pass(node.position)?;
        let less = 3 + depth / 4 + ((estimate - beta) / (2 * SWING + SWING / 2)).min(3);
        self.memory().frame(node.ply).lane = NO_LANE;
        if game.cyclic() {
            self.path.push(node.repetition);
        }
        let way = (depth - less, node.ply + 1, (-beta, -beta + 1));
        let mut score =
            -self.select(context, Node { passed: true, cut: !node.cut, ..fresh(context, &child, way) });
        let mut moved = score;
        if score >= beta && depth >= VERIFIED_DEPTH && !self.cut {
            // Where nobody would like to move (zugzwang), passing is no evidence.
            let moves = Node { passed: true, depth: depth - less, window: (beta - 1, beta), ..*node };
            moved = self.select_moves(context, &moves, None).0;
        }
        if game.cyclic() {
            self.path.pop();
        }
        if self.cut {
            return Some(0);
        }
        if score >= MOST {
            score = beta;
        }
        (moved >= beta).then_some(score)
    }

    /// Returns a score above the window if a noisy move that gains something almost certainly reaches it (ProbCut).
    #[inline]
    pub(super) fn probe(
        &mut self,
        context: &Context<'_, G>,
        node: &Node<'_, G::Position>,
        old: Option<Guess>,
    ) -> Option<i32> {
        let (game, position, ply, beta) = (context.game, node.position, node.ply, node.window.1);
        let estimate = node.estimate?;
        let usual = node.is_open() || node.without != NO_MOVE || node.depth < PROBE_DEPTH;
        if usual || beta.abs() >= MOST - 2 * PROBE_MARGIN {
            return None;
        }
        let least = beta + PROBE_MARGIN - i32::from(node.improves) * SWING / 2;
        let depth = node.depth - PROBE_LESS;
        if old.is_some_and(|old| old.score < least && i32::from(old.depth) >= depth) {
            return None;
        }
        let mut picks = self.memory().pool.take(ply);
        let _ = game.noisy_moves(position, &mut |m| {
            if game.noisy(position, m) && game.exchange(position, m, least - estimate) {
                let order = game.urgency(position, m);
                let lane = game.lane(position, m) as u16;
                picks.push(Pick { m, order, worth: 0, index: NO_MOVE, lane, noisy: true });
            }
            MORE
        });
        if game.cyclic() {
            self.path.push(node.repetition);
        }
        let mut found = None;
        for i in 0..picks.len() {
            first_pick(&mut picks[i..]);
            let Pick { m, lane, .. } = picks[i];
            let child = game.play(position, m);
            let step = step(game, position, m, &child);
            let frame = self.memory().frame(ply);
            (frame.lane, frame.quiet) = (lane, false);
            let window = (least - 1, least);
            let mut score = self.descend(context, &child, step, (0, true), window, ply);
            if score >= least && depth > 1 && !self.cut {
                score = self.descend(context, &child, step, (depth, !node.cut), window, ply);
            }
            if self.cut {
                break;
            }
            if score >= least {
                found = Some(score);
                break;
            }
        }
        if game.cyclic() {
            self.path.pop();
        }
        self.memory().pool.keep(ply, picks);
        if self.cut {
            return Some(0);
        }
        let score = found?;
        store(context, &Node { depth: depth + 1, ..*node }, score, NO_MOVE);
        Some(score)
    }
}
