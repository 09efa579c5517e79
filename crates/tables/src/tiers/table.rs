//! Computing and proving the table of one tier, or of several in one piece.

use std::ops::Range;
use std::sync::Arc;

use grundy_core::game::{Notation, Player};
use grundy_core::sorting;
use grundy_core::table::{Coding, Folder, Label, Maker, Meaning, Scratch, Table, TableError, Width};
use grundy_core::value::Unit;
use grundy_session::{Assurance, Estimate, Shard, SolveError, Tabled, VerifyError, Work, quiet_work};

use super::ability::{Tier, Tiered};
use super::estimate::{Measured, measured};
use super::list::TierList;
use super::make::{in_memory, join, one};
use super::part::{FinishedTier, InTier, Proved, Within};
use super::shard::shard;
use crate::crew::refuse_beyond;
use crate::retrograde::spilled::{self, LEAST_MEMORY, Room, solve_spilled};
use crate::table_oracle::turns;
use crate::verify::{Check, checked, fingerprint_of};

/// The table of some tiers: of one, which has a file, or of all that can follow the start of the game.
pub(super) struct TierTable<'a, G> {
    pub(super) game: &'a G,
    pub(super) list: &'a TierList,
    /// The game's name without a tier.
    pub(super) base: &'a str,
    /// The name of this table.
    pub(super) name: String,
    /// The folder of the tables of single tiers.
    pub(super) folder: &'a Folder,
    /// The tiers in it.
    pub(super) tiers: Vec<usize>,
    /// The tiers in whose tables it is kept; empty for a single tier.
    pub(super) parts: Vec<usize>,
}

/// Returns the name of one tier's table.
pub(super) fn tier_name(base: &str, list: &TierList, tier: usize) -> String {
    format!("{base}:tier={}", list.tier(tier).name)
}

/// Opens the table of one tier.
///
/// # Errors
/// It is not there, or not a table of these rules.
pub(super) fn open_tier<G: Tiered>(
    game: &G,
    list: &TierList,
    tier: usize,
    base: &str,
    folder: &Folder,
) -> Result<Table, TableError> {
    let name = tier_name(base, list, tier);
    let path = folder.file(&name);
    let table = Table::open_for(&path, &name, fingerprint_of(game, list.numbers(tier)), list.size(tier))?;
    table.coded(&path, |coding| coding.meaning.has_distances())
}

impl<'a, G: Tiered> TierTable<'a, G> {
    /// Opens the finished tables to which the moves out of its tiers lead, and loads them if they fit in memory.
    fn exits(&self, work: &Work<'_>) -> Result<Vec<FinishedTier>, VerifyError> {
        let mut needed: Vec<usize> =
            self.tiers.iter().flat_map(|&tier| self.list.exits(tier)).copied().collect();
        sorting::sort(&mut needed);
        needed.dedup();
        needed.retain(|tier| !self.tiers.contains(tier));
        // Loaded tables take part of the memory.
        let mut left = work.memory();
        let open = |tier| {
            let name = tier_name(self.base, self.list, tier);
            if !self.folder.file(&name).exists() {
                let folder = self.folder.path().to_owned();
                return Err(VerifyError::Work(SolveError::NoTable { name, folder }));
            }
            let table =
                open_tier(self.game, self.list, tier, self.base, self.folder).map_err(VerifyError::Table)?;
            let loaded = checked(&table, &Work { memory_limit: left, ..*work })?;
            if let (Some(left), Some(table)) = (&mut left, &loaded) {
                *left = left.saturating_sub(table.cells().map_or(0, |cells| cells.len() as u64));
            }
            Ok((self.list.numbers(tier), Arc::new(loaded.unwrap_or(table))))
        };
        needed.into_iter().map(open).collect()
    }

