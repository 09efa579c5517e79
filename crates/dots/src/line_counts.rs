//! The numbers of open lines of all boxes, counted at once from the index of a position.

use super::line_sets::Lines;
use grundy_core::bits::{Bits, places};

/// Maximum number of open lines at the start of a board with an indexing. The [size](grundy_core::game::Indexed::size)
/// of a larger board is `u64::MAX`, which no table can hold.
pub const MAX_NUMBERED: u32 = 63;

/// Number of bits that count the open lines of a box.
pub(super) const FIELD: u32 = 3;

/// The numbers of open lines of each box of an indexed board, side by side in one word.
#[derive(Clone, Debug)]
pub(super) struct LineCounts {
    /// The counts that a byte of the index adds, by the byte's position and its bits.
    bytes: Vec<[u64; 256]>,
    /// The bits of the index that are lines of each box.
    pub(super) lines: Vec<u64>,
    /// The lowest bit of each count.
    lowest: u64,
}

impl LineCounts {
    /// Returns the counts of a board with these lines by bit of the index; `None` if they do not fit a word.
    pub(super) fn new<B: Bits>(numbered: &[Lines<B>], boxes: B, stride: u32) -> Option<LineCounts> {
        let open = numbered.len() as u32;
        if open > MAX_NUMBERED || boxes.count() * FIELD > u64::BITS {
            return None;
        }
        let beside = |line: Lines<B>| line.h | line.h >> stride | line.v | line.v >> 1;
        let lines_of = |place: u32| {
            let ours = numbered.iter().zip(0..).filter(|&(&line, _)| beside(line).meets(B::ONE << place));
            ours.fold(0, |set: u64, (_, bit)| set | 1 << bit)
        };
        let lines: Vec<u64> = places(boxes).map(lines_of).collect();
        let count = |number: u64| {
            let fields = lines.iter().zip((0..).step_by(FIELD as usize));
            fields.fold(0, |sum, (lines, shift)| sum + (u64::from((number & lines).count_ones()) << shift))
        };
        let bytes =
            (0..open.div_ceil(8)).map(|place| std::array::from_fn(|b| count((b as u64) << (8 * place))));
        let lowest = (0..lines.len() as u32).fold(0, |set, n| set | 1 << (FIELD * n));
        Some(LineCounts { bytes: bytes.collect(), lines: lines.clone(), lowest })
    }

    /// Returns the lowest bits of the counts that are 1: boxes that can be taken.
    #[inline]
    pub(super) fn with_one_line(&self, number: u64) -> u64 {
        let bytes = self.bytes.iter().zip(number.to_le_bytes());
        let sum = bytes.fold(0, |sum, (counts, byte)| sum + counts[usize::from(byte)]);
        sum & !(sum >> 1 | sum >> 2) & self.lowest
    }
}
