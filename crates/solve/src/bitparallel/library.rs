//! The classes of a game that were solved so far, in memory: each is solved when it is first needed.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use super::deadlines::{Deadlines, deadlines_memory, solve_deadlines};
use super::levels::solve;
use super::packed::PackedClass;
use super::slices::solve_slices;
use crate::Oracle;
use crate::crew::refuse_beyond;
use crate::superposed::{
    Code, Endings, Laid, Levels, NONE, Place, Solved, Superposed, WordCodes, WorkItem, decode,
};
use grundy_core::game::{MORE, each_move};
use grundy_core::threads;
use grundy_core::value::Value;
use grundy_session::{Need, Progress, SolveError, Work, quiet_work};

/// The classes of a game that were solved so far. Each is solved when it is first needed.
pub struct Library<G: Endings> {
    solved: RwLock<Classes<G::Ending>>,
    timed: RwLock<FxHashMap<G::Ending, Timed>>,
    solving: Mutex<()>,
    /// Classes that need more memory than this, in bytes, are solved only where the game is about them.
    unasked: u64,
    /// Whether a question for a value waits until its class is solved.
    in_passing: bool,
    /// What is being solved on a background thread.
    behind: Mutex<Option<Arc<Background>>>,
}

/// Classes that are being solved on a background thread.
struct Background {
    state: Mutex<BackgroundState>,
    ended: Condvar,
}

struct BackgroundState {
    progress: Progress,
    /// What came of it, once it has ended.
    result: Option<Result<(), SolveError>>,
}

impl Background {
    fn state(&self) -> MutexGuard<'_, BackgroundState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end; `None` where the work is stopped before.
    fn wait(&self, work: &Work<'_>) -> Option<Result<(), SolveError>> {
        let mut state = self.state();
        loop {
            if state.result.is_some() {
                return state.result.clone();
            }
            (work.report)(&state.progress);
            if work.stopped() {
                return None;
            }
            let wait = self.ended.wait_timeout(state, TELL).unwrap_or_else(PoisonError::into_inner);
            state = wait.0;
        }
    }
}

/// How often who waits for an ending is told how far it is.
const TELL: Duration = Duration::from_millis(1);

/// A stop flag that is set: work with it ends at once.
static STOPPED: AtomicBool = AtomicBool::new(true);

/// Bytes of cells that are kept as they are; beyond that those that were solved first are packed.
const OPEN: usize = 3 << 29;
/// Smaller classes are not packed.
const SMALL: usize = 1 << 26;
/// How many times less memory packed classes take, at least.
const PACKS: u64 = 5;

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

/// What was solved, and in which order.
struct Classes<E> {
    classes: FxHashMap<E, ClassTable>,
    /// All of them, in the order in which they were solved.
    order: Vec<E>,
    /// Those that are large and not packed.
    open: Vec<E>,
}

impl<E> Default for Classes<E> {
    fn default() -> Self {
        Classes { classes: FxHashMap::default(), order: Vec::new(), open: Vec::new() }
    }
}

/// The values of a class as they are kept.
#[derive(Clone)]
pub(super) enum ClassTable {
    Open(Arc<Levels>),
    Packed(Arc<PackedClass>),
}

impl ClassTable {
    pub(super) fn longest(&self) -> u32 {
        match self {
            ClassTable::Open(levels) => levels.longest,
            ClassTable::Packed(packed) => packed.longest(),
        }
    }

    /// The words with one side to move.
    pub(super) fn words(&self) -> usize {
        match self {
            ClassTable::Open(levels) => levels.cells[0].len(),
            ClassTable::Packed(packed) => packed.words(),
        }
    }

    /// The codes of one word.
    pub(super) fn word(&self, side: usize, word: usize) -> WordCodes {
        match self {
            ClassTable::Open(levels) => {
                levels.cells[side].get(word).copied().unwrap_or(WordCodes([NONE; 64]))
            }
            ClassTable::Packed(packed) => packed.word(side, word),
        }
    }

    pub(super) fn value(&self, place: Place) -> Option<Value> {
        match self {
            ClassTable::Open(levels) => levels.value(place),
            ClassTable::Packed(packed) => packed.value(place),
        }
    }

    fn code(&self, place: Place) -> Code {
        match self {
            ClassTable::Open(levels) => levels.code(place),
            ClassTable::Packed(packed) => packed.code(place),
        }
    }

