//! Exact values of a session's position: known without a search, by formulas, sums and tables.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::value::Value;

use crate::answer::valued_moves;
use crate::session::{Ready, Session};
use crate::{
    Annotation, Canonical, Grundy, Known, Limits, MoveList, MoveValue, NEVER, Need, Progress, SolveError,
    Tabled, Work, quiet_work,
};

/// Time budget for building a table automatically if the game also has a search.
const BESIDE_A_SEARCH: Duration = Duration::from_secs(1);
/// The same in a game without a search.
const ALONE: Duration = Duration::from_secs(16);
/// Time limit of work that reports no progress, in a game without a search: clients wait at most ten seconds.
const QUIET: Duration = Duration::from_secs(8);
/// Estimated time up to which the ending of a position is solved.
pub(crate) const FOR_AN_ENDING: Duration = Duration::from_secs(60);
/// The same before a search that is limited by nodes or depth, and between the moves of a game: both end soon, and their
/// results depend on no clock.
const IN_PASSING: Duration = Duration::from_secs(1);
/// Time limit for a Grundy number or a canonical form.
const FORM: Duration = Duration::from_secs(10);

impl Session {
    /// Does the long work that exact values of this position need, unless it was done before: opens a table or builds it.
    /// Returns what is known then. In a game with a search, work not done at `until` is left to a background thread.
    pub fn ready(&mut self, work: &Work<'_>, until: Option<Instant>) -> Ready {
        self.ready_within(work, until, FOR_AN_ENDING, QUIET)
    }

    /// As [`Session::ready`], before a search with these limits.
    pub(crate) fn ready_to_search(&mut self, work: &Work<'_>, limits: &Limits) -> Ready {
        let (patience, quiet) = match limits.are_counted() {
            true => (IN_PASSING, IN_PASSING),
            false => (FOR_AN_ENDING, ALONE),
        };
        self.ready_within(work, limits.patience(), patience, quiet)
    }

    fn ready_within(
        &mut self,
        work: &Work<'_>,
        until: Option<Instant>,
        patience: Duration,
        quiet: Duration,
    ) -> Ready {
        let searches = self.board.searches();
        let until = until.filter(|_| searches);
        let notes = Mutex::new(Vec::new());
        let report = |progress: &Progress| {
            // Work of unknown size is announced by what it is about.
            if let (0, 0, Ok(mut notes)) = (progress.done, progress.total, notes.lock())
                && notes.is_empty()
            {
                notes.push(format!("makes a table first: {}", progress.what));
            }
            (work.report)(progress);
        };
        let inner = Work { until: work.until.into_iter().chain(until).min(), report: &report, ..*work };
        let automatic = if searches { BESIDE_A_SEARCH } else { ALONE };
        // With a search its results depend on no clock.
        let quiet = if searches { Duration::MAX } else { quiet };
        let hurried = until.is_some();
        let need = Need { home: &self.home, automatic, quiet, patience, hurried, work: &inner };
        let refused = self.board.ready(&need).err();
        let mut notes = notes.into_inner().unwrap_or_default();
        if let Some((value, rule)) = self.board.without_rule() {
            notes.push(format!("{} without {rule}", value.show(self.unit())));
        }
        // A table that another question is building is not waited for a second time.
        let known = || {
            let value = if refused == Some(SolveError::Busy) { None } else { self.board.value() };
            value.filter(|_| self.unvalued().is_none())
        };
        let value = self.ended().or_else(known);
        Ready { notes, refused, value }
    }

