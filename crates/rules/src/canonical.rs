//! The canonical form of packed positions: the least of all images.

use crate::packing::PositionPacking;
use crate::symmetry::Image;

/// Bits of one chunk of the cells, whose image is looked up.
const CHUNK: u32 = 8;
/// Maximum number of symmetries whose images are computed all at once.
const MOST: usize = 64;

/// A symmetry of packed positions.
#[derive(Debug)]
struct Fast {
    /// For each chunk of the cells, the lowest first, the image of each of its contents.
    chunks: Vec<Vec<u128>>,
    image: Image,
    /// `true` if the bits above the cells do not change.
    keeps_class: bool,
}

/// The symmetries of packed positions.
#[derive(Debug, Default)]
pub struct Canonical {
    images: Vec<Fast>,
    /// For each chunk of the cells, the lowest first, and each of its contents: its images by the symmetries that change
    /// nothing but cells, one after the other. Only if the cells fit 64 bits.
    rows: Vec<u64>,
    /// Number of these symmetries.
    plain: usize,
    /// With rows: one symmetry of each further effect on the bits above the cells.
    others: Vec<usize>,
    /// Bits of a chunk of the cells.
    chunk: u32,
    /// For each entry whether the current cell is part of the position.
    cell_matters: Vec<bool>,
}

impl Canonical {
    /// Prepares these symmetries; none if they are no group, since images would then have different canonical forms.
    pub fn new(images: Vec<Image>, packing: &PositionPacking, cell_matters: Vec<bool>) -> Canonical {
        if !is_group(&images) {
            return Canonical::default();
        }
        let per_chunk = (CHUNK / packing.width()).max(1);
        let chunk = per_chunk * packing.width();
        let images: Vec<Fast> =
            images.into_iter().map(|image| Fast::new(image, packing, per_chunk)).collect();
        let plain: Vec<&Fast> = images.iter().filter(|fast| fast.keeps_class).collect();
        let fits = packing.class_shift() < u64::BITS && packing.cell_of(0).is_none();
        let mut rows = Vec::new();
        if fits && (1..=MOST).contains(&plain.len()) {
            for part in 0..plain[0].chunks.len() {
                let row = |content: usize| plain.iter().map(move |fast| fast.chunks[part][content] as u64);
                rows.extend((0..1 << chunk).flat_map(row));
            }
        }
        let above = |at: usize| {
            let Image { pieces, variables, entries, .. } = &images[at].image;
            (pieces, variables, entries)
        };
        let new = |&at: &usize| !images[at].keeps_class && (0..at).all(|before| above(before) != above(at));
        let (others, plain) = ((0..images.len()).filter(new).collect(), plain.len());
        Canonical { images, rows, plain, others, chunk, cell_matters }
    }

    /// Returns the number of symmetries besides the identity.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Reports whether there is none.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Returns the symmetries.
    pub fn images(&self) -> impl Iterator<Item = &Image> + Clone {
        self.images.iter().map(|fast| &fast.image)
    }

    /// Returns the least image of a packed position.
    #[inline]
    pub fn least(&self, packing: &PositionPacking, code: u128) -> u128 {
        if !self.rows.is_empty() {
            return self.least_by_rows(packing, code);
        }
        let mut least = code;
        for fast in &self.images {
            let above = if fast.keeps_class {
                code >> packing.class_shift()
            } else {
                packing.above(code, &fast.image)
            };
            if above <= least >> packing.class_shift() {
                least = least.min(self.image(packing, fast, above, code));
            }
        }
        least
    }

    /// As [`Canonical::least`], with all images that change nothing but cells at once. Every symmetry is one of `others`, or
    /// the identity, followed by such an image.
    #[inline]
    fn least_by_rows(&self, packing: &PositionPacking, code: u128) -> u128 {
        let shift = packing.class_shift();
        let (own, mut class, mut least) = (code >> shift, code >> shift, u128::MAX);
        for fast in self.others.iter().map(|&at| &self.images[at]) {
            let above = packing.above(code, &fast.image);
            if above <= class {
                class = above;
                least = least.min(self.least_cells(shift, self.image(packing, fast, above, code)));
            }
        }
        if class == own { least.min(self.least_cells(shift, code)) } else { least }
    }

