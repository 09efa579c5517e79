//! Numbering of the positions of Three Musketeers.
//!
//! An index has the number of enemies, the player to move, the class of the musketeers' cells up to symmetry, and the rank of
//! the enemies' cells among the others, in this order: an enemy's step leads to a position of the same enemies in which
//! player one is to move, a capture to one with an enemy less. Where a symmetry maps the musketeers onto themselves, the least
//! rank counts, and the others are unused.
//!
//! The enemies of a class are *packed*: a bit for each cell that is not a musketeer's.

use std::sync::OnceLock;

use grundy_core::game::Player;
use grundy_core::grid::CellMap;
use grundy_core::rank::{Subsets, compress, expand};

use crate::field::{Field, STRAIGHT, cells};

/// Musketeers on the board.
const MUSKETEERS: usize = 3;

/// The classes of the musketeers' cells, and the ranks of the enemies'.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    field: Field,
    pub subsets: Subsets,
    pub symmetries: Vec<CellMap>,
    pub classes: Vec<Class>,
    /// The class of each set of musketeers by its rank, and the symmetry that leads to the class's own set.
    class_of: Vec<(u16, u8)>,
    /// The cells that are not the musketeers'.
    pub others: usize,
    /// The first index by the number of enemies, and the number of all.
    pub firsts: Vec<u64>,
    /// The moves of each class, once they are needed.
    moves: OnceLock<Vec<Moves>>,
}

/// The sets of musketeers that symmetries map onto each other.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// The least of the sets.
    pub musketeers: u64,
    /// The maps of packed enemies by the symmetries that leave this set as it is, the identity left out.
    pub turns: Vec<PackedMap>,
}

/// A map of packed enemies: the image of each byte.
pub(super) type PackedMap = Box<[[u32; 256]; 3]>;

/// Returns the map that sends each bit to its image, a set.
fn packed_map(bits: usize, image: impl Fn(usize) -> u32) -> PackedMap {
    let mut map = Box::new([[0; 256]; 3]);
    for (byte, table) in map.iter_mut().enumerate() {
        for set in 1..256usize {
            let bit = 8 * byte + set.trailing_zeros() as usize;
            table[set] = table[set & (set - 1)] | if bit < bits { image(bit) } else { 0 };
        }
    }
    map
}

/// Returns the image of packed enemies.
#[inline]
pub(super) fn apply(map: &PackedMap, packed: u32) -> u32 {
    let [low, middle, high] = &**map;
    let byte = |shift: u32| (packed >> shift & 255) as usize;
    low[byte(0)] | middle[byte(8)] | high[byte(16)]
}

/// The place of an index.
pub(super) struct Place {
    pub enemies: usize,
    pub turn: Player,
    pub class: usize,
    pub rank: u64,
}

/// The moves where the musketeers are those of a class, enemies packed, in the order of the game's moves.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub captures: Vec<Capture>,
    /// The bit of each cell, and of its neighbours; 0 for musketeers and beyond the board.
    pub steps: Vec<[u32; 1 + STRAIGHT.end]>,
}

/// A capture.
#[derive(Clone, Debug)]
pub(super) struct Capture {
    /// The enemy that is taken.
    pub taken: u32,
    /// The class that the capture leads to.
    pub class: u16,
    /// The enemies that are left, as that class packs them.
    pub left: PackedMap,
}

