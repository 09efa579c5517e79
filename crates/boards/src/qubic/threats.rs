//! The lines of the cube, how many stones each player has on them, and wins by threats that each have a single answer.

/// Cells of the cube: column, row from the front and layer from below count 1, 4 and 16.
pub(super) const CELLS: usize = 64;
/// Cells in a row.
pub(super) const SIDE: usize = 4;
/// Number of lines.
const COUNT: usize = 76;

/// A set of lines by their number.
type LineSet = u128;

/// The cells of each line.
pub(super) const LINES: [u64; COUNT] = lines();
/// The lines through each cell.
const THROUGH: [LineSet; CELLS] = through();
/// All lines.
const ALL: LineSet = (1 << COUNT) - 1;

/// Returns all lines of four cells, in the 13 directions.
const fn lines() -> [u64; COUNT] {
    let mut lines = [0; COUNT];
    let mut found = 0;
    let mut start = 0;
    while start < CELLS {
        // A direction changes each coordinate by 1, 0 or -1; of two opposite ones the later in this order is kept.
        let mut direction = 14;
        while direction < 27 {
            let by = [direction % 3, direction / 3 % 3, direction / 9];
            let at = [start % SIDE, start / SIDE % SIDE, start / SIDE / SIDE];
            let mut fits = true;
            let mut stride = 0;
            let mut unit = 1;
            let mut axis = 0;
            while axis < 3 {
                fits &= match by[axis] {
                    0 => at[axis] == SIDE - 1,
                    1 => true,
                    _ => at[axis] == 0,
                };
                stride += unit * (by[axis] as isize - 1);
                unit *= SIDE as isize;
                axis += 1;
            }
            if fits {
                let mut i = 0;
                while i < SIDE as isize {
                    lines[found] |= 1 << (start as isize + i * stride);
                    i += 1;
                }
                found += 1;
            }
            direction += 1;
        }
        start += 1;
    }
    assert!(found == COUNT);
    lines
}

const fn through() -> [LineSet; CELLS] {
    let mut through = [0; CELLS];
    let mut line = 0;
    while line < COUNT {
        let mut cell = 0;
        while cell < CELLS {
            if LINES[line] >> cell & 1 == 1 {
                through[cell] |= 1 << line;
            }
            cell += 1;
        }
        line += 1;
    }
    through
}

/// Returns the union of some lines.
#[inline]
fn cells(mut lines: LineSet) -> u64 {
    let mut cells = 0;
    while lines != 0 {
        cells |= LINES[lines.trailing_zeros() as usize];
        lines &= lines - 1;
    }
    cells
}

/// The stones of one player and the lines by how many of them they hold, as the digits of a binary number.
#[derive(Clone, Copy, Default)]
struct Side {
    stones: u64,
    ones: LineSet,
    twos: LineSet,
    fours: LineSet,
}

impl Side {
    fn of(stones: u64) -> Side {
        let mut side = Side::default();
        let mut rest = stones;
        while rest != 0 {
            side.put(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
        side
    }

    #[inline]
    fn put(&mut self, cell: usize) {
        let through = THROUGH[cell];
        let (two, four) = (self.ones & through, self.twos & self.ones & through);
        self.stones |= 1 << cell;
        self.ones ^= through;
        self.twos ^= two;
        self.fours |= four;
    }

    /// Returns the lines with a stone of this player.
    #[inline]
    fn any(&self) -> LineSet {
        self.ones | self.twos | self.fours
    }
}

/// Reports whether these stones hold a line.
#[inline]
pub(super) fn has_line(stones: u64) -> bool {
    Side::of(stones).fours != 0
}

/// A position as the player to move sees it.
#[derive(Clone, Copy)]
pub(super) struct Threats {
    own: Side,
    other: Side,
}

impl Threats {
    /// Returns the threats of these stones, those of the player to move first.
    pub(super) fn new([own, other]: [u64; 2]) -> Threats {
        Threats { own: Side::of(own), other: Side::of(other) }
    }

    /// Returns the position after a stone on this cell.
    #[inline]
    pub(super) fn with(mut self, cell: usize) -> Threats {
        self.own.put(cell);
        self.passed()
    }

    /// Returns the position with the other player to move.
    #[inline]
    pub(super) fn passed(self) -> Threats {
        Threats { own: self.other, other: self.own }
    }

    /// Returns the free cells.
    pub(super) fn free(&self) -> u64 {
        !(self.own.stones | self.other.stones)
    }

    /// Returns the cells that complete a line for the player to move.
    #[inline]
    pub(super) fn last(&self) -> u64 {
        cells(self.own.ones & self.own.twos & !self.other.any()) & !self.own.stones
    }

    /// Returns the cells that would complete a line for the other player.
    #[inline]
    pub(super) fn needed(&self) -> u64 {
        self.passed().last()
    }

    /// Reports whether a line is left that the player to move could complete.
    pub(super) fn open(&self) -> bool {
        self.other.any() != ALL
    }

    /// Returns the worth of a cell: of the lines through it that are open to either player, more for those that hold stones.
    pub(super) fn worth(&self, cell: usize) -> i32 {
        let through = THROUGH[cell];
        let (own, other) = (self.own.any(), self.other.any());
        let count = |lines: LineSet| (through & lines).count_ones() as i32;
        let twos = |side: &Side| side.twos & !side.ones;
        let empty = count(!own & !other);
        let mine = 6 * count(self.own.ones & !self.own.twos & !other) + 8 * count(twos(&self.own) & !other);
        let theirs = count(self.other.ones & !self.other.twos & !own) + 4 * count(twos(&self.other) & !own);
        empty + mine + theirs
    }

    /// Returns the plies of a win by threats that each have a single answer; `None` if the search of `budget` positions finds
    /// none. Reduces the budget.
    pub(super) fn chain(&self, budget: &mut u32) -> Option<u32> {
        if self.last() != 0 {
            return Some(1);
        }
        let needed = self.needed();
        if *budget == 0 || needed & needed.wrapping_sub(1) != 0 {
            return None;
        }
        *budget -= 1;
        let twos = self.own.twos & !self.own.ones & !self.other.any();
        let mut threats = cells(twos) & !self.own.stones;
        if needed != 0 {
            threats &= needed;
        }
        let (mut order, mut count) = ([(0i32, 0u8, 0u8); CELLS], 0);
        while threats != 0 {
            let cell = threats.trailing_zeros() as usize;
            threats &= threats - 1;
            let answers = cells(twos & THROUGH[cell]) & !self.own.stones & !(1 << cell);
            if answers & (answers - 1) != 0 {
                return Some(3);
            }
            let answer = answers.trailing_zeros() as usize;
            // Lines with one stone become threats; an answer that makes a threat itself must be answered.
            let ones = self.own.ones & !self.own.twos & !self.other.any() & THROUGH[cell];
            let made =
                self.other.twos & !self.other.ones & !self.own.any() & THROUGH[answer] & !THROUGH[cell];
            let worth = 3 * ones.count_ones() as i32 - if made != 0 { 5 } else { 0 };
            order[count] = (-worth, cell as u8, answer as u8);
            count += 1;
        }
        order[..count].sort_unstable();
        order[..count].iter().find_map(|&(_, cell, answer)| {
            let next = self.with(cell.into()).with(answer.into());
            next.chain(budget).map(|plies| plies + 2)
        })
    }
}
