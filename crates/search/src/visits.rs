//! The positions that a game's own code visits when it solves an ending.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Positions after which the limits are looked at again: a fraction of a millisecond.
const LOOK: u64 = 1_024;

/// Counts positions, and says when their search must end.
#[derive(Debug)]
pub struct Visits<'a> {
    /// The positions so far.
    pub nodes: u64,
    /// True once the search must end: what it returns means nothing then.
    pub cut: bool,
    /// The positions at which the limits are looked at.
    next: u64,
    most: u64,
    end: Option<Instant>,
    stops: [&'a AtomicBool; 2],
}

impl<'a> Visits<'a> {
    /// Goes on from a number of positions to `most`, `end`, or one of two flags.
    #[inline]
    pub fn new(nodes: u64, most: u64, end: Option<Instant>, stops: [&'a AtomicBool; 2]) -> Visits<'a> {
        Visits { nodes, cut: false, next: nodes.saturating_add(LOOK).min(most), most, end, stops }
    }

    /// Counts a position; returns false if the search must end now.
    #[inline]
    pub fn enter(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next {
            self.look();
        }
        !self.cut
    }

    #[cold]
    fn look(&mut self) {
        self.cut |= self.nodes >= self.most
            || self.stops.iter().any(|stop| stop.load(Relaxed))
            || self.end.is_some_and(|end| Instant::now() >= end);
        self.next = self.nodes.saturating_add(LOOK).min(self.most.max(self.nodes + 1));
    }
}
