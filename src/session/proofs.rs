//! Proof numbers and alpha-beta together as a session's search, for games with narrow wins.
//!
//! First the proof by numbers has a share of the time to find a win for the player to move. Where it finds none,
//! alpha-beta asks who wins at all, and then in how many plies: what is proved by then is said, and stands.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::{Quest, Seeker, Settings};
use crate::game::{Heuristic, Scored};
use crate::solve::pns::{Answer, Prover};
use crate::solve::search::{Distance, Searcher};
use crate::solve::{Limits, Line, Oracle};
use crate::value::{Score, Unit, Value};

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

    fn nodes(&self) -> u64 {
        self.searcher.nodes() + self.prover.as_ref().map_or(0, Prover::nodes)
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
        let plain = quest.multi_pv == 1 && game.unit() == Unit::Outcome;
        let end = soft.or(hard);
        let timeless = end.is_none() && !infinite;
        let whole = quest.only.is_empty();
        if !plain || depth.is_some() || nodes.is_some() || timeless && !whole {
            return self.searcher.seek(game, quest, stop, oracle, report);
        }
        // A share of the time that is left, or of the nodes of this try.
        let share = |of_time: u32, nodes: u64| {
            let now = Instant::now();
            let hard = end.map(|end| now + end.saturating_duration_since(now) / of_time);
            Limits { hard, nodes: hard.is_none().then_some(nodes), ..Limits::default() }
        };
        let before = self.nodes();
        let mut teller =
            Teller { report, first: self.first, spent: 0, told: None, deepest: None, settled: false };
        let mut hopeless = !whole;
        let mut budget = FIRST_TRY;
        loop {
            if teller.told.is_none() && !hopeless {
                teller.spent = self.nodes() - before;
                match self.ask(game, quest, &share(SHARE, budget / SHARE_OF_NODES), stop) {
                    Some(Answer::Reached(line)) => teller.tell(&line),
                    Some(Answer::Missed) => hopeless = true,
                    None => {}
                }
            }
            if teller.told.is_none() && !self.first {
                // Who wins may be easy to see where how soon is not.
                self.searcher.set_distance(Distance::First);
                let mut limits = share(2, budget);
                // Without a clock nobody waits for guesses: they are left out, and what is proved then shows its line.
                let proved =
                    timeless && self.searcher.value(game, quest.position, &limits, stop, oracle).is_some();
                if proved {
                    limits = Limits::default();
                }
                if proved || !timeless {
                    teller.spent = self.nodes() - before;
                    let quest = Quest { limits, ..*quest };
                    self.searcher.seek(game, &quest, stop, oracle, &mut |line| teller.tell(line));
                }
                self.searcher.set_distance(Distance::Exact);
            }
            if (teller.settled || self.first && teller.told.is_some()) && !infinite {
                return;
            }
            // With an answer, and with a limit of time, alpha-beta has all that is left.
            let tries = timeless && teller.told.is_none();
            let limits = Limits { nodes: tries.then_some(budget), ..quest.limits };
            teller.spent = self.nodes() - before;
            self.searcher
                .seek(game, &Quest { limits, ..*quest }, stop, oracle, &mut |line| teller.tell(line));
            if teller.settled || !tries || stop.load(Relaxed) {
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

/// Passes on what one search after another has to say of a position, and lets no guess take the place of a proof.
struct Teller<'a, M> {
    report: &'a mut dyn FnMut(&Line<M>),
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

impl<M: Copy> Teller<'_, M> {
    fn tell(&mut self, line: &Line<M>) {
        let mut line = Line { nodes: line.nodes + self.spent, ..line.clone() };
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
