//! The best of many moves by exact value, without a list of all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_session::Move;

/// The highest values added, each with its index.
pub(super) struct Highest {
    /// The lowest is on top; of equal ones the last.
    kept: BinaryHeap<Reverse<(Option<Value>, Reverse<usize>)>>,
    limit: usize,
    count: usize,
}

impl Highest {
    /// Returns an empty list of at most `limit` values.
    pub(super) fn new(limit: usize) -> Highest {
        Highest { kept: BinaryHeap::new(), limit, count: 0 }
    }

    /// Adds the value of the next move, if it is known.
    pub(super) fn add(&mut self, value: Option<Value>) {
        self.kept.push(Reverse((value, Reverse(self.count))));
        self.count += 1;
        if self.kept.len() > self.limit {
            self.kept.pop();
        }
    }

    /// Returns the indices of the values, rising.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.kept.iter().map(|&Reverse((_, Reverse(at)))| at).collect();
        sorting::sort(&mut places);
        places
    }

    /// Returns the moves with their values, best first and unknown values last, and whether others were left out.
    /// `moves` are the moves at the indices `places`.
    pub(super) fn ranked(self, places: &[usize], moves: &[Move]) -> (Vec<(Move, Option<Value>)>, bool) {
        let the = |at: usize| places.binary_search(&at).ok().and_then(|i| moves.get(i)).copied();
        let left_out = self.count > self.limit;
        let ranked = self.kept.into_sorted_vec().into_iter();
        (ranked.filter_map(|Reverse((worth, Reverse(at)))| Some((the(at)?, worth))).collect(), left_out)
    }
}
