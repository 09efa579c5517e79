//! The geometry of a board of one size: its edges and quarters, stable discs, and the score of a finished game.

use super::bits::{AXES, FILE_A};

/// The geometry of a board and the scoring of its games. Bit 8 * row + column from the bottom left; smaller boards lie
/// in that corner.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub columns: usize,
    pub rows: usize,
    pub cells: u64,
    pub corners: u64,
    /// The four quarters, by column and row.
    quarters: [u64; 4],
    /// The cells where a line along each axis ends.
    pub edges: [u64; 4],
    /// For steps of 1, 2 and 4 along the axes: the cells where a step up, and one down, ends on the board.
    pub open: [([u64; 4], [u64; 4]); 3],
    /// `true` if the empty cells at the end count for the winner.
    pub winner_takes_empties: bool,
}

impl Geometry {
    pub fn new(columns: usize, rows: usize, winner_takes_empties: bool) -> Geometry {
        let bit = |column: usize, row: usize| 1u64 << (8 * row + column);
        let within = |inside: &dyn Fn(usize, usize) -> bool| {
            let all = (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r)));
            all.filter(|&(c, r)| inside(c, r)).fold(0, |set, (c, r)| set | bit(c, r))
        };
        let (end, top) = (columns - 1, rows - 1);
        let quarter = |right, up| within(&|c, r| (c >= columns / 2) == right && (r >= rows / 2) == up);
        let cells = within(&|_, _| true);
        let sides = within(&|c, _| c == 0 || c == end);
        let ends = within(&|_, r| r == 0 || r == top);
        // One step lands on the board if it crosses no edge of columns; further steps if all on the way do.
        let (left, right) = (FILE_A, within(&|c, _| c == end));
        let lands = |axis: usize, slanting: u64, across: u64| match AXES[axis] {
            8 => cells,
            7 => cells & !slanting,
            _ => cells & !across,
        };
        let axes = [0, 1, 2, 3];
        let mut open = [(axes.map(|a| lands(a, right, left)), axes.map(|a| lands(a, left, right))); 3];
        for i in 1..3 {
            let (ups, downs) = open[i - 1];
            let step = |axis: usize| AXES[axis] << (i - 1);
            open[i] =
                (axes.map(|a| ups[a] & ups[a] << step(a)), axes.map(|a| downs[a] & downs[a] >> step(a)));
        }
        Geometry {
            columns,
            rows,
            cells,
            corners: bit(0, 0) | bit(end, 0) | bit(0, top) | bit(end, top),
            quarters: [
                quarter(false, false),
                quarter(true, false),
                quarter(false, true),
                quarter(true, true),
            ],
            edges: [sides, sides | ends, ends, sides | ends],
            open,
            winner_takes_empties,
        }
    }

    /// Returns the side of a square board; `None` if the board is not square.
    pub fn side(&self) -> Option<usize> {
        (self.columns == self.rows).then_some(self.columns)
    }

    /// Returns the number of cells.
    #[inline(always)]
    pub fn size(&self) -> i32 {
        (self.columns * self.rows) as i32
    }

    /// Returns the quarter of the board that holds the cell.
    #[inline(always)]
    pub fn quarter_of(&self, cell: u32) -> u64 {
        let (right, up) = (cell % 8 >= self.columns as u32 / 2, cell / 8 >= self.rows as u32 / 2);
        self.quarters[usize::from(right) + 2 * usize::from(up)]
    }

    /// Returns the quarters with an odd number of these cells.
    #[inline(always)]
    pub fn odd(&self, free: u64) -> u64 {
        self.quarters.iter().filter(|&&q| (free & q).count_ones() & 1 == 1).fold(0, |set, q| set | q)
    }

    /// Returns the final difference of a finished game for the first of the two.
    #[inline(always)]
    pub fn result(&self, mine: u64, other: u64) -> i32 {
        let (mine, other) = (mine.count_ones() as i32, other.count_ones() as i32);
        let free = if self.winner_takes_empties { self.size() - mine - other } else { 0 };
        mine - other + free * (mine - other).signum()
    }

    /// Returns, for each axis, the cells whose line is full of these discs, and the bits off the board.
    #[inline]
    pub fn full(&self, discs: u64) -> [u64; 4] {
        let free = self.cells & !discs;
        let (mut up, mut down) = ([free; 4], [free; 4]);
        for (i, (open_up, open_down)) in self.open.iter().enumerate() {
            for axis in 0..4 {
                up[axis] |= up[axis] << (AXES[axis] << i) & open_up[axis];
                down[axis] |= down[axis] >> (AXES[axis] << i) & open_down[axis];
            }
        }
        [0, 1, 2, 3].map(|axis| !(up[axis] | down[axis]))
    }

    /// Returns stable discs of a player, not necessarily all: along each axis the line is full, or a neighbour is the
    /// edge or itself stable.
    #[inline]
    pub fn stable(&self, mine: u64, full: &[u64; 4]) -> u64 {
        let mut stable = 0;
        loop {
            let s: u64 = stable;
            let safe = |axis: usize| full[axis] | s << AXES[axis] | s >> AXES[axis] | self.edges[axis];
            let next = mine & safe(0) & safe(1) & safe(2) & safe(3) & self.cells;
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }
}
