//! The component of each position.

use super::components::ConnectedClasses;

/// The components of positions, by their places in the list, the first to be solved first.
pub(super) struct Order {
    /// Where ranges begin, with the place of their component.
    ranges: Vec<(u32, u32)>,
    /// For each component whether a move may stay within it.
    circular: Vec<bool>,
}

impl Order {
    pub(super) fn new(components: &[ConnectedClasses]) -> Order {
        let begins = |(at, component): (u32, &ConnectedClasses)| -> Vec<(u32, u32)> {
            component.ranges.iter().map(|range| (range.start, at)).collect()
        };
        let mut ranges: Vec<(u32, u32)> = (0..).zip(components).flat_map(begins).collect();
        ranges.sort_unstable();
        Order { ranges, circular: components.iter().map(|component| component.circular).collect() }
    }

    /// Whether no move stays within a component.
    pub(super) fn is_acyclic(&self) -> bool {
        !self.circular.contains(&true)
    }

    /// Whether a move may stay within this component.
    pub(super) fn circular(&self, component: u32) -> bool {
        self.circular.get(component as usize).copied().unwrap_or(true)
    }

    pub(super) fn component(&self, number: usize) -> u32 {
        let at = self.ranges.partition_point(|&(start, _)| start as usize <= number);
        at.checked_sub(1).map_or(0, |at| self.ranges[at].1)
    }
}
