//! Alpha-beta with a table of the last positions of the game, built where a search has the time to prove its value.

use std::time::{Duration, Instant};

use grundy_core::value::Value;
use grundy_session::{Info, Settings, SolveError, Work, quiet_work};
use grundy_tables::Oracle;
use grundy_tables::endgames::{EndgameTable, Endgames};

use super::seeker::SearchMethod;
use crate::Question;
use crate::alpha_beta::{AlphaBeta, Bounds, Heuristic};

/// Share of the memory of the search for the table, as a divisor.
const MEMORY_SHARE: usize = 4;
/// Shorter searches build no table.
const PATIENCE: Duration = Duration::from_secs(60);
/// Share of the parts of the game up to the position for the table, as a divisor: with more the table takes longer than the
/// search that it saves.
const PARTS_SHARE: usize = 3;

/// Alpha-beta with an [`EndgameTable`].
pub struct EndgameAlphaBeta<G: Endgames> {
    searcher: AlphaBeta<G>,
    settings: Settings,
    table: Option<EndgameTable>,
}

/// The table, and where it ends another oracle.
struct Extended<'a, G: Endgames> {
    table: &'a EndgameTable,
    beyond: Option<&'a dyn Oracle<G>>,
}

impl<G: Endgames> Oracle<G> for Extended<'_, G> {
    fn bytes(&self) -> u64 {
        Oracle::<G>::bytes(self.table) + self.beyond.map_or(0, Oracle::bytes)
    }

    #[inline]
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.table.value(game, position).or_else(|| self.beyond?.value(game, position))
    }
}

impl<G: Endgames + Heuristic + Bounds> EndgameAlphaBeta<G> {
    /// Builds the table for a position, unless there is one or the question leaves too little time.
    fn prepare(&mut self, question: &Question<'_, G>) {
        let Question { game, position, limits, stop, .. } = *question;
        let counted = limits.nodes.is_some() || limits.depth.is_some() || limits.infinite;
        let hurried = limits.soft.or(limits.hard).is_some_and(|end| end < Instant::now() + PATIENCE);
        if self.table.is_some() || counted || hurried {
            return;
        }
        let (ends, index) = (game.parts(), game.index(position));
        let parts = ends.partition_point(|&end| end <= index) / PARTS_SHARE + 1;
        let bytes = ((self.settings.hash_mb << 20) / MEMORY_SHARE) as u64;
        let affordable = ends.partition_point(|&end| end <= bytes);
        let work = Work { stop, threads: self.settings.threads.max(1), ..quiet_work() };
        match EndgameTable::build(game, &ends[..parts.min(affordable)], &work) {
            Ok(table) => {
                let megabytes = (Oracle::<G>::bytes(&table) >> 20) as usize;
                self.searcher.resize(self.settings.hash_mb - megabytes);
                self.table = Some(table);
            }
            Err(SolveError::Stopped) => {}
            Err(why) => log::warn!("no endgame table: {why}"),
        }
    }

    /// Asks the search, with the table if there is one.
    fn ask<T>(
        &mut self,
        question: &Question<'_, G>,
        ask: impl FnOnce(&mut AlphaBeta<G>, &Question<'_, G>) -> T,
    ) -> T {
        self.prepare(question);
        let Some(table) = &self.table else { return ask(&mut self.searcher, question) };
        let oracle = Extended { table, beyond: question.oracle };
        ask(&mut self.searcher, &Question { oracle: Some(&oracle), ..*question })
    }
}

impl<G: Endgames + Heuristic + Bounds> SearchMethod<G> for EndgameAlphaBeta<G> {
    fn new(settings: &Settings) -> EndgameAlphaBeta<G> {
        let searcher = <AlphaBeta<G> as SearchMethod<G>>::new(settings);
        EndgameAlphaBeta { searcher, settings: settings.clone(), table: None }
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        self.ask(question, |searcher, question| searcher.seek(question, report));
    }

    fn bounds(&mut self, question: &Question<'_, G>, target: Option<Value>) -> (Value, Value) {
        self.ask(question, |searcher, question| SearchMethod::bounds(searcher, question, target))
    }

    fn reaching(&mut self, question: &Question<'_, G>, target: Value) -> Option<Option<G::Move>> {
        self.ask(question, |searcher, question| searcher.reaching(question, target))
    }
}
