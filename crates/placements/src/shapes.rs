//! Sets of cells of a board, up to turning, mirroring and moving them.
//!
//! Boards are wide: no more rows than columns. So an image of a set that is no taller than it is wide always fits, and
//! every set has a normal form: the least image, as a number, among those that are moved to the top left and are no
//! taller than they are wide. The normal form of a part of a set is at most that of the set.

use grundy_core::grid::{CellMap, Grid};

/// The images of the sets of one board of up to 64 cells.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    /// The wide board.
    grid: Grid,
    /// The cells of the first column.
    left: u64,
    /// The mirror images and the half turn.
    mirrors: Vec<CellMap>,
    /// Rows for columns, in the square block at the left.
    transposed: CellMap,
}

impl Shapes {
    /// Returns the shapes of a board of at most 64 cells that has no more rows than columns.
    pub(crate) fn new(grid: Grid) -> Shapes {
        let rows = grid.rows;
        let image = |cell: usize| {
            let (column, row) = grid.coordinates(cell);
            if column < rows { grid.cell(row, column) } else { cell }
        };
        Shapes {
            grid,
            left: (0..rows).fold(0, |set, row| set | 1 << grid.cell(0, row)),
            mirrors: grid.symmetries()[1..4].iter().map(|image| CellMap::new(image)).collect(),
            transposed: CellMap::new(&(0..grid.cells()).map(image).collect::<Vec<_>>()),
        }
    }

    /// Returns the set moved to the top left.
    fn moved(&self, mut set: u64) -> u64 {
        let rows = set.trailing_zeros() as usize / self.grid.columns;
        set >>= rows * self.grid.columns;
        while set & self.left == 0 {
            set >>= 1;
        }
        set
    }

    /// Returns the height and the width of a set at the top left.
    fn extent(&self, set: u64) -> (usize, usize) {
        let rows = (63 - set.leading_zeros()) as usize / self.grid.columns + 1;
        let columns = (0..self.grid.columns).rev().find(|&column| set & self.left << column != 0);
        (rows, columns.map_or(0, |column| column + 1))
    }

    /// Returns the least of the four images without a quarter turn.
    fn least(&self, set: u64) -> u64 {
        self.mirrors.iter().fold(set, |least, map| least.min(self.moved(map.apply(set))))
    }

    /// Returns the normal form of a set that is not empty.
    pub(crate) fn normal(&self, set: u64) -> u64 {
        let set = self.moved(set);
        let (rows, columns) = self.extent(set);
        match rows.cmp(&columns) {
            std::cmp::Ordering::Less => self.least(set),
            std::cmp::Ordering::Equal => self.least(set).min(self.least(self.transposed.apply(set))),
            std::cmp::Ordering::Greater => self.least(self.transposed.apply(set)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_have_one_normal_form_and_parts_a_smaller_one() {
        for (columns, rows) in [(4, 4), (5, 3), (6, 1)] {
            let grid = Grid { columns, rows };
            let shapes = Shapes::new(grid);
            let maps: Vec<CellMap> = grid.symmetries().iter().map(|image| CellMap::new(image)).collect();
            for set in 1..1u64 << grid.cells() {
                let normal = shapes.normal(set);
                assert_eq!(shapes.normal(normal), normal);
                for map in &maps {
                    assert_eq!(shapes.normal(map.apply(set)), normal, "{set:b}");
                }
                let part = set & (set - 1);
                assert!(part == 0 || shapes.normal(part) <= normal, "{set:b}");
            }
        }
    }
}
