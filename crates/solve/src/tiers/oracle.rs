//! Exact values from the tables of tiers, each opened where its file is, or made in memory where that takes a moment.

use std::sync::{Arc, OnceLock};

use grundy_core::game::Notation;
use grundy_core::table::{Folder, Table};
use grundy_core::value::Value;
use grundy_session::{Home, Need, SolveError, Tabled, Work};

use super::ability::Tiered;
use super::list::TierList;
use super::make::extend;
use super::part::Finished;
use super::table::{TierTable, open_tier, tier_name};
use crate::filed::Filed;
use crate::oracle::Oracle;

/// About how many numbers one thread computes in a second.
const SPEED: u64 = 1 << 22;

/// Knows the values in the tables of tiers.
#[derive(Debug)]
pub struct TierOracle {
    /// The game's name without a tier.
    base: String,
    plan: TierList,
    /// The tier that was named.
    named: Option<usize>,
    tables: Vec<Filed<Arc<Table>>>,
    folder: OnceLock<Folder>,
}

impl TierOracle {
    /// An oracle for a game of this name, which has no section `tier=`. With a tier its table is the one that is made
    /// on request, with those that it needs; else those that can follow the start of the game.
    ///
    /// # Errors
    /// One line: there is no such tier.
    pub fn new<G: Tiered>(game: &G, base: String, tier: Option<&str>) -> Result<TierOracle, String> {
        let plan = TierList::new(game);
        let start = plan.of(game.index(&game.start()));
        let unknown = |name: &str| {
            let (first, last) = (&plan.tier(0).name, &plan.tier(start).name);
            format!("no tier {:?}: expected one such as {first} or {last}", grundy_core::words::short(name))
        };
        let named = tier.map(|name| plan.named(name).ok_or_else(|| unknown(name))).transpose()?;
        let tables = (0..plan.len()).map(|_| Filed::default()).collect();
        Ok(TierOracle { base, plan, named, tables, folder: OnceLock::new() })
    }

    /// The table of a tier, where there is one by now.
    fn table<G: Tiered>(&self, game: &G, tier: usize) -> Option<&Arc<Table>> {
        let filed = &self.tables[tier];
        if let Some(table) = filed.get() {
            return Some(table);
        }
        let folder = self.folder.get()?;
        let path = folder.file(&tier_name(&self.base, &self.plan, tier));
        filed.open(&path, |_| open_tier(game, &self.plan, tier, &self.base, folder).map(Arc::new))
    }

    /// Makes the tables in memory that a tier needs and that are not there.
    fn make<G: Tiered>(&self, game: &G, tiers: &[usize], work: &Work<'_>) -> Result<(), SolveError> {
        let mut made: Vec<Finished> = Vec::new();
        for &tier in tiers {
            let finished = match self.table(game, tier) {
                Some(table) => (self.plan.numbers(tier), table.clone()),
                None => extend(game, &self.plan, &made, tier, work)?,
            };
            self.tables[tier].set(finished.1.clone());
            made.push(finished);
        }
        Ok(())
    }
}

impl<G: Tiered + Notation> Oracle<G> for TierOracle {
    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let folder = self.folder.get_or_init(|| need.home.folder.clone());
        if game.over(position).is_some() {
            return Ok(());
        }
        let tier = self.plan.of(game.index(position));
        if self.table(game, tier).is_some() {
            return Ok(());
        }
        let below = self.plan.below(tier);
        let missing = below.iter().filter(|&&tier| self.table(game, tier).is_none());
        let numbers: u64 = missing.map(|&tier| self.plan.size(tier)).sum();
        if u128::from(numbers) * 1_000 > u128::from(SPEED) * need.unasked.as_millis() {
            let name = tier_name(&self.base, &self.plan, tier);
            return Err(SolveError::NoTable { name, folder: folder.path().to_owned() });
        }
        self.make(game, &below, need.work)
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(ended) = game.over(position) {
            return Some(ended);
        }
        let number = game.index(position);
        let tier = self.plan.of(number);
        self.table(game, tier)?.get(number - self.plan.numbers(tier).start)
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, _book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        let last = self.named.unwrap_or_else(|| self.plan.of(game.index(&game.start())));
        let parts = self.plan.below(last);
        let name = match self.named {
            Some(tier) => tier_name(&self.base, &self.plan, tier),
            None => self.base.clone(),
        };
        // A tier by itself is one table; whoever makes it makes the others that it needs before.
        let tiers = if self.named.is_some() { vec![last] } else { parts.clone() };
        let (plan, base, folder) = (&self.plan, self.base.as_str(), &home.folder);
        Some(Box::new(TierTable { game, plan, base, name, folder, tiers, parts }))
    }
}
