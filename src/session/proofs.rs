//! Proof numbers and alpha-beta together as a session's search, for games with narrow wins.
//!
//! First the proof by numbers has a share of the time to find a win for the player to move. Where it finds one, that is
//! said, and alpha-beta goes on from there: it knows in how many plies, and what to do where nobody wins.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::{Quest, Seeker, Settings};
use crate::game::{Heuristic, Scored};
use crate::solve::pns::{Answer, Prover};
use crate::solve::search::Searcher;
use crate::solve::{Limits, Line, Oracle};
use crate::value::{Score, Unit, Value, Wdl};

/// The share of the time that the proof by numbers may take, and of the memory.
const SHARE: u32 = 4;
/// Nodes of the first try by alpha-beta where there is no limit of time; each later one has four times as many.
const FIRST_TRY: u64 = 160_000;
/// The proof by numbers has one in so many of these nodes before: where nobody has a narrow win it finds no end.
const SHARE_OF_NODES: u64 = 8;

/// Looks for a win by proof numbers, then searches by alpha-beta.
pub struct Proofs<G: Scored> {
    prover: Option<Prover>,
    megabytes: usize,
    searcher: Searcher<G>,
    /// Whether any proof of a win will do.
    first: bool,
}

impl<G: Scored + Heuristic> Proofs<G> {
    /// With tables of `hash_mb` megabytes together, and this many threads for alpha-beta.
    pub fn new(hash_mb: usize, threads: usize) -> Proofs<G> {
        let megabytes = hash_mb / SHARE as usize;
        let searcher = Searcher::new(hash_mb - megabytes, threads);
        Proofs { prover: None, megabytes, searcher, first: false }
    }

    /// Whether the player to move wins, and how; `None` where the limits ended the proof.
    fn ask(
        &mut self,
        game: &G,
        quest: &Quest<'_, G>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<Answer<Line<G::Move>>> {
        if self.prover.is_none() && self.megabytes > 0 {
            self.prover = Prover::new(self.megabytes).map_err(|why| log::warn!("{why}")).ok();
        }
        let prover = self.prover.as_mut()?;
        let before = prover.nodes();
        Some(match prover.ask(game, quest.position, WIN, limits, stop)? {
            Answer::Missed => Answer::Missed,
            Answer::Reached(m) => {
                let nodes = (prover.nodes() - before).max(1);
                let score = Score::AtLeast(Value::WIN);
                let pv = vec![m];
                Answer::Reached(Line { depth: 1, seldepth: 1, nodes, hashfull: 0, rank: 1, score, pv })
            }
        })
    }
}

/// Any win at all: the least value above a draw.
const WIN: Value = Value::from_raw(1);

impl<G: Scored + Heuristic> Seeker<G> for Proofs<G> {
    fn seek(
        &mut self,
        game: &G,
        quest: &Quest<'_, G>,
        stop: &AtomicBool,
        oracle: Option<&dyn Oracle<G>>,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) {
        let Limits { depth, nodes, soft, hard, infinite } = quest.limits;
        let plain = quest.only.is_empty() && quest.multi_pv == 1 && game.unit() == Unit::Outcome;
        if !plain || quest.worth.is_some() || depth.is_some() || nodes.is_some() {
            return self.searcher.seek(game, quest, stop, oracle, report);
        }
        let timeless = soft.is_none() && hard.is_none() && !infinite;
        let now = Instant::now();
        let until = soft.or(hard).map(|end| now + end.saturating_duration_since(now) / SHARE);
        let mut budget = FIRST_TRY;
        let mut answer = None;
        loop {
            let share = Limits {
                hard: until,
                nodes: until.is_none().then_some(budget / SHARE_OF_NODES),
                ..Limits::default()
            };
            answer = answer.or_else(|| self.ask(game, quest, &share, stop));
            let won = match &answer {
                Some(Answer::Reached(line)) => Some(line),
                _ => None,
            };
            if let Some(line) = won {
                report(line);
                if self.first && !infinite {
                    return;
                }
            }
            // With an answer, and with a limit of time, alpha-beta has all that is left.
            let tries = timeless && answer.is_none();
            let limits = Limits { nodes: tries.then_some(budget), ..quest.limits };
            let mut settled = false;
            let mut last: Option<Line<G::Move>> = None;
            self.searcher.seek(game, &Quest { limits, ..*quest }, stop, oracle, &mut |line| {
                settled = line.score.exact().is_some();
                // A guess does not take the place of a proof.
                if won.is_none() || wins(line.score) {
                    report(line);
                    last = Some(line.clone());
                }
            });
            if let (Some(line), None) = (won, last) {
                report(line);
            }
            if settled || !tries || stop.load(Relaxed) {
                return;
            }
            budget = budget.saturating_mul(4);
        }
    }

    fn configure(&mut self, settings: &Settings) {
        let mut next = Proofs::new(settings.hash_mb, settings.threads);
        next.first = settings.extra.iter().any(|(name, value)| name == "Distance" && value == "first");
        let hash_mb = settings.hash_mb - next.megabytes;
        next.searcher.configure(&Settings { hash_mb, ..settings.clone() });
        *self = next;
    }
}

/// Whether a win is proved.
fn wins(score: Score) -> bool {
    match score {
        Score::Exact(value) | Score::AtLeast(value) => value.wdl() == Wdl::Win,
        _ => false,
    }
}
