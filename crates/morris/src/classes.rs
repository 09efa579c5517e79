//! Classes of point sets up to the symmetries of the board.

use std::sync::OnceLock;

use grundy_core::classes::SetClasses;
use grundy_core::rank::Subsets;

use crate::board::{Board, points};

/// The classes of all sets of one board; those of one size are computed on first use.
#[derive(Debug)]
pub(crate) struct Classes {
    sizes: Vec<OnceLock<SetClasses>>,
}

impl Classes {
    pub(crate) fn new(board: &Board) -> Classes {
        Classes { sizes: (0..=board.points).map(|_| OnceLock::new()).collect() }
    }

    pub(crate) fn of_size(&self, board: &Board, subsets: &Subsets, size: usize) -> &SetClasses {
        let image = |symmetry, set| board.image(symmetry, set);
        let classes = || SetClasses::new(subsets, board.points, size, board.symmetries.len(), image);
        self.sizes[size].get_or_init(classes)
    }
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
                assert_eq!(sized.count() as u64, count, "{kind:?}, {size} points");
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
