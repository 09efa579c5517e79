//! The steps of one distance: finding its positions, and updating the cells of their predecessors.

use std::ops::Range;

use super::backward::{Known, Update, WINS};
use super::cells::{Slot, of_distance};
use grundy_core::table::{loss_code, win_code};

/// A stretch that one thread updates at a time has `2^STRETCH_BITS` cells, which fit in a core's cache.
pub(super) const STRETCH_BITS: u32 = 18;
/// Listed positions whose predecessors one task collects; in tests few, so that small games have many tasks.
pub(super) const LISTED: usize = if cfg!(test) { 4 } else { 1 << 12 };
/// Cells that one task scans for positions of the current distance; in tests few.
pub(super) const SCANNED: usize = if cfg!(test) { 16 } else { 1 << 15 };

/// Returns the positions of a range whose cells have a distance, by their offsets among the cells.
pub(super) fn scan<S: Slot>(cells: &[S], range: Range<usize>, plies: u32) -> Vec<Known> {
    let begin = range.start;
    of_distance(&cells[range], plies).map(|(at, win)| ((begin + at) as u64) << 1 | u64::from(!win)).collect()
}

/// Updates the cells of one stretch by positions of distance `plies`; calls `news` with the offset of each cell that is
/// resolved.
pub(super) fn apply<S: Slot>(
    stretch: &mut [S],
    plies: u32,
    most_children: u32,
    updates: impl Iterator<Item = Update>,
    news: &mut impl FnMut(u32),
) {
    let unknown = S::MAX - most_children;
    let (loss, win) = (S::new(loss_code(plies + 1)), S::new(win_code(plies + 1)));
    for update in updates {
        let at = update & !WINS;
        let code = stretch[at as usize].get();
        // Only unknown cells are updated: a value is never overwritten.
        if code < unknown {
            continue;
        }
        stretch[at as usize] = if update & WINS != 0 {
            win
        } else if code + 1 < S::MAX {
            S::of_stored(code + 1)
        } else {
            loss
        };
        if update & WINS != 0 || code + 1 >= S::MAX {
            news(at);
        }
    }
}
