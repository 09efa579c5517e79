//! Proof-number search and alpha-beta combined into one search for a session, for games with narrow wins.
//!
//! Proof-number search first gets a share of the time to find a win for the player to move. If it finds none,
//! alpha-beta searches for the outcome, then for the distance. A proof by either is reported, and no later estimate
//! replaces it. Where playouts judge better than a game's evaluation, Monte-Carlo tree search takes the place of
//! alpha-beta under a clock.
//!
//! Where positions can repeat, alpha-beta proves wins only, and proof numbers prove draws too. Under a clock, and where a
//! position has occurred twice, so that its third time may end the game, alpha-beta then searches alone.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use grundy_core::game::{Flow, Scored, each_move, step};
use grundy_core::value::{Score, Unit, Value};
use grundy_session::{Distance, Info, Limits, Settings};

use super::seeker::{SearchMethod, widest};
use crate::Question;
use crate::alpha_beta::{AlphaBeta, Bounds, Heuristic, attempts};
use crate::mcts::MonteCarlo;
use crate::pns::{ANY_WIN, ProofNumberSearch, ProofOutcome};

/// Node budget of a round without a time limit; each later one has four times as much.
const FIRST_TRY: u64 = 160_000;
/// Divisor of these nodes for proof-number search, which would not end without a narrow win.
const PROVED: u64 = 8;
/// Divisor of these nodes for alpha-beta where wins are chains of threats.
const SEARCHED: u64 = 64;
/// Divisor of these nodes for alpha-beta where positions repeat, and it proves short wins only.
const SHORT_WINS: u64 = 4;

/// Returns the share of proof-number search in the time and the memory, in quarters.
const fn quarters<G: Bounds>() -> u32 {
    if G::THREATS { MOST } else { 1 }
}

/// The largest such share.
const MOST: u32 = 3;

/// Proof-number search for a win first, then alpha-beta.
pub struct Proofs<G: Scored> {
    prover: Option<ProofNumberSearch>,
    /// Memory of both, in megabytes.
    hash_mb: usize,
    searcher: AlphaBeta<G>,
    playouts: MonteCarlo<G>,
}

impl<G: Scored + Heuristic + Bounds> Proofs<G> {
    fn nodes(&self) -> u64 {
        self.searcher.nodes() + self.prover.as_ref().map_or(0, ProofNumberSearch::nodes)
    }

    /// Returns bounds that tell the outcome of a move, in a game without draws or in which positions repeat. Where the
    /// distance is asked for, half of the time is left for it.
    fn outcome_of_move(&mut self, question: &Question<'_, G>, m: G::Move) -> Option<(Value, Value)> {
        let Question { game, position, stop, limits, .. } = *question;
        let child = game.play(position, m);
        let step = step(game, position, m, &child);
        if let Some(value) = game.over(&child) {
            return Some((value.back(step), value.back(step)));
        }
        let now = Instant::now();
        let parts = if question.distance == Distance::First { 1 } else { 2 };
        let share = |end: Instant| now + end.saturating_duration_since(now) / parts;
        let limits = Limits { hard: limits.soft.or(limits.hard).map(share), ..limits };
        let question = Question { limits, stop, ..Question::new(game, &child) };
        let (lo, hi) = widest(Unit::Outcome);
        Some(match self.outcome(&question)?.score.settled()?.back(step) {
            Value::WIN => (Value::WIN, hi),
            Value::LOSS => (lo, Value::LOSS),
            value => (value, value),
        })
    }

    /// Proves the outcome of the position, with a move that keeps it; where there are draws and no position repeats, only
    /// whether it is a win. `None` if the limits ended the proof.
    fn outcome(&mut self, question: &Question<'_, G>) -> Option<Info<G::Move>> {
        let Question { game, position, .. } = *question;
        if let Some(won) = self.reach(question, ANY_WIN)? {
            return Some(Info { score: Score::AtLeast(Value::WIN), ..won });
        }
        if game.cyclic()
            && let Some(drawn) = self.reach(question, Value::DRAW)?
        {
            return Some(Info { score: Score::Exact(Value::DRAW), ..drawn });
        }
        let mut line = Vec::new();
        let _ = each_move(game, position, &mut |m| {
            line.push(m);
            Flow::Break(())
        });
        let most = if game.has_draws() && !game.cyclic() { Value::DRAW } else { Value::LOSS };
        Some(Info::new(Score::AtMost(most), game.unit(), line))
    }

