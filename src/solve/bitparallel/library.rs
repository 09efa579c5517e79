//! The endings of a game that were solved so far, and how a game is answered from them or from its table's file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::{Deadlines, solve, solve_deadlines};
use crate::game::{Indexed, Scored};
use crate::solve::{Oracle, Progress, SolveError, TableOracle, Work, quiet_work};
use crate::superposed::{Code, Endings, Levels, Place, decode};
use crate::table::{Coding, Folder, Keep, Meaning, Table, Width};
use crate::value::Value;

/// The endings of a game that were solved so far; each is solved when it is first met.
pub struct Library<G: Endings> {
    solved: RwLock<FxHashMap<G::Ending, Arc<Levels>>>,
    timed: RwLock<FxHashMap<G::Ending, Arc<Deadlines>>>,
    solving: Mutex<()>,
    /// Endings that need more than this many bytes are only solved where the game is about them.
    unasked: u64,
    /// Whether a question waits for the ending to be solved.
    in_passing: bool,
    /// Whether somebody solves what was not done in time.
    behind: AtomicBool,
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
            behind: AtomicBool::new(false),
        }
    }

    /// The same without work on the way: a question about an ending that is not solved has no answer.
    #[must_use]
    pub fn prompt(self) -> Self {
        Library { in_passing: false, ..self }
    }

    /// The table of an ending, where it was solved.
    pub fn get(&self, ending: G::Ending) -> Option<Arc<Levels>> {
        self.solved.read().unwrap_or_else(PoisonError::into_inner).get(&ending).cloned()
    }

    /// Solves an ending and what it needs, smaller ones first; nothing where that was done before.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn prepare(&self, game: &G, ending: G::Ending, work: &Work<'_>) -> Result<Arc<Levels>, SolveError> {
        if let Some(levels) = self.get(ending) {
            return Ok(levels);
        }
        let _one_at_a_time = self.turn(ending, work)?;
        self.solve(game, ending, work)
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
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn solve(&self, game: &G, ending: G::Ending, work: &Work<'_>) -> Result<Arc<Levels>, SolveError> {
        if let Some(levels) = self.get(ending) {
            return Ok(levels);
        }
        (work.report)(&Progress { what: ending.to_string(), done: 0, total: 0 });
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        let mut needed = FxHashMap::default();
        for smaller in game.needs(ending) {
            needed.insert(smaller, self.solve(game, smaller, work)?);
        }
        let layout = game.layout(ending, &|smaller| needed[&smaller].clone());
        let report = |progress: &Progress| {
            (work.report)(&Progress { what: format!("{ending}: {}", progress.what), ..progress.clone() });
        };
        let levels = Arc::new(solve(&layout, &Work { report: &report, ..*work })?);
        self.solved.write().unwrap_or_else(PoisonError::into_inner).insert(ending, levels.clone());
        Ok(levels)
    }

    /// The values of an ending by the plies that a rule of the game leaves, where they were made.
    pub fn get_timed(&self, ending: G::Ending) -> Option<Arc<Deadlines>> {
        self.timed.read().unwrap_or_else(PoisonError::into_inner).get(&ending).cloned()
    }

    /// The values of an ending by the plies that a rule of the game leaves, made where that was not done before;
    /// `None` where the game has no such rule, or it is not only moves out of the ending that set its clock back.
    ///
    /// # Errors
    /// As [`solve_deadlines`].
    pub fn timed(
        &self,
        game: &G,
        ending: G::Ending,
        work: &Work<'_>,
    ) -> Result<Option<Arc<Deadlines>>, SolveError> {
        let Some(most) = game.deadline(ending) else { return Ok(None) };
        if let Some(deadlines) = self.get_timed(ending) {
            return Ok(Some(deadlines));
        }
        let levels = self.prepare(game, ending, work)?;
        let _one_at_a_time = self.turn(ending, work)?;
        if let Some(deadlines) = self.get_timed(ending) {
            return Ok(Some(deadlines));
        }
        let needed: FxHashMap<_, _> =
            game.needs(ending).into_iter().filter_map(|e| Some((e, self.get(e)?))).collect();
        // The rule must leave what can come of the ending as it is.
        if needed.values().any(|levels| levels.longest > most) {
            return Ok(None);
        }
        let layout = game.layout(ending, &|smaller| needed[&smaller].clone());
        let report = |progress: &Progress| {
            (work.report)(&Progress { what: format!("{ending}: {}", progress.what), ..progress.clone() });
        };
        let work = Work { report: &report, ..*work };
        let deadlines = Arc::new(solve_deadlines(&layout, &levels, most, &work)?);
        self.timed.write().unwrap_or_else(PoisonError::into_inner).insert(ending, deadlines.clone());
        Ok(Some(deadlines))
    }

    /// Forgets an ending, to make room.
    pub fn forget(&self, ending: G::Ending) {
        self.solved.write().unwrap_or_else(PoisonError::into_inner).remove(&ending);
    }

    /// The table of an ending; made for it where this library may.
    fn table(&self, game: &G, ending: G::Ending) -> Option<Arc<Levels>> {
        let made = || Library::prepare(self, game, ending, &quiet_work()).ok();
        self.get(ending).or_else(|| if self.in_passing && self.may(game, ending) { made() } else { None })
    }

    /// Whether an ending may be solved for a position of it.
    fn may(&self, game: &G, ending: G::Ending) -> bool {
        game.asked_for(ending) || game.memory(ending) <= self.unasked
    }

    /// The table's value, without rules that the tables leave out, and where it stands in the table.
    fn plain(&self, game: &G, position: &G::Position) -> Option<(G::Ending, Place, Code)> {
        let ending = game.ending(position)?;
        let levels = self.table(game, ending)?;
        let place = game.place(ending, position);
        Some((ending, place, levels.code(place)))
    }
}

