//! The solved classes of a game, in memory: each is solved when it is first needed.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use super::class_file::{ClassFiles, Kept};
use super::class_table::{ClassTable, bytes};
use super::deadlines::{Deadlines, deadlines_memory, solve_deadlines};
use super::levels::solve;
use super::packed::PackedClass;
use super::slices::{PortionLevels, solve_slices};
use crate::Oracle;
use crate::background::Background;
use crate::crew::refuse_beyond;
use crate::superposed::{Endings, Laid, Levels, Part, Place, Portion, Solved, Superposed, WorkItem, decode};
use grundy_core::threads;
use grundy_core::value::Value;
use grundy_session::{Need, Progress, SolveError, Work, quiet_work};

/// The solved classes of a game. Each is solved when it is first needed.
pub struct Library<G: Endings> {
    solved: RwLock<Classes<G::Ending>>,
    timed: RwLock<FxHashMap<G::Ending, Timed>>,
    /// By class in slices and chain: what was solved of it for positions that were met.
    pub(super) portions: RwLock<Portions<G::Ending>>,
    solving: Mutex<()>,
    /// Classes that need more than this many bytes of memory are solved only if the game is about them.
    automatic_bytes: u64,
    /// True if a request for a value waits until its class is solved.
    in_passing: bool,
    pub(super) background: Background,
    /// The files of classes that take long to solve.
    pub(super) files: ClassFiles<G::Ending>,
    /// Whole classes that take at least this many seconds to solve are kept in files.
    kept_from: f64,
    pub(super) saving: Background,
    /// Set while somebody waits for the files.
    pub(super) hurry: AtomicBool,
}

/// The portions that were solved, by class and chain.
type Portions<E> = FxHashMap<(E, usize), Arc<PortionLevels>>;

/// Interval of polling while another thread solves.
const POLL: Duration = Duration::from_millis(1);

/// Bytes of cells that are kept unpacked; beyond that the classes that were solved first are packed.
pub(super) const OPEN: usize = 3 << 29;
/// Smaller classes are not packed.
const SMALL: usize = 1 << 26;
/// The cost of solving is announced, and classes are kept in files as a rule, from this many seconds on.
pub(super) const LONG: f64 = 1.0;

/// The values of a class by the plies that a rule leaves, or why there are none.
#[derive(Clone)]
enum Timed {
    Made(Arc<Deadlines>),
    /// Making them takes this many bytes, more than what is built automatically may take.
    TooLarge(u64),
}

impl Timed {
    fn made(&self) -> Option<Arc<Deadlines>> {
        match self {
            Timed::Made(deadlines) => Some(deadlines.clone()),
            Timed::TooLarge(_) => None,
        }
    }

    /// Returns the bytes that the values take.
    fn bytes(&self) -> u64 {
        self.made().map_or(0, |deadlines| deadlines.bytes() as u64)
    }
}

/// The solved classes, and their order.
struct Classes<E> {
    classes: FxHashMap<E, ClassTable>,
    /// All classes, in the order in which they were solved.
    order: Vec<E>,
    /// Large classes that are not packed.
    open: Vec<E>,
}

impl<E> Default for Classes<E> {
    fn default() -> Self {
        Classes { classes: FxHashMap::default(), order: Vec::new(), open: Vec::new() }
    }
}

