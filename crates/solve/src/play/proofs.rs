//! Proof-number search and alpha-beta combined into one search for a session, for games with narrow wins.
//!
//! Proof-number search first gets a share of the time to find a win for the player to move. Where it finds none,
//! alpha-beta asks who wins, and then in how many plies. What one of them has proved is reported, and no later estimate
//! replaces it.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use grundy_core::game::Scored;
use grundy_core::value::{Score, Unit, Value};
use grundy_session::{Distance, Limits, Settings};

use super::seeker::Seeker;
use crate::pns::{ProofNumberSearch, ProofOutcome};
use crate::search::{Bounds, Heuristic, Searcher};
use crate::{Question, Variation, places};

/// Proof-number search gets one part in so many of the time, and of the memory.
const SHARE: u32 = 4;
/// The node budget of the first alpha-beta search where there is no limit of time; each later one has four times as
/// much.
const FIRST_TRY: u64 = 160_000;
/// Proof-number search gets one part in so many of these nodes: without a narrow win it would not come to an end.
const SHARE_OF_NODES: u64 = 8;

/// Proof-number search for a win first, then alpha-beta.
pub struct Proofs<G: Scored> {
    prover: Option<ProofNumberSearch>,
    megabytes: usize,
    searcher: Searcher<G>,
}

impl<G: Scored + Heuristic + Bounds> Proofs<G> {
    fn nodes(&self) -> u64 {
        self.searcher.nodes() + self.prover.as_ref().map_or(0, ProofNumberSearch::nodes)
    }

    /// Whether the player to move wins, and how; `None` where the limits ended the proof.
    fn ask(&mut self, question: &Question<'_, G>) -> Option<ProofOutcome<Variation>> {
        if self.prover.is_none() && self.megabytes > 0 {
            self.prover = ProofNumberSearch::new(self.megabytes).map_err(|why| log::warn!("{why}")).ok();
        }
        let prover = self.prover.as_mut()?;
        let before = prover.nodes();
        let Question { game, position, limits, stop, .. } = *question;
        Some(match prover.ask(game, position, WIN, &limits, stop)? {
            ProofOutcome::Missed => ProofOutcome::Missed,
            ProofOutcome::Reached(m) => {
                let nodes = (prover.nodes() - before).max(1);
                let score = Score::AtLeast(Value::WIN);
                let pv = places(game, position, &[m]);
                ProofOutcome::Reached(Variation {
                    depth: 1,
                    seldepth: 1,
                    nodes,
                    hashfull: 0,
                    rank: 1,
                    score,
                    pv,
                })
            }
        })
    }
}

/// Any win at all: the least value above a draw.
const WIN: Value = Value::from_raw(1);

impl<G: Scored + Heuristic + Bounds> Seeker<G> for Proofs<G> {
    fn new(settings: &Settings) -> Proofs<G> {
        let megabytes = settings.hash_mb / SHARE as usize;
        let searcher = Searcher::new(settings.hash_mb - megabytes, settings.threads);
        Proofs { prover: None, megabytes, searcher }
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(&Variation)) {
        let Limits { depth, nodes, soft, hard, infinite } = question.limits;
        let plain = question.lines == 1 && question.game.unit() == Unit::Outcome;
        let end = soft.or(hard);
        let timeless = end.is_none() && !infinite;
        let whole = question.only.is_empty();
        if !plain || depth.is_some() || nodes.is_some() || timeless && !whole {
            return self.searcher.seek(question, report);
        }
        // A share of the time that is left, or of the nodes of this try.
        let share = |of_time: u32, nodes: u64| {
            let now = Instant::now();
            let hard = end.map(|end| now + end.saturating_duration_since(now) / of_time);
            Limits { hard, nodes: hard.is_none().then_some(nodes), ..Limits::default() }
        };
        let before = self.nodes();
        let first = question.distance == Distance::First;
        let mut teller = Teller { report, first, spent: 0, told: None, deepest: None, settled: false };
        let mut hopeless = !whole;
        let mut budget = FIRST_TRY;
        loop {
            if teller.told.is_none() && !hopeless {
                teller.spent = self.nodes() - before;
                let limits = share(SHARE, budget / SHARE_OF_NODES);
                match self.ask(&Question { limits, ..*question }) {
                    Some(ProofOutcome::Reached(line)) => teller.tell(&line),
                    Some(ProofOutcome::Missed) => hopeless = true,
                    None => {}
                }
            }
            if teller.told.is_none() && !first {
                // Who wins may be easy to see where how soon is not.
                let who_wins = Question { distance: Distance::First, limits: share(2, budget), ..*question };
                // Without a clock nobody waits for guesses: they are left out, and what is proved then shows its line.
                let alone = Question { earlier: &[], only: &[], book: None, ..who_wins };
                let proved = timeless && self.searcher.value(&alone).is_some();
                if proved || !timeless {
                    teller.spent = self.nodes() - before;
                    let limits = if proved { Limits::default() } else { who_wins.limits };
                    self.searcher.seek(&Question { limits, ..who_wins }, &mut |line| teller.tell(line));
                }
            }
            if (teller.settled || first && teller.told.is_some()) && !infinite {
                return;
            }
            // With an answer, and with a limit of time, alpha-beta has all that is left.
            let tries = timeless && teller.told.is_none();
            let limits = Limits { nodes: tries.then_some(budget), ..question.limits };
            teller.spent = self.nodes() - before;
            self.searcher.seek(&Question { limits, ..*question }, &mut |line| teller.tell(line));
            if teller.settled || !tries || question.stop.load(Relaxed) {
                return;
            }
            budget = budget.saturating_mul(4);
        }
    }
}

/// Passes on what one search after another has to say of a position, and lets no guess take the place of a proof.
struct Teller<'a> {
    report: &'a mut dyn FnMut(&Variation),
    /// Whether nobody asks how soon a game ends.
    first: bool,
    /// Nodes of the searches before.
    spent: u64,
    /// What is proved of who wins.
    told: Option<Score>,
    /// The depth of the deepest guess.
    deepest: Option<u32>,
    /// Whether the value is proved in full.
    settled: bool,
}

impl Teller<'_> {
    fn tell(&mut self, line: &Variation) {
        let mut line = Variation { nodes: line.nodes + self.spent, ..line.clone() };
        line.score = match line.score {
            score if self.first => score,
            Score::Exact(Value::WIN) => Score::AtLeast(Value::WIN),
            Score::Exact(Value::LOSS) => Score::AtMost(Value::LOSS),
            score => score,
        };
        self.settled = line.score.exact().is_some();
        match (line.score.settled(), self.told) {
            (Some(_), _) if self.settled => {}
            (Some(_), _) => self.told = Some(line.score),
            (None, Some(Score::AtLeast(_))) => return,
            // Whatever is played loses, and the search knows best what makes it hardest.
            (None, Some(told)) => line.score = told,
            (None, None) => {}
        }
        if !self.settled && !matches!(line.score, Score::AtLeast(_)) {
            if self.deepest.is_some_and(|deepest| line.depth < deepest) {
                return;
            }
            self.deepest = Some(line.depth);
        }
        (self.report)(&line);
    }
}
