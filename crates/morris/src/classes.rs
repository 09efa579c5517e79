//! Classes of point sets up to the symmetries of the board.

use std::sync::OnceLock;

use grundy_core::rank::{Subsets, next_of_its_size};

use crate::board::{Board, points};

/// The classes of all sets of one board; those of one size are computed on first use.
#[derive(Debug)]
pub(crate) struct Classes {
    sizes: Vec<OnceLock<SizeClasses>>,
}

/// The classes of the sets of one size, indexed in the order of their least sets.
#[derive(Debug)]
pub(crate) struct SizeClasses {
    /// For each set by rank: its class, and a symmetry that maps it to the class's least set.
    of: Vec<u32>,
    /// The least set of each class.
    least: Vec<u32>,
    /// The stabilizer of the least set, as a bit mask of symmetries.
    kept: Vec<u16>,
}

/// Bits that hold a symmetry.
const SYMMETRY: u32 = 4;

impl Classes {
    pub(crate) fn new(board: &Board) -> Classes {
        Classes { sizes: (0..=board.points).map(|_| OnceLock::new()).collect() }
    }

    pub(crate) fn of_size(&self, board: &Board, subsets: &Subsets, size: usize) -> &SizeClasses {
        self.sizes[size].get_or_init(|| SizeClasses::new(board, subsets, size))
    }
}

impl SizeClasses {
    fn new(board: &Board, subsets: &Subsets, size: usize) -> SizeClasses {
        const NONE: u32 = u32::MAX;
        let count = subsets.choose(board.points, size);
        let mut of = vec![NONE; count as usize];
        let (mut least, mut kept) = (Vec::new(), Vec::new());
        let mut set = ((1u64 << size) - 1) as u32;
        for rank in 0..of.len() {
            if of[rank] == NONE {
                let class = least.len() as u32;
                let mut same = 0;
                for symmetry in 0..board.symmetries.len() {
                    let image = board.image(symmetry, set);
                    same |= u16::from(image == set) << symmetry;
                    of[subsets.rank(image.into()) as usize] =
                        class << SYMMETRY | inverse(board, symmetry) as u32;
                }
                of[rank] = class << SYMMETRY;
                least.push(set);
                kept.push(same);
            }
            set = next_of_its_size(set.into()) as u32;
        }
        SizeClasses { of, least, kept }
    }

    /// Returns the class of the set with this rank, and a symmetry that maps it to the least of its class.
    #[inline]
    pub(crate) fn of(&self, rank: u64) -> (usize, usize) {
        let found = self.of[rank as usize];
        ((found >> SYMMETRY) as usize, (found & ((1 << SYMMETRY) - 1)) as usize)
    }

    /// Returns the least set of a class.
    #[inline]
    pub(crate) fn least(&self, class: usize) -> u32 {
        self.least[class]
    }

    /// Returns the stabilizer of the least set of a class, as a bit mask of symmetries.
    #[inline]
    pub(crate) fn kept(&self, class: usize) -> u16 {
        self.kept[class]
    }
}

fn inverse(board: &Board, symmetry: usize) -> usize {
    let image = &board.symmetries[symmetry];
    let undoes = |other: &Vec<u8>| (0..).zip(image).all(|(point, &to)| other[usize::from(to)] == point);
    board.symmetries.iter().position(undoes).unwrap_or(0)
}

/// Counts the classes of the sets of each size by Burnside's lemma, from the cycles of each symmetry.
pub(crate) fn counts(board: &Board) -> Vec<u64> {
    let mut all = vec![0u64; board.points + 1];
    for image in &board.symmetries {
        // Number of sets of each size fixed by the symmetry: unions of its cycles.
        let mut fixed = vec![0u64; board.points + 1];
        fixed[0] = 1;
        let mut seen = 0u32;
        for point in points(board.all) {
            let (mut next, mut len) = (point, 0);
            while seen >> next & 1 == 0 {
                seen |= 1 << next;
                next = usize::from(image[next]);
                len += 1;
            }
            if len > 0 {
                (len..fixed.len()).rev().for_each(|size| fixed[size] += fixed[size - len]);
            }
        }
        all.iter_mut().zip(fixed).for_each(|(all, fixed)| *all += fixed);
    }
    all.into_iter().map(|all| all / board.symmetries.len() as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Kind;

    #[test]
    fn every_set_is_carried_to_the_least_of_its_class_and_classes_are_counted_right() {
        for kind in [Kind::Square { diagonals: true }, Kind::Rings(2), Kind::Rings(3)] {
            let board = Board::new(kind);
            let (subsets, classes) = (Subsets::new(board.points), Classes::new(&board));
            for (size, &count) in counts(&board).iter().enumerate().take(6) {
                let sized = classes.of_size(&board, &subsets, size);
                assert_eq!(sized.least.len() as u64, count, "{kind:?}, {size} points");
                for rank in 0..subsets.choose(board.points, size) {
                    let (class, symmetry) = sized.of(rank);
                    let set = subsets.subset(rank, size) as u32;
                    assert_eq!(board.image(symmetry, set), sized.least(class));
                    let stays = |n: usize| board.image(n, sized.least(class)) == sized.least(class);
                    assert!(
                        (0..board.symmetries.len()).all(|n| stays(n) == (sized.kept(class) >> n & 1 == 1))
                    );
                }
            }
        }
    }
}
