//! Precomputed tables for the graphs of all positions on one board.

use super::incidence::Incidence;
use super::line_sets::Lines;
use super::loose_pieces::Loose;
use super::setup::Setup;
use grundy_core::bits::Bits;
use grundy_core::random::mix;
use grundy_core::sorting;

/// The end of a link: the bit of a joint, or one of two numbers beyond the last bit.
pub(super) type LinkEnd = u8;

/// The precomputed tables for the graphs of all positions on a board.
#[derive(Clone, Debug)]
pub(super) struct GraphTables<B> {
    /// The lines, the middle of the board first.
    lines: Vec<Lines<B>>,
    /// A random word for each length of a link.
    pub lengths: Vec<u64>,
    /// The lines on the border.
    pub border: Lines<B>,
    /// The end of links that lead to the border.
    pub ground: LinkEnd,
    /// The end of loops that stay on the board because there are too many loose pieces.
    pub ring: LinkEnd,
    pub loose: Loose,
    pub incidence: Incidence,
}

impl<B: Bits> GraphTables<B> {
    pub(super) fn new(setup: &Setup, lines: &[Lines<B>], boxes: B) -> GraphTables<B> {
        let Setup { rows, cols, penalty, .. } = *setup;
        let mut middle_first = lines.to_vec();
        sorting::sort_by_key(&mut middle_first, |line| far(line, rows, cols));
        let mut border = Lines::default();
        for line in lines {
            // The boxes below or to the right of a line, and above or to the left of it.
            let after = (line.h | line.v) & boxes;
            let before = (line.h >> (cols + 1) | line.v >> 1) & boxes;
            if after.none() || before.none() {
                border.h |= line.h;
                border.v |= line.v;
            }
        }
        let ground = setup.width() as LinkEnd;
        GraphTables {
            lines: middle_first,
            lengths: (0..=u64::from(rows * cols)).map(|boxes| mix(boxes + 1)).collect(),
            border,
            ground,
            ring: ground + 1,
            loose: Loose::new(rows * cols, penalty),
            incidence: Incidence::new(lines, boxes, cols + 1),
        }
    }

    /// Returns the lines of a set, the middle of the board first.
    #[inline]
    pub(super) fn middle_first(&self, set: Lines<B>) -> impl Iterator<Item = Lines<B>> {
        self.lines.iter().copied().filter(move |line| line.meets(set))
    }
}

/// Returns the city-block distance from the middle of a line to the board's; of lines equally far those across the
/// board's longer side come first.
fn far<B: Bits>(line: &Lines<B>, rows: u32, cols: u32) -> i32 {
    let (rows, cols, stride) = (rows as i32, cols as i32, cols as i32 + 1);
    let (vertical, place) = if line.h.none() { (1, line.v) } else { (0, line.h) };
    let place = place.lowest() as i32;
    let (r, c) = (2 * (place / stride) + vertical, 2 * (place % stride) + 1 - vertical);
    let across = if cols >= rows { vertical } else { 1 - vertical };
    2 * ((r - rows).abs() + (c - cols).abs()) + 1 - across
}
