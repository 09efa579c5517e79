//! A discovered table as an oracle: read from its files, or made when it is asked for.

use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use super::components::ConnectedClasses;
use super::file;
use super::find::{Found, Horizon, find};
use super::keys::Places;
use super::order::Order;
use super::packed::Packed;
use super::shard::shard;
use super::values::{memory, solve};
use super::verify::verify;
use crate::states::StateNumbers;
use crate::{Oracle, filed::Filed};
use grundy_core::game::{Notation, Player};
use grundy_core::table::{Flaw, Folder, Maker, NoCheckpoints, Scratch, Table, TableError};
use grundy_core::value::{Unit, Value};
use grundy_session::{Belief, Doubt, Estimate, Home, Need, Shard, SolveError, Tabled, Work, quiet_work};

/// Positions a second that a thread finds and solves, as far as work goes that nobody asked for.
const SPEED: u64 = 150_000;
/// Positions that are found to count them where nobody asked for more.
const COUNTED: u64 = 20_000;
/// An estimate looks for no more positions than that.
const ESTIMATED: u64 = 1_000_000;

/// Answers from a table of all positions that can be reached.
pub struct Discovered<G> {
    found: OnceLock<Arc<Found>>,
    /// The places of what was found, where shards ask for them.
    places: OnceLock<Arc<Places>>,
    table: Filed<Arc<Table>>,
    /// The components of positions, once they were asked for.
    order: OnceLock<Order>,
    /// How many positions were looked for in vain.
    too_large: Mutex<u64>,
    game: PhantomData<fn(&G)>,
}

impl<G: Packed> Default for Discovered<G> {
    fn default() -> Discovered<G> {
        Discovered {
            found: OnceLock::new(),
            places: OnceLock::new(),
            table: Filed::default(),
            order: OnceLock::new(),
            too_large: Mutex::new(0),
            game: PhantomData,
        }
    }
}

/// The file of positions beside a table's file.
fn keys_file(folder: &Folder, name: &str) -> PathBuf {
    folder.file(name).with_extension("keys")
}

impl<G: Packed> Discovered<G> {
    /// An oracle that knows nothing yet.
    pub fn new() -> Discovered<G> {
        Discovered::default()
    }

    /// What was found, from memory or from the file.
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
                log::warn!("{error}");
                None
            }
        }
    }

    /// Finds the positions, all of them however many there are where there is no limit.
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
        Ok(find(game, reach, work)?.map(|found| self.found.get_or_init(|| Arc::new(found))))
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
        let Home { folder, name } = need.home;
        let missing = || SolveError::NoTable { name: name.clone(), folder: folder.path().to_owned() };
        let opened = self.table.open(&folder.file(name), |path| {
            let found = self.known(game, need.home).ok_or_else(|| TableError::new(path, Flaw::OtherRules))?;
            let table = Table::open_for(path, name, game.checksum(), found.keys.len() as u64)?;
            let points = game.unit().is_points();
            table.coded(path, |coding| coding.unit().is_points() == points).map(Arc::new)
        });
        if opened.is_some() {
            return Ok(());
        }
        let most = u64::try_from(need.unasked.as_millis()).unwrap_or(u64::MAX).saturating_mul(SPEED) / 1_000;
        let mut too_large = self.too_large.lock().unwrap_or_else(PoisonError::into_inner);
        if most <= *too_large {
            return Err(missing());
        }
        // Positions are counted, so that every machine makes the same tables; the clock is for games of slow rules.
        let until = Instant::now().checked_add(need.unasked.saturating_mul(2));
        let limit = Horizon { positions: Some(most), until };
        let Some(found) = self.find(game, need.home, &limit, need.work)? else {
            *too_large = most;
            return Err(missing());
        };
        if found.keys.len() as u64 > most {
            *too_large = most;
            return Err(missing());
        }
        self.table.set(Arc::new(solve(game, found, need.work, &mut NoCheckpoints)?));
        Ok(())
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
        let order = self.order.get_or_init(|| Order::new(&found.components));
        let number = |position: &G::Position| game.pack(position).and_then(|key| found.keys.find(key));
        let child = game.play(position, m);
        let (from, to) = (number(position)?, number(&child)?);
        let component = order.component(from);
        if game.over(&child).is_some() || order.component(to) != component || !order.circular(component) {
            return table.rank(to as u64).map(|_| 0);
        }
        table.rank(to as u64)
    }

    fn states(&self, game: &G) -> Option<StateNumbers<G>> {
        game.bits().map(|_| StateNumbers::packed())
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, _book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        game.bits()?;
        Some(Box::new(Door { oracle: self, game, home }))
    }
}

/// A game with its discovered table.
struct Door<'a, G> {
    oracle: &'a Discovered<G>,
    game: &'a G,
    home: &'a Home,
}

impl<G: Packed + Notation> Door<'_, G> {
    fn all(&self, work: &Work<'_>) -> Result<&Arc<Found>, SolveError> {
        let found = self.oracle.find(self.game, self.home, &Horizon::default(), work)?;
        found.ok_or_else(|| SolveError::Broken("no end of positions".to_owned()))
    }
}

impl<G: Packed + Notation> Tabled for Door<'_, G> {
    fn name(&self) -> &str {
        &self.home.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        // A small game is counted at once; of a large one it is known when its positions were found.
        let reach = Horizon { positions: Some(COUNTED), until: None };
        let found = self.oracle.find(self.game, self.home, &reach, &quiet_work());
        found.ok().flatten().map_or(0, |found| found.keys.len() as u64)
    }

    fn fingerprint(&self) -> u64 {
        self.game.checksum()
    }

    fn maker(&self) -> Maker {
        let circular = self
            .oracle
            .found
            .get()
            .is_none_or(|found| found.components.iter().any(|component| component.circular));
        match (circular, self.game.unit()) {
            (false, _) => Maker::Layers,
            (true, Unit::Outcome) => Maker::Retrograde,
            (true, Unit::Points | Unit::Fractions(_)) => Maker::Thresholds,
        }
    }

    fn estimate(&self) -> Result<Estimate, SolveError> {
        let limit = Horizon { positions: Some(ESTIMATED), until: None };
        let found = self.oracle.find(self.game, self.home, &limit, &quiet_work())?;
        let count = found.map_or(ESTIMATED, |found| found.keys.len() as u64);
        if found.is_none() {
            log::warn!("{}: more than {ESTIMATED} positions; the estimate is for so many", self.home.name);
        }
        let largest = found.map_or(count, |found| {
            found.components.iter().map(ConnectedClasses::len).max().unwrap_or(0) as u64
        });
        let key = if self.game.bits().is_some_and(|bits| bits < 64) { 8 } else { 16 };
        Ok(Estimate::in_one_piece(count, memory(count, largest).max(count * key * 4)))
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

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt> {
        verify(self.game, self.all(work).map_err(Doubt::Work)?, table, work)
    }

    fn turn(&self, number: u64) -> Option<Player> {
        self.position(number).map(|(player, _)| player)
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