    /// The bytes that it takes.
    fn bytes(&self) -> u64 {
        match self {
            ClassTable::Open(levels) => bytes(levels) as u64,
            ClassTable::Packed(packed) => packed.bytes(),
        }
    }

    /// All of it, unpacked where it is packed.
    fn levels(&self) -> Option<Arc<Levels>> {
        match self {
            ClassTable::Open(levels) => Some(levels.clone()),
            ClassTable::Packed(packed) => packed.unpack().map(Arc::new),
        }
    }
}

fn damaged() -> SolveError {
    SolveError::Broken("a packed table is damaged in memory".into())
}

fn bytes(levels: &Levels) -> usize {
    64 * levels.cells.iter().map(Vec::len).sum::<usize>()
}

impl<G: Endings> Default for Library<G> {
    fn default() -> Self {
        Library::new(64 << 20)
    }
}

impl<G: Endings> Library<G> {
    /// An empty library. Endings that need more than `unasked` bytes of memory to be solved are answered only after
    /// [`Library::prepare`].
    pub fn new(unasked: u64) -> Self {
        Library {
            solved: RwLock::default(),
            timed: RwLock::default(),
            solving: Mutex::default(),
            unasked,
            in_passing: true,
            behind: Mutex::default(),
        }
    }

    /// The same without work on the way: a question about an ending that is not solved has no answer.
    #[must_use]
    pub fn prompt(self) -> Self {
        Library { in_passing: false, ..self }
    }

    /// The table of an ending, where it was solved; unpacked where it is packed.
    pub fn get(&self, ending: G::Ending) -> Option<Arc<Levels>> {
        self.kept(ending)?.levels()
    }

    pub(super) fn kept(&self, ending: G::Ending) -> Option<ClassTable> {
        self.solved.read().unwrap_or_else(PoisonError::into_inner).classes.get(&ending).cloned()
    }

