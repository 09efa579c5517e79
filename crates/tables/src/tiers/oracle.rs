//! Exact values from the tables of tiers, each opened from its file, or built in memory if that is quick.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};

use grundy_core::game::Notation;
use grundy_core::table::{Folder, Table};
use grundy_core::value::Value;
use grundy_session::{Home, Need, SolveError, Spec, Tabled, Work};

use super::ability::Tiered;
use super::list::TierList;
use super::make::extend;
use super::part::FinishedTier;
use super::table::{TierTable, open_tier, tier_name};
use crate::background::{Background, Job};
use crate::filed::Filed;
use crate::oracle::Oracle;
use crate::states::StateNumbers;

/// About the states that one thread computes in a second.
const SPEED: u64 = 1 << 22;
/// The most states that are computed beside a search before it needs them.
const AHEAD: u64 = SPEED * 4;

/// The tables of a game's tiers, as far as they are there.
type Tables = Arc<[Filed<Arc<Table>>]>;

/// Knows the values in the tables of tiers.
#[derive(Debug)]
pub struct TierOracle {
    /// The game's name without a tier.
    base: String,
    list: Arc<TierList>,
    /// The tier that was named.
    named: Option<usize>,
    tables: Tables,
    /// The folder of the files: that of the last call of [`Oracle::ready`]. A tier is opened at the first question about it.
    folder: RwLock<Option<Folder>>,
    /// True for each tier whose file was not found since the last call of [`Oracle::ready`], so that a search does not look
    /// for it at every position.
    absent: Box<[AtomicBool]>,
    background: Background,
}

impl TierOracle {
    /// Creates an oracle for a game named `base`, without a section `tier=`. On request it builds the table of `tier`, if
    /// given, else those of all tiers that can follow the start of the game.
    ///
    /// # Errors
    /// One line: there is no such tier.
    pub fn new<G: Tiered>(game: &G, base: String, tier: Option<&str>) -> Result<TierOracle, String> {
        let list = TierList::new(game);
        let start = list.of(game.index(&game.start())).unwrap_or(list.len() - 1);
        let unknown = |name: &str| {
            let (first, last) = (&list.tier(0).name, &list.tier(start).name);
            format!("no tier {:?}: expected one such as {first} or {last}", grundy_core::words::short(name))
        };
        let named = tier.map(|name| list.named(name).ok_or_else(|| unknown(name))).transpose()?;
        let tables = (0..list.len()).map(|_| Filed::default()).collect();
        let absent = (0..list.len()).map(|_| AtomicBool::new(false)).collect();
        Ok(TierOracle {
            base,
            list: Arc::new(list),
            named,
            tables,
            folder: RwLock::default(),
            absent,
            background: Background::default(),
        })
    }

    /// Creates the oracle of a game that was named, taking the section `tier=` of its name.
    ///
    /// # Errors
    /// One line: there is no such tier.
    pub fn of<G: Tiered>(game: &G, spec: &mut Spec<'_>) -> Result<TierOracle, String> {
        let tier = spec.key("tier");
        let base = tier.map_or(spec.full().to_owned(), |tier| spec.without(&format!("tier={tier}")));
        TierOracle::new(game, base, tier)
    }

    /// Returns the table of a tier, if it is there.
    fn table<G: Tiered>(&self, game: &G, tier: usize) -> Option<&Arc<Table>> {
        let filed = &self.tables[tier];
        if let Some(table) = filed.get() {
            return Some(table);
        }
        if self.absent[tier].load(Relaxed) {
            return None;
        }
        let folder = self.folder.read().unwrap_or_else(PoisonError::into_inner);
        let folder = folder.as_ref()?;
        let path = folder.file(&tier_name(&self.base, &self.list, tier));
        let opened =
            filed.open(&path, &|_| open_tier(game, &self.list, tier, &self.base, folder).map(Arc::new));
        self.absent[tier].store(opened.is_none(), Relaxed);
        opened
    }

    /// Uses the files that are in this folder from now on.
    fn look_in(&self, folder: &Folder) {
        self.absent.iter().for_each(|absent| absent.store(false, Relaxed));
        let known = self.folder.read().unwrap_or_else(PoisonError::into_inner);
        let same = known.as_ref().is_some_and(|known| known.path() == folder.path());
        drop(known);
        if !same {
            *self.folder.write().unwrap_or_else(PoisonError::into_inner) = Some(folder.clone());
        }
    }