/// Passes progress on with the name of an ending in front.
pub(super) fn named<'a, E: Display + 'a>(ending: E, work: &Work<'a>) -> impl Fn(&Progress) + 'a {
    let report = work.report;
    move |progress| {
        report(&Progress { what: format!("{ending}: {}", progress.what).into(), ..progress.clone() });
    }
}

fn damaged() -> SolveError {
    SolveError::Broken("a packed table is damaged in memory".into())
}

impl<G: Endings> Default for Library<G> {
    fn default() -> Self {
        Library::new(64 << 20)
    }
}

impl<G: Endings> Library<G> {
    /// Creates an empty library. Endings that need more than `automatic_bytes` bytes of memory are answered only after
    /// [`Library::prepare`].
    pub fn new(automatic_bytes: u64) -> Self {
        Library {
            solved: RwLock::default(),
            timed: RwLock::default(),
            portions: RwLock::default(),
            solving: Mutex::default(),
            automatic_bytes,
            in_passing: true,
            background: Background::default(),
            files: ClassFiles::new(None),
            kept_from: LONG,
            saving: Background::default(),
            hurry: AtomicBool::new(false),
        }
    }

    /// Returns the library without solving on demand: a request about an ending that is not solved has no answer.
    #[must_use]
    pub fn prompt(self) -> Self {
        Library { in_passing: false, ..self }
    }

    /// Returns the library with files of the classes that take long to solve, in the folder of each request, whose names
    /// begin with `name`.
    #[must_use]
    pub fn kept_as(self, name: &'static str) -> Self {
        Library { files: ClassFiles::new(Some(name)), ..self }
    }

    /// Returns the library with files of all classes that take at least `seconds` to solve as a whole, instead of one second.
    #[must_use]
    pub fn kept_from(self, seconds: f64) -> Self {
        Library { kept_from: seconds, ..self }
    }

    /// Returns the table of an ending, unpacked if necessary; `None` if it is not solved.
    pub fn get(&self, ending: G::Ending) -> Option<Arc<Levels>> {
        self.kept(ending)?.levels()
    }

    pub(super) fn kept(&self, ending: G::Ending) -> Option<ClassTable> {
        self.solved.read().unwrap_or_else(PoisonError::into_inner).classes.get(&ending).cloned()
    }

    /// Returns the values at a place, of the whole class or of a portion; `None` if it is not solved.
    pub(super) fn kept_at(&self, game: &G, ending: G::Ending, place: Place) -> Option<ClassTable> {
        self.kept(ending).or_else(|| {
            let portions = self.portions.read().unwrap_or_else(PoisonError::into_inner);
            let portion = if portions.is_empty() { None } else { game.portion(ending, place) }?;
            let solved = portions.get(&(ending, portion.chain)).filter(|solved| solved.covers(portion))?;
            Some(ClassTable::Portion(solved.clone(), game.place_in(ending, portion, place)))
        })
    }

    /// Solves an ending and all that it needs, smaller ones first, unless that was done before.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn prepare(&self, game: &G, ending: G::Ending, work: &Work<'_>) -> Result<Arc<Levels>, SolveError> {
        self.make(game, ending, work)?.levels().ok_or_else(damaged)
    }

    /// As [`Library::prepare`], without unpacking.
    pub(super) fn make(
        &self,
        game: &G,
        ending: G::Ending,
        work: &Work<'_>,
    ) -> Result<ClassTable, SolveError> {
        if let Some(kept) = self.kept(ending) {
            return Ok(kept);
        }
        let _one_at_a_time = self.turn(ending, work)?;
        let needed = self.cost(game, [(ending, None)]).memory;
        if work.memory_limit.is_some() || needed > SMALL as u64 {
            refuse_beyond(Some(needed), work)?;
        }
        if let Some(limit) = work.memory_limit {
            self.forget_beyond(game, ending, limit.saturating_sub(needed));
        }
        // The memory was checked for all endings that are solved on the way.
        self.solve(game, ending, &Work { memory_limit: None, ..*work })
    }

    /// Drops the endings that were solved first until the others fit in `room` bytes; those that `ending` needs stay.
    pub(super) fn forget_beyond(&self, game: &G, ending: G::Ending, room: u64) {
        let mut all = self.bytes();
        if all <= room {
            return;
        }
        let mut portions = self.portions.write().unwrap_or_else(PoisonError::into_inner);
        portions.retain(|&(other, _), portion| {
            all = all.saturating_sub(if other == ending { 0 } else { portion.bytes() });
            other == ending
        });
        drop(portions);
        let mut needed = FxHashSet::default();
        let mut next = vec![ending];
        while let Some(ending) = next.pop() {
            if needed.insert(ending) {
                next.extend(game.needs(ending));
            }
        }
        let mut solved = self.solved.write().unwrap_or_else(PoisonError::into_inner);
        let mut timed = self.timed.write().unwrap_or_else(PoisonError::into_inner);
        let Classes { classes, order, open } = &mut *solved;
        order.retain(|old| {
            let stays = all <= room || needed.contains(old);
            if !stays {
                all -= classes.remove(old).map_or(0, |class| class.bytes());
                all = all.saturating_sub(timed.remove(old).map_or(0, |timed| timed.bytes()));
            }
            stays
        });
        open.retain(|ending| classes.contains_key(ending));
    }

    /// Waits until no other thread is solving.
    pub(super) fn turn(&self, ending: G::Ending, work: &Work<'_>) -> Result<MutexGuard<'_, ()>, SolveError> {
        loop {
            match self.solving.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            (work.report)(&Progress { what: format!("{ending}: waiting").into(), done: 0, total: 1 });
            if work.stopped() {
                return Err(SolveError::Stopped);
            }
            std::thread::sleep(POLL);
        }
    }

    pub(super) fn solve(
        &self,
        game: &G,
        ending: G::Ending,
        work: &Work<'_>,
    ) -> Result<ClassTable, SolveError> {
        if let Some(kept) = self.kept(ending) {
            return Ok(kept);
        }
        (work.report)(&Progress { what: ending.to_string().into(), done: 0, total: 0 });
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        self.solve_needed(game, (ending, None), work)?;
        if let Some(Kept::Class(read)) = self.files.read(game, (ending, None)) {
            let read = ClassTable::Packed(read);
            self.keep(ending, read.clone());
            return Ok(read);
        }
        (work.report)(&Progress { what: format!("{ending}: exits").into(), done: 0, total: 0 });
        let layout = self.layout(game, ending, work.threads);
        let report = named(ending, work);
        let work = Work { report: &report, ..*work };
        let levels = match layout {
            Laid::Whole(layout) => solve(&layout, &work)?,
            Laid::Sliced(slices) => solve_slices(&slices, &work)?,
        };
        let kept = ClassTable::Open(Arc::new(levels));
        self.keep(ending, kept.clone());
        if game.seconds(ending, None) >= self.kept_from {
            self.files.add((ending, None));
        }
        Ok(kept)
    }

    /// Solves what a class or a portion needs: small ones beside each other, if there are threads for that.
    pub(super) fn solve_needed(
        &self,
        game: &G,
        (ending, portion): Part<G::Ending>,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        let needed = game.needs_of(ending, portion);
        if work.threads > 1 {
            self.solve_together(game, &needed, work)?;
        }
        needed.into_iter().try_for_each(|part| self.solve_part(game, part, work))
    }

    /// Solves a class or a portion of it, unless that was done before.
    fn solve_part(
        &self,
        game: &G,
        (ending, portion): Part<G::Ending>,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        match portion {
            Some(portion) => self.solve_chain(game, ending, portion, work),
            None => self.solve(game, ending, work).map(drop),
        }
    }

    /// Solves the small ones of some classes and portions, with all that these need, on one thread each: a small one is done
    /// before a second thread has started.
    fn solve_together(
        &self,
        game: &G,
        needed: &[Part<G::Ending>],
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        let small = |&(ending, portion): &Part<G::Ending>| game.memory(ending, portion) <= SMALL as u64;
        let mut open: Vec<Part<G::Ending>> = Vec::new();
        let mut next: Vec<Part<G::Ending>> = needed.iter().copied().filter(small).collect();
        while let Some(part) = next.pop() {
            if !self.has(part) && !open.contains(&part) {
                open.push(part);
                next.extend(game.needs_of(part.0, part.1));
            }
        }
        while !open.is_empty() {
            let ready = |&(ending, portion): &Part<G::Ending>| {
                game.needs_of(ending, portion).into_iter().all(|part| self.has(part))
            };
            let (now, later): (Vec<_>, Vec<_>) = open.into_iter().partition(ready);
            open = later;
            if now.is_empty() {
                break;
            }
            let failed = Mutex::new(None);
            let one = &|part: Part<G::Ending>| {
                let work = &Work { threads: 1, ..*work };
                if let Err(error) = self.solve_part(game, part, work) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            };
            let tasks: Vec<WorkItem<'_>> =
                now.into_iter().map(|part| Box::new(move || one(part)) as WorkItem<'_>).collect();
            LibraryThreads { library: self, threads: work.threads }.all(tasks);
            if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Reports whether a class, or a portion of it, is solved.
    pub(super) fn has(&self, (ending, portion): Part<G::Ending>) -> bool {
        let covers = |portion: Portion| {
            self.made_portion(ending, portion.chain).is_some_and(|made| made.covers(portion))
        };
        self.kept(ending).is_some() || portion.is_some_and(covers)
    }

    /// Lays out an ending; those that it needs are solved.
    fn layout(&self, game: &G, ending: G::Ending, threads: usize) -> Laid<G::Layout, G::Slices> {
        game.layout(ending, &LibraryThreads { library: self, threads })
    }

    /// Stores an ending, and packs the oldest ones while more than [`OPEN`] bytes are unpacked.
    fn keep(&self, ending: G::Ending, kept: ClassTable) {
        let mut solved = self.solved.write().unwrap_or_else(PoisonError::into_inner);
        if matches!(&kept, ClassTable::Open(levels) if bytes(levels) >= SMALL) {
            solved.open.push(ending);
        }
        if solved.classes.insert(ending, kept).is_none() {
            solved.order.push(ending);
        }
        loop {
            let open = |ending: &G::Ending| match solved.classes.get(ending) {
                Some(ClassTable::Open(levels)) => bytes(levels),
                _ => 0,
            };
            if solved.open.len() < 2 || solved.open.iter().map(open).sum::<usize>() <= OPEN {
                return;
            }
            let oldest = solved.open.remove(0);
            let Some(ClassTable::Open(levels)) = solved.classes.get(&oldest).cloned() else { continue };
            // Other requests continue meanwhile.
            drop(solved);
            let packed = PackedClass::new(&levels);
            solved = self.solved.write().unwrap_or_else(PoisonError::into_inner);
            if let (Some(packed), Some(kept)) = (packed, solved.classes.get_mut(&oldest)) {
                *kept = ClassTable::Packed(Arc::new(packed));
            }
        }
    }

    /// Returns the values of an ending by the plies that a rule of the game leaves, if they were computed.
    pub fn get_timed(&self, ending: G::Ending) -> Option<Arc<Deadlines>> {
        self.timed.read().unwrap_or_else(PoisonError::into_inner).get(&ending)?.made()
    }

    /// Returns the values of an ending by the plies that a rule of the game leaves, computing them on first use, in
    /// seconds and hundreds of megabytes for some endings of four men. `None` if the game has no such rule, or if a reset
    /// clock leaves too few plies for some win.
    ///
    /// # Errors
    /// Same as [`solve_deadlines`].
    pub fn timed(
        &self,
        game: &G,
        ending: G::Ending,
        work: &Work<'_>,
    ) -> Result<Option<Arc<Deadlines>>, SolveError> {
        self.timed_within(game, ending, u64::MAX, work)
    }

    /// Returns the values of [`Library::timed`] for a position that was met: unless the game is about the ending, they
    /// are made only if that takes no more memory than the library may use automatically, which bounds the time too.
    pub(super) fn timed_automatically(
        &self,
        game: &G,
        ending: G::Ending,
        work: &Work<'_>,
    ) -> Result<Option<Arc<Deadlines>>, SolveError> {
        let most = if game.asked_for(ending) { u64::MAX } else { self.automatic_bytes };
        self.timed_within(game, ending, most, work)
    }

    /// Returns the values of [`Library::timed`]; also `None` if making them takes more than `limit` bytes.
    fn timed_within(
        &self,
        game: &G,
        ending: G::Ending,
        limit: u64,
        work: &Work<'_>,
    ) -> Result<Option<Arc<Deadlines>>, SolveError> {
        let Some(most) = game.deadline(ending) else { return Ok(None) };
        let known = || match self.timed.read().unwrap_or_else(PoisonError::into_inner).get(&ending) {
            Some(Timed::TooLarge(needed)) if *needed > limit => Some(None),
            timed => timed.and_then(Timed::made).map(Some),
        };
        if let Some(known) = known() {
            return Ok(known);
        }
        let levels = self.prepare(game, ending, work)?;
        let _one_at_a_time = self.turn(ending, work)?;
        if let Some(known) = known() {
            return Ok(known);
        }
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        // The rule must not change the values of the endings that this one leads to.
        if game.needs(ending).into_iter().filter_map(|e| self.kept(e)).any(|kept| kept.longest() > most) {
            return Ok(None);
        }
        let Laid::Whole(layout) = self.layout(game, ending, work.threads) else { return Ok(None) };
        if layout.resets() && levels.longest > most {
            return Ok(None);
        }
        let keep = |timed| self.timed.write().unwrap_or_else(PoisonError::into_inner).insert(ending, timed);
        let needed = deadlines_memory(&layout, &levels, most);
        if needed > limit {
            keep(Timed::TooLarge(needed));
            return Ok(None);
        }
        let report = named(ending, work);
        let work = Work { report: &report, ..*work };
        let deadlines = Arc::new(solve_deadlines(&layout, &levels, most, &work)?);
        keep(Timed::Made(deadlines.clone()));
        Ok(Some(deadlines))
    }

    /// Drops an ending, to free its memory.
    pub fn forget(&self, ending: G::Ending) {
        let mut solved = self.solved.write().unwrap_or_else(PoisonError::into_inner);
        solved.classes.remove(&ending);
        solved.open.retain(|&open| open != ending);
        let mut portions = self.portions.write().unwrap_or_else(PoisonError::into_inner);
        portions.retain(|&(portion, _), _| portion != ending);
    }

    /// Returns the values at a place of an ending, solving it if this library may.
    fn table(&self, game: &G, ending: G::Ending, place: Place) -> Option<ClassTable> {
        let made = || self.make(game, ending, &quiet_work()).ok();
        let may = || self.in_passing && self.may(game, ending);
        self.kept_at(game, ending, place).or_else(|| if may() { made() } else { None })
    }

    /// Reports whether an ending may be solved for any position of it.
    pub(super) fn may(&self, game: &G, ending: G::Ending) -> bool {
        game.asked_for(ending) || game.memory(ending, None) <= self.automatic_bytes
    }

    /// Returns the value by an ending's table and the rule that the tables leave out.
    fn looked_up(
        &self,
        game: &G,
        position: &G::Position,
        ending: G::Ending,
        place: Place,
        kept: &ClassTable,
    ) -> Option<Value> {
        let value = kept.value(place)?;
        match (value.plies(), game.horizon(position)) {
            (Some(plies), Some(left)) if plies > left => {
                let made = || self.timed_automatically(game, ending, &quiet_work()).ok()?;
                let timed = self.get_timed(ending).or_else(|| if self.in_passing { made() } else { None })?;
                decode(timed.code(place, kept.code(place), left))
            }
            _ => Some(value),
        }
    }

    /// Returns the place of a position in its table, without rules that the tables leave out.
    pub(super) fn plain(&self, game: &G, position: &G::Position) -> Option<(G::Ending, Place, ClassTable)> {
        let ending = game.ending(position)?;
        let place = game.place(ending, position);
        Some((ending, place, self.table(game, ending, place)?))
    }
}

/// A library with threads for laying out an ending.
pub(super) struct LibraryThreads<'a, G: Endings> {
    pub library: &'a Library<G>,
    pub threads: usize,
}

impl<G: Endings> Solved<G::Ending> for LibraryThreads<'_, G> {
    fn levels(&self, ending: G::Ending) -> Arc<Levels> {
        self.library.get(ending).expect("what an ending needs was solved before it")
    }

    fn part(&self, ending: G::Ending, portion: Portion) -> Option<Arc<Levels>> {
        self.library.made_portion(ending, portion.chain).map(|portion| portion.levels())
    }

    fn all(&self, tasks: Vec<WorkItem<'_>>) {
        let crew = self.threads.min(tasks.len());
        let tasks = Mutex::new(tasks);
        let work = || {
            while let Some(task) = {
                let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
                tasks.pop()
            } {
                task();
            }
        };
        if crew <= 1 {
            return work();
        }
        std::thread::scope(|scope| threads::share(scope, (0..crew).map(|_| work)));
    }
}

impl<G: Endings> Oracle<G> for Library<G> {
    fn bytes(&self) -> u64 {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        let timed = self.timed.read().unwrap_or_else(PoisonError::into_inner);
        let portions = self.portions.read().unwrap_or_else(PoisonError::into_inner);
        let classes = solved.classes.values().map(ClassTable::bytes).sum::<u64>();
        let portions = portions.values().map(|portion| portion.bytes()).sum::<u64>();
        classes + portions + timed.values().map(Timed::bytes).sum::<u64>()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        self.solve_for(game, position, 0.0, need.work)
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        // The table knows finished positions too, and faster than the rules do.
        let placed = game.ending(position).map(|ending| (ending, game.place(ending, position)));
        if let Some((ending, place)) = placed
            && let Some(kept) = self.kept_at(game, ending, place)
            && let Some(value) = self.looked_up(game, position, ending, place, &kept)
        {
            return Some(value);
        }
        if let Some(value) = game.over(position).or_else(|| game.plain(position)) {
            return Some(value);
        }
        let (ending, place) = placed?;
        self.looked_up(game, position, ending, place, &self.table(game, ending, place)?)
    }

    fn without_rule(&self, game: &G, position: &G::Position) -> Option<(Value, &'static str)> {
        if game.over(position).or_else(|| game.plain(position)).is_some() {
            return None;
        }
        let left = game.horizon(position)?;
        let (_, place, kept) = self.plain(game, position)?;
        let value = kept.value(place)?;
        value.plies().is_some_and(|plies| plies > left).then(|| (value, game.rule()))
    }
}
