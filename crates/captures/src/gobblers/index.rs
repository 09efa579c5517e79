//! Indices of the positions of Gobblet Gobblers, and their predecessors.
//!
//! A position is seen by the player to move, and symmetric positions share an index. The pieces of one size are a layer, one
//! of 1,423: at most two pieces of each player on nine cells. The index has the large layer up to symmetry, then the middle
//! and the small one, turned as the large one is; where several symmetries do that, the least index counts.

use std::sync::LazyLock;

use grundy_core::grid::CellMap;
use grundy_search::board::{BoardRules, Indices, Position};

use super::{BOARD, CELLS, EACH, GRID, Gobblers, SIZES, covered, of_size, on_top};
use crate::field::cells;

/// The layers, and how symmetries change them.
struct Layers {
    /// The sets of the player to move and of the other, of each layer.
    sets: Vec<[u16; 2]>,
    /// The layer of each pair of sets; [`NONE`] if there are too many pieces.
    places: Vec<u16>,
    /// The image of each layer by each symmetry.
    images: Vec<[u16; SYMMETRIES]>,
    /// The classes of layers up to symmetry: the least layer of each.
    classes: Vec<u16>,
    /// The class of each layer, and the symmetries, as bits, that lead to its least layer.
    class_of: Vec<(u16, u8)>,
}

const SYMMETRIES: usize = 8;
/// No layer.
const NONE: u16 = u16::MAX;

static LAYERS: LazyLock<Layers> = LazyLock::new(|| {
    let mut sets = Vec::new();
    let mut places = vec![NONE; 1 << (2 * CELLS)];
    let few = |set: u64| set.count_ones() <= EACH;
    for own in (0..=BOARD).filter(|&set| few(set)) {
        for other in (0..=BOARD).filter(|&set| few(set) && set & own == 0) {
            places[(own | other << CELLS) as usize] = sets.len() as u16;
            sets.push([own as u16, other as u16]);
        }
    }
    let maps: Vec<CellMap> = GRID.symmetries().iter().map(|map| CellMap::new(map)).collect();
    let image = |[own, other]: [u16; 2], map: &CellMap| {
        places[(map.apply(own.into()) | map.apply(other.into()) << CELLS) as usize]
    };
    let images: Vec<[u16; SYMMETRIES]> =
        sets.iter().map(|&sets| std::array::from_fn(|at| image(sets, &maps[at]))).collect();
    let (mut classes, mut class_of) = (Vec::new(), Vec::new());
    for (layer, images) in images.iter().enumerate() {
        let least = images.iter().fold(layer as u16, |least, &image| least.min(image));
        if usize::from(least) == layer {
            classes.push(least);
        }
        let ways = (0..SYMMETRIES).filter(|&at| images[at] == least).fold(0, |ways, at| ways | 1 << at);
        // The classes rise, so that of an earlier layer is known.
        class_of.push((classes.partition_point(|&class| class < least) as u16, ways));
    }
    Layers { sets, places, images, classes, class_of }
});

impl Layers {
    fn count(&self) -> u64 {
        self.sets.len() as u64
    }

    /// Returns the position with these layers, the small one first, in which player one is to move.
    fn position(&self, layers: [usize; SIZES]) -> Position {
        let mut position = Position::EMPTY;
        for (size, layer) in layers.into_iter().enumerate() {
            for (men, set) in position.men.iter_mut().zip(self.sets[layer]) {
                *men |= u64::from(set) << (CELLS * size);
            }
        }
        position
    }
}

impl Indices for Gobblers {
    fn size(&self) -> u64 {
        LAYERS.classes.len() as u64 * LAYERS.count() * LAYERS.count()
    }

    fn number(&self, position: &Position) -> Option<u64> {
        let all = &*LAYERS;
        let (own, other) = (position.own(), position.other());
        let layer = |size| all.places[(of_size(own, size) | of_size(other, size) << CELLS) as usize] as usize;
        let [small, middle, large] = [0, 1, 2].map(layer);
        let (class, ways) = *all.class_of.get(large)?;
        let (small, middle) = (all.images.get(small)?, all.images.get(middle)?);
        let within = |at: usize| u64::from(middle[at]) * all.count() + u64::from(small[at]);
        let least = cells(u32::from(ways)).map(within).min()?;
        Some(u64::from(class) * all.count() * all.count() + least)
    }

    fn position(&self, number: u64) -> Option<Position> {
        let all = &*LAYERS;
        let (rest, small) = (number / all.count(), number % all.count());
        let (class, middle) = (rest / all.count(), rest % all.count());
        let large = *all.classes.get(usize::try_from(class).ok()?)?;
        let (_, mut ways) = all.class_of[usize::from(large)];
        // The identity is one of them; others may lead to a smaller index.
        ways &= ways - 1;
        let (small, middle) = (small as usize, middle as usize);
        let here = (middle as u16, small as u16);
        let least = cells(u32::from(ways)).all(|at| (all.images[middle][at], all.images[small][at]) >= here);
        least.then(|| all.position([small, middle, large.into()]))
    }

    fn checksum(&self) -> u64 {
        BoardRules::checksum(self)
    }

    fn predecessors(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        for size in 0..SIZES {
            // A piece comes from a cell without one of its size or larger, or from the player's supply.
            let free = BOARD & !covered(position, size);
            for to in cells(on_top(position, !position.turn, size)) {
                let rest = position.other() & !(1 << (CELLS * size + to));
                let mut back = |others: u64| {
                    let before = position.after(position.own(), others, 0);
                    if self.over(&before).is_none() {
                        visit(before);
                    }
                };
                back(rest);
                cells(free).for_each(|from| back(rest | 1 << (CELLS * size + from)));
            }
        }
    }
}