    /// Returns those of these tiers whose tables are there, or have at most `moment` states each and at most [`AHEAD`]
    /// together, with all tiers that they need.
    fn small(&self, tiers: &[usize], moment: u64) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut numbers = 0;
        for &tier in tiers {
            let there = self.tables[tier].get().is_some();
            let known = |exit: &usize| chosen.contains(exit);
            let size = self.list.size(tier);
            if there || (size <= moment && numbers + size <= AHEAD && self.list.exits(tier).iter().all(known))
            {
                numbers += if there { 0 } else { size };
                chosen.push(tier);
            }
        }
        chosen
    }
}

impl TierOracle {
    /// Builds the tables of these tiers on the background thread, unless a build is running. Returns the running build;
    /// `None` if no table is missing, or no table can be built in the background.
    fn build_behind<G: Tiered + Clone>(&self, game: &G, tiers: Vec<usize>) -> Option<Arc<Job>> {
        let missing = tiers.iter().any(|&tier| self.tables[tier].get().is_none());
        if !missing || cfg!(target_family = "wasm") || self.background.has_failed() {
            return None;
        }
        let (game, list, tables) = (game.clone(), self.list.clone(), self.tables.clone());
        let build =
            move |work: &Work<'_>| build(&game, &list, &tables, &tiers, &Work { report: &|_| {}, ..*work });
        Some(self.background.start("tiers", 1, build).0)
    }
}

/// Builds the tables of these tiers that are not there, each after those that it leads to.
fn build<G: Tiered>(
    game: &G,
    list: &TierList,
    tables: &[Filed<Arc<Table>>],
    tiers: &[usize],
    work: &Work<'_>,
) -> Result<(), SolveError> {
    let mut made: Vec<FinishedTier> = Vec::new();
    for &tier in tiers {
        let finished = match tables[tier].get() {
            Some(table) => (list.numbers(tier), table.clone()),
            None => extend(game, list, &made, tier, work)?,
        };
        tables[tier].set(finished.1.clone());
        made.push(finished);
    }
    Ok(())
}

impl<G: Tiered + Notation + Clone> Oracle<G> for TierOracle {
    fn bytes(&self) -> u64 {
        self.tables.iter().filter_map(Filed::get).map(|table| table.bytes()).sum()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        self.look_in(&need.home.folder);
        if game.over(position).is_some() {
            return Ok(());
        }
        let no_table =
            |name: String| Err(SolveError::NoTable { name, folder: need.home.folder.path().to_owned() });
        let Some(tier) = self.list.of(game.index(position)) else {
            // On a clock, the endings of a position without an index are built beside the search.
            if need.hurried {
                let all: Vec<usize> = (0..self.list.len()).collect();
                self.build_behind(game, self.small(&all, need.affords(SPEED)));
            }
            return no_table(self.base.clone());
        };
        if self.table(game, tier).is_some() {
            return Ok(());
        }
        let below = self.list.below(tier);
        let missing = below.iter().filter(|&&tier| self.table(game, tier).is_none());
        let numbers: u64 = missing.map(|&tier| self.list.size(tier)).sum();
        let moment = need.affords(SPEED);
        if numbers > moment {
            // On a clock, endings to come are built beside the search.
            if need.hurried {
                self.build_behind(game, self.small(&below, moment));
            }
            return no_table(tier_name(&self.base, &self.list, tier));
        }
        if let Some(job) = need.hurried.then(|| self.build_behind(game, below.clone())).flatten() {
            let is_there = || self.tables[tier].get().is_some();
            job.wait(need.work, &is_there);
            return if is_there() { Ok(()) } else { Err(SolveError::Stopped) };
        }
        build(game, &self.list, &self.tables, &below, need.work)
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(ended) = game.over(position) {
            return Some(ended);
        }
        let number = game.index(position);
        let tier = self.list.of(number)?;
        self.table(game, tier)?.get(number - self.list.numbers(tier).start)
    }

    fn states(&self, game: &G) -> Option<StateNumbers<G>> {
        self.list.of(game.index(&game.start())).map(|_| StateNumbers::indexed())
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        let last = self.named.or_else(|| self.list.of(game.index(&game.start())));
        let last = last.filter(|_| book.is_none())?;
        let parts = self.list.below(last);
        let name = match self.named {
            Some(tier) => tier_name(&self.base, &self.list, tier),
            None => self.base.clone(),
        };
        // A tier by itself is one table; the tables that it needs are built before.
        let tiers = if self.named.is_some() { vec![last] } else { parts.clone() };
        let (list, base, folder) = (&*self.list, self.base.as_str(), &home.folder);
        Some(Box::new(TierTable { game, list, base, name, folder, tiers, parts }))
    }
}
