//! The open lines of all boxes counted at once, from the number of a position.

use super::lines::Lines;
use grundy_core::bits::{Bits, places};

/// Numbers are given to boards with at most this many lines open at the start. The
/// [size](grundy_core::game::Indexed::size) of a larger board is `u64::MAX`, which no table can hold.
pub const MAX_NUMBERED: u32 = 63;

/// Bits that count the open lines of a box.
pub(super) const FIELD: u32 = 3;

/// The open lines of each box of a numbered board, counted side by side in one word.
#[derive(Clone, Debug)]
pub(super) struct LineCounts {
    /// What a byte of the number adds, by its place and its bits.
    bytes: Vec<[u64; 256]>,
    /// The bits of the number that are lines of a box.
    pub(super) lines: Vec<u64>,
    /// The lowest bit of each count.
    lowest: u64,
}

impl LineCounts {
    /// The counts of a board whose lines have these numbers; `None` where they do not fit a word.
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

    /// The lowest bits of the counts that are 1: boxes that can be taken.
    #[inline]
    pub(super) fn with_one_line(&self, number: u64) -> u64 {
        let bytes = self.bytes.iter().zip(number.to_le_bytes());
        let sum = bytes.fold(0, |sum, (counts, byte)| sum + counts[usize::from(byte)]);
        sum & !(sum >> 1 | sum >> 2) & self.lowest
    }
}
