//! Sets of cells of an 8x8 board: moves that enclose discs, the discs they turn over, and images of a set.

/// The leftmost column.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
/// Cells that can be enclosed horizontally or diagonally: not the edge columns.
pub(super) const INNER: u64 = !(FILE_A | FILE_H);

/// Returns the free cells where a disc of the first player encloses discs of the second (Kogge-Stone in eight
/// directions).
#[inline]
pub(super) fn moves(mine: u64, other: u64) -> u64 {
    let mut cells = 0;
    for (shift, mask) in [(1, INNER), (8, !0), (7, INNER), (9, INNER)] {
        let between = other & mask;
        let mut up = between & mine << shift;
        let mut down = between & mine >> shift;
        up |= between & up << shift;
        down |= between & down >> shift;
        let (pairs_up, pairs_down) = (between & between << shift, between & between >> shift);
        up |= pairs_up & up << (2 * shift);
        down |= pairs_down & down >> (2 * shift);
        up |= pairs_up & up << (2 * shift);
        down |= pairs_down & down >> (2 * shift);
        cells |= up << shift | down >> shift;
    }
    cells & !(mine | other)
}

/// Bit distance of a neighbour along each axis: horizontal, rising to the left, vertical, rising to the right.
pub(super) const AXES: [u32; 4] = [1, 7, 8, 9];

/// For each cell the cells beyond it along each axis upwards, then along each downwards.
pub(super) static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    let steps: [(i32, i32); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (right, up) = steps[direction];
            let (mut column, mut row) = (cell % 8 + right, cell / 8 + up);
            while column >= 0 && column < 8 && row >= 0 && row < 8 {
                rays[cell as usize][direction] |= 1 << (8 * row + column);
                column += right;
                row += up;
            }
            direction += 1;
        }
        cell += 1;
    }
    rays
}

/// Returns the discs of the second player that a disc of the first on this cell turns over.
#[inline]
pub(super) fn flips(mine: u64, other: u64, cell: u32) -> u64 {
    let cell = cell as usize & 63;
    // The nearest cell that is not the other's ends the row, and must be one's own.
    let upwards = |rays: &[u64], mine: u64, other: u64| {
        rays.iter().fold(0, |turned, ray| {
            let beyond = ray & !other;
            let end = beyond & beyond.wrapping_neg() & mine;
            turned | end.saturating_sub(1) & ray
        })
    };
    let up = upwards(&RAYS[cell][..4], mine, other);
    // Rows downwards are rows upwards on the vertically mirrored board.
    let down = upwards(&RAYS[cell ^ 56][1..4], mine.swap_bytes(), other.swap_bytes()).swap_bytes();
    // To the left only the row itself: its nearest cell that is not the other's is the highest.
    let ray = RAYS[cell][4];
    let beyond = ray & !other;
    let end = (1u64 << (63 - (beyond | 1).leading_zeros())) & beyond & mine;
    up | down | (end << 1).wrapping_neg() & ray
}

/// Returns a set and all its neighbours.
#[inline]
pub(super) const fn around(set: u64) -> u64 {
    let wide = set | set << 1 & !FILE_A | set >> 1 & !FILE_H;
    wide | wide << 8 | wide >> 8
}

/// Returns the set on a board of this size turned and mirrored in the eight ways: first itself, mirrored horizontally,
/// vertically and both, then the same with columns and rows exchanged before. A board that is not square has the first
/// four alone, which stand here twice.
#[inline]
pub(super) fn images(set: u64, columns: usize, rows: usize) -> [u64; 8] {
    let across = |set| reverse_rows(set) >> (8 - columns);
    let upside = |set: u64| set.swap_bytes() >> (8 * (8 - rows));
    let swapped = if columns == rows { swap_axes(set) } else { set };
    let (up, swapped_up) = (upside(set), upside(swapped));
    [set, across(set), up, across(up), swapped, across(swapped), swapped_up, across(swapped_up)]
}

/// Returns the set with each row reversed.
#[inline]
fn reverse_rows(set: u64) -> u64 {
    let set = set >> 1 & 0x5555_5555_5555_5555 | (set & 0x5555_5555_5555_5555) << 1;
    let set = set >> 2 & 0x3333_3333_3333_3333 | (set & 0x3333_3333_3333_3333) << 2;
    set >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (set & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// Returns the set with columns and rows exchanged.
#[inline]
fn swap_axes(set: u64) -> u64 {
    // Blocks of 4x4, of 2x2 and single cells beside the diagonal change places.
    [(28, 0x0000_0000_f0f0_f0f0), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)].iter().fold(
        set,
        |set, &(way, cells): &(u32, u64)| {
            let change = (set ^ set >> way) & cells;
            set ^ change ^ change << way
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::random::SplitMix64;

    #[test]
    fn a_move_turns_something_over_and_nothing_else_does() {
        let mut random = SplitMix64(1);
        for _ in 0..2_000 {
            let taken = random.bits() | random.bits();
            let mine = random.bits() & taken;
            let other = taken & !mine;
            let list = moves(mine, other);
            for cell in (0..64).filter(|c| taken >> c & 1 == 0) {
                let turned = flips(mine, other, cell);
                assert_eq!(turned, plain(mine, other, cell));
                assert_eq!(turned != 0, list >> cell & 1 == 1);
            }
        }
    }

    fn plain(mine: u64, other: u64, cell: u32) -> u64 {
        let mut turned = 0;
        for (right, up) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut column, mut row) = (cell as i32 % 8 + right, cell as i32 / 8 + up);
            let mut run = 0u64;
            while (0..8).contains(&column) && (0..8).contains(&row) {
                let bit = 1u64 << (8 * row + column);
                if mine & bit != 0 {
                    turned |= run;
                }
                if other & bit == 0 {
                    break;
                }
                run |= bit;
                column += right;
                row += up;
            }
        }
        turned
    }

    #[test]
    fn images_are_those_of_the_cells() {
        for (columns, rows) in [4, 6, 8].into_iter().flat_map(|columns| [4, 6, 8].map(|rows| (columns, rows)))
        {
            for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
                let bit = |column: usize, row: usize| 1u64 << (8 * row + column);
                let (left, down) = (columns - 1 - column, rows - 1 - row);
                let straight = [bit(column, row), bit(left, row), bit(column, down), bit(left, down)];
                let swapped = [bit(row, column), bit(down, column), bit(row, left), bit(down, left)];
                let others = if columns == rows { swapped } else { straight };
                assert_eq!(images(bit(column, row), columns, rows)[..], [straight, others].concat());
            }
        }
    }
}
