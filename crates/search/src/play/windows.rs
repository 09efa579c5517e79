//! Null-window proofs as a session's search: exact if time allows, else the best move that alpha-beta finds.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use grundy_core::game::{legal_moves, step};
use grundy_core::sorting;
use grundy_core::table::TableError;
use grundy_core::value::{Score, Value};
use grundy_session::{Info, Limits, Settings};

use super::seeker::{SearchMethod, widest};
use crate::Question;
use crate::alpha_beta::{AlphaBeta, Bounds, Heuristic};
use crate::windows::{Reduced, SearchFile, WindowProver};

/// Null-window proof first; depth-limited alpha-beta if the proof takes too long.
pub struct NullWindow<G: Reduced + Heuristic> {
    prover: WindowProver,
    guesser: AlphaBeta<G>,
}

impl<G: Reduced + Heuristic + Bounds> NullWindow<G> {
    /// Returns the limits of a question without the nodes since there were `before`.
    fn left(&self, question: &Question<'_, G>, before: u64) -> Limits {
        let spent = self.prover.nodes() - before;
        Limits { nodes: question.limits.nodes.map(|most| most.saturating_sub(spent)), ..question.limits }
    }

    /// Returns the exact values of moves, best first; `None` if the work ends early.
    fn values(&mut self, question: &Question<'_, G>, moves: &[G::Move]) -> Option<Vec<(G::Move, Value)>> {
        let Question { game, position, stop, .. } = *question;
        let before = self.prover.nodes();
        let mut list = Vec::with_capacity(moves.len());
        for &m in moves {
            let limits = self.left(question, before);
            list.push((m, self.prover.value_of_move(game, position, m, &limits, stop)?));
        }
        sorting::sort_by_key(&mut list, |&(_, value)| Reverse(value));
        Some(list)
    }

    /// Returns the best line of play after a first move of exact value, as far as it is found within the limits of a search
    /// that began `before` its nodes.
    fn line(&mut self, question: &Question<'_, G>, first: (G::Move, Value), before: u64) -> Vec<G::Move> {
        let Question { game, position, stop, .. } = *question;
        let (mut m, mut value) = first;
        let mut now = position.clone();
        let mut line = Vec::new();
        loop {
            line.push(m);
            let next = game.play(&now, m);
            value = value.forth(step(game, &now, m, &next));
            now = next;
            if game.over(&now).is_some() {
                return line;
            }
            let limits = self.left(question, before);
            match self.prover.keeping_move(game, &now, value, &limits, stop) {
                Some(keeping) => m = keeping,
                None => return line,
            }
        }
    }

    /// Returns ranked lines with exact scores; `None` if the work ends early.
    fn prove(
        &mut self,
        question: &Question<'_, G>,
        watch: &mut dyn FnMut(Score, u64),
    ) -> Option<Vec<Info<G::Move>>> {
        let Question { game, position, only, limits, stop, .. } = *question;
        let before = self.prover.nodes();
        let ranked = if only.is_empty() && question.lines == 1 {
            let value = self.prover.value(game, position, &limits, stop, watch).exact()?;
            let limits = self.left(question, before);
            vec![(self.prover.keeping_move(game, position, value, &limits, stop)?, value)]
        } else {
            let all = legal_moves(game, position);
            self.values(question, if only.is_empty() { &all } else { only })?
        };
        let mut lines = Vec::new();
        for (rank, &(m, value)) in (1..).zip(ranked.iter().take(question.lines)) {
            let pv = self.line(question, (m, value), before);
            let (nodes, hashfull) = ((self.prover.nodes() - before).max(1), self.prover.fullness());
            lines.push(Info { nodes, hashfull, rank, ..Info::new(Score::Exact(value), game.unit(), pv) });
        }
        Some(lines)
    }
}

/// Size of the alpha-beta table in megabytes.
const GUESS_MB: usize = 8;

impl<G: Reduced + Heuristic + Bounds> SearchMethod<G> for NullWindow<G> {
    fn new(settings: &Settings) -> NullWindow<G> {
        let Settings { hash_mb, threads, .. } = *settings;
        NullWindow { prover: WindowProver::new(hash_mb, threads), guesser: AlphaBeta::new(GUESS_MB, threads) }
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        let Question { limits, stop, .. } = *question;
        let now = Instant::now();
        let end = limits.soft.or(limits.hard);
        // Part of the time is kept for a guess; where none was set there is something to play at once all the same,
        // and bounds are told with it as they are proved.
        let proving = end.map(|end| now + end.saturating_duration_since(now).mul_f64(PROVING));
        // The last line reported.
        let mut last: Option<Info<G::Move>> = None;
        if proving.is_none() {
            let limits = Limits { depth: Some(1), infinite: false, ..limits };
            self.guesser.seek(&Question { limits, ..*question }, &mut |line| {
                if line.rank == 1 {
                    last = Some(line.clone());
                }
                report(line);
            });
        }
        let mut watch = |score: Score, nodes: u64| {
            if let (Some(last), None) = (&mut last, score.exact()) {
                let score = if let Score::Guess(_) = score { last.score } else { score };
                *last = Info { score, nodes: nodes.max(1), ..last.clone() };
                report(last.clone());
            }
        };
        let share = limits.nodes.map(|most| (most as f64 * PROVING) as u64);
        let limits_of_proof = Limits { hard: proving, nodes: share, ..limits };
        let until = Question { limits: limits_of_proof, ..*question };
        let before = self.prover.nodes();
        if limits.depth.is_none()
            && let Some(lines) = self.prove(&until, &mut watch)
        {
            lines.into_iter().for_each(report);
            limits.hold(stop);
        } else if !stop.load(Relaxed) {
            let spent = self.prover.nodes() - before;
            let left = self.left(question, before);
            let limits = Limits { nodes: left.nodes.map(|nodes| nodes.max(1)), ..left };
            self.guesser.seek(&Question { limits, ..*question }, &mut |line| {
                report(Info { nodes: spent + line.nodes, ..line });
            });
        } else if let Some(last) = last {
            report(Info { nodes: (self.prover.nodes() - before).max(1), ..last });
        }
    }

    fn bounds(&mut self, question: &Question<'_, G>, target: Option<Value>) -> (Value, Value) {
        let Question { game, position, only, stop, .. } = *question;
        let all = legal_moves(game, position);
        let moves = if only.is_empty() { &all } else { only };
        let before = self.prover.nodes();
        let bounds = moves
            .iter()
            .map(|&m| {
                let limits = self.left(question, before);
                self.prover.bounds_of_move(game, position, m, target, &limits, stop)
            })
            .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
        bounds.unwrap_or(widest(game.unit()))
    }

    fn keep(&mut self, keeper: SearchFile) -> Option<Result<bool, TableError>> {
        Some(self.prover.keep(keeper))
    }
}

/// Share of the time and of the nodes for the proof.
const PROVING: f64 = 0.7;
