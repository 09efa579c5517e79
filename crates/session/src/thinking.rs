//! From the limits of a `go` to a session's move: the choice among known values, else a search.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::game::Player;
use grundy_core::sorting;
use grundy_core::table::TableError;
use grundy_core::value::{Score, Value};

use crate::answer::{
    LISTED, Valued, avoid_repetition, best_moves, choose, line, prefer_progress, prefer_without_rule,
    valued_moves,
};
use crate::board::{Listed, Move, MoveQuestion};
use crate::session::{Ready, Session};
use crate::{Distance, Evaluation, Go, Info, Known, Limits, Listing, Method, SolveError, Work};

/// Playouts for each ply of depth, in a game without a search.
const PLAYOUTS: u64 = 100;
/// The most moves of a position that is searched: a search has a place for each.
const MOST_MOVES: usize = 100_000;

impl Session {
    /// Reports whether the position has too many moves for a search.
    fn is_numerous(&mut self) -> bool {
        self.board.list(Listed::Legal, MOST_MOVES + 1).is_some_and(|moves| moves.len() > MOST_MOVES)
    }

    /// Starts searches from the results in a file and saves theirs to it, at the interval `every` and at their end, until
    /// the session is configured again. Returns whether the file exists already; `None` if the game's search cannot save
    /// results.
    pub fn keep(&mut self, file: &Path, every: Duration) -> Option<Result<bool, TableError>> {
        self.board.keep(&self.home.name, file, every, &self.settings)
    }

