//! Exact values from a table made by thresholds: of the whole game, of a smaller one, or of the first parts.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use grundy_core::game::{Game, Notation, Scored};
use grundy_core::table::{Meaning, NoCheckpoints, Table, TableError};
use grundy_core::value::Value;
use grundy_session::{Home, Need, SolveError, Tabled};

use super::ability::Parted;
use super::solve::solve_parts;
use super::tabled::ThresholdTable;
use crate::Oracle;
use crate::filed::Filed;
use crate::parts::Parts;
use crate::states::StateNumbers;
use crate::verify::fingerprint;

/// Knows the values in a table. [`Oracle::ready`] opens the game's file, or the largest of a smaller game. If these do not
/// hold the position, it builds the first parts in memory, if that takes no longer than [`Need::automatic`] allows: a search
/// can use them.
pub struct ByThresholds<G: Game> {
    file: Filed<Arc<Table>>,
    /// The first parts.
    made: Mutex<Option<Arc<Table>>>,
    /// About the states that one thread solves in a second; 0 if such a table is only built on request.
    speed: u64,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> ByThresholds<G> {
    fn at_speed(speed: u64) -> ByThresholds<G> {
        ByThresholds { file: Filed::default(), made: Mutex::default(), speed, game: std::marker::PhantomData }
    }

    /// Creates an oracle whose table is built only on request.
    pub fn on_request() -> ByThresholds<G> {
        ByThresholds::at_speed(0)
    }

    /// Returns the table that holds a state.
    fn table(&self, number: u64) -> Option<Arc<Table>> {
        let holds = |table: &&Arc<Table>| number < table.count();
        self.file.get().filter(holds).cloned().or_else(|| self.made().as_ref().filter(holds).cloned())
    }

    fn made(&self) -> std::sync::MutexGuard<'_, Option<Arc<Table>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Game> Default for ByThresholds<G> {
    fn default() -> ByThresholds<G> {
        ByThresholds::at_speed(1 << 20)
    }
}

impl<G: Scored + Parted> ByThresholds<G> {
    /// Opens the file of this game, or the largest of a smaller one.
    fn open(&self, game: &G, home: &Home) {
        let try_open = |game: &G, name: &str| {
            self.file.open(&home.folder.file(name), &|path| open_table(game, name, path)).is_some()
        };
        if !try_open(game, &home.name) {
            let there = |(name, _): &(String, G)| home.folder.file(name).exists();
            game.smaller().into_iter().filter(there).any(|(name, smaller)| try_open(&smaller, &name));
        }
    }
}

fn open_table<G: Scored + Parted>(game: &G, name: &str, path: &Path) -> Result<Arc<Table>, TableError> {
    let table = Table::open_for(path, name, fingerprint(game), game.size())?;
    table.coded(path, |coding| coding.meaning == Meaning::Ranked).map(Arc::new)
}

impl<G: Scored + Parted + Notation> Oracle<G> for ByThresholds<G> {
    fn bytes(&self) -> u64 {
        let made = self.made.try_lock().map_or(0, |made| made.as_ref().map_or(0, |table| table.bytes()));
        made + self.file.get().map_or(0, |table| table.bytes())
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let number = game.index(position);
        let known = || self.table(number).is_some() || game.over(position).is_some();
        if known() {
            return Ok(());
        }
        self.open(game, need.home);
        if known() {
            return Ok(());
        }
        let ends = game.parts();
        let most = need.affords(self.speed);
        let allowed = ends.partition_point(|&end| end <= most);
        let wanted = ends.partition_point(|&end| end <= number);
        let parts = &ends[..allowed.min(wanted + 1)];
        let Some(&end) = parts.last() else { return Err(need.no_table()) };
        if self.table(end - 1).is_none() {
            let made = solve_parts(game, parts, need.work, &mut NoCheckpoints)?;
            *self.made() = Some(Arc::new(made));
        }
        if wanted < allowed { Ok(()) } else { Err(need.no_table()) }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        game.over(position).or_else(|| {
            let number = game.index(position);
            self.table(number)?.get(number)
        })
    }

    fn pace(&self, game: &G, position: &G::Position, m: G::Move) -> Option<u32> {
        let child = game.play(position, m);
        let (from, to) = (game.index(position), game.index(&child));
        let parts = Parts::by_ends(&game.parts());
        if game.over(&child).is_some() || parts.part(from) != parts.part(to) {
            return Some(0);
        }
        self.table(to)?.rank(to)
    }

    fn states(&self, _game: &G) -> Option<StateNumbers<G>> {
        Some(StateNumbers::indexed())
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        if book.is_none() { Some(Box::new(ThresholdTable { name: &home.name, game })) } else { None }
    }
}
