//! Indexing of positions by a formula: the class of a position, the current cell, and the ranks of the cells of each
//! kind of piece among those that the kinds before have left.
//!
//! The classes are those that the rules allow (`classes.rs`), so the number of indices is the product of the
//! possibilities of counters, pieces and cells, minus those that the rules exclude.

use std::ops::Range;

use grundy_core::rank::{Subsets, compress, expand};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64;

use crate::canonical::Canonical;
use crate::classes::{Class, Ground, classes};
use crate::directives::Scoring;
use crate::packing::PositionPacking;

/// Maximum number of indices of a game whose author declares no bounds: a byte each.
const SMALL: u64 = 1 << 24;
/// Maximum number of indices of any game.
const MOST: u64 = 1 << 40;
/// Maximum number of kinds of pieces that are indexed.
const KINDS: usize = 8;

/// The bits above the cells of a packed position, and the number of each kind, a byte each.
type Key = (u64, u64);

/// The indices of one class.
#[derive(Clone, Debug)]
struct Block {
    offset: u64,
    /// Number of ways to place the pieces.
    boards: u64,
    /// Number of possible current cells; 1 if the cell makes no difference.
    current_cells: u64,
    /// The bits above the cells of a packed position.
    above: u128,
    counts: SmallVec<[u8; KINDS]>,
    /// Number of ways to place each kind but the first, on the cells that the kinds before leave.
    ways: SmallVec<[u64; KINDS]>,
}

/// Why positions have no indices by a formula, so that they are discovered, sorted and indexed instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnumbered {
    /// A position does not fit 128 bits.
    Unpacked,
    /// More than 40 cells, or more than 8 kinds of pieces.
    Board,
    /// The classes of positions cannot be derived from the rules alone.
    Classes,
    /// More indices than this.
    Large(u64),
    /// Points are counted and positions may repeat: they are solved by thresholds, class by class.
    Points,
}

impl std::fmt::Display for Unnumbered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unnumbered::Unpacked => f.write_str("a position does not fit 128 bits"),
            Unnumbered::Board => f.write_str("more than 40 cells, 8 kinds of pieces, or 64 bits of counters"),
            Unnumbered::Classes => f.write_str("too many combinations of counters and numbers of pieces"),
            Unnumbered::Large(limit) => write!(f, "a formula would need more than {limit} numbers"),
            Unnumbered::Points => f.write_str("points are counted, and positions may come again"),
        }
    }
}

/// The indexing of a game.
#[derive(Debug)]
pub struct Numbering {
    subsets: Subsets,
    blocks: Vec<Block>,
    places: FxHashMap<Key, u32>,
    size: u64,
    /// Ranges of indices from which all moves lead to earlier ones; empty if positions may repeat.
    waves: Vec<Range<u64>>,
    kinds: usize,
}

