//! Marks and explanations of positions, for the games that have a method for them: it is not compiled for others.

use std::sync::Arc;

use grundy_core::game::{Notation, Scored};
use grundy_session::{Annotation, Limits, Settings, Work};

use super::erased::{Erased, Explanation};
use crate::Question;
use grundy_tables::{Annotator, FindValue};

impl<G: Scored + Notation> Explanation<G> {
    pub(super) fn new(annotator: Arc<dyn Annotator<G>>) -> Explanation<G> {
        Explanation { annotator, remarks: Erased::remarks_by, annotate: Erased::annotated_by }
    }
}

impl<G: Scored + Notation> Erased<G> {
    fn remarks_by(
        &mut self,
        annotator: &dyn Annotator<G>,
        settings: &Settings,
        work: &Work<'_>,
    ) -> Vec<String> {
        self.explained(settings, work, |game, position, value| annotator.remarks(game, position, value))
    }

    fn annotated_by(
        &mut self,
        annotator: &dyn Annotator<G>,
        settings: &Settings,
        work: &Work<'_>,
    ) -> Annotation {
        let found = self.explained(settings, work, |game, position, value| {
            if game.over(position).is_none() {
                annotator.ready(game, work);
            }
            annotator.annotate(game, position, value)
        });
        let word = |m| self.game.write_move(&self.position, m);
        let moves = found.moves.into_iter().map(|(m, mark)| (word(m), mark)).collect();
        Annotation { position: found.position, moves }
    }

    /// Calls `ask` with the position and a source of exact values: the oracle, or searches until the work ends.
    fn explained<T>(
        &mut self,
        settings: &Settings,
        work: &Work<'_>,
        ask: impl FnOnce(&G, &G::Position, &mut FindValue<'_, G::Position>) -> T,
    ) -> T {
        if work.stopped() {
            return ask(&self.game, &self.position, &mut |_| None);
        }
        let mut seeker = self.seeker(settings);
        let (game, oracle) = (&*self.game, self.methods.oracle.as_deref());
        let mut value = |position: &G::Position| {
            let known = game.over(position).or_else(|| oracle?.value(game, position));
            if work.stopped() {
                return None;
            }
            known.or_else(|| {
                let limits = Limits { hard: work.until, ..Limits::default() };
                let question = Question { limits, oracle, stop: work.stop, ..Question::new(game, position) };
                let mut value = None;
                seeker.as_mut()?.seek(&question, &mut |info| value = info.score.exact());
                value
            })
        };
        let answer = ask(game, &self.position, &mut value);
        self.seeker = seeker;
        answer
    }
}
