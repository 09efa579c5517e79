//! An index of the codes among the exits of a part: it finds the exits of one distance without a scan of all.

use std::ops::Range;

use super::cells::CellArray;
use crate::crew::Crew;
use grundy_core::table::{loss_code, win_code};

/// Cells of a block; in tests few.
const BLOCK: usize = if cfg!(test) { 8 } else { 1 << 12 };
/// Number of marks: codes that are equal modulo this share one.
const MARKS: usize = if cfg!(test) { 64 } else { 512 };
/// Blocks that one task marks.
const BLOCKS: usize = 64;

/// The codes that occur in each block of an array of cells, as bit sets.
pub(super) struct Marks(Vec<[u64; MARKS / 64]>);

impl Marks {
    /// Marks every cell.
    pub(super) fn new(cells: &CellArray) -> Marks {
        Marks(mark(cells, 0..cells.len()))
    }

    /// As [`Marks::new`], by many threads.
    pub(super) fn by(crew: &Crew, cells: &CellArray) -> Marks {
        let tasks = (0..cells.len()).step_by(BLOCK * BLOCKS);
        let tasks = tasks.map(|first| first..cells.len().min(first + BLOCK * BLOCKS)).collect();
        Marks(crew.map(tasks, &|range| mark(cells, range)).concat())
    }

    /// As [`CellArray::of_distance`], for the cells that were marked.
    pub(super) fn of_distance(&self, cells: &CellArray, range: Range<usize>, plies: u32) -> Vec<(u32, bool)> {
        let mut found = Vec::new();
        let mut first = range.start;
        while first < range.end {
            let end = range.end.min((first / BLOCK + 1) * BLOCK);
            if [loss_code(plies), win_code(plies)].into_iter().any(|code| self.has(first / BLOCK, code)) {
                let before = (first - range.start) as u32;
                let places = cells.of_distance(first..end, plies).into_iter();
                found.extend(places.map(|(at, win)| (before + at, win)));
            }
            first = end;
        }
        found
    }

    /// Reports whether a block may have a cell with this code.
    fn has(&self, block: usize, code: u32) -> bool {
        let mark = code as usize % MARKS;
        self.0[block][mark / 64] >> (mark % 64) & 1 == 1
    }
}

/// Returns the marks of a range that begins with a block.
fn mark(cells: &CellArray, range: Range<usize>) -> Vec<[u64; MARKS / 64]> {
    let blocks = range.clone().step_by(BLOCK).map(|first| first..range.end.min(first + BLOCK));
    let marks = blocks.map(|block| {
        let mut marks = [0; MARKS / 64];
        cells.visit_codes(block, &mut |code| {
            let mark = code as usize % MARKS;
            marks[mark / 64] |= 1 << (mark % 64);
        });
        marks
    });
    marks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_session::quiet_work;

    #[test]
    fn marks_find_what_a_scan_finds() {
        let codes: Vec<u16> = (0..1003u32).map(|at| (at * at * 7 % 811) as u16).collect();
        let cells = CellArray::Two(codes);
        let marks = Marks::new(&cells);
        assert_eq!(Marks::by(&Crew::new(&quiet_work()), &cells).0, marks.0);
        for plies in 0..420 {
            for range in [0..1003, 5..6, 8..24, 3..1000, 1002..1003, 17..17] {
                let scanned = cells.of_distance(range.clone(), plies);
                assert_eq!(marks.of_distance(&cells, range, plies), scanned, "{plies} plies");
            }
        }
        let distances = (0..420).filter(|&plies| !cells.of_distance(0..1003, plies).is_empty());
        assert!(distances.count() > 100, "a test of nothing");
    }
}