    /// Returns the least image by symmetries that change nothing but cells: all images at once, chunk by chunk.
    #[inline]
    fn least_cells(&self, shift: u32, code: u128) -> u128 {
        let own = code as u64 & ((1 << shift) - 1);
        let (mut images, count) = ([0u64; MOST], self.plain);
        let (mut rest, mut begin) = (own, 0);
        while begin < self.rows.len() {
            let content = rest as usize & ((1 << self.chunk) - 1);
            let row = &self.rows[begin + content * count..][..count];
            images.iter_mut().zip(row).for_each(|(image, part)| *image |= part);
            rest >>= self.chunk;
            begin += count << self.chunk;
        }
        let least = images[..count].iter().fold(own, |least, &image| least.min(image));
        code >> shift << shift | u128::from(least)
    }

    /// Returns the image of a packed position by each symmetry.
    pub fn images_of(&self, packing: &PositionPacking, code: u128) -> Vec<u128> {
        let of = |fast: &Fast| self.image(packing, fast, packing.above(code, &fast.image), code);
        self.images.iter().map(of).collect()
    }

    /// Returns the number of distinct images of a packed position, itself included.
    pub fn alike(&self, packing: &PositionPacking, code: u128) -> u64 {
        let mut images = self.images_of(packing, code);
        images.push(code);
        grundy_core::sorting::sort(&mut images);
        images.dedup();
        images.len() as u64
    }

    #[inline]
    fn image(&self, packing: &PositionPacking, fast: &Fast, above: u128, code: u128) -> u128 {
        let mut rest = code;
        let mask = (1 << self.chunk) - 1;
        let mut cells = 0;
        for chunk in &fast.chunks {
            cells |= chunk[(rest & mask) as usize];
            rest >>= self.chunk;
        }
        let mut cell = packing.cell_of(code);
        if cell.is_some_and(|(entry, _)| self.cell_matters[usize::from(entry)]) {
            cell = cell.map(|(entry, cell)| (entry, fast.image.cells[usize::from(cell)]));
        }
        above << packing.class_shift() | packing.at_cell(cell.map_or(0, |(_, cell)| cell)) | cells
    }
}

impl Fast {
    fn new(image: Image, packing: &PositionPacking, per_chunk: u32) -> Fast {
        let (width, count) = (packing.width(), image.cells.len() as u32);
        // The last cell is in the lowest bits.
        let place = |cell: u32| (count - 1 - cell) * width;
        let mut chunks = Vec::new();
        let mut low = 0;
        while low < count {
            let own = low..(low + per_chunk).min(count);
            let contents = 0..1u128 << (own.len() as u32 * width);
            let of = |content: u128| {
                own.clone().fold(0u128, |all, slot| {
                    let cell = count - 1 - slot;
                    let small = (content >> ((slot - low) * width)) as usize & ((1 << width) - 1);
                    let to = packing.image_of_small(small, &image);
                    all | u128::from(to) << place(u32::from(image.cells[cell as usize]))
                })
            };
            // Every chunk has the same width, so that bits above the last cell are cut off.
            let room = 1usize << (per_chunk * width);
            let known: Vec<u128> = contents.map(of).collect();
            chunks.push((0..room).map(|at| known[at % known.len()]).collect());
            low += per_chunk;
        }
        let same = |list: &[u16]| list.iter().enumerate().all(|(at, &to)| at == usize::from(to));
        let keeps_class = same(&image.variables)
            && same(&image.entries)
            && image.pieces.iter().enumerate().all(|(piece, &to)| piece == usize::from(to));
        Fast { chunks, image, keeps_class }
    }
}

/// Reports whether the composition of two symmetries is always one of them, or the identity.
fn is_group(images: &[Image]) -> bool {
    let then = |one: &Image, other: &Image| Image {
        cells: one.cells.iter().map(|&cell| other.cells[usize::from(cell)]).collect(),
        pieces: one.pieces.iter().map(|&piece| other.pieces[usize::from(piece)]).collect(),
        variables: one.variables.iter().map(|&at| other.variables[usize::from(at)]).collect(),
        swaps: one.swaps != other.swaps,
        entries: one.entries.iter().map(|&entry| other.entries[usize::from(entry)]).collect(),
    };
    let plain = |image: &Image| {
        let fixed = |list: &[u16]| list.iter().enumerate().all(|(at, &to)| at == usize::from(to));
        let pieces = image.pieces.iter().enumerate().all(|(at, &to)| at == usize::from(to));
        pieces && !image.swaps && fixed(&image.cells) && fixed(&image.variables) && fixed(&image.entries)
    };
    images.iter().all(|one| {
        images.iter().all(|other| {
            let both = then(one, other);
            plain(&both) || images.contains(&both)
        })
    })
}