    /// Solves an ending and what it needs, smaller ones first; nothing where that was done before.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn prepare(&self, game: &G, ending: G::Ending, work: &Work<'_>) -> Result<Arc<Levels>, SolveError> {
        self.make(game, ending, work)?.levels().ok_or_else(damaged)
    }

    /// As [`Library::prepare`], with nothing unpacked.
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
        let needed = self.memory(game, [ending]);
        if work.memory_limit.is_some() || needed > SMALL as u64 {
            refuse_beyond(Some(needed), work)?;
        }
        if let Some(limit) = work.memory_limit {
            self.forget_beyond(game, ending, limit.saturating_sub(needed));
        }
        // What is solved on the way has its room.
        self.solve(game, ending, &Work { memory_limit: None, ..*work })
    }

    /// The memory that it takes to solve endings with all that they need and is not solved yet, in bytes.
    pub(super) fn memory(&self, game: &G, endings: impl IntoIterator<Item = G::Ending>) -> u64 {
        let mut seen = FxHashSet::default();
        let mut next: Vec<G::Ending> = endings.into_iter().collect();
        let (mut largest, mut all) = (0, 0);
        while let Some(ending) = next.pop() {
            if seen.insert(ending) && self.kept(ending).is_none() {
                let memory = game.memory(ending);
                largest = largest.max(memory);
                all += memory;
                next.extend(game.needs(ending));
            }
        }
        // One that is being solved, one that it leads to, what is kept as it is, and the rest packed.
        if all <= largest {
            largest
        } else {
            2 * largest + all.min(OPEN as u64) + all.saturating_sub(OPEN as u64) / PACKS
        }
    }

    /// The bytes of all endings that are kept.
    fn bytes(&self) -> u64 {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        let timed = self.timed.read().unwrap_or_else(PoisonError::into_inner);
        let classes = solved.classes.values().map(ClassTable::bytes).sum::<u64>();
        classes + timed.values().map(Timed::bytes).sum::<u64>()
    }

    /// Forgets the endings that were solved first until the others fit in so many bytes; what an ending needs stays.
    fn forget_beyond(&self, game: &G, ending: G::Ending, room: u64) {
        let mut all = self.bytes();
        if all <= room {
            return;
        }
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

    /// Waits until nobody else is solving.
    fn turn(&self, ending: G::Ending, work: &Work<'_>) -> Result<MutexGuard<'_, ()>, SolveError> {
        loop {
            match self.solving.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            (work.report)(&Progress { what: format!("{ending}: waiting"), done: 0, total: 1 });
            if work.stopped() {
                return Err(SolveError::Stopped);
            }
            std::thread::sleep(TELL);
        }
    }

    fn solve(&self, game: &G, ending: G::Ending, work: &Work<'_>) -> Result<ClassTable, SolveError> {
        if let Some(kept) = self.kept(ending) {
            return Ok(kept);
        }
        (work.report)(&Progress { what: ending.to_string(), done: 0, total: 0 });
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        for smaller in game.needs(ending) {
            self.solve(game, smaller, work)?;
        }
        (work.report)(&Progress { what: format!("{ending}: exits"), done: 0, total: 0 });
        let layout = self.layout(game, ending, work.threads);
        let report = |progress: &Progress| {
            (work.report)(&Progress { what: format!("{ending}: {}", progress.what), ..progress.clone() });
        };
        let work = Work { report: &report, ..*work };
        let levels = match layout {
            Laid::Whole(layout) => solve(&layout, &work)?,
            Laid::Sliced(slices) => solve_slices(&slices, &work)?,
        };
        let kept = ClassTable::Open(Arc::new(levels));
        self.keep(ending, kept.clone());
        Ok(kept)
    }

    /// Lays out an ending; what it needs was solved.
    fn layout(&self, game: &G, ending: G::Ending, threads: usize) -> Laid<G::Layout, G::Slices> {
        game.layout(ending, &LibraryThreads { library: self, threads })
    }

    /// Keeps an ending, and packs the oldest where more than [`OPEN`] bytes are open.
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
            // Questions go on meanwhile.
            drop(solved);
            let packed = PackedClass::new(&levels);
            solved = self.solved.write().unwrap_or_else(PoisonError::into_inner);
            if let (Some(packed), Some(kept)) = (packed, solved.classes.get_mut(&oldest)) {
                *kept = ClassTable::Packed(Arc::new(packed));
            }
        }
    }

    /// The values of an ending by the plies that a rule of the game leaves, where they were made.
    pub fn get_timed(&self, ending: G::Ending) -> Option<Arc<Deadlines>> {
        self.timed.read().unwrap_or_else(PoisonError::into_inner).get(&ending)?.made()
    }

    /// Returns the values of an ending by the plies that a rule of the game leaves, and makes them on first use, in
    /// seconds and hundreds of megabytes for some endings of four men. `None` if the game has no such rule, or if a
    /// clock that was set back leaves too few plies for some win.
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
    fn timed_automatically(
        &self,
        game: &G,
        ending: G::Ending,
        work: &Work<'_>,
    ) -> Result<Option<Arc<Deadlines>>, SolveError> {
        let most = if game.asked_for(ending) { u64::MAX } else { self.unasked };
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
        // The rule must leave what can come of the ending as it is.
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
        let report = |progress: &Progress| {
            (work.report)(&Progress { what: format!("{ending}: {}", progress.what), ..progress.clone() });
        };
        let work = Work { report: &report, ..*work };
        let deadlines = Arc::new(solve_deadlines(&layout, &levels, most, &work)?);
        keep(Timed::Made(deadlines.clone()));
        Ok(Some(deadlines))
    }

    /// Forgets an ending, to make room.
    pub fn forget(&self, ending: G::Ending) {
        let mut solved = self.solved.write().unwrap_or_else(PoisonError::into_inner);
        solved.classes.remove(&ending);
        solved.open.retain(|&open| open != ending);
    }

    /// The table of an ending; made for it where this library may.
    fn table(&self, game: &G, ending: G::Ending) -> Option<ClassTable> {
        let made = || self.make(game, ending, &quiet_work()).ok();
        self.kept(ending).or_else(|| if self.in_passing && self.may(game, ending) { made() } else { None })
    }

    /// Whether an ending may be solved for a position of it.
    fn may(&self, game: &G, ending: G::Ending) -> bool {
        game.asked_for(ending) || game.memory(ending) <= self.unasked
    }

    /// The value by an ending's table and the rule that the tables leave out.
    fn looked_up(
        &self,
        game: &G,
        position: &G::Position,
        ending: G::Ending,
        kept: &ClassTable,
    ) -> Option<Value> {
        let place = game.place(ending, position);
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

    /// The table's value, without rules that the tables leave out, and where it stands in the table.
    fn plain(&self, game: &G, position: &G::Position) -> Option<(G::Ending, Place, ClassTable)> {
        let ending = game.ending(position)?;
        let kept = self.table(game, ending)?;
        Some((ending, game.place(ending, position), kept))
    }
}

/// A library with threads to lay out an ending.
struct LibraryThreads<'a, G: Endings> {
    library: &'a Library<G>,
    threads: usize,
}

