//! The tiers of a game, and the tiers that each needs.

use std::collections::BTreeSet;
use std::ops::Range;

use super::ability::{Tier, Tiered};
use crate::parts::{Part, Parts};
use crate::retrograde;

/// The tiers of a game.
#[derive(Debug)]
pub(super) struct TierList {
    tiers: Vec<Tier>,
    /// The tiers that the moves of each lead to.
    exits: Vec<Vec<usize>>,
    parts: Parts,
}

impl TierList {
    pub(super) fn new<G: Tiered>(game: &G) -> TierList {
        let tiers = game.tiers();
        let exits = (0..tiers.len()).map(|tier| game.exits(tier)).collect();
        let part = |tier: &Tier| Part { ranges: vec![tier.numbers.clone()], cyclic: tier.stays };
        let parts = Parts::new(tiers.iter().map(part).collect());
        TierList { tiers, exits, parts }
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

    /// Returns the number of states of a tier.
    pub(super) fn size(&self, at: usize) -> u64 {
        let numbers = &self.tiers[at].numbers;
        numbers.end - numbers.start
    }

    pub(super) fn exits(&self, at: usize) -> &[usize] {
        &self.exits[at]
    }

    /// Returns the bytes of memory that solving a tier takes with cells of one byte, including the tables that its moves lead
    /// to.
    pub(super) fn memory(&self, at: usize) -> u64 {
        self.memory_with(at, 1)
    }

    /// As [`TierList::memory`], with cells of `cell` bytes.
    pub(super) fn memory_with(&self, at: usize, cell: u64) -> u64 {
        let exits = self.exits(at).iter().fold(0u64, |all, &exit| all.saturating_add(self.size(exit)));
        self.memory_beside(at, cell).saturating_add(exits.saturating_mul(cell))
    }

    /// Returns the bytes of memory that solving a tier takes with cells of `cell` bytes, beside the tables that its moves lead
    /// to.
    pub(super) fn memory_beside(&self, at: usize, cell: u64) -> u64 {
        let (numbers, tier) = (self.size(at), &self.tiers[at]);
        let cells = numbers.saturating_mul(cell);
        // If moves stay: the list of the positions of one distance, and a cell for the best move out of the tier with its
        // share of a mark.
        match tier.stays {
            true => {
                retrograde::memory(cells) + numbers / 16 + if tier.leaves { cells + numbers / 64 } else { 0 }
            }
            false => cells,
        }
    }

    /// Returns the tier of a state; `None` if it is in no tier.
    pub(super) fn of(&self, number: u64) -> Option<usize> {
        self.parts.part(number).filter(|&tier| self.tiers[tier].numbers.contains(&number))
    }

    /// Returns the tier of this name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.tiers.iter().position(|tier| tier.name == name)
    }

    /// Returns all tiers that can follow a tier, and the tier itself as the last.
    pub(super) fn below(&self, at: usize) -> Vec<usize> {
        let mut all = BTreeSet::from([at]);
        let mut next = vec![at];
        while let Some(tier) = next.pop() {
            next.extend(self.exits[tier].iter().copied().filter(|&exit| all.insert(exit)));
        }
        all.into_iter().collect()
    }
}
