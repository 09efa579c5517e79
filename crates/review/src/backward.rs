//! Values of the positions of a game, from its last to its first: from tables where there are any, else by a search that
//! keeps what it has learned of later positions.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use grundy_core::value::{Step, Unit, Value, Wdl};
use grundy_session::{Distance, Go, Judge, Limits, Picked, Session, Settings, Support, at_once};
use rustc_hash::FxHashMap;

/// The most values kept between games.
const MOST_KNOWN: usize = 1 << 20;

/// Proves values of positions. What is learned of one position serves the next.
pub struct Backward {
    session: Session,
    /// True if wins and losses are proved with their distances.
    distances: bool,
    /// Values that were proved before, by canonical position and clock.
    known: FxHashMap<(String, Option<u32>), Value>,
    /// The position searched last, and a move that keeps its value.
    best: Option<(String, String)>,
}

impl Backward {
    /// Returns a prover of values of the session's game. With [`Distance::First`] in the settings it proves who wins, and
    /// distances only where a table has them.
    pub fn new(mut session: Session, settings: &Settings) -> Backward {
        session.configure(settings);
        let distances = settings.distance == Distance::Exact;
        Backward { session, distances, known: FxHashMap::default(), best: None }
    }

    /// Returns a prover of the same game with other settings. Tables are shared.
    #[must_use]
    pub fn fork(&self, settings: &Settings) -> Backward {
        Backward::new(self.session.at_start(), settings)
    }

    /// Returns the value of a position without its history, if it is proved before `until`, or known without a
    /// search: exact in a game for points, else at least the outcome. `has` is the value of a move.
    pub fn value(
        &mut self,
        position: &str,
        has: Option<Value>,
        until: Instant,
        stop: &AtomicBool,
    ) -> Option<Value> {
        self.session.setup(Some(position)).ok()?;
        if let Some(over) = self.session.over() {
            return Some(over);
        }
        let image = (self.session.canonical(), self.session.clock());
        if let Some(known) = self.known.get(&image) {
            return Some(*known);
        }
        let judge = Judge::new(self.session.unit(), Support::Ranks);
        if Instant::now() >= until {
            return self.session.value_within(&at_once()).filter(|&value| judge.admits(value).is_ok());
        }
        let limits = Limits { hard: Some(until), ..Limits::default() };
        // A loss of unknown length bounds nothing.
        let at_least = has.filter(|has| has.margin().is_some() || has.wdl() == Wdl::Draw);
        let go = Go { limits, at_least, ..Go::default() };
        let (mut proved, mut best) = (None, None);
        self.session.think(&go, stop, &mut |info| {
            if info.rank == 1 {
                proved = info.score.settled().filter(|&value| judge.admits(value).is_ok());
                best = info.pv.first().cloned();
            }
        });
        if let Some(value) = proved
            && self.known.len() < MOST_KNOWN
        {
            self.known.insert(image, value);
        }
        self.best = best.filter(|_| proved.is_some()).map(|word| (position.to_string(), word));
        proved
    }

    /// Completes the values of the positions of a game, one more than its moves, from the last to the first. `steps` are
    /// those of its moves.
    pub fn complete(
        &mut self,
        positions: &[String],
        steps: &[Step],
        values: &mut [Option<Value>],
        until: Instant,
        stop: &AtomicBool,
    ) {
        for i in (0..positions.len()).rev() {
            self.complete_at(i, positions, steps, values, until, stop);
        }
    }

    /// Completes the value of position `i` alone, as [`Backward::complete`] does.
    pub fn complete_at(
        &mut self,
        i: usize,
        positions: &[String],
        steps: &[Step],
        values: &mut [Option<Value>],
        until: Instant,
        stop: &AtomicBool,
    ) {
        if values[i].is_some_and(|value| !self.distances || !value.is_unmeasured()) {
            return;
        }
        let has = steps.get(i).and_then(|&step| Some(values[i + 1]?.back(step)));
        // A winning move proves a won position.
        let won = self.session.unit() == Unit::Outcome && has.is_some_and(|has| has.wdl() == Wdl::Win);
        let found = match won && !self.distances {
            true => Some(Value::WIN),
            false => self.value(&positions[i], has, until, stop),
        };
        values[i] = found.or(values[i]);
    }

    /// Returns a move that keeps the value of a position, with its distance if distances are proved, if that position was the
    /// last to be searched.
    pub fn take_best(&mut self, position: &str) -> Option<String> {
        self.best.take_if(|(at, _)| at == position).map(|(_, word)| word)
    }

    /// Returns the moves that keep the value of a position, in a game of outcome who wins, as far as the values of its
    /// first `limit` moves are proved before `until`.
    pub fn keeping(
        &mut self,
        position: &str,
        value: Value,
        limit: usize,
        until: Instant,
        stop: &AtomicBool,
    ) -> Picked {
        let mut picked = Picked { words: Vec::new(), complete: false };
        if self.session.setup(Some(position)).is_err() {
            return picked;
        }
        let points = self.session.unit().is_points();
        let moves = self.session.successors(limit + 1);
        picked.complete = moves.len() <= limit;
        for m in moves.into_iter().take(limit) {
            let after = m.over.or_else(|| self.value(&m.position, None, until, stop));
            match after.map(|after| after.back(m.step)) {
                Some(has) if if points { has == value } else { has.wdl() == value.wdl() } => {
                    picked.words.push(m.word);
                }
                Some(_) => {}
                None => picked.complete = false,
            }
        }
        picked
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should fail
    use std::time::Duration;

    use super::*;
    use crate::tests::CATALOG;
    use grundy_session::NEVER;

    #[test]
    fn the_positions_of_a_game_are_proved_from_its_end() {
        let mut rules = CATALOG.open("connect4:4x4", &Settings::default()).unwrap();
        let (mut positions, mut steps) = (vec![rules.position()], Vec::new());
        for word in ["a", "b", "a", "b", "a", "c"] {
            steps.push(rules.play(word).unwrap().step);
            positions.push(rules.position());
        }
        for distance in [Distance::First, Distance::Exact] {
            let settings = Settings { hash_mb: 1, distance, ..Settings::default() };
            let mut prover = Backward::new(rules.at_start(), &settings);
            let until = Instant::now() + Duration::from_secs(60);
            let mut values = vec![None; positions.len()];
            prover.complete(&positions, &steps, &mut values, until, &NEVER);
            let plies: Vec<_> = values.iter().map(|value| value.unwrap().plies()).collect();
            // The fourth stone on the first column wins.
            assert_eq!(values[6].unwrap().wdl(), Wdl::Win);
            assert!(distance == Distance::First || plies[6] == Some(1), "{values:?}");
            let kept = prover.keeping(&positions[5], values[5].unwrap(), 9, until, &NEVER);
            assert_eq!((kept.words.join(" "), kept.complete), ("a".to_owned(), true));
            assert!(!prover.keeping(&positions[0], Value::DRAW, 2, until, &NEVER).complete);
        }
    }
}