    /// Lists a strategy of `player` from the position that gets him at least `target`: `visit` receives the number of its
    /// positions and each position, the first one first, until it returns false. Returns the position's value with the
    /// player's moves so fixed, for the player to move; `None` inside if the player cannot get as much. `None` if the game
    /// has no search.
    ///
    /// # Errors
    /// The work was stopped, or positions repeat.
    pub fn strategy(
        &mut self,
        player: Player,
        target: Value,
        work: &Work<'_>,
        visit: &mut dyn FnMut(usize, Listing<'_>) -> bool,
    ) -> Option<Result<Option<Value>, SolveError>> {
        if !self.board.searches() {
            return None;
        }
        let listed = self.board().map_err(SolveError::Broken).and_then(|mut board| {
            crate::strategy::list(&mut *board, &self.settings, (player, target), work, visit)
        });
        Some(listed)
    }

    /// Returns a certificate of the position's value in a form of the game's own, of which `referee check` knows the first
    /// word; `None` if the game has none, or it is not found before the work ends.
    pub fn certificate(&self, work: &Work<'_>) -> Option<String> {
        self.board.certificate(work.stop)
    }

    /// Does the preparation of [`Session::think`], within the part of the limits that may be spent on it, unless it has
    /// been done for this position since the last search. Opening or building a table may take half of the time, nine tenths
    /// in a game without a search.
    pub fn prepare(&mut self, go: &Go, stop: &AtomicBool) -> &Ready {
        self.prepare_within(go, &self.work(stop))
    }

    /// As [`Session::prepare`], within the limits of `work`.
    pub fn prepare_within(&mut self, go: &Go, work: &Work<'_>) -> &Ready {
        let weights = self.weigh();
        let ready = match self.prepared.take() {
            Some(ready) => ready,
            // Playouts need nothing.
            None if self.settings.method == Method::MonteCarlo => Ready::default(),
            None => {
                // Without a search, the last tenth of the time is for playouts.
                let tenth = |end: Instant| end.saturating_duration_since(Instant::now()) / 10;
                let hard = go.limits.hard.filter(|_| !self.board.searches());
                let until = hard.map(|end| end - tenth(end));
                self.ready_to_search(&Work { until, ..*work }, &go.limits)
            }
        };
        let ready = self.prepared.insert(ready);
        if ready.value.is_none() {
            let told = |file: PathBuf| format!("searches with limits use the weights {}", file.display());
            ready.notes.extend(weights.map_or_else(Some, |file| file.map(told)));
        }
        ready
    }

    /// Finds a move: at once if the value is known and [`Method::MonteCarlo`] was not chosen, else by a search within
    /// the limits. What exact answers need is [prepared](Session::prepare) first. `report` receives every line as it is
    /// found; the last one of rank 1 holds the answer. Returns `None` only if the game has [ended](Session::ended).
    pub fn think(&mut self, go: &Go, stop: &AtomicBool, report: &mut dyn FnMut(Info)) -> Option<String> {
        let textbook = self.settings.evaluation == Evaluation::Lines && self.board.evaluates();
        let playouts = self.settings.method == Method::MonteCarlo;
        let known = if go.alone { None } else { self.prepare(go, stop).value };
        self.prepared = None;
        // What was refused has been told with the preparation.
        let _ = self.weigh();
        if self.ended().is_some() {
            return None;
        }
        let mut only: Vec<Move> = go.search_moves.iter().filter_map(|word| self.spelt(word)).collect();
        if let Some(value) = known.filter(|_| !textbook && !playouts)
            && let Some(word) = self.answer(value, &only, go.limits.hurry(), report)
        {
            return Some(word);
        }
        // What holds with the moves of a known result, or under a bound from the caller, is not proved here.
        let whole = only.is_empty() && go.at_least.is_none();
        let single = self.settings.multi_pv <= 1 && !textbook && !playouts;
        if whole && single && !go.alone && go.limits.are_tight() {
            let words = self.known_result().map_or(&[][..], Known::candidates).to_vec();
            only = words.iter().filter_map(|word| self.board.find(word)).collect();
        }
        let proves = whole && only.is_empty();
        let (mut best, mut proved) = (None, None);
        // Within limits, playouts guess where a game has no search of its own.
        let guesses = known.is_none() && go.limits.are_tight();
        if (self.board.searches() || textbook || playouts || guesses) && !self.is_numerous() {
            // Playouts have no depth.
            let mut go = go.clone();
            if let (true, Some(depth)) = (guesses && !playouts && !self.board.searches(), go.limits.depth) {
                let nodes = u64::from(depth).saturating_mul(PLAYOUTS);
                go.limits.nodes = Some(go.limits.nodes.map_or(nodes, |most| most.min(nodes)));
            }
            self.board.search(&go, &only, &self.settings, stop, &mut |mut info| {
                if info.rank == 1 {
                    best = info.pv.first().cloned();
                    let sure = proves && !matches!(info.score, Score::Guess(_));
                    proved = best.clone().filter(|_| sure).map(|word| (info.score, word));
                }
                // A line of one move with the score of a draw would claim that the move ends the game.
                if (info.score, info.pv.len()) == (Score::Guess(0), 1) {
                    info.score = Score::Guess(1);
                }
                report(info);
            });
        }
        self.proved = proved;
        if best.is_some() {
            return best;
        }
        // Without a method, or stopped before anything was found: any legal move, no node, and an empty guess.
        let m = only.first().copied().or_else(|| self.board.list(Listed::Legal, 1)?.first().copied())?;
        let word = self.board.word(m);
        report(Info { nodes: 0, ..Info::new(Score::Guess(1), self.unit(), vec![word.clone()]) });
        Some(word)
    }

    /// Returns the extent of proofs that the settings ask for.
    pub(crate) fn distance(&self) -> Distance {
        self.settings.distance
    }

    /// Returns proved bounds of a move's value for the player who makes it, by a search within the limits of `work`.
    pub(crate) fn bounds_of_move(
        &mut self,
        word: &str,
        question: &MoveQuestion,
        work: &Work<'_>,
    ) -> (Value, Value) {
        let Some(m) = self.board.find(word) else { return (Value::loss_in(0), Value::win_in(0)) };
        let limits = Limits { hard: work.until, ..Limits::default() };
        self.board.bounds(m, question, &self.settings, limits, work.stop)
    }

    /// Answers from the known value, best line first; returns `None` if the moves are to be told apart by a search.
    /// In a hurry the lines are short.
    fn answer(
        &mut self,
        value: Value,
        only: &[Move],
        hurried: bool,
        report: &mut dyn FnMut(Info),
    ) -> Option<String> {
        let mut ranked: Vec<(Move, Value)> = Vec::new();
        let lot = self.settings.seed.is_some().then(|| self.random.bits());
        let board = self.board.as_mut();
        if only.is_empty() {
            let mut best = best_moves(board, value, LISTED);
            prefer_without_rule(board, &mut best);
            prefer_progress(board, value, &mut best);
            let instead = avoid_repetition(board, value, &mut best);
            let chosen = match lot {
                Some(lot) if !best.is_empty() => best.get((lot % best.len() as u64) as usize).copied(),
                _ => choose(board, &best),
            };
            ranked.push(instead.or_else(|| Some((chosen?, value)))?);
        }
        let longer = ranked.first().is_some_and(|&(_, worth)| worth != value);
        let lines = self.settings.multi_pv.max(1);
        if !only.is_empty() || lines > 1 {
            let list: Vec<Valued> = if only.is_empty() {
                valued_moves(board, LISTED, None).0
            } else {
                only.iter().map(|&m| (m, board.worth(m))).collect()
            };
            if board.searches() && list.iter().any(|(_, value)| value.is_none()) {
                return None;
            }
            let mut list: Vec<_> = list.into_iter().filter_map(|(m, value)| Some((m, value?))).collect();
            sorting::sort_by_key(&mut list, |&(_, value)| std::cmp::Reverse(value));
            for (m, v) in list {
                if ranked.len() < lines && ranked.iter().all(|r| r.0 != m) {
                    ranked.push((m, v));
                }
            }
        }
        let found: Vec<Info> = (1..)
            .zip(&ranked)
            .map(|(rank, &(m, value))| {
                let pv = line(self.board.as_mut(), m, value, hurried);
                let depth = value.plies().map_or(pv.len(), |plies| plies as usize).max(1) as u32;
                // The distance of a longer win that avoids repetitions is not known exactly.
                let score = match value.margin() {
                    None if longer && rank == 1 => Score::AtLeast(Value::WIN),
                    Some(_) if longer && rank == 1 => Score::AtLeast(value),
                    _ => Score::Exact(value),
                };
                Info { rank, depth, seldepth: depth, ..Info::new(score, self.board.unit(), pv) }
            })
            .collect();
        let best = found.first()?.pv.first().cloned();
        found.into_iter().for_each(report);
        best
    }
}