    /// Searches whether the player to move reaches at least `target`, and by which move; `None` if the limits ended the proof.
    fn reach(&mut self, question: &Question<'_, G>, target: Value) -> Option<Option<Info<G::Move>>> {
        let Question { game, position, limits, stop, .. } = *question;
        if self.prover.is_none() {
            // Alpha-beta has little to do where proof numbers answer.
            let proofs = question.distance == Distance::First && (game.favours_proofs() || game.cyclic());
            let quarters = if proofs { MOST } else { quarters::<G>() };
            let megabytes = self.hash_mb * quarters as usize / 4;
            let prover = (megabytes > 0).then(|| ProofNumberSearch::new(megabytes));
            self.prover = prover.and_then(|made| made.map_err(|why| log::warn!("{why}")).ok());
            if self.prover.is_some() {
                self.searcher.resize(self.hash_mb - megabytes);
            }
        }
        let prover = self.prover.as_mut()?;
        let before = prover.nodes();
        Some(match prover.ask(game, position, target, &limits, stop)? {
            ProofOutcome::Missed => None,
            ProofOutcome::Reached(m) => {
                let nodes = (prover.nodes() - before).max(1);
                let line = Info::new(Score::AtLeast(target), game.unit(), vec![m]);
                Some(Info { nodes, ..line })
            }
        })
    }
}

impl<G: Scored + Heuristic + Bounds> SearchMethod<G> for Proofs<G> {
    fn new(settings: &Settings) -> Proofs<G> {
        let Settings { hash_mb, .. } = *settings;
        // A game uses the memory of alpha-beta or that of playouts.
        let rest = hash_mb - hash_mb * quarters::<G>() as usize / 4;
        let rest = Settings { hash_mb: rest, ..settings.clone() };
        Proofs {
            prover: None,
            hash_mb,
            searcher: SearchMethod::new(&rest),
            playouts: SearchMethod::new(&rest),
        }
    }

