//! Classes of point sets up to the symmetries of a board, for indexing.

use crate::rank::{Subsets, next_of_its_size};

/// The classes of the sets of one size, numbered in the order of their least sets.
#[derive(Clone, Debug)]
pub struct SetClasses {
    /// For each set by rank: its class, and a symmetry that maps it to the class's least set.
    of: Vec<u32>,
    /// The least set of each class.
    least: Vec<u32>,
    /// The stabilizer of the least set, as a bit mask of symmetries.
    kept: Vec<u16>,
}

/// Bits that hold a symmetry.
const SYMMETRY: u32 = 4;

impl SetClasses {
    /// Computes the classes of the sets of `size` of `points` points. The board has `symmetries` symmetries, at most 16, of which
    /// the first is the identity; `image` maps a set by one of them.
    pub fn new(
        subsets: &Subsets,
        points: usize,
        size: usize,
        symmetries: usize,
        image: impl Fn(usize, u32) -> u32,
    ) -> SetClasses {
        const NONE: u32 = u32::MAX;
        let undoes = |symmetry: usize, other: usize| {
            (0..points).all(|point| image(other, image(symmetry, 1 << point)) == 1 << point)
        };
        let inverse =
            |symmetry: usize| (0..symmetries).find(|&other| undoes(symmetry, other)).unwrap_or(0) as u32;
        let inverses: Vec<u32> = (0..symmetries).map(inverse).collect();
        let count = subsets.choose(points, size);
        let mut of = vec![NONE; count as usize];
        let (mut least, mut kept) = (Vec::new(), Vec::new());
        let mut set = ((1u64 << size) - 1) as u32;
        for rank in 0..of.len() {
            if of[rank] == NONE {
                let class = least.len() as u32;
                let mut same = 0;
                for (symmetry, &inverse) in inverses.iter().enumerate() {
                    let image = image(symmetry, set);
                    same |= u16::from(image == set) << symmetry;
                    of[subsets.rank(image.into()) as usize] = class << SYMMETRY | inverse;
                }
                of[rank] = class << SYMMETRY;
                least.push(set);
                kept.push(same);
            }
            set = next_of_its_size(set.into()) as u32;
        }
        SetClasses { of, least, kept }
    }

    /// Returns the number of classes.
    pub fn count(&self) -> usize {
        self.least.len()
    }

    /// Returns the class of the set with this rank, and a symmetry that maps it to the least of its class.
    #[inline]
    pub fn of(&self, rank: u64) -> (usize, usize) {
        let found = self.of[rank as usize];
        ((found >> SYMMETRY) as usize, (found & ((1 << SYMMETRY) - 1)) as usize)
    }

    /// Returns the least set of a class.
    #[inline]
    pub fn least(&self, class: usize) -> u32 {
        self.least[class]
    }

    /// Returns the stabilizer of the least set of a class, as a bit mask of symmetries.
    #[inline]
    pub fn kept(&self, class: usize) -> u16 {
        self.kept[class]
    }
}