impl Numbering {
    pub(super) fn new(field: &Field) -> Numbering {
        let subsets = Subsets::new(field.cells());
        let symmetries: Vec<CellMap> = field.grid.symmetries().iter().map(|map| CellMap::new(map)).collect();
        let sets = subsets.choose(field.cells(), MUSKETEERS);
        let mut sets_of_classes: Vec<u64> = Vec::new();
        let class = |rank: u64| {
            let set = subsets.subset(rank, MUSKETEERS);
            let images = (0..).zip(&symmetries).map(|(at, symmetry)| (symmetry.apply(set), at));
            let (least, at) = images.min().unwrap_or((set, 0));
            // Ranks rise with the sets, so that the least of a class comes first.
            if least == set {
                sets_of_classes.push(set);
            }
            (sets_of_classes.partition_point(|&class| class < least) as u16, at)
        };
        let class_of = (0..sets).map(class).collect();
        let others = field.cells() - MUSKETEERS;
        let class = |musketeers: u64| {
            let rest = field.all & !musketeers;
            let turn = |symmetry: &CellMap| {
                packed_map(others, |bit| compress(symmetry.apply(expand(1 << bit, rest)), rest) as u32)
            };
            let turns = symmetries[1..].iter().filter(|symmetry| symmetry.apply(musketeers) == musketeers);
            Class { musketeers, turns: turns.map(turn).collect() }
        };
        let classes: Vec<Class> = sets_of_classes.into_iter().map(class).collect();
        let mut firsts = vec![0];
        for enemies in 0..=others {
            firsts.push(firsts[enemies] + 2 * classes.len() as u64 * subsets.choose(others, enemies));
        }
        let moves = OnceLock::new();
        let field = field.clone();
        Numbering { field, subsets, symmetries, classes, class_of, others, firsts, moves }
    }

    /// Returns the class of some musketeers and the symmetry that leads to its own set; 0 for the identity.
    #[inline]
    pub(super) fn class(&self, musketeers: u64) -> Option<(usize, usize)> {
        let (class, symmetry) = *self.class_of.get(self.subsets.rank(musketeers) as usize)?;
        Some((usize::from(class), usize::from(symmetry)))
    }

    /// Returns the enemies packed.
    #[inline]
    pub(super) fn pack(&self, enemies: u64, class: usize) -> u32 {
        compress(enemies, self.field.all & !self.classes[class].musketeers) as u32
    }

    /// Returns the least rank of packed enemies of a class and their images, among those of their number.
    #[inline]
    pub(super) fn least(&self, class: usize, packed: u32) -> u64 {
        let rank = |packed: u32| self.subsets.rank(packed.into());
        self.classes[class].turns.iter().fold(rank(packed), |least, map| least.min(rank(apply(map, packed))))
    }

    /// Returns the first index of a class.
    #[inline]
    pub(super) fn first(&self, enemies: usize, turn: Player, class: usize) -> u64 {
        let blocks = class + turn.index() * self.classes.len();
        self.firsts[enemies] + blocks as u64 * self.subsets.choose(self.others, enemies)
    }

    /// Returns the place of an index; `None` beyond the last one.
    pub(super) fn place(&self, index: u64) -> Option<Place> {
        let enemies = self.firsts.partition_point(|&first| first <= index) - 1;
        let sets = (enemies <= self.others).then(|| self.subsets.choose(self.others, enemies))?;
        let (blocks, rank) = ((index - self.firsts[enemies]) / sets, (index - self.firsts[enemies]) % sets);
        let (class, count) = (blocks as usize, self.classes.len());
        let turn = if class < count { Player::One } else { Player::Two };
        Some(Place { enemies, turn, class: class % count, rank })
    }

    /// Returns the moves of a class.
    pub(super) fn moves(&self, class: usize) -> &Moves {
        &self.moves.get_or_init(|| (0..self.classes.len()).map(|class| self.moves_of(class)).collect())[class]
    }

    fn moves_of(&self, class: usize) -> Moves {
        let own = self.classes[class].musketeers;
        let mut captures = Vec::new();
        for from in cells(own) {
            let to = STRAIGHT.filter_map(|way| self.field.step(from, way));
            for to in to.filter(|to| own >> to & 1 == 0) {
                let Some((next, symmetry)) = self.class(own & !(1 << from) | 1 << to) else { continue };
                let image = |bit: usize| {
                    let cell = expand(1 << bit, self.field.all & !own) & !(1 << to);
                    self.pack(self.symmetries[symmetry].apply(cell), next)
                };
                let left = packed_map(self.others, image);
                captures.push(Capture { taken: self.pack(1 << to, class), class: next as u16, left });
            }
        }
        let bit = |cell: Option<usize>| cell.map_or(0, |cell| self.pack(1 << cell, class));
        let step =
            |cell: usize, way: usize| bit(if way == 0 { Some(cell) } else { self.field.step(cell, way - 1) });
        let steps = (0..self.field.cells()).map(|cell| std::array::from_fn(|way| step(cell, way))).collect();
        Moves { captures, steps }
    }
}
