//! Bits and rows of a block.

use std::ops::Range;

use crate::superposed::{BitRow, Lanes, WordCodes};
use grundy_core::bits::indices;

/// Returns the rows of a group.
pub(super) fn group(number: usize, rows: usize) -> Range<usize> {
    8 * number..rows.min(8 * number + 8)
}

/// Returns the words of some rows.
pub(super) fn words(rows: &[BitRow]) -> impl Iterator<Item = u64> {
    rows.iter().flat_map(|row| row.0)
}

/// Writes a code to the cells of a row whose bits are set.
#[inline(always)]
pub(super) fn mark_row<L: Lanes>(cells: &mut [WordCodes], new: L, code: u8) {
    let mut row = BitRow::default();
    new.store(&mut row);
    for i in indices(u64::from(new.busy())) {
        L::mark(&mut cells[i], row.0[i], code);
    }
}
