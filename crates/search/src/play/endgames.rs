//! Alpha-beta with a table of the last positions of the game, built where a proof takes long and has the time.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use grundy_core::value::Value;
use grundy_session::{Info, Limits, Settings, Work, quiet_work};
use grundy_tables::Oracle;
use grundy_tables::endgames::{EndgameTable, Endgames};

use super::seeker::SearchMethod;
use crate::Question;
use crate::alpha_beta::{AlphaBeta, Bounds, Heuristic};

/// Share of the memory of the search for the table, as a divisor.
const MEMORY_SHARE: usize = 4;
/// Nodes of the search before the table is built.
const FIRST_TRY: u64 = 1 << 15;
/// Searches within less time build no table.
const PATIENCE: Duration = Duration::from_secs(60);
/// Share of the parts of the game up to the position for the table, as a divisor: with more the table takes longer than the
/// search that it saves.
const PARTS_SHARE: usize = 3;

/// Alpha-beta with an [`EndgameTable`].
pub struct EndgameAlphaBeta<G: Endgames> {
    searcher: AlphaBeta<G>,
    settings: Settings,
    table: Option<EndgameTable>,
    /// The parts of the table, or of the one that could not be built.
    parts: usize,
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
    /// Returns the number of parts that a table for a question has; 0 if the question leaves no time to build it.
    fn wanted(&self, question: &Question<'_, G>) -> usize {
        let Question { game, position, limits, .. } = *question;
        let counted = limits.nodes.is_some() || limits.depth.is_some() || limits.infinite;
        if counted || limits.soft.or(limits.hard).is_some_and(|end| end < Instant::now() + PATIENCE) {
            return 0;
        }
        let (ends, index) = (game.parts(), game.index(position));
        let parts = ends.partition_point(|&end| end <= index) / PARTS_SHARE + 1;
        let bytes = ((self.settings.hash_mb << 20) / MEMORY_SHARE) as u64;
        parts.min(ends.partition_point(|&end| end <= bytes))
    }

    /// Builds the table of some parts.
    fn build(&mut self, question: &Question<'_, G>, parts: usize) {
        let Question { game, limits, stop, .. } = *question;
        // Its memory is for the new one.
        self.table = None;
        self.parts = parts;
        let threads = self.settings.threads.max(1);
        let work = Work { stop, until: limits.patience(), threads, ..quiet_work() };
        match EndgameTable::build(game, &game.parts()[..parts], &work) {
            Ok(table) => {
                let megabytes = (Oracle::<G>::bytes(&table) >> 20) as usize;
                self.searcher.resize(self.settings.hash_mb - megabytes);
                self.table = Some(table);
            }
            Err(why) => {
                log::warn!("no endgame table: {why}");
                self.searcher.resize(self.settings.hash_mb);
            }
        }
        // The next question may have the time.
        if stop.load(Relaxed) {
            self.parts = 0;
        }
    }

    /// Searches without a table as far as that is quick; returns the nodes, and whether it was enough.
    fn try_first(
        &mut self,
        question: &Question<'_, G>,
        report: &mut dyn FnMut(Info<G::Move>),
    ) -> (u64, bool) {
        let before = self.searcher.nodes();
        let limits = Limits { nodes: Some(FIRST_TRY), ..question.limits };
        let lines = self.searcher.search(&Question { limits, ..*question }, report);
        let proved = lines.iter().all(|line| line.score.exact().is_some());
        if proved {
            lines.into_iter().for_each(report);
        }
        (self.searcher.nodes() - before, proved)
    }

    /// Asks the search, with the table if there is one.
    fn ask<T>(
        &mut self,
        question: &Question<'_, G>,
        ask: impl FnOnce(&mut AlphaBeta<G>, &Question<'_, G>) -> T,
    ) -> T {
        let Some(table) = &self.table else { return ask(&mut self.searcher, question) };
        let oracle = Extended { table, beyond: question.oracle };
        ask(&mut self.searcher, &Question { oracle: Some(&oracle), ..*question })
    }
}

impl<G: Endgames + Heuristic + Bounds> SearchMethod<G> for EndgameAlphaBeta<G> {
    fn new(settings: &Settings) -> EndgameAlphaBeta<G> {
        let searcher = <AlphaBeta<G> as SearchMethod<G>>::new(settings);
        EndgameAlphaBeta { searcher, settings: settings.clone(), table: None, parts: 0 }
    }

    fn seek(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        let mut spent = 0;
        let parts = self.wanted(question);
        if parts > self.parts {
            let (nodes, proved) = self.try_first(question, report);
            spent = nodes;
            if proved {
                return;
            }
            if !question.stop.load(Relaxed) {
                self.build(question, parts);
            }
        }
        self.ask(question, |searcher, question| {
            searcher.seek(question, &mut |line| report(Info { nodes: spent + line.nodes, ..line }));
        });
    }

    fn bounds(&mut self, question: &Question<'_, G>, target: Option<Value>) -> (Value, Value) {
        self.ask(question, |searcher, question| SearchMethod::bounds(searcher, question, target))
    }

    fn reaching(&mut self, question: &Question<'_, G>, target: Value) -> Option<Option<G::Move>> {
        self.ask(question, |searcher, question| searcher.reaching(question, target))
    }
}