impl<G: Endings> Solved<G::Ending> for LibraryThreads<'_, G> {
    fn levels(&self, ending: G::Ending) -> Arc<Levels> {
        self.library.get(ending).expect("what an ending needs was solved before it")
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

impl<G: Endings + Clone> Library<G> {
    /// Solves what a position needs. Where the work is stopped this returns at once, and a background thread finishes
    /// what was begun.
    ///
    /// # Errors
    /// As [`Library::solve_for`].
    pub(super) fn solve_or_leave(
        &'static self,
        game: &G,
        position: &G::Position,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        loop {
            // Where nothing is to be solved, that is known at once.
            let at_once = Work { stop: &STOPPED, ..quiet_work() };
            match self.solve_for(game, position, &at_once) {
                Err(SolveError::Stopped) => {}
                done => return done,
            }
            let unsolved = |ending: &G::Ending| self.may(game, *ending) && self.kept(*ending).is_none();
            let first = game.ending(position).or_else(|| game.near(position).into_iter().find(unsolved));
            let what = first.map(|ending| ending.to_string()).unwrap_or_default();
            (work.report)(&Progress { what, done: 0, total: 0 });
            let (background, own) = self.send(game, position, work.threads);
            match background.wait(work) {
                None => return Err(SolveError::Stopped),
                Some(result) if own => return result,
                // That was for another question.
                Some(_) => {}
            }
        }
    }

    /// Begins to solve what a position needs on a thread of its own; the background that is under way where there is
    /// one. Whether it is for this question.
    fn send(&'static self, game: &G, position: &G::Position, threads: usize) -> (Arc<Background>, bool) {
        let mut behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(background) = &*behind {
            return (background.clone(), false);
        }
        let begun = Progress { what: "a thread begins".into(), done: 0, total: 1 };
        let state = BackgroundState { progress: begun, result: None };
        let background = Arc::new(Background { state: Mutex::new(state), ended: Condvar::new() });
        *behind = Some(background.clone());
        drop(behind);
        let died = Err(SolveError::Broken("a thread died".into()));
        let mut end = BackgroundEnd { library: self, background: background.clone(), result: died };
        let (game, position) = (game.clone(), position.clone());
        let mut run = move || {
            let background = end.background.clone();
            let report = |progress: &Progress| background.state().progress = progress.clone();
            let work = Work { threads, report: &report, ..quiet_work() };
            end.result = self.solve_for(&game, &position, &work);
        };
        // Where there is no thread to be had, what was to run is dropped, and that ends the background.
        if cfg!(target_family = "wasm") {
            // No other thread can run, so this one does it now.
            run();
        } else {
            let _ = std::thread::Builder::new().name("tables".into()).spawn(run);
        }
        (background, true)
    }
}

/// Ends a background when it is dropped, however that comes.
struct BackgroundEnd<G: Endings> {
    library: &'static Library<G>,
    background: Arc<Background>,
    result: Result<(), SolveError>,
}

impl<G: Endings> Drop for BackgroundEnd<G> {
    fn drop(&mut self) {
        *self.library.behind.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.background.state().result = Some(self.result.clone());
        self.background.ended.notify_all();
    }
}

impl<G: Endings> Library<G> {
    /// Solves the position's ending, and what one move can make of it where the position is none itself.
    ///
    /// # Errors
    /// As [`solve`].
    pub(super) fn solve_for(
        &self,
        game: &G,
        position: &G::Position,
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
        if !self.may(game, ending) {
            return Ok(());
        }
        self.make(game, ending, work)?;
        // Any move may be asked about, and the replies to it.
        if self.may_be_late(game, position, 2) {
            self.timed_automatically(game, ending, work)?;
        }
        Ok(())
    }

    /// Whether a position, or one that so many plies can make of it, is decided later than the rule allows.
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

impl<G: Endings> Oracle<G> for Library<G> {
    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        self.solve_for(game, position, need.work)
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        // The table knows finished positions too, and faster than the rules do.
        if let Some(ending) = game.ending(position)
            && let Some(kept) = self.kept(ending)
            && let Some(value) = self.looked_up(game, position, ending, &kept)
        {
            return Some(value);
        }
        if let Some(value) = game.over(position).or_else(|| game.plain(position)) {
            return Some(value);
        }
        let ending = game.ending(position)?;
        self.looked_up(game, position, ending, &self.table(game, ending)?)
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