    /// Returns the limits of work with the session's threads and memory, ended by the flag `stop`.
    pub fn work<'a>(&self, stop: &'a AtomicBool) -> Work<'a> {
        let (threads, memory_limit) = (self.settings.threads.max(1), self.settings.memory);
        Work { stop, threads, memory_limit, ..quiet_work() }
    }

    /// Returns the exact value of the position for the player to move, the points so far excluded; `None` if that takes a
    /// search. Builds a table if that is cheap.
    pub fn value(&mut self) -> Option<Value> {
        self.value_within(&self.work(&NEVER))
    }

    /// As [`Session::value`], within the limits of `work`.
    pub fn value_within(&mut self, work: &Work<'_>) -> Option<Value> {
        self.value_in(FOR_AN_ENDING, ALONE, work)
    }

    /// As [`Session::value_within`]; `patience` is the time limit of an ending, and `quiet` that of work that reports no progress.
    pub(crate) fn value_in(&mut self, patience: Duration, quiet: Duration, work: &Work<'_>) -> Option<Value> {
        let value = self.over().or_else(|| self.ready_within(work, None, patience, quiet.min(ALONE)).value);
        value.filter(|_| self.unvalued().is_none())
    }

    /// As [`Session::value`], for a question between the moves of a game: an ending is solved only if that takes about a
    /// second.
    pub fn value_in_passing(&mut self) -> Option<Value> {
        self.value_in(IN_PASSING, ALONE, &self.work(&NEVER))
    }

    /// Solves the ending of the position, unless that was done before or takes more than about a minute; returns the value.
    /// Other tables are not built.
    pub fn solve_ending(&mut self, work: &Work<'_>) -> Option<Value> {
        let none = Duration::ZERO;
        let need = Need {
            home: &self.home,
            automatic: none,
            quiet: none,
            // Half of the time is for what is asked then.
            patience: work.until.map_or(FOR_AN_ENDING, |end| {
                FOR_AN_ENDING.min(end.saturating_duration_since(Instant::now()) / 2)
            }),
            hurried: false,
            work,
        };
        // An ending that was refused has no values.
        self.board.ready(&need).ok()?;
        self.over().or_else(|| self.board.value()).filter(|_| self.unvalued().is_none())
    }

    /// Returns the `limit` best legal moves with their exact values for the player who makes them, best first. Unknown
    /// values are `None`. Builds a table if that is cheap.
    pub fn values(&mut self, limit: usize) -> MoveList {
        self.values_within(limit, &self.work(&NEVER))
    }

    /// As [`Session::values`], within the limits of `work`.
    pub fn values_within(&mut self, limit: usize, work: &Work<'_>) -> MoveList {
        if self.over().is_some() {
            return MoveList::default();
        }
        self.ready(work, None);
        self.listed(limit, work)
    }

    /// As [`Session::values_within`], for a position that is not over and was made [ready](Session::ready).
    pub(crate) fn listed(&mut self, limit: usize, work: &Work<'_>) -> MoveList {
        let (list, truncated) = valued_moves(self.board.as_mut(), limit, work.until);
        if self.unvalued().is_some() {
            return MoveList::omitted();
        }
        let moves = list
            .into_iter()
            .map(|(m, value)| MoveValue { value, ..MoveValue::open(self.board.word(m)) })
            .collect();
        MoveList { moves, truncated }
    }

    /// Returns the known result of the position: of the game's start, if its catalog has one and the settings allow it.
    pub fn known_result(&self) -> Option<&Known> {
        let (start, known) = &**self.known.as_ref().filter(|_| self.settings.known)?;
        (self.over().is_none() && self.position() == *start).then_some(known)
    }

    /// Returns the marks of the position and its moves, as far as `work` finds them; `None` if the game has no annotation.
    pub fn annotate(&mut self, work: &Work<'_>) -> Option<Annotation> {
        if self.over().is_none() {
            self.ready(work, None);
        }
        self.board.annotate(&self.settings, work)
    }

    /// Returns the Grundy number of the position, or why there is none: the game is not impartial, or 10 s were too short.
    pub fn grundy(&mut self) -> Grundy {
        self.grundy_within(&quiet_work().within(FORM))
    }

    /// As [`Session::grundy`], within the limits of `work`.
    pub fn grundy_within(&mut self, work: &Work<'_>) -> Grundy {
        self.board.grundy(work)
    }

    /// Returns the canonical form of the position, whichever player is to move, if the game has such forms and 10 s
    /// suffice.
    pub fn canonical_form(&mut self) -> Canonical {
        self.canonical_form_within(&quiet_work().within(FORM))
    }

    /// As [`Session::canonical_form`], within the limits of `work`.
    pub fn canonical_form_within(&mut self, work: &Work<'_>) -> Canonical {
        self.board.canonical_form(work)
    }

    /// Returns the game's table, if its method fills one: of all positions, or with `book` an opening book of the positions
    /// with at most that many plies played, if the method builds books.
    pub fn tabled(&self, book: Option<u32>) -> Option<Box<dyn Tabled + '_>> {
        self.board.tabled(&self.home, book)
    }
}
