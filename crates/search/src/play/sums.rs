//! The outcomes of sums as a session's search, where who wins is asked and not how soon; else another search.

use std::sync::atomic::Ordering::Relaxed;

use grundy_core::game::{Scored, legal_moves};
use grundy_core::sorting;
use grundy_core::value::{Score, Unit, Value};
use grundy_session::{Distance, Info, Settings, Work, quiet_work};
use grundy_sums::cgt::Partizan;

use super::seeker::{SearchMethod, widest};
use crate::Question;
use crate::sums::{SMALL, SumSearch, effort};

/// Outcomes of sums if the settings ask who wins; for all other questions, and within limits, the search `S`.
pub struct SumProofs<G: Scored + Partizan, S> {
    settings: Settings,
    /// False if the settings ask for distances, or once the outcomes of sums were not to be found.
    by_sums: bool,
    sums: Option<SumSearch<G>>,
    rest: Option<S>,
}

impl<G: Scored + Partizan, S: SearchMethod<G>> SumProofs<G, S> {
    fn sums(&mut self) -> Option<&mut SumSearch<G>> {
        // One of the two searches has the memory.
        self.rest = None;
        if self.sums.is_none() {
            let made = SumSearch::new(self.settings.hash_mb, SMALL);
            self.sums = made.map_err(|why| log::warn!("{why}")).ok();
        }
        self.sums.as_mut()
    }

    fn rest(&mut self) -> &mut S {
        self.sums = None;
        self.rest.get_or_insert_with(|| S::new(&self.settings))
    }

    /// Reports whether the outcomes of sums answer a question.
    fn serves(&self, question: &Question<'_, G>) -> bool {
        self.by_sums && question.distance == Distance::First && question.game.unit() == Unit::Outcome
    }

    /// Leaves all questions to the other search.
    fn give_up(&mut self) {
        log::warn!("the canonical forms need more memory: positions are searched in place of sums");
        (self.by_sums, self.sums) = (false, None);
    }

    /// Proves who wins, and by which move; reports each move as it is searched. `None` if the work ended, or if the
    /// outcomes of sums were not to be found.
    fn prove(
        &mut self,
        question: &Question<'_, G>,
        report: &mut dyn FnMut(Info<G::Move>),
    ) -> Option<Info<G::Move>> {
        let Question { game, position, stop, .. } = *question;
        let sums = self.sums()?;
        let (work, before) = (Work { stop, ..quiet_work() }, sums.nodes());
        let line = |score: Score, m: Option<G::Move>, nodes: u64, hashfull: u32| {
            let nodes = (nodes - before).max(1);
            Info { nodes, hashfull, ..Info::new(score, game.unit(), m.into_iter().collect()) }
        };
        let mut filled = 0;
        let mut moves = legal_moves(game, position);
        sorting::sort_by_cached_key(&mut moves, |&m| {
            let child = game.play(position, m);
            let (turn, parts) = (game.turn(&child), game.parts(&child));
            let each = |part| effort([turn, !turn].map(|player| game.mobility(part, player)));
            parts.iter().map(each).sum::<i32>()
        });
        for &m in &moves {
            let mut watch = |nodes, hashfull| {
                filled = hashfull;
                report(line(Score::Guess(0), None, nodes, hashfull));
            };
            if !sums.wins(game, &game.play(position, m), &work, &mut watch)? {
                return Some(line(Score::AtLeast(Value::WIN), Some(m), sums.nodes(), filled));
            }
        }
        let &first = moves.first()?;
        Some(line(Score::AtMost(Value::LOSS), Some(first), sums.nodes(), filled))
    }
}

impl<G: Scored + Partizan, S: SearchMethod<G>> SearchMethod<G> for SumProofs<G, S> {
    fn new(settings: &Settings) -> SumProofs<G, S> {
        let by_sums = settings.distance == Distance::First;
        SumProofs { settings: settings.clone(), by_sums, sums: None, rest: None }
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        let whole = question.lines == 1 && question.only.is_empty();
        let limited = question.limits.are_tight() || question.limits.infinite;
        if whole && !limited && self.serves(question) {
            if let Some(line) = self.prove(question, report) {
                return report(line);
            }
            if question.stop.load(Relaxed) {
                return;
            }
            self.give_up();
        }
        self.rest().seek(question, report);
    }

    fn bounds(&mut self, question: &Question<'_, G>, target: Option<Value>) -> (Value, Value) {
        if let &[m] = question.only
            && self.serves(question)
        {
            let Question { game, position, limits, stop, .. } = *question;
            let work = Work { stop, until: limits.soft.or(limits.hard), ..quiet_work() };
            let child = game.play(position, m);
            let (lo, hi) = widest(Unit::Outcome);
            match self.sums().and_then(|sums| sums.wins(game, &child, &work, &mut |_, _| {})) {
                Some(true) => return (lo, Value::LOSS),
                Some(false) => return (Value::WIN, hi),
                None if work.stopped() => return (lo, hi),
                None => self.give_up(),
            }
        }
        self.rest().bounds(question, target)
    }

    fn reaching(&mut self, question: &Question<'_, G>, target: Value) -> Option<Option<G::Move>> {
        self.rest().reaching(question, target)
    }
}