    /// Returns the index in the game of a state of the table.
    fn find(&self, mut number: u64) -> Option<u64> {
        for &tier in &self.tiers {
            if number < self.list.size(tier) {
                return Some(self.list.numbers(tier).start + number);
            }
            number -= self.list.size(tier);
        }
        None
    }

    /// Returns the memory that solving a tier takes if its distances are as large as those of its exits.
    fn needed(&self, tier: usize, exits: &[FinishedTier]) -> u64 {
        let bytes = |(_, table): &FinishedTier| table.coding().bytes(table.count()).unwrap_or(u64::MAX);
        let width = exits.iter().map(|(_, table)| table.coding().width).max().unwrap_or(Width::One);
        let own = self.list.memory_beside(tier, width.bytes(1).unwrap_or(1));
        exits.iter().fold(own, |all, exit| all.saturating_add(bytes(exit)))
    }

    /// Solves a tier that does not fit in memory, from blocks on the disk; `refused` is the error if that is impossible too.
    fn solve_spilled(
        &self,
        tier: usize,
        work: &Work<'_>,
        scratch: &Scratch,
        refused: SolveError,
    ) -> Result<Table, SolveError> {
        let memory = work.memory().unwrap_or(0);
        let folder = scratch.parts(&self.name).filter(|_| memory >= LEAST_MEMORY).ok_or(refused)?;
        let exits = self.exits(&Work { memory_limit: Some(0), ..*work }).map_err(VerifyError::fails)?;
        let numbers = self.list.numbers(tier);
        let fingerprint = fingerprint_of(self.game, numbers.clone());
        let label = Label { name: self.name.clone(), fingerprint, maker: Maker::Retrograde };
        let room = Room { folder: &folder, label, every: scratch.every(), memory };
        let Tier { leaves, stays, .. } = *self.list.tier(tier);
        let within = Within { game: self.game, first: numbers.start };
        let part = Box::new(InTier { game: self.game, numbers, exits, leaves, stays });
        solve_spilled(part, &within, work, &room)
    }

    /// Returns the memory of the tier that needs most.
    fn memory(&self) -> u64 {
        self.memory_with(1)
    }

    /// As [`TierTable::memory`], with cells of `cell` bytes.
    fn memory_with(&self, cell: u64) -> u64 {
        self.tiers.iter().map(|&tier| self.list.memory_with(tier, cell)).max().unwrap_or(0)
    }
}