impl Numbering {
    /// Returns the indexing of a game.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn new(
        ground: &Ground<'_>,
        packing: &PositionPacking,
        canonical: &Canonical,
    ) -> Result<Numbering, Unnumbered> {
        let Ground { program, code, entries, .. } = *ground;
        let (cells, kinds) = (program.board.cells(), packing.pieces().len());
        if cells > Subsets::MOST || kinds > KINDS || packing.above_bits() > u64::BITS {
            return Err(Unnumbered::Board);
        }
        let declared = !program.directives.most.is_empty();
        let limit = if declared { MOST } else { SMALL };
        let large = Unnumbered::Large(limit);
        let subsets = Subsets::new(cells);
        let mut least = 0u64;
        let classes = classes(ground, &mut |class| {
            let block = Block::new(class, packing, &subsets, 0, false);
            least = block.map_or(u64::MAX, |block| least.saturating_add(block.boards));
            least <= limit
        });
        if least > limit {
            return Err(large);
        }
        let mut classes = classes.ok_or(Unnumbered::Classes)?;
        classes.close(canonical.images());
        let waves = classes.sort();
        let (mut size, mut blocks, mut places) = (0u64, Vec::new(), FxHashMap::default());
        let mut begins = Vec::with_capacity(classes.all.len());
        for class in &classes.all {
            begins.push(size);
            let at = entries[usize::from(class.entry)].at;
            let cell_matters = at.is_some_and(|at| !code.anywhere[at as usize]);
            let block = Block::new(class, packing, &subsets, size, cell_matters);
            let block = block.ok_or(large)?;
            let more = block.boards.checked_mul(block.current_cells).and_then(|more| size.checked_add(more));
            size = more.filter(|&size| size <= limit).ok_or(large)?;
            places.insert(block.key(), blocks.len() as u32);
            blocks.push(block);
        }
        let ends = waves.iter().skip(1).map(|&wave| begins[wave]).chain([size]);
        if program.directives.scoring == Scoring::Score && waves.is_empty() {
            return Err(Unnumbered::Points);
        }
        let waves = waves.iter().zip(ends).map(|(&wave, end)| begins[wave]..end).collect();
        Ok(Numbering { subsets, blocks, places, size, waves, kinds })
    }

    /// Returns the number of indices.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns ranges of indices from which all moves lead to earlier ranges; empty if positions may repeat.
    pub fn waves(&self) -> &[Range<u64>] {
        &self.waves
    }

    /// Returns a checksum that changes with the indexing.
    pub fn checksum(&self) -> u64 {
        let mut bytes = Vec::with_capacity(self.blocks.len() * 24);
        for block in &self.blocks {
            let (above, counts) = block.key();
            [block.offset, above, counts].iter().for_each(|part| bytes.extend(part.to_le_bytes()));
        }
        xxh3_64(&bytes)
    }

    /// Returns the number of classes of positions.
    pub fn classes(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the index of a packed position; `None` if its class is not indexed.
    #[inline]
    pub fn number(&self, packing: &PositionPacking, code: u128) -> Option<u64> {
        let masks: [u64; KINDS] = packing.masks(code);
        let mut counts = 0;
        for (kind, mask) in masks[..self.kinds].iter().enumerate() {
            counts |= u64::from(mask.count_ones()) << (8 * kind);
        }
        let place = *self.places.get(&(packing.above_cells(code) as u64, counts))?;
        let block = &self.blocks[place as usize];
        let mut free = u64::MAX >> (u64::BITS - packing.cells());
        let mut rank = 0;
        for (mask, ways) in masks[1..self.kinds].iter().zip(&block.ways) {
            rank = rank * ways + self.subsets.rank(compress(*mask, free));
            free &= !mask;
        }
        let cell = packing.cell_of(code).map_or(0, |(_, cell)| u64::from(cell));
        (cell < block.current_cells).then(|| block.offset + cell * block.boards + rank)
    }

    /// Returns the packed position with this index, if there is one.
    pub fn code(&self, packing: &PositionPacking, number: u64) -> Option<u128> {
        let place = self.blocks.partition_point(|block| block.offset <= number).checked_sub(1)?;
        let block = &self.blocks[place];
        let rest = number - block.offset;
        let (cell, mut rest) = (rest / block.boards, rest % block.boards);
        if cell >= block.current_cells {
            return None;
        }
        let mut ranks = [0; KINDS];
        for (kind, ways) in block.ways.iter().enumerate().rev() {
            ranks[kind] = rest % ways;
            rest /= ways;
        }
        let mut free = u64::MAX >> (u64::BITS - packing.cells());
        let mut masks = [0; KINDS];
        for kind in 1..self.kinds {
            let count = usize::from(block.counts[kind]);
            masks[kind] = expand(self.subsets.subset(ranks[kind - 1], count), free);
            free &= !masks[kind];
        }
        masks[0] = free;
        Some(packing.joined(block.above, cell as u16, &masks[..self.kinds]))
    }
}

impl Block {
    /// Returns the indices of a class from `offset` on.
    fn new(
        class: &Class,
        packing: &PositionPacking,
        subsets: &Subsets,
        offset: u64,
        current_cells: bool,
    ) -> Option<Block> {
        let counts: SmallVec<[u8; KINDS]> =
            packing.pieces().iter().map(|&piece| class.counts[usize::from(piece)]).collect();
        let mut left = packing.cells() as usize;
        let mut ways: SmallVec<[u64; KINDS]> = SmallVec::new();
        // The first kind has the cells that the others leave.
        for &count in &counts[1..] {
            ways.push(subsets.choose(left, usize::from(count)));
            left -= usize::from(count);
        }
        let boards = ways.iter().try_fold(1u64, |boards, &ways| boards.checked_mul(ways))?;
        let count = |piece: u8| u64::from(class.counts[usize::from(piece)]);
        let above = packing.above_of(&class.variables, class.entry, count);
        let current_cells = if current_cells { u64::from(packing.cells()) } else { 1 };
        Some(Block { offset, boards, current_cells, above, counts, ways })
    }

    fn key(&self) -> Key {
        let counts =
            (0..).zip(&self.counts).fold(0, |all, (kind, &count)| all | u64::from(count) << (8 * kind));
        (self.above as u64, counts)
    }
}
