//! Tables over tuples of cells: an estimate is the sum of one weight for each tuple.

use super::bytes::{CELLS, Reader, WEIGHTS, put_numbers};
use super::error::WeightsError;

/// The most images for each player, and cells of an image.
const IMAGES: usize = 1 << 15;
const WIDTH: usize = 16;

/// A tuple of cells and the place of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The index of the table's first weight.
    pub base: u32,
    /// The cells, the one that counts least first.
    pub cells: Vec<u16>,
}

/// Tables over tuples of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuples {
    /// The images, for either player to move.
    pub images: [Vec<Image>; 2],
    /// The weights of all tables.
    pub weights: Vec<i16>,
}

impl Tuples {
    /// Checks that every image has its table, for positions of `cells` cells of `base` kinds.
    pub(super) fn check(&self, cells: usize, base: u8) -> Result<(), WeightsError> {
        let wrong = |what| Err(WeightsError::Damaged(what));
        if cells > CELLS || self.weights.len() > WEIGHTS {
            return wrong("no weights have these sizes");
        }
        for image in self.images.iter().flatten() {
            let table = u64::from(base).checked_pow(image.cells.len() as u32);
            let end = table.and_then(|table| table.checked_add(u64::from(image.base)));
            if image.cells.len() > WIDTH || end.is_none_or(|end| end > self.weights.len() as u64) {
                return wrong("an image has no table");
            }
            if image.cells.iter().any(|&cell| usize::from(cell) >= cells) {
                return wrong("an image has a cell beyond the last");
            }
        }
        if self.images.iter().any(|images| images.len() > IMAGES) {
            return wrong("too many images");
        }
        Ok(())
    }

    /// Appends the bytes of a file.
    pub(super) fn write(&self, body: &mut Vec<u8>) {
        for images in &self.images {
            body.extend((images.len() as u32).to_le_bytes());
            for Image { base, cells } in images {
                body.extend(base.to_le_bytes());
                body.push(cells.len() as u8);
                cells.iter().for_each(|cell| body.extend(cell.to_le_bytes()));
            }
        }
        put_numbers(body, &self.weights);
    }

    /// Reads what [`Tuples::write`] wrote.
    pub(super) fn read(body: &mut Reader<'_>) -> Result<Tuples, WeightsError> {
        let mut images = [Vec::new(), Vec::new()];
        for images in &mut images {
            let count = body.number::<4>()? as usize;
            if count > IMAGES {
                return Err(WeightsError::Damaged("too many images"));
            }
            for _ in 0..count {
                let base = body.number::<4>()? as u32;
                let width = body.number::<1>()? as usize;
                let cells = body.take(2 * width)?.chunks_exact(2);
                let cells = cells.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
                images.push(Image { base, cells });
            }
        }
        Ok(Tuples { images, weights: body.numbers()? })
    }
}

/// The images of one player to move, by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    /// The place of each cell's entries in `touching`, and the end of the last.
    begins: Vec<u32>,
    /// For each cell: each image that contains it, and the difference of its index from one digit to the next.
    touching: Vec<(u32, u32)>,
    /// The index of each image with all digits 0, and the sum of these weights.
    indices: Vec<u32>,
    sum: i32,
}

/// The indices of the last position estimated for one player to move.
#[derive(Clone, Debug, Default)]
pub(super) struct Indices {
    digits: Vec<u8>,
    indices: Vec<u32>,
    sum: i32,
}

impl Side {
    pub(super) fn new(cells: usize, base: u8, tuples: &Tuples, turn: usize) -> Side {
        let images = &tuples.images[turn];
        let mut by_cell: Vec<Vec<(u32, u32)>> = vec![Vec::new(); cells];
        for (number, image) in (0..).zip(images) {
            let mut power = 1;
            for &cell in &image.cells {
                by_cell[usize::from(cell)].push((number, power));
                power *= u32::from(base);
            }
        }
        let mut begins = vec![0];
        for touching in &by_cell {
            begins.push(begins[begins.len() - 1] + touching.len() as u32);
        }
        let indices: Vec<u32> = images.iter().map(|image| image.base).collect();
        let sum = indices.iter().map(|&index| i32::from(tuples.weights[index as usize])).sum();
        Side { begins, touching: by_cell.concat(), indices, sum }
    }

    /// Returns the indices of a position whose cells all have digit 0.
    pub(super) fn zero(&self, cells: usize) -> Indices {
        Indices { digits: vec![0; cells], indices: self.indices.clone(), sum: self.sum }
    }
}

/// Returns the sum of the weights of a position for the player to move of `side` and `digits`; `now` becomes its indices.
#[inline]
pub(super) fn sum(tuples: &Tuples, side: &Side, digits: &[u8; 256], cells: &[u8], now: &mut Indices) -> i64 {
    let weights = &tuples.weights[..];
    for (cell, (&byte, old)) in cells.iter().zip(&mut now.digits).enumerate() {
        let digit = digits[usize::from(byte)];
        if digit == *old {
            continue;
        }
        let change = u32::from(digit).wrapping_sub(u32::from(*old));
        *old = digit;
        let touching = &side.touching[side.begins[cell] as usize..side.begins[cell + 1] as usize];
        for &(image, power) in touching {
            let index = &mut now.indices[image as usize];
            now.sum -= i32::from(weights[*index as usize]);
            *index = index.wrapping_add(change.wrapping_mul(power));
            now.sum += i32::from(weights[*index as usize]);
        }
    }
    i64::from(now.sum)
}
