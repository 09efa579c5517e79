//! The proof by windows as a session's search: exact where the time allows, else the best that alpha-beta finds.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::choose::best_first;
use super::{Quest, Seeker, Settings};
use crate::game::{Heuristic, Reduced, legal_moves};
use crate::solve::search::Searcher;
use crate::solve::windows::{Keeper, Prover};
use crate::solve::{Limits, Line, Oracle};
use crate::table::TableError;
use crate::value::{Score, Value};

/// Proves by windows first, guesses by alpha-beta where the proof takes too long.
pub struct Windows<G: Reduced + Heuristic> {
    prover: Prover,
    guesser: Searcher<G>,
}

impl<G: Reduced + Heuristic> Windows<G> {
    /// With a table of `hash_mb` megabytes, which the proof takes, and this many threads.
    pub fn new(hash_mb: usize, threads: usize) -> Windows<G> {
        Windows { prover: Prover::new(hash_mb, threads), guesser: Searcher::new(GUESS_MB, threads) }
    }

    /// Exact values of moves, best first; `None` where the work ends early.
    fn values(
        &mut self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<Vec<(G::Move, Value)>> {
        let mut list = Vec::with_capacity(moves.len());
        for &m in moves {
            list.push((m, self.prover.value_of_move(game, position, m, limits, stop)?));
        }
        best_first(&mut list);
        Some(list)
    }

    /// The best line of play after a first move of exact value, as far as it is found within the limits.
    fn line(
        &mut self,
        game: &G,
        position: &G::Position,
        first: (G::Move, Value),
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Vec<G::Move> {
        let (mut m, mut value) = first;
        let mut now = position.clone();
        let mut line = Vec::new();
        loop {
            line.push(m);
            let next = game.play(&now, m);
            value = value.forth(crate::game::step(game, &now, m, &next));
            now = next;
            if game.over(&now).is_some() {
                return line;
            }
            match self.prover.keeping_move(game, &now, value, limits, stop) {
                Some(keeping) => m = keeping,
                None => return line,
            }
        }
    }

    /// Ranked lines with exact scores; `None` where the work ends early.
    fn prove(
        &mut self,
        game: &G,
        quest: &Quest<'_, G>,
        limits: &Limits,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Score, u64),
    ) -> Option<Vec<Line<G::Move>>> {
        let position = quest.position;
        let before = self.prover.nodes();
        // On an assumption no move need keep what the position seems to be worth.
        let ranked = if quest.only.is_empty() && quest.multi_pv == 1 && !game.assumes() {
            let value = self.prover.value(game, position, limits, stop, watch).exact()?;
            vec![(self.prover.keeping_move(game, position, value, limits, stop)?, value)]
        } else {
            let all = legal_moves(game, position);
            let moves = if quest.only.is_empty() { all.as_slice() } else { quest.only };
            self.values(game, position, moves, limits, stop)?
        };
        let mut lines = Vec::new();
        for (rank, &(m, value)) in (1..).zip(ranked.iter().take(quest.multi_pv)) {
            let pv = self.line(game, position, (m, value), limits, stop);
            let depth = pv.len() as u32;
            lines.push(Line {
                depth,
                seldepth: depth,
                nodes: (self.prover.nodes() - before).max(1),
                hashfull: self.prover.fullness(),
                rank,
                // A margin found on an assumption is a guess, in hundredths of a point.
                score: match value.margin() {
                    Some(margin) if game.assumes() => Score::Guess(margin.saturating_mul(100)),
                    _ => Score::Exact(value),
                },
                pv,
            });
        }
        Some(lines)
    }
}

/// Megabytes of the table for guesses.
const GUESS_MB: usize = 8;

impl<G: Reduced + Heuristic> Seeker<G> for Windows<G> {
    fn seek(
        &mut self,
        game: &G,
        quest: &Quest<'_, G>,
        stop: &AtomicBool,
        oracle: Option<&dyn Oracle<G>>,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) {
        let now = Instant::now();
        let end = quest.limits.hard;
        // Part of the time is kept for a guess; where none was set there is something to play at once all the same,
        // and bounds are told with it as they are proved.
        let proving = end.map(|end| now + end.saturating_duration_since(now).mul_f64(PROVING));
        let mut guess: Option<Line<G::Move>> = None;
        if proving.is_none() {
            let limits = Limits { depth: Some(1), infinite: false, ..quest.limits };
            self.guesser.seek(game, &Quest { limits, ..*quest }, stop, oracle, &mut |line| {
                report(line);
                if line.rank == 1 {
                    guess = Some(line.clone());
                }
            });
        }
        let limits = Limits { hard: proving, ..quest.limits };
        let mut watch = |score: Score, nodes: u64| {
            if let (Some(guess), None, false) = (&guess, score.exact(), game.assumes()) {
                report(&Line { score, nodes: nodes.max(1), ..guess.clone() });
            }
        };
        if quest.limits.depth.is_none()
            && let Some(lines) = self.prove(game, quest, &limits, stop, &mut watch)
        {
            lines.iter().for_each(report);
            while quest.limits.infinite && !stop.load(Relaxed) && end.is_none_or(|end| Instant::now() < end) {
                std::thread::sleep(Duration::from_millis(1));
            }
        } else if !stop.load(Relaxed) {
            self.guesser.seek(game, quest, stop, oracle, report);
        }
    }

    fn configure(&mut self, settings: &Settings) {
        *self = Windows::new(settings.hash_mb, settings.threads);
    }

    fn assumes(&self, game: &G) -> bool {
        game.assumes()
    }

    fn keep(&mut self, keeper: Keeper) -> Option<Result<bool, TableError>> {
        Some(self.prover.keep(keeper))
    }
}

/// The share of the time that the proof may take.
const PROVING: f64 = 0.7;
