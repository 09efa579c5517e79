//! Solving for a position that is met: the portion of its ending that play can lead to. The cost is announced before, and
//! classes that took long are kept in files.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;

use rustc_hash::FxHashSet;

use super::class_file::Kept;
use super::library::{LONG, Library, LibraryThreads, OPEN, named};
use super::packed::PackedClass;
use super::slices::{PortionLevels, solve_portion};
use crate::crew::refuse_beyond;
use crate::superposed::{Endings, Part, Portion};
use grundy_core::game::{MORE, each_move};
use grundy_core::text::size;
use grundy_core::value::Value;
use grundy_session::{Activity, Progress, SolveError, Work, at_once, quiet_work};

/// Interval of polling for the wait for files.
const TICK: Duration = Duration::from_millis(5);
/// Least compression ratio of packed classes.
const PACKS: u64 = 5;

/// The resources that solving takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// Bytes of memory.
    pub memory: u64,
    /// Seconds of one thread, about.
    pub seconds: f64,
}

impl<G: Endings> Library<G> {
    /// Solves a portion of an ending in slices, and all that it needs, unless that was done before.
    pub(super) fn make_portion(
        &self,
        game: &G,
        ending: G::Ending,
        portion: Portion,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        let _one_at_a_time = self.turn(ending, work)?;
        let earlier = self.made_portion(ending, portion.chain);
        if self.kept(ending).is_some() || earlier.is_some_and(|earlier| earlier.covers(portion)) {
            return Ok(());
        }
        let needed = self.cost(game, [(ending, Some(portion))]).memory;
        refuse_beyond(Some(needed), work)?;
        if let Some(limit) = work.memory_limit {
            self.forget_beyond(game, ending, limit.saturating_sub(needed));
        }
        self.solve_chain(game, ending, portion, &Work { memory_limit: None, ..*work })
    }

    /// As [`Library::make_portion`], for a caller that has the turn and has checked the memory.
    pub(super) fn solve_chain(
        &self,
        game: &G,
        ending: G::Ending,
        portion: Portion,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        let mut earlier = self.made_portion(ending, portion.chain);
        let covers = |solved: &Option<Arc<PortionLevels>>| solved.as_ref().is_some_and(|s| s.covers(portion));
        if self.kept(ending).is_some() || covers(&earlier) {
            return Ok(());
        }
        self.solve_needed(game, (ending, Some(portion)), work)?;
        let keep = |made: Arc<PortionLevels>| {
            let mut portions = self.portions.write().unwrap_or_else(PoisonError::into_inner);
            portions.insert((ending, portion.chain), made);
        };
        if earlier.is_none()
            && let Some(Kept::Portion(read)) = self.files.read(game, (ending, Some(portion.chain)))
        {
            earlier = Some(read.clone());
            keep(read);
            if covers(&earlier) {
                return Ok(());
            }
        }
        (work.report)(&Progress { what: format!("{ending}: exits").into(), done: 0, total: 0 });
        let threads = &LibraryThreads { library: self, threads: work.threads };
        let steps = earlier.as_ref().map_or(0, |earlier| earlier.steps())..portion.steps;
        let slices = game.slices(ending, portion.chain, steps, threads);
        let slices =
            slices.ok_or_else(|| SolveError::Broken(format!("{ending} is not laid out in slices")))?;
        let report = named(ending, work);
        let made = solve_portion(&slices, portion, earlier.as_deref(), &Work { report: &report, ..*work })?;
        keep(Arc::new(made));
        if game.seconds(ending, None) >= LONG {
            self.files.add((ending, Some(portion.chain)));
        }
        Ok(())
    }

    /// Returns what was solved of one chain of an ending.
    pub(super) fn made_portion(&self, ending: G::Ending, chain: usize) -> Option<Arc<PortionLevels>> {
        self.portions.read().unwrap_or_else(PoisonError::into_inner).get(&(ending, chain)).cloned()
    }

    /// Waits until all files are written, 30 s at most.
    pub(super) fn finish_saving(&self) {
        self.hurry.store(true, Relaxed);
        self.saving.finish(&quiet_work().within(Duration::from_secs(30)));
    }

    /// Writes one class to its file; returns false if none is left.
    fn save_next(&self, game: &G) -> bool {
        let Some((ending, chain)) = self.files.next_unsaved() else { return false };
        let kept = match chain {
            None => {
                self.get(ending).and_then(|levels| Some(Kept::Class(Arc::new(PackedClass::new(&levels)?))))
            }
            Some(chain) => self.made_portion(ending, chain).map(Kept::Portion),
        };
        if let Some(Err(error)) =
            kept.map(|kept| self.files.write((ending, chain), game.fingerprint(ending), &kept))
        {
            log::warn!("{error}");
        }
        true
    }

    /// Returns what solving these endings, or portions of them, takes with all unsolved ones that they need.
    pub(super) fn cost(&self, game: &G, endings: impl IntoIterator<Item = Part<G::Ending>>) -> Cost {
        let mut seen = FxHashSet::default();
        let mut next: Vec<Part<G::Ending>> = endings.into_iter().collect();
        let (mut largest, mut all, mut seconds) = (0, 0, 0.0);
        while let Some((ending, portion)) = next.pop() {
            if seen.insert((ending, portion.map(|portion| portion.chain))) && !self.has((ending, portion)) {
                let memory = game.memory(ending, portion);
                largest = largest.max(memory);
                all += memory;
                if !self.files.exists((ending, portion.map(|portion| portion.chain))) {
                    seconds += game.seconds(ending, portion);
                }
                next.extend(game.needs_of(ending, portion));
            }
        }
        // One that is being solved, one that it leads to, the unpacked ones, and the rest packed.
        let memory = if all <= largest {
            largest
        } else {
            2 * largest + all.min(OPEN as u64) + all.saturating_sub(OPEN as u64) / PACKS
        };
        Cost { memory, seconds }
    }
}

