//! A discovered table as an oracle: read from its files, or built when it is needed.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::file;
use super::find::{Found, Horizon, find};
use super::keys::Places;
use super::packed::Packed;
use super::shard::shard;
use super::values::{memory, moves_each, solve};
use super::verify::verify;
use crate::parts::Parts;
use crate::states::StateNumbers;
use crate::{Oracle, filed::Filed};
use grundy_core::game::{Notation, Player};
use grundy_core::table::{Flaw, Folder, Maker, NoCheckpoints, Scratch, Table, TableError};
use grundy_core::value::{Unit, Value};
use grundy_session::{
    Assurance, Estimate, Home, Need, Shard, SolveError, Tabled, VerifyError, Work, quiet_work,
};

/// Positions that one thread finds and solves in a second, as far as a table is built automatically.
const SPEED: u64 = 150_000;
/// The most positions that are found only to count them.
const COUNTED: u64 = 20_000;
/// The most positions that an estimate finds.
const ESTIMATED: u64 = 1_000_000;

/// Answers from a table of all positions that can be reached.
pub struct Discovered<G> {
    found: OnceLock<Arc<Found>>,
    /// A number of positions that a search has exceeded.
    exceeded: AtomicU64,
    /// The hash index of the positions found, once a shard needs it.
    places: OnceLock<Arc<Places>>,
    table: Filed<Arc<Table>>,
    /// The components of the positions found, once they are needed.
    parts: OnceLock<Parts>,
    /// The files of positions that were refused, each with one warning.
    refused: Mutex<Vec<PathBuf>>,
    game: PhantomData<fn(&G)>,
}

impl<G: Packed> Default for Discovered<G> {
    fn default() -> Discovered<G> {
        Discovered {
            found: OnceLock::new(),
            exceeded: AtomicU64::new(0),
            places: OnceLock::new(),
            table: Filed::default(),
            parts: OnceLock::new(),
            refused: Mutex::default(),
            game: PhantomData,
        }
    }
}

/// Returns the path of the file of positions beside a table's file.
fn keys_file(folder: &Folder, name: &str) -> PathBuf {
    folder.file(name).with_extension("keys")
}

impl<G: Packed> Discovered<G> {
    /// Creates an oracle without positions.
    pub fn new() -> Discovered<G> {
        Discovered::default()
    }

    /// Returns the positions found, from memory or from the file.
    fn known(&self, game: &G, home: &Home) -> Option<&Arc<Found>> {
        if let Some(found) = self.found.get() {
            return Some(found);
        }
        let path = keys_file(&home.folder, &home.name);
        if !path.exists() {
            return None;
        }
        match file::read(&path, game.checksum(), game.bits()? < 64) {
            Ok(found) => Some(self.found.get_or_init(|| Arc::new(found))),
            Err(error) => {
                let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
                if !refused.contains(&path) {
                    log::warn!("{error}");
                    refused.push(path);
                }
                None
            }
        }
    }

    /// Returns the positions found, searching for them if necessary; `None` if the search reaches a limit of `reach`.
    fn find(
        &self,
        game: &G,
        home: &Home,
        reach: &Horizon,
        work: &Work<'_>,
    ) -> Result<Option<&Arc<Found>>, SolveError> {
        if let Some(found) = self.known(game, home) {
            return Ok(Some(found));
        }
        // A search that found too many positions is not repeated.
        let most = reach.positions.filter(|_| reach.until.is_none());
        if most.is_some_and(|most| most <= self.exceeded.load(Ordering::Relaxed)) {
            return Ok(None);
        }
        let found = find(game, reach, work)?.map(|found| self.found.get_or_init(|| Arc::new(found)));
        if let (Some(most), None) = (most, found) {
            self.exceeded.fetch_max(most, Ordering::Relaxed);
        }
        Ok(found)
    }
}

impl<G: Packed + Notation> Oracle<G> for Discovered<G> {
    fn bytes(&self) -> u64 {
        let found = self.found.get().map_or(0, |found| found.keys.bytes());
        found + self.table.get().map_or(0, |table| table.bytes())
    }

    fn ready(&self, game: &G, _position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        if self.table.get().is_some() || game.bits().is_none() {
            return Ok(());
        }
        let open = |path: &Path| {
            let found = self.known(game, need.home).ok_or_else(|| TableError::new(path, Flaw::OtherRules))?;
            let count = found.keys.len() as u64;
            let table = Table::open_for(path, &need.home.name, game.checksum(), count)?;
            let points = game.unit().is_points();
            table.coded(path, |coding| coding.unit().is_points() == points).map(Arc::new)
        };
        self.table.open_or_build(need, &open, &|tried| {
            let most = need.affords(SPEED);
            let positions = Cell::new(None);
            let all = tried.search(most, need, &|most, until| {
                let horizon = Horizon { positions: Some(most), until };
                positions.set(self.find(game, need.home, &horizon, need.work)?);
                Ok(positions.get().is_some_and(|found| found.keys.len() as u64 <= most))
            })?;
            match positions.get().filter(|_| all) {
                Some(found) => Ok(Some(Arc::new(solve(game, found, need.work, &mut NoCheckpoints)?))),
                None => Ok(None),
            }
        })
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let (table, found) = (self.table.get()?, self.found.get()?);
        match game.pack(position).and_then(|key| found.keys.find(key)) {
            Some(number) => table.get(number as u64),
            None => game.over(position),
        }
    }

