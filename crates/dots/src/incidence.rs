//! The boxes beside each line of a board.

use super::line_sets::Lines;
use grundy_core::bits::{Bits, places};
use grundy_tables::superposed::Isa;

/// The boxes beside each line of a board, the boxes indexed in rows from the top.
#[derive(Clone, Debug)]
pub(super) struct Incidence {
    /// The best instruction set of this machine.
    pub(super) isa: Isa,
    /// Bit of each box.
    pub(super) boxes: Vec<u32>,
    /// By words of a set of lines (horizontals, then verticals, the low 64 bits of each first): the lines between two
    /// boxes, those at the border, and for each bit the indices of the boxes beside it (the same one twice at the
    /// border).
    pub(super) inner: [u64; 4],
    pub(super) outer: [u64; 4],
    pub(super) ends: [[[u8; 2]; 64]; 4],
}

impl Incidence {
    pub(super) fn new<B: Bits>(lines: &[Lines<B>], boxes: B, stride: u32) -> Incidence {
        let numbered: Vec<u32> = places(boxes).collect();
        let number = |place: Option<u32>| {
            place.and_then(|p| numbered.iter().position(|&q| q == p)).map(|number| number as u8)
        };
        let (mut inner, mut outer, mut ends) = ([0; 4], [0; 4], [[[0; 2]; 64]; 4]);
        for line in lines {
            let (first, set, back) = if line.h.none() { (2, line.v, 1) } else { (0, line.h, stride) };
            let place = set.lowest();
            let (word, bit) = (first + (place >> 6) as usize, place & 63);
            match (number(place.checked_sub(back)), number(Some(place))) {
                (Some(a), Some(b)) => {
                    inner[word] |= 1 << bit;
                    ends[word][bit as usize] = [a, b];
                }
                (one, other) => {
                    outer[word] |= 1 << bit;
                    ends[word][bit as usize] = [one.or(other).unwrap_or(0); 2];
                }
            }
        }
        Incidence { isa: Isa::best(), boxes: numbered, inner, outer, ends }
    }
}