impl<G: Endings + Clone> Oracle<G> for &'static Library<G> {
    fn prepare(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Result<(), SolveError> {
        Oracle::prepare(*self, game, position, work)
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        Oracle::value(*self, game, position)
    }

    fn without_rule(&self, game: &G, position: &G::Position) -> Option<(Value, &'static str)> {
        Oracle::without_rule(*self, game, position)
    }

    fn prepare_behind(&self, game: &G, position: &G::Position) {
        let library: &'static Library<G> = self;
        if library.behind.swap(true, Ordering::AcqRel) {
            return;
        }
        let (game, position) = (game.clone(), position.clone());
        let work = move || {
            let _ = Oracle::prepare(library, &game, &position, &quiet_work());
            library.behind.store(false, Ordering::Release);
        };
        if std::thread::Builder::new().name("tables".into()).spawn(work).is_err() {
            library.behind.store(false, Ordering::Release);
        }
    }
}

impl<G: Endings> Oracle<G> for Library<G> {
    /// Solves the position's ending, and what one move can make of it where the position is none itself.
    fn prepare(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Result<(), SolveError> {
        let Some(ending) = game.ending(position) else {
            for near in game.near(position) {
                if self.may(game, near) {
                    Library::prepare(self, game, near, work)?;
                }
            }
            return Ok(());
        };
        if !self.may(game, ending) {
            return Ok(());
        }
        let levels = Library::prepare(self, game, ending, work)?;
        // Two plies on less is left, and any move may be asked about.
        if game.horizon(position).is_some_and(|left| levels.longest + 2 > left) {
            self.timed(game, ending, work)?;
        }
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(value) = game.over(position).or_else(|| game.plain(position)) {
            return Some(value);
        }
        let (ending, place, code) = self.plain(game, position)?;
        let value = decode(code)?;
        match (game.horizon(position), value.plies()) {
            (Some(left), Some(plies)) if plies > left => {
                let made = || self.timed(game, ending, &quiet_work()).ok()?;
                let timed = self.get_timed(ending).or_else(|| if self.in_passing { made() } else { None })?;
                decode(timed.code(place, code, left))
            }
            _ => Some(value),
        }
    }

    fn without_rule(&self, game: &G, position: &G::Position) -> Option<(Value, &'static str)> {
        if game.over(position).or_else(|| game.plain(position)).is_some() {
            return None;
        }
        let left = game.horizon(position)?;
        let (_, _, code) = self.plain(game, position)?;
        let value = decode(code)?;
        value.plies().is_some_and(|plies| plies > left).then(|| (value, game.rule()))
    }
}

/// Makes the table of all numbers of a game whose positions are all of few men. Numbers that no position has say
/// the same as the number before, because that packs best.
///
/// # Errors
/// As [`solve`].
pub(in crate::solve) fn solve_kept<G: Scored + Indexed + Endings>(
    game: &G,
    work: &Work<'_>,
    _keep: &mut dyn Keep,
) -> Result<Table, SolveError> {
    let library = Library::<G>::new(0);
    let count = game.size();
    // The table, and the endings that it is made from.
    let needed = count.saturating_mul(3);
    if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
        return Err(SolveError::TooLarge { needed, limit });
    }
    let mut classes = game.classes();
    classes.sort_by_key(|&(_, first)| first);
    let mut longest = 0;
    for &(ending, _) in &classes {
        longest = longest.max(Library::prepare(&library, game, ending, work)?.longest);
    }
    let fits = |width| Coding { meaning: Meaning::Distance, width }.encode(Value::win_in(longest)).is_some();
    let coding =
        Coding { meaning: Meaning::Distance, width: if fits(Width::One) { Width::One } else { Width::Two } };
    let step = if coding.width == Width::One { 1 } else { 2 };
    let codes: Vec<Option<[u8; 2]>> = (0..=u8::MAX)
        .map(|code| Some((coding.encode(decode(code)?).unwrap_or(0) as u16).to_le_bytes()))
        .collect();
    let bytes = coding.width.bytes(count).and_then(|bytes| usize::try_from(bytes).ok());
    let mut values = vec![0; bytes.ok_or(SolveError::TooLarge { needed: u64::MAX, limit: u64::MAX })?];
    let mut end = 0;
    for (ending, first) in classes {
        (work.report)(&Progress { what: format!("{ending}: numbers"), done: first, total: count });
        let Some(levels) = library.get(ending) else { continue };
        let words = levels.cells[0].len() as u64;
        let mut last = [0; 2];
        let cells = levels.cells.iter().flatten().enumerate();
        for (word, cells) in cells.map(|(word, cells)| (word as u64, cells)) {
            let begin = (first + word * 64) as usize * step;
            let (side, word) = ((word / words) as usize, (word % words) as usize);
            let stands = game.stands(ending, side, word);
            for (bit, (&code, value)) in
                cells.0.iter().zip(values[begin..begin + 64 * step].chunks_exact_mut(step)).enumerate()
            {
                if let (1, Some(code)) = (stands >> bit & 1, codes[usize::from(code)]) {
                    last = code;
                }
                value.copy_from_slice(&last[..step]);
            }
        }
        end = first + 2 * words * 64;
        library.forget(ending);
    }
    game.walk(end..count, &mut |number, position| {
        let code = game.plain(&position).and_then(|value| coding.encode(value)).unwrap_or(0);
        values[number as usize * step..][..step].copy_from_slice(&code.to_le_bytes()[..step]);
    });
    Table::from_cells(coding, count, values)
        .ok_or_else(|| SolveError::Broken("the cells do not fill a table".into()))
}

