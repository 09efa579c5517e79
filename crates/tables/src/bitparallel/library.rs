//! The solved classes of a game, in memory: each is solved when it is first needed.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use super::class_file::{self, Kept};
use super::deadlines::{Deadlines, deadlines_memory, solve_deadlines};
use super::levels::solve;
use super::packed::PackedClass;
use super::slices::{PortionLevels, solve_portion, solve_slices};
use crate::Oracle;
use crate::background::Background;
use crate::crew::refuse_beyond;
use crate::superposed::{
    Code, Endings, Laid, Levels, NONE, Place, Portion, Solved, Superposed, WordCodes, WorkItem, decode,
};
use grundy_core::game::{MORE, each_move};
use grundy_core::threads;
use grundy_core::value::Value;
use grundy_session::{Activity, Need, Progress, STOPPED, SolveError, Work, quiet_work};

/// The solved classes of a game. Each is solved when it is first needed.
pub struct Library<G: Endings> {
    solved: RwLock<Classes<G::Ending>>,
    timed: RwLock<FxHashMap<G::Ending, Timed>>,
    /// By class in slices and chain: what was solved of it for positions that were met.
    portions: RwLock<FxHashMap<(G::Ending, usize), Arc<PortionLevels>>>,
    solving: Mutex<()>,
    /// Classes that need more than this many bytes of memory are solved only if the game is about them.
    unasked: u64,
    /// True if a request for a value waits until its class is solved.
    in_passing: bool,
    background: Background,
    /// The beginning of the names of its files, if solved classes are kept in files.
    files: Option<&'static str>,
    folder: Mutex<Option<PathBuf>>,
    /// Classes and chains that are not in files yet.
    unsaved: Mutex<Vec<(G::Ending, Option<usize>)>>,
    saving: Background,
}

/// Interval of polling while another thread solves.
const POLL: Duration = Duration::from_millis(1);

/// Bytes of cells that are kept unpacked; beyond that the classes that were solved first are packed.
const OPEN: usize = 3 << 29;
/// Smaller classes are not packed.
const SMALL: usize = 1 << 26;
/// The cost of solving is announced, and classes are kept in files, from this many seconds on.
const LONG: f64 = 1.0;
/// Least compression ratio of packed classes.
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

/// The values of a class, packed or not, or of a portion of it.
#[derive(Clone)]
pub(super) enum ClassTable {
    Open(Arc<Levels>),
    Packed(Arc<PackedClass>),
    Portion(Arc<PortionLevels>),
}

impl ClassTable {
    pub(super) fn longest(&self) -> u32 {
        match self {
            ClassTable::Open(levels) => levels.longest,
            ClassTable::Packed(packed) => packed.longest(),
            ClassTable::Portion(portion) => portion.longest(),
        }
    }

    /// Returns the number of words with one side to move; 0 for a portion.
    pub(super) fn words(&self) -> usize {
        match self {
            ClassTable::Open(levels) => levels.cells[0].len(),
            ClassTable::Packed(packed) => packed.words(),
            ClassTable::Portion(_) => 0,
        }
    }

    /// Returns the codes of one word.
    pub(super) fn word(&self, side: usize, word: usize) -> WordCodes {
        match self {
            ClassTable::Open(levels) => {
                levels.cells[side].get(word).copied().unwrap_or(WordCodes([NONE; 64]))
            }
            ClassTable::Packed(packed) => packed.word(side, word),
            ClassTable::Portion(portion) => portion.word(side, word),
        }
    }

    pub(super) fn value(&self, place: Place) -> Option<Value> {
        match self {
            ClassTable::Open(levels) => levels.value(place),
            ClassTable::Packed(packed) => packed.value(place),
            ClassTable::Portion(portion) => portion.value(place),
        }
    }

    fn code(&self, place: Place) -> Code {
        match self {
            ClassTable::Open(levels) => levels.code(place),
            ClassTable::Packed(packed) => packed.code(place),
            ClassTable::Portion(portion) => portion.code(place),
        }
    }

    /// Returns its size in bytes.
    fn bytes(&self) -> u64 {
        match self {
            ClassTable::Open(levels) => bytes(levels) as u64,
            ClassTable::Packed(packed) => packed.bytes(),
            ClassTable::Portion(portion) => portion.bytes(),
        }
    }

    /// Returns the values of the class, unpacked if necessary; `None` if they are damaged or those of a portion.
    fn levels(&self) -> Option<Arc<Levels>> {
        match self {
            ClassTable::Open(levels) => Some(levels.clone()),
            ClassTable::Packed(packed) => packed.unpack().map(Arc::new),
            ClassTable::Portion(_) => None,
        }
    }
}

/// The resources that solving takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// Bytes of memory.
    pub memory: u64,
    /// Seconds of one thread, about.
    pub seconds: f64,
}

