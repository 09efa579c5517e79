//! The parts of a table: sets of states that are solved one after another, since moves lead to earlier parts only.
//!
//! Layers, tiers, numbers of stones and strongly connected components are all parts in this sense.

use std::ops::Range;

use grundy_core::sorting;
use grundy_session::SolveError;

use crate::layers::Order;

/// States that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Their indices.
    pub ranges: Vec<Range<u64>>,
    /// True if a move may stay in the part.
    pub cyclic: bool,
}

impl Part {
    /// Returns the number of states.
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    /// Reports whether the part has no state.
    pub fn is_empty(&self) -> bool {
        self.ranges.iter().all(Range::is_empty)
    }
}

/// All parts of a table in the order in which they are solved: a move leads to an earlier part, or stays in a cyclic one.
#[derive(Clone, Debug)]
pub struct Parts {
    list: Vec<Part>,
    /// The first index of each range with its part, sorted.
    begins: Vec<(u64, usize)>,
    /// Set if every state is a part of its own; the list is then empty.
    order: Option<Order>,
}

impl Parts {
    /// Creates the parts of a table in the order in which they are solved.
    pub fn new(list: Vec<Part>) -> Parts {
        let ranges =
            list.iter().zip(0..).flat_map(|(part, at)| part.ranges.iter().map(move |range| (range, at)));
        let ranges = ranges.filter(|(range, _)| !range.is_empty());
        let mut begins: Vec<(u64, usize)> = ranges.map(|(range, at)| (range.start, at)).collect();
        sorting::sort(&mut begins);
        Parts { list, begins, order: None }
    }

    /// Creates the parts that end at these indices, in rising order; moves may stay in each.
    pub fn by_ends(ends: &[u64]) -> Parts {
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let part = |(begin, &end)| Part { ranges: std::iter::once(begin..end).collect(), cyclic: true };
        Parts::new(begins.zip(ends).map(part).collect())
    }

    /// Creates the parts of an acyclic table of `count` states: each layer of the order, or each state by itself.
    ///
    /// # Errors
    /// The layers do not cover every state once.
    pub fn by_order(order: Order, count: u64) -> Result<Parts, SolveError> {
        let Order::Layers(layers) = order else {
            return Ok(Parts { list: Vec::new(), begins: Vec::new(), order: Some(order) });
        };
        let part = |layer| Part { ranges: vec![layer], cyclic: false };
        Parts::new(layers.into_iter().map(part).collect()).covering(count)
    }

    /// Returns the parts if they cover every one of `count` states once.
    ///
    /// # Errors
    /// They do not.
    pub fn covering(self, count: u64) -> Result<Parts, SolveError> {
        let all: Vec<Range<u64>> = self.list.iter().flat_map(|part| part.ranges.iter().cloned()).collect();
        check_cover(&all, count)?;
        Ok(self)
    }

    /// Returns the parts in the order in which they are solved; none if every state is a part of its own.
    pub fn list(&self) -> &[Part] {
        &self.list
    }

    /// Returns the order of the states, if every state is a part of its own.
    pub fn order(&self) -> Option<&Order> {
        self.order.as_ref()
    }

    /// Returns the part that a state lies in; `None` if every state is a part of its own.
    #[inline]
    pub fn part(&self, state: u64) -> Option<usize> {
        let after = self.begins.partition_point(|&(begin, _)| begin <= state);
        after.checked_sub(1).map(|at| self.begins[at].1)
    }

    /// Reports whether a move may stay in this part.
    pub fn is_cyclic(&self, part: usize) -> bool {
        self.list.get(part).is_none_or(|part| part.cyclic)
    }

    /// Reports whether no move stays in its part.
    pub fn is_acyclic(&self) -> bool {
        !self.list.iter().any(|part| part.cyclic)
    }

    /// Reports whether one state lies in an earlier part than another.
    pub fn comes_before(&self, first: u64, then: u64) -> bool {
        match &self.order {
            Some(Order::Lower) => first < then,
            Some(Order::Higher) => first > then,
            Some(_) => first != then && first & !then == 0,
            None => self.part(first) < self.part(then),
        }
    }
}

/// Checks that the ranges cover every state below `count` once.
///
/// # Errors
/// They do not: a cell would stay empty, or be read before it is filled.
pub(crate) fn check_cover(ranges: &[Range<u64>], count: u64) -> Result<(), SolveError> {
    let mut sorted: Vec<_> = ranges.iter().filter(|range| !range.is_empty()).collect();
    sorting::sort_by_key(&mut sorted, |range| range.start);
    let end = sorted.iter().try_fold(0, |at, range| (range.start == at).then_some(range.end));
    if end == Some(count) {
        Ok(())
    } else {
        Err(SolveError::Broken("the layers do not cover every index once".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_parts_is_strict() {
        let layers = |layers| Parts::by_order(Order::Layers(layers), 6);
        let two = layers(vec![3..6, 0..0, 0..3]).unwrap();
        assert!(two.comes_before(4, 1) && !two.comes_before(1, 4) && !two.comes_before(1, 2));
        assert!(layers(vec![0..4, 3..6]).is_err() && layers(vec![0..2, 2..4]).is_err());
        let subsets = Parts::by_order(Order::Subsets, 8).unwrap();
        assert!(subsets.comes_before(5, 7) && !subsets.comes_before(5, 5) && !subsets.comes_before(5, 6));
    }

    #[test]
    fn a_state_lies_in_the_part_of_its_range() {
        let parts = Parts::by_ends(&[4, 4, 9]);
        let part = |state| parts.part(state);
        assert_eq!([part(0), part(3), part(4), part(8)], [Some(0), Some(0), Some(2), Some(2)]);
        assert!(parts.list()[1].is_empty() && parts.list()[2].len() == 5 && !parts.is_acyclic());
    }
}