/// Answers from a table's file where there is one, else from a library.
pub struct Shelf<G: Endings> {
    library: &'static Library<G>,
    table: TableOracle<G>,
    /// The game that the table is of, and its full name, where that is another one.
    other: Option<(G, String)>,
}

impl<G: Scored + Indexed + Endings> Shelf<G> {
    /// A shelf over a library that it may share with others, with a place for the game's own table.
    pub fn new(library: &'static Library<G>) -> Shelf<G> {
        Shelf { library, table: TableOracle::bitparallel(), other: None }
    }

    /// With the table of another game instead, which leaves out rules that this one has or has fewer positions.
    #[must_use]
    pub fn with_table_of(self, game: G, name: impl Into<String>) -> Shelf<G> {
        Shelf { other: Some((game, name.into())), ..self }
    }

    fn owner<'a>(&'a self, game: &'a G) -> &'a G {
        self.other.as_ref().map_or(game, |(game, _)| game)
    }

    /// The value in the table's file, where no rule makes another of it.
    fn filed(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.table.table()?;
        game.ending(position)?;
        let value = self.table.value(self.owner(game), position)?;
        let late = |plies| game.horizon(position).is_some_and(|left| plies > left);
        (!value.plies().is_some_and(late)).then_some(value)
    }
}

impl<G: Scored + Indexed + Endings + Clone> Oracle<G> for Shelf<G> {
    fn prepare(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Result<(), SolveError> {
        if self.table.table().is_none() {
            if game.ending(position).is_none() && game.near(position).is_empty() {
                return Ok(());
            }
            // That there is no file is no fault here.
            let _ = self.table.prepare(self.owner(game), position, work);
        }
        if self.table.table().is_some() && game.ending(position).is_none() {
            return Ok(());
        }
        match self.filed(game, position) {
            Some(_) if game.horizon(position).is_none() => Ok(()),
            // The rule's clock has not begun, or it is all that counts.
            Some(_) if game.horizon(position) >= game.ending(position).and_then(|e| game.deadline(e)) => {
                Ok(())
            }
            _ => Oracle::prepare(self.library, game, position, work),
        }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let ended = || game.over(position).or_else(|| game.plain(position));
        ended().or_else(|| self.filed(game, position)).or_else(|| Oracle::value(self.library, game, position))
    }

    fn without_rule(&self, game: &G, position: &G::Position) -> Option<(Value, &'static str)> {
        Oracle::without_rule(self.library, game, position)
    }

    fn prepare_behind(&self, game: &G, position: &G::Position) {
        self.library.prepare_behind(game, position);
    }

    fn look_in(&self, folder: Folder, name: &str) {
        self.table.look_in(folder, self.other.as_ref().map_or(name, |(_, name)| name));
    }

    fn as_table(&self) -> Option<&TableOracle<G>> {
        self.other.is_none().then_some(&self.table)
    }
}
