//! For each position of a part, how many of its moves may still avoid a margin.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use grundy_session::SolveError;

use crate::crew::allocate;

/// Counts by the place of a position in its part, a byte each. The few that do not fit are kept apart.
pub(super) struct Open {
    counts: Vec<AtomicU8>,
    large: Mutex<FxHashMap<u64, u32>>,
}

/// A count that stands among the large ones.
const LARGE: u8 = u8::MAX;

impl Open {
    /// So many counts of 0.
    pub(super) fn new(len: u64) -> Result<Open, SolveError> {
        let counts = allocate(len, 0u8)?.into_iter().map(AtomicU8::new).collect();
        Ok(Open { counts, large: Mutex::default() })
    }

    pub(super) fn set(&self, at: u64, count: u32) {
        let low = u8::try_from(count).unwrap_or(LARGE);
        self.counts[at as usize].store(low, Ordering::Relaxed);
        if low == LARGE {
            self.large.lock().unwrap_or_else(PoisonError::into_inner).insert(at, count);
        }
    }

    /// Whether no such move is left.
    #[inline]
    pub(super) fn none(&self, at: u64) -> bool {
        self.counts[at as usize].load(Ordering::Relaxed) == 0
    }

    /// One move less; gives how many are left, and `None` where there was none before.
    #[inline]
    pub(super) fn less(&self, at: u64) -> Option<u32> {
        let cell = &self.counts[at as usize];
        if cell.load(Ordering::Relaxed) == LARGE {
            return self.less_of_many(at);
        }
        cell.fetch_sub(1, Ordering::Relaxed).checked_sub(1).map(u32::from)
    }

    /// As [`Open::less`], for a count that began large: it stays among the large ones until nothing is left.
    #[cold]
    fn less_of_many(&self, at: u64) -> Option<u32> {
        let mut large = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        let left = large.get_mut(&at)?;
        *left = left.checked_sub(1)?;
        if *left == 0 {
            self.counts[at as usize].store(0, Ordering::Relaxed);
        }
        Some(*left)
    }
}
