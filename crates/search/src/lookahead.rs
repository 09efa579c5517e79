//! The search of textbooks: alpha-beta to a fixed depth in the game's move order, with an evaluation at the leaves.
//!
//! Made for comparison with printed results of courses: no transposition table, no move ordering.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use grundy_core::game::{Game, MORE, Scored, children};
use grundy_core::sorting;
use grundy_core::value::{Score, Value, Wdl};
use grundy_session::{Info, Limits};

use crate::Question;

/// A game with an evaluation that textbooks use for it.
pub trait Evaluated: Game {
    /// Returns the advantage of the player to move, in whole units.
    fn evaluation(&self, position: &Self::Position) -> i32;
}

/// The score of a win in 0 plies; each ply before reduces it by 1.
const WON: i32 = 1 << 20;
/// Scores above this are wins, below its negative losses.
const DECIDED: i32 = WON / 2;
/// Positions between two checks of the deadline.
const STRETCH: u64 = 1 << 8;
/// Maximum depth, in plies.
const DEEPEST: u32 = 512;

/// Fixed-depth alpha-beta with iterative deepening.
#[derive(Debug, Default)]
pub struct Minimax {
    nodes: u64,
    ended: bool,
    /// True if a leaf was evaluated.
    judged: bool,
}

impl Minimax {
    /// Searches an unfinished position, one ply deeper each time, until the limits end it or the game is solved.
    pub fn search<G: Scored + Evaluated>(
        &mut self,
        question: &Question<'_, G>,
        report: &mut dyn FnMut(Info<G::Move>),
    ) {
        let Limits { depth, nodes, soft, .. } = question.limits;
        self.nodes = 0;
        for depth in 1..=depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) {
            (self.ended, self.judged) = (false, false);
            let before = self.nodes;
            let mut ranked = self.roots(question, depth);
            // The first look is always finished: something has to be played.
            if self.ended && depth > 1 || ranked.is_empty() {
                return;
            }
            sorting::sort_by_key(&mut ranked, |&(value, _)| std::cmp::Reverse(value));
            for (rank, (value, pv)) in (1..).zip(ranked.into_iter().take(question.lines.max(1))) {
                let nodes = (self.nodes - before).max(1);
                report(Info { depth, nodes, rank, ..Info::new(self.score(value), question.game.unit(), pv) });
            }
            let late = soft.is_some_and(|soft| Instant::now() >= soft);
            if self.ended || late || !self.judged || nodes.is_some_and(|nodes| self.nodes >= nodes) {
                return;
            }
        }
    }

    /// Returns the scores of the root moves with the best play after each. With one line requested, moves no better
    /// than an earlier one only have a bound and are omitted.
    fn roots<G: Scored + Evaluated>(
        &mut self,
        question: &Question<'_, G>,
        depth: u32,
    ) -> Vec<(i32, Vec<G::Move>)> {
        let Question { game, position, only, lines, .. } = *question;
        self.nodes += 1;
        let (mut list, mut best) = (Vec::new(), -WON - 1);
        let _ = children(game, position, &mut |m, child, step| {
            if only.is_empty() || only.contains(&m) {
                let floor = if lines > 1 { -WON - 1 } else { best };
                let (value, mut line) =
                    self.below(question, &child, step.turn_passed, depth - 1, floor, WON + 1);
                line.insert(0, m);
                if list.is_empty() || lines > 1 || value > best {
                    list.push((value, line));
                }
                best = best.max(value);
            }
            MORE
        });
        list
    }

    /// Returns the score of a child for the player who moves to it, a ply further away.
    fn below<G: Scored + Evaluated>(
        &mut self,
        question: &Question<'_, G>,
        child: &G::Position,
        passed: bool,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> (i32, Vec<G::Move>) {
        // A decided value is one nearer when it is seen from the child.
        let near = |value: i32| if value.abs() > DECIDED { value + value.signum() } else { value };
        let (alpha, beta) = (near(alpha), near(beta));
        let (value, line) = if passed {
            let (value, line) = self.value(question, child, depth, -beta, -alpha);
            (-value, line)
        } else {
            self.value(question, child, depth, alpha, beta)
        };
        (if value.abs() > DECIDED { value - value.signum() } else { value }, line)
    }

    fn value<G: Scored + Evaluated>(
        &mut self,
        question: &Question<'_, G>,
        position: &G::Position,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Vec<G::Move>) {
        let game = question.game;
        self.nodes += 1;
        if self.nodes.is_multiple_of(STRETCH) {
            let Limits { soft, hard, nodes, .. } = question.limits;
            let end = hard.or(soft);
            self.ended |= question.stop.load(Relaxed)
                || nodes.is_some_and(|most| self.nodes >= most)
                || end.is_some_and(|end| Instant::now() >= end);
        }
        if let Some(value) = game.over(position) {
            let value = match value.wdl() {
                Wdl::Win => WON,
                Wdl::Draw => 0,
                Wdl::Loss => -WON,
            };
            return (value, Vec::new());
        }
        if depth == 0 || self.ended {
            self.judged = true;
            return (game.evaluation(position).clamp(1 - DECIDED, DECIDED - 1), Vec::new());
        }
        let mut best: (i32, Vec<G::Move>) = (-WON - 2, Vec::new());
        let _ = children(game, position, &mut |m, child, step| {
            let (value, line) = self.below(question, &child, step.turn_passed, depth - 1, alpha, beta);
            if value > best.0 {
                best = (value, line);
                best.1.insert(0, m);
                alpha = alpha.max(value);
            }
            if best.0 >= beta { std::ops::ControlFlow::Break(()) } else { MORE }
        });
        best
    }

    /// Converts a score. A decided game is proved, and so is one searched to its end everywhere.
    fn score(&self, value: i32) -> Score {
        match value {
            _ if value > DECIDED => Score::Exact(Value::win_in((WON - value) as u32)),
            _ if value < -DECIDED => Score::Exact(Value::loss_in((WON + value) as u32)),
            0 if !self.judged => Score::Exact(Value::DRAW),
            _ => Score::Guess(value.saturating_mul(100)),
        }
    }
}
