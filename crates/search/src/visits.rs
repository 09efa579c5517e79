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
    stops: &'a [&'a AtomicBool],
}

impl<'a> Visits<'a> {
    /// Goes on from a number of positions to `most`, `end`, or one of the flags.
    #[inline]
    pub fn new(nodes: u64, most: u64, end: Option<Instant>, stops: &'a [&'a AtomicBool]) -> Visits<'a> {
        Visits { nodes, cut: false, next: nodes.saturating_add(LOOK).min(most), most, end, stops }
    }

    /// Returns the answer of `code`, a game's own code that counts its positions here; `None` if it has none, or had to end.
    /// The search that asks has `nodes` positions then, and must end itself if `cut` is set.
    #[inline]
    pub(crate) fn answer<T>(
        mut self,
        (nodes, cut): (&mut u64, &mut bool),
        code: impl FnOnce(&mut Visits<'a>) -> Option<T>,
    ) -> Option<T> {
        let found = code(&mut self);
        *nodes = self.nodes;
        *cut |= self.cut;
        found.filter(|_| !self.cut)
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