/// Passes progress on with the name of an ending in front.
fn named<'a, E: Display>(ending: E, work: &Work<'a>) -> impl Fn(&Progress) + 'a
where
    E: 'a,
{
    let report = work.report;
    move |progress| {
        report(&Progress { what: format!("{ending}: {}", progress.what).into(), ..progress.clone() });
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
    /// Creates an empty library. Endings that need more than `unasked` bytes of memory are answered only after
    /// [`Library::prepare`].
    pub fn new(unasked: u64) -> Self {
        Library {
            solved: RwLock::default(),
            timed: RwLock::default(),
            portions: RwLock::default(),
            solving: Mutex::default(),
            unasked,
            in_passing: true,
            background: Background::default(),
            files: None,
            folder: Mutex::default(),
            unsaved: Mutex::default(),
            saving: Background::default(),
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
        Library { files: Some(name), ..self }
    }

    /// Returns the table of an ending, unpacked if necessary; `None` if it is not solved.
    pub fn get(&self, ending: G::Ending) -> Option<Arc<Levels>> {
        self.kept(ending)?.levels()
    }

    pub(super) fn kept(&self, ending: G::Ending) -> Option<ClassTable> {
        self.solved.read().unwrap_or_else(PoisonError::into_inner).classes.get(&ending).cloned()
    }

    /// Returns the values at a place, of the whole class or of a portion; `None` if it is not solved.
    fn kept_at(&self, game: &G, ending: G::Ending, place: Place) -> Option<ClassTable> {
        self.kept(ending).or_else(|| {
            let portions = self.portions.read().unwrap_or_else(PoisonError::into_inner);
            let portion = if portions.is_empty() { None } else { game.portion(ending, place) }?;
            let solved = portions.get(&(ending, portion.chain)).filter(|solved| solved.covers(portion))?;
            Some(ClassTable::Portion(solved.clone()))
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

    /// Solves a portion of an ending in slices, and all that it needs, unless that was done before.
    fn make_portion(
        &self,
        game: &G,
        ending: G::Ending,
        portion: Portion,
        work: &Work<'_>,
    ) -> Result<(), SolveError> {
        let _one_at_a_time = self.turn(ending, work)?;
        let mut earlier = {
            let portions = self.portions.read().unwrap_or_else(PoisonError::into_inner);
            portions.get(&(ending, portion.chain)).cloned()
        };
        let covers = |solved: &Option<Arc<PortionLevels>>| solved.as_ref().is_some_and(|s| s.covers(portion));
        if self.kept(ending).is_some() || covers(&earlier) {
            return Ok(());
        }
        let needed = self.cost(game, [(ending, Some(portion))]).memory;
        refuse_beyond(Some(needed), work)?;
        if let Some(limit) = work.memory_limit {
            self.forget_beyond(game, ending, limit.saturating_sub(needed));
        }
        let work = Work { memory_limit: None, ..*work };
        for smaller in game.needs(ending) {
            self.solve(game, smaller, &work)?;
        }
        let keep = |made: Arc<PortionLevels>| {
            let mut portions = self.portions.write().unwrap_or_else(PoisonError::into_inner);
            portions.insert((ending, portion.chain), made);
        };
        if earlier.is_none()
            && let Some(Kept::Portion(read)) = self.read(game, ending, Some(portion.chain))
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
        let report = named(ending, &work);
        let made = solve_portion(&slices, portion, earlier.as_deref(), &Work { report: &report, ..work })?;
        keep(Arc::new(made));
        self.to_be_saved(ending, Some(portion.chain));
        Ok(())
    }

    /// Returns the file of a class or a chain in the folder of the last request; `None` if there is none.
    fn file(&self, ending: G::Ending, chain: Option<usize>) -> Option<PathBuf> {
        let chain = chain.map_or(String::new(), |chain| format!("_{chain}"));
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        Some(folder.join(format!("{}_{ending}{chain}.class", self.files?)))
    }

    /// Reads the file of a class or a chain; `None` if there is none.
    fn read(&self, game: &G, ending: G::Ending, chain: Option<usize>) -> Option<Kept> {
        let path = self.file(ending, chain).filter(|path| path.exists())?;
        class_file::read(&path, game.fingerprint(ending))
    }

    /// Notes that a class or a chain is to be written to a file.
    fn to_be_saved(&self, ending: G::Ending, chain: Option<usize>) {
        if self.files.is_some() && !cfg!(target_family = "wasm") {
            self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).push((ending, chain));
        }
    }

    /// Sets the folder of the files.
    pub(super) fn keep_in(&self, folder: &Path) {
        let mut kept = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_deref() != Some(folder) {
            *kept = Some(folder.to_owned());
        }
    }

    /// Waits until all files are written, 10 s at most.
    pub(super) fn finish_saving(&self) {
        self.saving.finish(&quiet_work().within(Duration::from_secs(10)));
    }

    /// Writes one class to its file; returns false if none is left.
    fn save_next(&self, game: &G) -> bool {
        let next = self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some((ending, chain)) = next else { return false };
        let Some(path) = self.file(ending, chain) else { return true };
        let kept = match chain {
            None => self.get(ending).and_then(|levels| PackedClass::new(&levels)).map(Kept::Class),
            Some(chain) => {
                let portions = self.portions.read().unwrap_or_else(PoisonError::into_inner);
                portions.get(&(ending, chain)).cloned().map(Kept::Portion)
            }
        };
        let make = || path.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let (Some(kept), Ok(())) = (kept, make())
            && let Err(error) = class_file::write(&path, game.fingerprint(ending), &kept)
        {
            log::warn!("{error}");
        }
        true
    }

    /// Returns what solving these endings, or portions of them, takes with all unsolved ones that they need.
    pub(super) fn cost(
        &self,
        game: &G,
        endings: impl IntoIterator<Item = (G::Ending, Option<Portion>)>,
    ) -> Cost {
        let mut seen = FxHashSet::default();
        let mut next: Vec<_> = endings.into_iter().collect();
        let (mut largest, mut all, mut seconds) = (0, 0, 0.0);
        while let Some((ending, portion)) = next.pop() {
            if seen.insert(ending) && self.kept(ending).is_none() {
                let memory = game.memory(ending, portion);
                largest = largest.max(memory);
                all += memory;
                let file = self.file(ending, portion.map(|portion| portion.chain));
                if !file.is_some_and(|path| path.exists()) {
                    seconds += game.seconds(ending, portion);
                }
                next.extend(game.needs(ending).into_iter().map(|smaller| (smaller, None)));
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

    /// Returns the bytes of all endings.
    fn bytes(&self) -> u64 {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        let timed = self.timed.read().unwrap_or_else(PoisonError::into_inner);
        let portions = self.portions.read().unwrap_or_else(PoisonError::into_inner);
        let classes = solved.classes.values().map(ClassTable::bytes).sum::<u64>();
        let portions = portions.values().map(|portion| portion.bytes()).sum::<u64>();
        classes + portions + timed.values().map(Timed::bytes).sum::<u64>()
    }

    /// Drops the endings that were solved first until the others fit in `room` bytes; those that `ending` needs stay.
    fn forget_beyond(&self, game: &G, ending: G::Ending, room: u64) {
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
    fn turn(&self, ending: G::Ending, work: &Work<'_>) -> Result<MutexGuard<'_, ()>, SolveError> {
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

    fn solve(&self, game: &G, ending: G::Ending, work: &Work<'_>) -> Result<ClassTable, SolveError> {
        if let Some(kept) = self.kept(ending) {
            return Ok(kept);
        }
        (work.report)(&Progress { what: ending.to_string().into(), done: 0, total: 0 });
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        for smaller in game.needs(ending) {
            self.solve(game, smaller, work)?;
        }
        if let Some(Kept::Class(read)) = self.read(game, ending, None) {
            let read = ClassTable::Packed(Arc::new(read));
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
        if game.seconds(ending, None) >= LONG {
            self.to_be_saved(ending, None);
        }
        Ok(kept)
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
    fn may(&self, game: &G, ending: G::Ending) -> bool {
        game.asked_for(ending) || game.memory(ending, None) <= self.unasked
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
    fn plain(&self, game: &G, position: &G::Position) -> Option<(G::Ending, Place, ClassTable)> {
        let ending = game.ending(position)?;
        let place = game.place(ending, position);
        Some((ending, place, self.table(game, ending, place)?))
    }
}

/// A library with threads for laying out an ending.
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
    /// Writes the classes that were solved and are not in files yet, beside other work.
    pub(super) fn save(&'static self, game: &G) {
        if self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return;
        }
        let game = game.clone();
        self.saving.start("files", 1, move |work| {
            while !work.stopped() && self.save_next(&game) {}
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
            let at_once = Work { stop: &STOPPED, ..quiet_work() };
            match self.solve_for(game, position, seconds, &at_once) {
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
            let cost = || self.cost(game, [(ending, portion)]);
            if !self.may(game, ending) && cost().seconds > seconds {
                return Ok(());
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
        let megabytes = memory.div_ceil(1 << 20);
        Activity::Beginning(format!(
            "{ending}, about {seconds:.0} s of one thread and {megabytes} MB of memory"
        ))
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

impl<G: Endings> Oracle<G> for Library<G> {
    fn bytes(&self) -> u64 {
        self.bytes()
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