    fn bounds(&mut self, question: &Question<'_, G>, target: Option<Value>) -> (Value, Value) {
        let unit = question.game.unit();
        let (mut lo, mut hi) = widest(unit);
        let proves =
            if question.game.cyclic() { question.twice().is_empty() } else { !question.game.has_draws() };
        if let (&[m], Unit::Outcome, true) = (question.only, unit, proves) {
            (lo, hi) = self.outcome_of_move(question, m).unwrap_or((lo, hi));
            if question.distance == Distance::First || lo == hi {
                return (lo, hi);
            }
        }
        let found = SearchMethod::bounds(&mut self.searcher, question, target);
        (found.0.max(lo), found.1.min(hi))
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        let Limits { depth, nodes, soft, hard, infinite } = question.limits;
        let plain = question.lines == 1 && question.game.unit() == Unit::Outcome;
        let end = soft.or(hard);
        let timeless = end.is_none() && !infinite;
        let whole = question.only.is_empty();
        let cyclic = question.game.cyclic();
        let searched = cyclic && (!timeless || !question.twice().is_empty());
        if !plain || searched || depth.is_some() || nodes.is_some() || timeless && !whole {
            return self.searcher.seek(question, report);
        }
        // A share of the time that is left, or of the nodes of this try.
        let share = |quarters: u32, nodes: u64| {
            let now = Instant::now();
            let hard = end.map(|end| now + end.saturating_duration_since(now) * quarters / 4);
            Limits { hard, nodes: hard.is_none().then_some(nodes), ..Limits::default() }
        };
        let before = self.nodes();
        let first = question.distance == Distance::First;
        let mut teller = Teller { report, first, spent: 0, told: None, deepest: None, settled: false };
        let mut budget = FIRST_TRY;
        let Question { game, position, stop, .. } = *question;
        let mut hopeless = !whole;
        let mut tried = false;
        loop {
            if whole && (!tried || timeless && G::STRATEGIES) {
                let work = attempts(&Limits { nodes: Some(budget), ..question.limits });
                let bounds = game.bounds_of_root(position, work, stop);
                hopeless |= bounds.1 < ANY_WIN;
                if tried && bounds == (Value::DRAW, Value::DRAW) {
                    // Only a line that keeps the draw is missing.
                    let drawn = Some(Value::DRAW);
                    let question = Question { at_least: drawn, at_most: drawn, ..*question };
                    teller.spent = self.nodes() - before;
                    return self.searcher.seek(&question, &mut |line| teller.tell(line));
                }
                tried = true;
            }
            let (proof_nodes, search_nodes) = match (game.favours_proofs(), cyclic) {
                (true, _) => (budget, budget / SEARCHED),
                (false, true) => (budget, budget / SHORT_WINS),
                (false, false) => (budget / PROVED, budget),
            };
            if teller.told.is_none() && !hopeless {
                let limits = share(quarters::<G>(), proof_nodes);
                if let Some(line) = self.outcome(&Question { limits, ..*question }) {
                    hopeless = !matches!(line.score, Score::AtLeast(_));
                    teller.spent = self.nodes() - before - line.nodes;
                    if line.score.settled().is_some() {
                        if hopeless {
                            // The proof has a line of one move, and replaces any estimate.
                            teller.deepest = None;
                        }
                        teller.tell(line);
                    }
                }
            }
            if !timeless && teller.told.is_none() && question.evaluator.is_none() && game.judged_by_playouts()
            {
                teller.spent = self.nodes() - before;
                self.playouts.seek(question, &mut |line| {
                    // The length of a line says nothing about the work that it cost.
                    teller.deepest = None;
                    teller.tell(line);
                });
                return;
            }
            if teller.told.is_none() && !first && !cyclic {
                // Who wins may be easy to see where how soon is not.
                let who_wins =
                    Question { distance: Distance::First, limits: share(2, search_nodes), ..*question };
                // Without a clock nobody waits for guesses: they are left out, and what is proved then shows its line.
                let alone = Question { earlier: &[], only: &[], book: None, ..who_wins };
                let proved = if timeless { self.searcher.value(&alone) } else { None };
                if proved.is_some() || !timeless {
                    teller.spent = self.nodes() - before;
                    let limits = if timeless { Limits::default() } else { who_wins.limits };
                    let draw = proved.filter(|&value| value == Value::DRAW);
                    let (at_least, at_most) = (draw.or(who_wins.at_least), draw.or(who_wins.at_most));
                    let question = Question { limits, at_least, at_most, ..who_wins };
                    self.searcher.seek(&question, &mut |line| teller.tell(line));
                }
            }
            if (teller.settled || first && teller.told.is_some()) && !infinite {
                return;
            }
            // With an answer, and with a limit of time, alpha-beta has all that is left. The distance of a win by chains of
            // threats is mostly out of reach.
            let tries = timeless && (G::THREATS || teller.told.is_none());
            let limits = Limits { nodes: tries.then_some(search_nodes), ..question.limits };
            teller.spent = self.nodes() - before;
            self.searcher.seek(&Question { limits, ..*question }, &mut |line| teller.tell(line));
            let won = G::THREATS && teller.told.is_some();
            if teller.settled || won || !tries || question.stop.load(Relaxed) {
                return;
            }
            budget = budget.saturating_mul(4);
        }
    }
}

/// Forwards the reports of consecutive searches of a position, so that no estimate replaces a proof.
struct Teller<'a, M> {
    report: &'a mut dyn FnMut(Info<M>),
    /// True if the outcome alone is asked for.
    first: bool,
    /// Nodes of the earlier searches.
    spent: u64,
    /// The proved outcome.
    told: Option<Score>,
    /// Depth of the deepest estimate.
    deepest: Option<u32>,
    /// True if the value is proved in full.
    settled: bool,
}

impl<M> Teller<'_, M> {
    fn tell(&mut self, mut line: Info<M>) {
        line.nodes += self.spent;
        line.score = match line.score {
            score if self.first => score,
            Score::Exact(Value::WIN) => Score::AtLeast(Value::WIN),
            Score::Exact(Value::LOSS) => Score::AtMost(Value::LOSS),
            score => score,
        };
        self.settled = line.score.exact().is_some();
        // Who wins was told already, with a distance.
        match (line.score, self.told) {
            (Score::AtLeast(new), Some(Score::AtLeast(told))) if new < told => return,
            (Score::AtMost(new), Some(Score::AtMost(told))) if new > told => return,
            _ => {}
        }
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
        (self.report)(line);
    }
}
