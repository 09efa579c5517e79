//! The interface of a search to a session.

use grundy_core::game::{Game, Scored};
use grundy_core::table::TableError;
use grundy_core::value::{Score, Unit, Value};
use grundy_session::{Info, Settings};

use crate::Question;
use crate::alpha_beta::{AlphaBeta, Bounds, Heuristic};
use crate::lookahead::{Evaluated, Minimax};
use crate::mcts::MonteCarlo;
use crate::windows::SearchFile;

/// A search that a session can use.
pub trait SearchMethod<G: Game>: Send {
    /// Returns a search with the threads and memory of the settings.
    fn new(settings: &Settings) -> Self
    where
        Self: Sized;

    /// Searches an unfinished position. The last report of each rank holds the answer.
    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>));

    /// Returns proved bounds of the value of the best move to consider, as close as the limits allow. With `target` only
    /// whether it is worth as much is asked. A bound that nothing proves is the worst or the best value of all.
    fn bounds(&mut self, question: &Question<'_, G>, _target: Option<Value>) -> (Value, Value)
    where
        G: Scored,
    {
        reported(self, question)
    }

    /// Returns a move that is worth at least `target`, or `None` inside if there is none; `None` if the work ended first, or
    /// if the search answers by the [bounds](SearchMethod::bounds) of single moves only.
    fn reaching(&mut self, _question: &Question<'_, G>, _target: Value) -> Option<Option<G::Move>> {
        None
    }

    /// Starts from the results in a file, and saves results to it. Returns whether the file exists already; `None` if
    /// this search cannot save results.
    fn keep(&mut self, _keeper: SearchFile) -> Option<Result<bool, TableError>> {
        None
    }
}

/// Returns the bounds that a search of the moves reports.
fn reported<G: Scored, S: SearchMethod<G> + ?Sized>(
    search: &mut S,
    question: &Question<'_, G>,
) -> (Value, Value) {
    let (mut lo, mut hi) = widest(question.game.unit());
    search.seek(question, &mut |info| match info.score {
        Score::Exact(value) => (lo, hi) = (value, value),
        Score::AtLeast(value) => lo = lo.max(value),
        Score::AtMost(value) => hi = hi.min(value),
        Score::Guess(_) => {}
    });
    (lo, hi)
}

/// Returns the worst and the best value of all.
pub(super) fn widest(unit: Unit) -> (Value, Value) {
    match unit {
        Unit::Outcome => (Value::loss_in(0), Value::win_in(0)),
        Unit::Points | Unit::Fractions(_) => (Value::points(i32::MIN), Value::points(i32::MAX)),
    }
}

impl<G: Scored + Heuristic + Bounds> SearchMethod<G> for AlphaBeta<G> {
    fn new(settings: &Settings) -> AlphaBeta<G> {
        AlphaBeta::new(settings.hash_mb, settings.threads)
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        // Every line, the last word included, goes through `report`.
        let lines = self.search(question, report);
        lines.into_iter().for_each(report);
    }

    fn bounds(&mut self, question: &Question<'_, G>, target: Option<Value>) -> (Value, Value) {
        // Where positions can repeat, only the search by depth respects the positions before the root.
        if question.game.cyclic() { reported(self, question) } else { self.bounds(question, target) }
    }

    fn reaching(&mut self, question: &Question<'_, G>, target: Value) -> Option<Option<G::Move>> {
        self.reaching(question, target)
    }
}

impl<G: Scored> SearchMethod<G> for MonteCarlo<G> {
    fn new(settings: &Settings) -> MonteCarlo<G> {
        MonteCarlo::new(settings.hash_mb, settings.seed.unwrap_or(0))
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        self.search(question, report);
    }
}

impl<G: Scored + Evaluated> SearchMethod<G> for Minimax {
    fn new(_settings: &Settings) -> Minimax {
        Minimax::default()
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        self.search(question, report);
    }
}

/// Makes a search, called when it is first needed.
pub(super) type MakeSearch<G> = fn(&Settings) -> Box<dyn SearchMethod<G>>;
