//! Values from a game's table file if there is one, else from a library.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use grundy_core::game::{Indexed, MORE, Notation, Scored, each_child};
use grundy_core::table::TableError;
use grundy_core::value::Value;
use grundy_session::{Home, KeptTable, Need, SolveError, Tabled};

use super::class_tabled::ClassTabled;
use super::library::Library;
use crate::oracle::Oracle;
use crate::states::StateNumbers;
use crate::superposed::Endings;
use crate::table_oracle::TableOracle;

/// Where a search waits for an ending, it may take this multiple of that time: the next positions need the table too.
const HURRY: f64 = 10.0;

/// Knows the values in a table's file if there is one, else those in a library.
pub struct LibraryOracle<G: Endings> {
    library: &'static Library<G>,
    table: TableOracle<G>,
    /// The game of the table and its full name, if it is another one.
    other: Option<(G, String)>,
    /// Returns the game of one ending and its full name, if tables of single endings are used too.
    single: Option<SingleEnding<G>>,
    /// The tables of single endings that were found in files.
    singles: RwLock<Vec<(G, TableOracle<G>)>>,
}

/// Returns the game of one ending and its full name.
type SingleEnding<G> = fn(<G as Endings>::Ending) -> Option<(G, String)>;

impl<G: Scored + Indexed + Notation + Endings + Clone + 'static> LibraryOracle<G> {
    /// Creates an oracle over a library, which it may share with others, and the game's own table.
    pub fn new(library: &'static Library<G>) -> LibraryOracle<G> {
        let (table, singles) = (TableOracle::bitparallel(), RwLock::default());
        LibraryOracle { library, table, other: None, single: None, singles }
    }

    /// Uses the table of another game instead, which leaves out rules of this one or has fewer positions.
    #[must_use]
    pub fn with_table_of(mut self, game: G, name: impl Into<String>) -> LibraryOracle<G> {
        self.other = Some((game, name.into()));
        self
    }

    /// Uses the files of single endings too, where there are some.
    #[must_use]
    pub fn with_tables_of_endings(mut self, single: SingleEnding<G>) -> LibraryOracle<G> {
        self.single = Some(single);
        self
    }

    /// Opens the file of a position's ending, if there is one and no open table knows the position.
    fn open_single(&self, game: &G, position: &G::Position, need: &Need<'_>) {
        let Some((owner, name)) = self.single.zip(game.ending(position)).and_then(|(of, ending)| of(ending))
        else {
            return;
        };
        let unknown = || {
            let singles = self.singles.read().unwrap_or_else(PoisonError::into_inner);
            singles.iter().all(|(owner, table)| table.value(owner, position).is_none())
        };
        if need.home.folder.file(&name).exists() && unknown() {
            let home = &Home { name, folder: need.home.folder.clone() };
            let table = TableOracle::bitparallel();
            let _ = table.ready(&owner, position, &Need { home, ..*need });
            if table.table().is_some() {
                self.singles.write().unwrap_or_else(PoisonError::into_inner).push((owner, table));
            }
        }
    }

    fn owner<'a>(&'a self, game: &'a G) -> &'a G {
        self.other.as_ref().map_or(game, |(game, _)| game)
    }

    /// Opens the table's file if there is one; returns whether the library is needed all the same.
    fn asks_library(&self, game: &G, position: &G::Position, need: &Need<'_>) -> bool {
        if self.table.table().is_none() {
            if game.ending(position).is_none() && game.near(position).is_empty() {
                return false;
            }
            // That there is no file is no error here.
            let name = self.other.as_ref().map_or(&need.home.name, |(_, name)| name).clone();
            let home = &Home { name, folder: need.home.folder.clone() };
            let _ = self.table.ready(self.owner(game), position, &Need { home, ..*need });
        }
        self.open_single(game, position, need);
        if self.table.table().is_some() && game.ending(position).is_none() {
            return false;
        }
        if game.over(position).is_some() {
            return false;
        }
        // Any move may be asked about, and the file does not know the rule.
        let filed =
            |position: &G::Position| self.settled(game, position).or_else(|| self.filed(game, position));
        let mut visit = |_, child: &G::Position, _| match filed(child) {
            Some(_) => MORE,
            None => ControlFlow::Break(()),
        };
        let unruled = game.horizon(position).is_none();
        filed(position).is_none() || !(unruled || each_child(game, position, &mut visit).is_continue())
    }

    /// Returns the value of a position that is over, or too simple for a table.
    fn settled(&self, game: &G, position: &G::Position) -> Option<Value> {
        game.over(position).or_else(|| game.plain(position))
    }

    /// Returns the value in the files of tables, unless a rule may change it.
    fn filed(&self, game: &G, position: &G::Position) -> Option<Value> {
        game.ending(position)?;
        let singles = self.singles.read().unwrap_or_else(PoisonError::into_inner);
        let own = self.table.table().and_then(|_| self.table.value(self.owner(game), position));
        let of_ending = || singles.iter().find_map(|(owner, table)| table.value(owner, position));
        let value = own.or_else(of_ending)?;
        let late = |plies| game.horizon(position).is_some_and(|left| plies > left);
        (!value.plies().is_some_and(late)).then_some(value)
    }
}

impl<G: Endings> Drop for LibraryOracle<G> {
    fn drop(&mut self) {
        self.library.finish_saving();
    }
}

impl<G: Scored + Indexed + Notation + Endings + Clone + 'static> Oracle<G> for LibraryOracle<G> {
    fn bytes(&self) -> u64 {
        // The library is shared, and has a limit of its own.
        self.table.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        if !self.asks_library(game, position, need) {
            return Ok(());
        }
        self.library.files.keep_in(need.home.folder.path());
        let patience = need.patience.as_secs_f64();
        let done = match need.hurried {
            true => {
                let left = need.work.until.map(|until| until.saturating_duration_since(Instant::now()));
                let seconds = left.map_or(patience, |left| (HURRY * left.as_secs_f64()).min(patience));
                self.library.solve_or_leave(game, position, seconds, need.work)
            }
            false => self.library.solve_for(game, position, patience, need.work),
        };
        self.library.save(game);
        done
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let no_single = || self.singles.read().unwrap_or_else(PoisonError::into_inner).is_empty();
        if self.table.table().is_none() && no_single() {
            return Oracle::value(self.library, game, position);
        }
        self.settled(game, position)
            .or_else(|| self.filed(game, position))
            .or_else(|| Oracle::value(self.library, game, position))
    }

    fn without_rule(&self, game: &G, position: &G::Position) -> Option<(Value, &'static str)> {
        Oracle::without_rule(self.library, game, position)
    }

    fn states(&self, game: &G) -> Option<StateNumbers<G>> {
        // The indices of another game leave out rules of this one.
        if self.other.is_none() { self.table.states(game) } else { None }
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        if self.other.is_none() { self.table.tabled(game, home, book) } else { None }
    }

    fn kept<'a>(&'a self, game: &'a G, file: &Path) -> Option<Result<KeptTable<'a>, TableError>> {
        let opened = ClassTabled::open(game, self.library.files.name()?, file, self.single?)?;
        Some(opened.map(|(tabled, table)| (Box::new(tabled) as Box<dyn Tabled>, table)))
    }
}
