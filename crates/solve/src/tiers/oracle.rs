//! Exact values from the tables of tiers, each opened where its file is, or made in memory where that takes a moment.

use std::sync::{Arc, PoisonError, RwLock};

use grundy_core::game::Notation;
use grundy_core::table::{Folder, Table};
use grundy_core::value::Value;
use grundy_session::{Home, Need, SolveError, Tabled};

use super::ability::Tiered;
use super::behind::{Behind, Tables, make};
use super::list::TierList;
use super::table::{TierTable, open_tier, tier_name};
use crate::filed::Filed;
use crate::oracle::Oracle;
use crate::states::StateNumbers;

/// About how many numbers one thread computes in a second.
const SPEED: u64 = 1 << 22;
/// So many numbers are computed beside a search before it needs them.
const AHEAD: u64 = SPEED * 4;

/// Knows the values in the tables of tiers.
#[derive(Debug)]
pub struct TierOracle {
    /// The game's name without a tier.
    base: String,
    list: Arc<TierList>,
    /// The tier that was named.
    named: Option<usize>,
    tables: Tables,
    /// Where files are looked for: the folder that [`Oracle::ready`] was last given. A tier is opened at the first
    /// question about it.
    folder: RwLock<Option<Folder>>,
    behind: Behind,
}

impl TierOracle {
    /// An oracle for a game of this name, which has no section `tier=`. With a tier its table is the one that is made
    /// on request, with those that it needs; else those that can follow the start of the game.
    ///
    /// # Errors
    /// One line: there is no such tier.
    pub fn new<G: Tiered>(game: &G, base: String, tier: Option<&str>) -> Result<TierOracle, String> {
        let list = TierList::new(game);
        let start = list.of(game.index(&game.start()));
        let unknown = |name: &str| {
            let (first, last) = (&list.tier(0).name, &list.tier(start).name);
            format!("no tier {:?}: expected one such as {first} or {last}", grundy_core::words::short(name))
        };
        let named = tier.map(|name| list.named(name).ok_or_else(|| unknown(name))).transpose()?;
        let tables = (0..list.len()).map(|_| Filed::default()).collect();
        Ok(TierOracle {
            base,
            list: Arc::new(list),
            named,
            tables,
            folder: RwLock::default(),
            behind: Behind::default(),
        })
    }

    /// The table of a tier, where there is one by now.
    fn table<G: Tiered>(&self, game: &G, tier: usize) -> Option<&Arc<Table>> {
        let filed = &self.tables[tier];
        if let Some(table) = filed.get() {
            return Some(table);
        }
        let folder = self.folder.read().unwrap_or_else(PoisonError::into_inner);
        let folder = folder.as_ref()?;
        let path = folder.file(&tier_name(&self.base, &self.list, tier));
        filed.open(&path, |_| open_tier(game, &self.list, tier, &self.base, folder).map(Arc::new))
    }

    /// Looks for files in this folder from now on.
    fn look_in(&self, folder: &Folder) {
        let known = self.folder.read().unwrap_or_else(PoisonError::into_inner);
        let same = known.as_ref().is_some_and(|known| known.path() == folder.path());
        drop(known);
        if !same {
            *self.folder.write().unwrap_or_else(PoisonError::into_inner) = Some(folder.clone());
        }
    }

    /// Those of these tiers whose tables are there, or take a moment each and not long together, with all that they need.
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

impl<G: Tiered + Notation + Clone> Oracle<G> for TierOracle {
    fn bytes(&self) -> u64 {
        self.tables.iter().filter_map(Filed::get).map(|table| table.bytes()).sum()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        self.look_in(&need.home.folder);
        if game.over(position).is_some() {
            return Ok(());
        }
        let tier = self.list.of(game.index(position));
        if self.table(game, tier).is_some() {
            return Ok(());
        }
        let below = self.list.below(tier);
        let missing = below.iter().filter(|&&tier| self.table(game, tier).is_none());
        let numbers: u64 = missing.map(|&tier| self.list.size(tier)).sum();
        let moment = u64::try_from(u128::from(SPEED) * need.unasked.as_millis() / 1_000).unwrap_or(u64::MAX);
        if numbers > moment {
            // On a clock the endings to come are made beside the search.
            if need.hurried {
                let ahead = self.small(&below, moment);
                self.behind.make(game, &self.list, &self.tables, ahead);
            }
            let name = tier_name(&self.base, &self.list, tier);
            return Err(SolveError::NoTable { name, folder: need.home.folder.path().to_owned() });
        }
        if need.hurried && self.behind.make(game, &self.list, &self.tables, below.clone()) {
            return match self.behind.wait(&self.tables[tier], need.work) {
                true => Ok(()),
                false => Err(SolveError::Stopped),
            };
        }
        make(game, &self.list, &self.tables, &below, need.work)
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(ended) = game.over(position) {
            return Some(ended);
        }
        let number = game.index(position);
        let tier = self.list.of(number);
        self.table(game, tier)?.get(number - self.list.numbers(tier).start)
    }

    fn states(&self, _game: &G) -> Option<StateNumbers<G>> {
        Some(StateNumbers::indexed())
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, _book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        let last = self.named.unwrap_or_else(|| self.list.of(game.index(&game.start())));
        let parts = self.list.below(last);
        let name = match self.named {
            Some(tier) => tier_name(&self.base, &self.list, tier),
            None => self.base.clone(),
        };
        // A tier by itself is one table; whoever makes it makes the others that it needs before.
        let tiers = if self.named.is_some() { vec![last] } else { parts.clone() };
        let (list, base, folder) = (&*self.list, self.base.as_str(), &home.folder);
        Some(Box::new(TierTable { game, list, base, name, folder, tiers, parts }))
    }
}
