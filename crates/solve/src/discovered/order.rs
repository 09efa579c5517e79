//! The tier of each position.

use super::find::Found;
use super::keys::Places;
use super::packed::Packed;
use super::tiers::Tier;

/// The tiers of positions, by their places in the list, the first to be solved first.
pub(super) struct Order {
    /// Where ranges begin, with the place of their tier.
    ranges: Vec<(u32, u32)>,
    /// For each tier whether a move may stay within it.
    circular: Vec<bool>,
}

impl Order {
    pub(super) fn new(tiers: &[Tier]) -> Order {
        let begins = |(at, tier): (u32, &Tier)| -> Vec<(u32, u32)> {
            tier.ranges.iter().map(|range| (range.start, at)).collect()
        };
        let mut ranges: Vec<(u32, u32)> = (0..).zip(tiers).flat_map(begins).collect();
        ranges.sort_unstable();
        Order { ranges, circular: tiers.iter().map(|tier| tier.circular).collect() }
    }

    /// Whether no move stays within a tier.
    pub(super) fn is_acyclic(&self) -> bool {
        !self.circular.contains(&true)
    }

    /// Whether a move may stay within this tier.
    pub(super) fn circular(&self, tier: u32) -> bool {
        self.circular.get(tier as usize).copied().unwrap_or(true)
    }

    pub(super) fn tier(&self, number: usize) -> u32 {
        let at = self.ranges.partition_point(|&(start, _)| start as usize <= number);
        at.checked_sub(1).map_or(0, |at| self.ranges[at].1)
    }

    /// Whether all moves of a position lead to earlier tiers.
    pub(super) fn holds<G: Packed>(&self, game: &G, found: &Found, places: &Places, number: usize) -> bool {
        let own = self.tier(number);
        let mut holds = true;
        game.expand(found.keys.get(number), &mut |child, _| {
            holds &= places.find(&found.keys, child).is_some_and(|child| self.tier(child) < own);
        });
        holds
    }
}
