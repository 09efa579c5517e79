//! The best of many moves, by their exact values, without a list of all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use grundy_core::value::Value;
use grundy_session::Move;

/// The highest values that were added, by the place at which each came.
pub(super) struct Highest {
    /// The least of those kept lies on top: of equal ones the last.
    kept: BinaryHeap<Reverse<(Option<Value>, Reverse<usize>)>>,
    limit: usize,
    count: usize,
}

impl Highest {
    /// Keeps at most so many.
    pub(super) fn new(limit: usize) -> Highest {
        Highest { kept: BinaryHeap::new(), limit, count: 0 }
    }

    /// Adds the value of the next move, where it is known.
    pub(super) fn add(&mut self, value: Option<Value>) {
        self.kept.push(Reverse((value, Reverse(self.count))));
        self.count += 1;
        if self.kept.len() > self.limit {
            self.kept.pop();
        }
    }

    /// The places of those kept, in rising order.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.kept.iter().map(|&Reverse((_, Reverse(at)))| at).collect();
        places.sort_unstable();
        places
    }

    /// Those kept, best first and unknown values last, where `moves` stand at these places; and whether others were left
    /// out.
    pub(super) fn ranked(self, places: &[usize], moves: &[Move]) -> (Vec<(Move, Option<Value>)>, bool) {
        let the = |at: usize| places.binary_search(&at).ok().and_then(|i| moves.get(i)).copied();
        let left_out = self.count > self.limit;
        let ranked = self.kept.into_sorted_vec().into_iter();
        (ranked.filter_map(|Reverse((worth, Reverse(at)))| Some((the(at)?, worth))).collect(), left_out)
    }
}
