//! The tiers of a game, and which are needed for which.

use std::collections::BTreeSet;
use std::ops::Range;

use super::ability::{Tier, Tiered};
use crate::retrograde;
use grundy_core::sorting;

/// The tiers of a game.
#[derive(Debug)]
pub(super) struct TierList {
    tiers: Vec<Tier>,
    /// Where each leads to.
    exits: Vec<Vec<usize>>,
    /// Where each ends, and its place in the list, in the order of their numbers.
    ends: Vec<(u64, usize)>,
}

impl TierList {
    pub(super) fn new<G: Tiered>(game: &G) -> TierList {
        let tiers = game.tiers();
        let exits = (0..tiers.len()).map(|tier| game.exits(tier)).collect();
        let mut ends: Vec<(u64, usize)> = tiers.iter().map(|tier| tier.numbers.end).zip(0..).collect();
        // An empty tier ends where another does; no number is in it.
        ends.retain(|&(_, at)| !tiers[at].numbers.is_empty());
        sorting::sort(&mut ends);
        TierList { tiers, exits, ends }
    }

    pub(super) fn len(&self) -> usize {
        self.tiers.len()
    }

    pub(super) fn tier(&self, at: usize) -> &Tier {
        &self.tiers[at]
    }

    pub(super) fn numbers(&self, at: usize) -> Range<u64> {
        self.tiers[at].numbers.clone()
    }

    /// How many numbers a tier has.
    pub(super) fn size(&self, at: usize) -> u64 {
        let numbers = &self.tiers[at].numbers;
        numbers.end - numbers.start
    }

    pub(super) fn exits(&self, at: usize) -> &[usize] {
        &self.exits[at]
    }

    /// The bytes of memory that a tier takes to solve with cells of one byte, the tables that its moves lead to included.
    pub(super) fn memory(&self, at: usize) -> u64 {
        self.memory_with(at, 1, 1)
    }

    /// The same with cells of so many bytes, which take so many in a finished table.
    pub(super) fn memory_with(&self, at: usize, cell: u64, stored: u64) -> u64 {
        let exits = self.exits(at).iter().fold(0u64, |all, &exit| all.saturating_add(self.size(exit)));
        self.memory_beside(at, cell).saturating_add(exits.saturating_mul(stored))
    }

    /// The bytes of memory that a tier takes with cells of so many bytes beside the tables that its moves lead to.
    pub(super) fn memory_beside(&self, at: usize, cell: u64) -> u64 {
        let (numbers, tier) = (self.size(at), &self.tiers[at]);
        let cells = numbers.saturating_mul(cell);
        // Where moves stay: the list of the positions of one distance, and a cell for the best way out of the tier with
        // its part of a mark.
        match tier.stays {
            true => {
                retrograde::memory(cells) + numbers / 16 + if tier.leaves { cells + numbers / 64 } else { 0 }
            }
            false => cells,
        }
    }

    /// The tier of a number.
    pub(super) fn of(&self, number: u64) -> usize {
        self.ends[self.ends.partition_point(|&(end, _)| end <= number)].1
    }

    /// The tier of this name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.tiers.iter().position(|tier| tier.name == name)
    }

    /// All tiers that can follow a tier, and itself as the last.
    pub(super) fn below(&self, at: usize) -> Vec<usize> {
        let mut all = BTreeSet::from([at]);
        let mut next = vec![at];
        while let Some(tier) = next.pop() {
            next.extend(self.exits[tier].iter().copied().filter(|&exit| all.insert(exit)));
        }
        all.into_iter().collect()
    }
}