impl<G: Tiered + Notation> Tabled for TierTable<'_, G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        self.tiers.iter().map(|&tier| self.list.size(tier)).sum()
    }

    fn fingerprint(&self) -> u64 {
        let prints = self.tiers.iter().map(|&tier| fingerprint_of(self.game, self.list.numbers(tier)));
        // A single tier has its own fingerprint, so that its file is the same however it was requested.
        prints.reduce(|all, print| grundy_core::random::fibonacci(all).rotate_left(32) ^ print).unwrap_or(0)
    }

    fn maker(&self) -> Maker {
        Maker::Retrograde
    }

    fn estimate(&self, work: &Work<'_>) -> Result<Estimate, SolveError> {
        let numbers = self.count();
        if self.parts.is_empty() {
            return Ok(Estimate::in_one_piece(numbers, self.memory()));
        }
        let Measured { moves, seconds, cell } = measured(self.game, self.list, &self.tiers, work)?;
        let memory = self.memory_with(cell);
        let largest = self.tiers.iter().map(|&tier| self.list.size(tier)).max().unwrap_or(0);
        // A checkpoint has the cells of a tier and its exits.
        let disk = numbers.saturating_mul(cell).saturating_add(largest.saturating_mul(2 * cell));
        let whole = Estimate::in_one_piece(numbers, memory);
        Ok(Estimate { disk, moves: Some(moves), seconds, ..whole })
    }

    fn least_memory(&self, _work: &Work<'_>) -> Result<u64, SolveError> {
        Ok(if self.tiers.len() == 1 { self.memory().min(LEAST_MEMORY) } else { self.memory() })
    }

    fn disk_within(&self, work: &Work<'_>) -> Result<u64, SolveError> {
        let spilled = self.tiers.len() == 1 && work.memory().is_some_and(|memory| self.memory() > memory);
        let disk = self.estimate(work)?.disk;
        Ok(if spilled { disk.max(spilled::disk(self.count())) } else { disk })
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        let &[tier] = self.tiers.as_slice() else {
            refuse_beyond(Some(self.memory().saturating_add(2 * self.count())), work)?;
            return join(in_memory(self.game, self.list, &self.tiers, work)?);
        };
        // Refuse before the tables that it needs are read.
        if let Err(refused) = refuse_beyond(Some(self.memory()), work) {
            return self.solve_spilled(tier, work, scratch, refused);
        }
        let exits = self.exits(work).map_err(VerifyError::fails)?;
        let needed = self.needed(tier, &exits);
        if let Err(refused) = refuse_beyond(Some(needed), work) {
            drop(exits);
            return self.solve_spilled(tier, work, scratch, refused);
        }
        let mut checkpoints = scratch.checkpoint(&self.name, self.fingerprint(), self.count());
        one(self.game, self.list, tier, exits, work, checkpoints.as_mut())
    }

    fn shard(&self, part: u32, parts: u32) -> Option<Result<Box<dyn Shard + '_>, SolveError>> {
        let &[tier] = self.tiers.as_slice() else { return None };
        let (numbers, leaves) = (self.list.numbers(tier), self.list.tier(tier).leaves);
        let made = shard(self.game, numbers, leaves, || self.exits(&quiet_work()), (part, parts));
        Some(made.map(|made| Box::new(made) as Box<_>))
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        if !table.coding().meaning.has_distances() {
            let expected = Coding { meaning: Meaning::Distance, width: table.coding().width };
            return Err(VerifyError::Coding { found: table.coding(), expected });
        }
        let exits = self.exits(work)?;
        let loaded = checked(table, work)?;
        let table = loaded.as_ref().unwrap_or(table);
        let tiers = self.tiers.iter().map(|&tier| self.list.numbers(tier)).collect();
        Check { subject: &Proved { game: self.game, tiers, exits }, table, work }.run()
    }

    fn parts(&self) -> Vec<Box<dyn Tabled + '_>> {
        let part = |&tier: &usize| {
            let name = tier_name(self.base, self.list, tier);
            let TierTable { game, list, base, folder, .. } = *self;
            Box::new(TierTable { game, list, base, name, folder, tiers: vec![tier], parts: Vec::new() })
                as Box<dyn Tabled>
        };
        self.parts.iter().map(part).collect()
    }

    fn sections(&self) -> Vec<(String, Range<u64>)> {
        let mut first = 0;
        let mut all = Vec::new();
        for &tier in &self.tiers {
            let begin = self.list.numbers(tier).start;
            let placed = |n: u64| n - begin + first;
            let sections = self.list.tier(tier).sections.iter();
            all.extend(sections.map(|(name, range)| (name.clone(), placed(range.start)..placed(range.end))));
            first += self.list.size(tier);
        }
        all
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        let mut first = 0;
        for &tier in &self.tiers {
            let (numbers, size) = (self.list.numbers(tier), self.list.size(tier));
            let within = |at: u64| numbers.start + at.clamp(first, first + size) - first;
            let own = within(range.start)..within(range.end);
            turns(self.game, own, &mut |number, turn| visit(number - numbers.start + first, turn));
            first += size;
        }
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.game.position(self.find(number)?)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        let number = self.game.index(&self.game.read_position(position).ok()?);
        let mut first = 0;
        for &tier in &self.tiers {
            let numbers = self.list.numbers(tier);
            if numbers.contains(&number) {
                return Some(first + number - numbers.start);
            }
            first += self.list.size(tier);
        }
        None
    }
}
