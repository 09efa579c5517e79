//! The interface of a search to a session.

use grundy_core::game::{Game, Scored};
use grundy_core::table::TableError;
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

    /// Starts from the results in a file, and saves results to it. Returns whether the file exists already; `None` if
    /// this search cannot save results.
    fn keep(&mut self, _keeper: SearchFile) -> Option<Result<bool, TableError>> {
        None
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