    fn pace(&self, game: &G, position: &G::Position, m: G::Move) -> Option<u32> {
        let (table, found) = (self.table.get()?, self.found.get()?);
        let parts = self.parts.get_or_init(|| Parts::new(found.components.clone()));
        let number = |position: &G::Position| game.pack(position).and_then(|key| found.keys.find(key));
        let child = game.play(position, m);
        let (from, to) = (number(position)?, number(&child)?);
        let (from, to) = (from as u64, to as u64);
        let part = parts.part(from);
        let stays = parts.part(to) == part && part.is_some_and(|part| parts.is_cyclic(part));
        let rank = table.rank(to)?;
        Some(if stays && game.over(&child).is_none() { rank } else { 0 })
    }

    fn states(&self, game: &G) -> Option<StateNumbers<G>> {
        game.bits().map(|_| StateNumbers::packed())
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        game.bits().filter(|_| book.is_none())?;
        Some(Box::new(DiscoveredTable { oracle: self, game, home }))
    }
}

/// A game with its discovered table.
struct DiscoveredTable<'a, G> {
    oracle: &'a Discovered<G>,
    game: &'a G,
    home: &'a Home,
}

impl<G: Packed + Notation> DiscoveredTable<'_, G> {
    fn all(&self, work: &Work<'_>) -> Result<&Arc<Found>, SolveError> {
        let found = self.oracle.find(self.game, self.home, &Horizon::default(), work)?;
        found.ok_or_else(|| SolveError::Broken("no end of positions".to_owned()))
    }
}

impl<G: Packed + Notation> Tabled for DiscoveredTable<'_, G> {
    fn name(&self) -> &str {
        &self.home.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        self.count_within(&quiet_work()).unwrap_or(0)
    }

    fn count_within(&self, work: &Work<'_>) -> Option<u64> {
        // A small game is searched at once; the count of a large one is known once its positions were found.
        let reach = Horizon { positions: Some(COUNTED), until: None };
        let found = self.oracle.find(self.game, self.home, &reach, work).ok()?;
        Some(found.map_or(0, |found| found.keys.len() as u64))
    }

    fn fingerprint(&self) -> u64 {
        self.game.checksum()
    }

    fn maker(&self) -> Maker {
        let cyclic = self.oracle.found.get().is_none_or(|found| found.is_cyclic());
        match (cyclic, self.game.unit()) {
            (false, _) => Maker::Layers,
            (true, Unit::Outcome) => Maker::Retrograde,
            (true, Unit::Points | Unit::Fractions(_)) => Maker::Thresholds,
        }
    }

    fn estimate(&self, work: &Work<'_>) -> Result<Estimate, SolveError> {
        let limit = Horizon { positions: Some(ESTIMATED), until: None };
        let found = self.oracle.find(self.game, self.home, &limit, work)?;
        let count = found.map_or(ESTIMATED, |found| found.keys.len() as u64);
        let largest = found.map_or(count, |found| found.largest());
        let key = if self.game.bits().is_some_and(|bits| bits < 64) { 8 } else { 16 };
        let moves = found.map_or(8, |found| moves_each(self.game, found));
        let needed = Estimate::in_one_piece(count, memory(count, largest, moves).max(count * key * 4));
        Ok(Estimate { at_least: found.is_none(), ..needed })
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        self.prepare(work, scratch.parts(self.name()).is_some())?;
        let found = self.all(work)?;
        let mut keep = scratch.checkpoint(self.name(), self.fingerprint(), found.keys.len() as u64);
        solve(self.game, found, work, keep.as_mut())
    }

    fn prepare(&self, work: &Work<'_>, write: bool) -> Result<(), SolveError> {
        let path = keys_file(&self.home.folder, self.name());
        let found = self.all(work)?;
        let there = || file::read(&path, self.fingerprint(), self.game.bits().is_some_and(|bits| bits < 64));
        if write && !(path.exists() && there().is_ok_and(|old| old == **found)) {
            file::write(&path, self.fingerprint(), found)
                .map_err(|error| SolveError::Broken(error.to_string()))?;
        }
        Ok(())
    }

    fn shard(&self, part: u32, parts: u32) -> Option<Result<Box<dyn Shard + '_>, SolveError>> {
        let found = match self.all(&quiet_work()) {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        let places = self.oracle.places.get_or_init(|| Arc::new(Places::new(&found.keys)));
        Some(shard(self.game, found, places, (part, parts)))
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        verify(self.game, self.all(work).map_err(VerifyError::Work)?, table, work)
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        let Some(found) = self.oracle.known(self.game, self.home) else { return };
        for number in range.start..range.end.min(found.keys.len() as u64) {
            visit(number, self.game.turn(&self.game.unpack(found.keys.get(number as usize))));
        }
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let found = self.oracle.known(self.game, self.home)?;
        let number = usize::try_from(number).ok().filter(|&number| number < found.keys.len())?;
        let position = self.game.unpack(found.keys.get(number));
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        let found = self.oracle.known(self.game, self.home)?;
        let key = self.game.pack(&self.game.read_position(position).ok()?)?;
        found.keys.find(key).map(|number| number as u64)
    }
}