impl<G: Endings + Clone> Library<G> {
    /// Writes the classes that were solved and are not in files yet, on one thread beside other work, and on two once
    /// [`Library::finish_saving`] waits for it.
    pub(super) fn save(&'static self, game: &G) {
        if !self.files.any_unsaved() {
            return;
        }
        let game = game.clone();
        self.hurry.store(false, Relaxed);
        self.saving.start("files", 1, move |work| {
            let (stop, saved) = (work.stop, AtomicBool::new(false));
            let second = || {
                while !saved.load(Relaxed) && !stop.load(Relaxed) {
                    match self.hurry.load(Relaxed) {
                        true if !self.save_next(&game) => return,
                        true => {}
                        false => thread::sleep(TICK),
                    }
                }
            };
            thread::scope(|scope| {
                // Without a second thread the first one writes them all.
                let _ = thread::Builder::new().spawn_scoped(scope, second);
                while !work.stopped() && self.save_next(&game) {}
                saved.store(true, Relaxed);
            });
            Ok(())
        });
    }

    /// Solves what a position needs, if that takes at most about `seconds`. If the work is stopped, it returns at once,
    /// and a background thread finishes what was begun.
    ///
    /// # Errors
    /// As [`Library::solve_for`].
    pub(super) fn solve_or_leave(
        &'static self,
        game: &G,
        position: &G::Position,
        seconds: f64,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        loop {
            // If nothing is to be solved, that is known at once.
            match self.solve_for(game, position, seconds, &at_once()) {
                Err(SolveError::Stopped) => {}
                done => return done,
            }
            (work.report)(&Progress { what: self.announcement(game, position), done: 0, total: 0 });
            let (game, position) = (game.clone(), position.clone());
            let solve = move |work: &Work<'_>| self.solve_for(&game, &position, seconds, work);
            let (job, own) = self.background.start("tables", work.threads, solve);
            match job.wait(work, &|| false) {
                None => return Err(SolveError::Stopped),
                Some(result) if own => return result,
                // That was for another request.
                Some(_) => {}
            }
        }
    }
}

impl<G: Endings> Library<G> {
    /// Solves the portion of its ending that the position needs or, if it is in none, the endings that one move can lead
    /// to. What is neither asked for nor small is solved only for a position of it that needs about `seconds` at most.
    ///
    /// # Errors
    /// As [`solve`].
    pub(super) fn solve_for(
        &self,
        game: &G,
        position: &G::Position,
        seconds: f64,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        let Some(ending) = game.ending(position) else {
            for near in game.near(position) {
                if self.may(game, near) {
                    self.make(game, near, work)?;
                }
            }
            return Ok(());
        };
        let place = game.place(ending, position);
        if self.kept_at(game, ending, place).is_none() {
            let portion = game.portion(ending, place);
            let cost = self.cost(game, [(ending, portion)]);
            if !self.may(game, ending) && cost.seconds > seconds {
                return Ok(());
            }
            if cost.seconds >= LONG {
                refuse_beyond(Some(cost.memory), work)?;
            }
            (work.report)(&Progress { what: self.announcement(game, position), done: 0, total: 0 });
            match portion {
                Some(portion) => self.make_portion(game, ending, portion, work)?,
                None => self.make(game, ending, work).map(drop)?,
            }
        }
        // Any move may be asked about, and the replies to it.
        if self.may_be_late(game, position, 2) {
            self.timed_automatically(game, ending, work)?;
        }
        Ok(())
    }

    /// Returns the name of what is solved first for a position, and what that takes if it is long.
    fn announcement(&self, game: &G, position: &G::Position) -> Activity {
        let unsolved = |ending: &G::Ending| self.may(game, *ending) && self.kept(*ending).is_none();
        let Some(ending) = game.ending(position) else {
            let first = game.near(position).into_iter().find(unsolved);
            return first.map(|ending| ending.to_string()).unwrap_or_default().into();
        };
        let portion = game.portion(ending, game.place(ending, position));
        let Cost { memory, seconds } = self.cost(game, [(ending, portion)]);
        if seconds < LONG {
            return ending.to_string().into();
        }
        let memory = size(memory);
        Activity::Beginning(format!("{ending}, about {seconds:.0} s of one thread and {memory} of memory"))
    }

    /// Reports whether the position, or one at most `plies` plies later, is decided later than the rule allows.
    fn may_be_late(&self, game: &G, position: &G::Position, plies: u32) -> bool {
        let Some(left) = game.horizon(position) else { return false };
        let table = || self.plain(game, position);
        let late = |value: Value| value.plies().is_some_and(|plies| plies > left);
        let mut later = |m| match self.may_be_late(game, &game.play(position, m), plies - 1) {
            true => ControlFlow::Break(()),
            false => MORE,
        };
        table().and_then(|(_, place, kept)| kept.value(place)).is_some_and(late)
            || plies > 0 && game.over(position).is_none() && each_move(game, position, &mut later).is_break()
    }
}
