//! The alpha-beta search as a session's search.

use std::sync::atomic::AtomicBool;

use super::{Quest, Seeker, Settings};
use crate::game::{Heuristic, Scored};
use crate::solve::search::{Distance, Searcher, Task};
use crate::solve::{Line, Oracle};

impl<G: Scored + Heuristic> Seeker<G> for Searcher<G> {
    fn seek(
        &mut self,
        game: &G,
        quest: &Quest<'_, G>,
        stop: &AtomicBool,
        oracle: Option<&dyn Oracle<G>>,
        report: &mut dyn FnMut(&Line<G::Move>),
    ) {
        let history: Vec<u64> = quest.earlier.iter().map(|p| game.key(p)).collect();
        // Every line, the last word included, goes through `report`.
        let task = Task {
            position: quest.position,
            history: &history,
            only: quest.only,
            multi_pv: quest.multi_pv,
            limits: &quest.limits,
            book: quest.book,
        };
        let lines = self.search(game, &task, stop, oracle, report);
        for line in &lines {
            report(line);
        }
    }

    fn configure(&mut self, settings: &Settings) {
        let mut next = Searcher::new(settings.hash_mb, settings.threads);
        let first = settings.extra.iter().any(|(name, value)| name == "Distance" && value == "first");
        next.set_distance(if first { Distance::First } else { Distance::Exact });
        *self = next;
    }
}
