//! Packed positions, of at most 128 bits: scores and variables, the entry, the number of pieces of each kind, the current
//! cell, and last the cells.
//!
//! The bits above the cells are the class of a position. It mostly changes in one direction only (men are placed or
//! taken, turns are counted), so that the classes can be solved one after the other.

use crate::instructions::{Code, Op};
use crate::machine::Machine;
use crate::position::Entry;
use crate::program::Program;
use crate::symmetry::Image;
use smallvec::SmallVec;

/// The packing of the positions of one game.
#[derive(Clone, Debug)]
pub struct PositionPacking {
    /// The index of each piece among those that can come on the board.
    small: Vec<u8>,
    /// The pieces that can come on the board.
    pieces: Vec<u8>,
    cells: u32,
    /// Bits of a cell.
    width: u32,
    /// Bits of the count of a piece; 0 if counts do not fit, or if positions fit 64 bits only without them.
    count: u32,
    /// Variables that change, with their bits.
    variables: Vec<(usize, u32)>,
    entry: u32,
    /// `true` if positions fit 64 bits.
    small_enough: bool,
    /// Bits of the current cell.
    cell: u32,
}

/// Returns the bits of numbers up to `largest`.
fn bits(largest: u64) -> u32 {
    u64::BITS - largest.leading_zeros()
}

impl PositionPacking {
    /// Returns the packing of a game; `None` if its positions do not fit 128 bits.
    pub fn new(program: &Program, code: &Code, entries: &[Entry]) -> Option<PositionPacking> {
        let mut comes = vec![false; program.pieces.len()];
        program.board.start.iter().for_each(|&piece| comes[usize::from(piece)] = true);
        let mut changes = vec![false; program.variables.len()];
        for instruction in &code.all {
            match instruction.op {
                Op::Off(piece) => comes[usize::from(piece)] = true,
                Op::Assign(variable, _) => changes[usize::from(variable)] = true,
                _ => {}
            }
        }
        let pieces: Vec<u8> = (0..comes.len() as u8).filter(|&piece| comes[usize::from(piece)]).collect();
        let mut small = vec![0; program.pieces.len()];
        pieces.iter().enumerate().for_each(|(at, &piece)| small[usize::from(piece)] = at as u8);
        let cells = program.board.cells() as u32;
        let stands = entries.iter().any(|entry| entry.at.is_some_and(|at| !code.anywhere[at as usize]));
        let variables: Vec<(usize, u32)> = changes
            .iter()
            .enumerate()
            .filter(|(_, changes)| **changes)
            .map(|(at, _)| (at, bits(u64::from(program.variables[at].bound))))
            .collect();
        let mut packing = PositionPacking {
            width: bits(pieces.len() as u64 - 1).max(1),
            count: bits(u64::from(cells)),
            small,
            pieces,
            cells,
            variables,
            entry: bits(entries.len() as u64 - 1),
            cell: if stands { bits(u64::from(cells) - 1) } else { 0 },
            small_enough: false,
        };
        if packing.bits() > 64 && packing.bits() - packing.counts() <= 64 || packing.bits() > 128 {
            packing.count = 0;
        }
        packing.small_enough = packing.bits() <= 64;
        (packing.bits() <= 128).then_some(packing)
    }

    /// Returns the bits of all counts; the first piece's follows from the others'.
    fn counts(&self) -> u32 {
        self.count * (self.pieces.len() as u32 - 1)
    }

    /// Returns the bits below the class.
    pub fn class_shift(&self) -> u32 {
        self.cell + self.cells * self.width
    }

    /// Returns the bits of one cell.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the content of a cell in an image, by the index of its piece among those that can come on the board.
    pub fn image_of_small(&self, small: usize, image: &Image) -> u8 {
        self.pieces.get(small).map_or(0, |&piece| self.small[usize::from(image.pieces[usize::from(piece)])])
    }

    /// Returns the entry and the current cell, if positions have one.
    #[inline]
    pub fn cell_of(&self, code: u128) -> Option<(u16, u16)> {
        if self.cell == 0 {
            return None;
        }
        let mut rest = code >> (self.cells * self.width);
        let cell = rest.take(self.cell) as u16;
        rest.take(self.counts());
        Some((rest.take(self.entry) as u16, cell))
    }

    /// Returns the current cell in its bits of a position.
    #[inline]
    pub fn at_cell(&self, cell: u16) -> u128 {
        u128::from(cell) << (self.cells * self.width)
    }

    /// Returns the pieces that can come on the board: a kind of piece is an index into this list.
    pub fn pieces(&self) -> &[u8] {
        &self.pieces
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// Returns the number of bits of a position above the cells and the current cell.
    pub fn above_bits(&self) -> u32 {
        self.bits() - self.class_shift()
    }

    /// Returns the bits above the cells and the current cell.
    #[inline]
    pub fn above_cells(&self, code: u128) -> u128 {
        code.checked_shr(self.class_shift()).unwrap_or(0)
    }

    /// Returns the bits above the cells in positions of a class.
    pub fn above_of(&self, variables: &[i64], entry: u16, count: impl Fn(u8) -> u64) -> u128 {
        self.pack_above::<u128>(variables, entry, 0, count) >> self.cell
    }

    /// Returns the cells of each kind of piece: the last cell of the board is the lowest bit.
    #[inline]
    pub fn masks<const KINDS: usize>(&self, code: u128) -> [u64; KINDS] {
        let mut masks = [0; KINDS];
        let take = |mut rest: u64, from: u32, to: u32, masks: &mut [u64; KINDS]| {
            for cell in from..to {
                masks[rest.take(self.width) as usize % KINDS] |= 1 << cell;
            }
        };
        // Half of the cells at a time fit 64 bits.
        let half = (u64::BITS / self.width).min(self.cells);
        take(code as u64, 0, half, &mut masks);
        if half < self.cells {
            let other = (2 * half).min(self.cells);
            take((code >> (half * self.width)) as u64, half, other, &mut masks);
            (other..self.cells).for_each(|cell| {
                let kind = (code >> (cell * self.width)) as usize & ((1 << self.width) - 1);
                masks[kind % KINDS] |= 1 << cell;
            });
        }
        masks
    }

    /// Returns a position from the bits above its cells, the current cell, and the cells of each kind.
    pub fn joined(&self, above: u128, cell: u16, masks: &[u64]) -> u128 {
        let mut code = above.then(self.cell, u64::from(cell));
        for at in (0..self.cells).rev() {
            let kind = masks.iter().position(|mask| mask >> at & 1 == 1).unwrap_or(0);
            code = code.then(self.width, kind as u64);
        }
        code
    }

    /// Returns the bits above the cells in the image of a position.
    pub fn above(&self, code: u128, image: &Image) -> u128 {
        let mut rest = code >> self.class_shift();
        let mut counts: SmallVec<[u64; 8]> = SmallVec::from_elem(0, image.pieces.len());
        let mut first = u64::from(self.cells);
        if self.count > 0 {
            for &piece in self.pieces[1..].iter().rev() {
                let count = rest.take(self.count);
                counts[usize::from(image.pieces[usize::from(piece)])] = count;
                first -= count.min(first);
            }
            counts[usize::from(image.pieces[usize::from(self.pieces[0])])] = first;
        }
        let entry = rest.take(self.entry) as usize;
        let mut values: SmallVec<[u64; 4]> = SmallVec::from_elem(0, image.variables.len());
        for &(at, bits) in self.variables.iter().rev() {
            values[usize::from(image.variables[at])] = rest.take(bits);
        }
        let mut above = 0u128;
        for &(at, bits) in &self.variables {
            above = above.then(bits, values[at]);
        }
        above = above.then(self.entry, u64::from(image.entries[entry]));
        if self.count > 0 {
            for &piece in &self.pieces[1..] {
                above = above.then(self.count, counts[usize::from(piece)]);
            }
        }
        above
    }

    /// Reports whether an image of every position can be packed: pieces that can come on the board map to such, and
    /// variables that change map to such.
    pub fn fits(&self, image: &Image) -> bool {
        let pieces = self.pieces.iter().all(|&piece| self.pieces.contains(&image.pieces[usize::from(piece)]));
        let bits = |at: usize| self.variables.iter().find(|&&(other, _)| other == at).map(|&(_, bits)| bits);
        pieces && image.variables.iter().enumerate().all(|(at, &to)| bits(at) == bits(usize::from(to)))
    }

    /// Returns the number of bits of a position.
    pub fn bits(&self) -> u32 {
        let variables: u32 = self.variables.iter().map(|(_, bits)| bits).sum();
        self.class_shift().saturating_add(self.counts() + variables + self.entry)
    }

    /// Reports whether a position has only pieces that can come on the board, and variables that never change at their
    /// initial values.
    pub fn can_be(&self, cells: &[u8], variables: &[i64]) -> bool {
        let changes = |at: usize| self.variables.iter().any(|&(variable, _)| variable == at);
        cells.iter().all(|piece| self.pieces.contains(piece))
            && variables.iter().enumerate().all(|(at, &value)| value == 0 || changes(at))
    }

    /// Returns a packed position.
    #[inline]
    pub fn pack(&self, cells: &[u8], variables: &[i64], entry: u16, cell: u16) -> u128 {
        if self.small_enough {
            return u128::from(self.pack_as::<u64>(cells, variables, entry, cell));
        }
        self.pack_as::<u128>(cells, variables, entry, cell)
    }

    /// Packs the board and variables of a machine whose board was unpacked from `before` and then changed.
    #[inline]
    pub fn pack_changed(&self, before: u128, machine: &Machine, entry: u16, cell: u16) -> u128 {
        if self.small_enough {
            return u128::from(self.pack_changed_as(before as u64, machine, entry, cell));
        }
        self.pack_changed_as(before, machine, entry, cell)
    }

    #[inline]
    fn pack_changed_as<W: Word>(&self, before: W, machine: &Machine, entry: u16, cell: u16) -> W {
        let count = |piece: u8| machine.count(piece) as u64;
        let mut cells = before.low(self.cells * self.width);
        for cell in machine.changed() {
            let piece = machine.cells[usize::from(cell)];
            let low = (self.cells - 1 - u32::from(cell)) * self.width;
            cells = cells.with(low, self.width, u64::from(self.small[usize::from(piece)]));
        }
        let above = self.pack_above::<W>(&machine.variables, entry, cell, count);
        above.joined(self.cells * self.width, cells)
    }

    /// Packs the bits above the cells.
    #[inline]
    fn pack_above<W: Word>(&self, variables: &[i64], entry: u16, cell: u16, count: impl Fn(u8) -> u64) -> W {
        let mut code = W::from(0);
        for &(at, bits) in &self.variables {
            code = code.then(bits, variables[at] as u64);
        }
        code = code.then(self.entry, u64::from(entry));
        if self.count > 0 {
            for &piece in &self.pieces[1..] {
                code = code.then(self.count, count(piece));
            }
        }
        code.then(self.cell, u64::from(cell))
    }

    #[inline]
    fn pack_as<W: Word>(&self, cells: &[u8], variables: &[i64], entry: u16, cell: u16) -> W {
        let count = |piece| cells.iter().filter(|&&other| other == piece).count() as u64;
        let mut code = self.pack_above::<W>(variables, entry, cell, count);
        for &piece in cells {
            code = code.then(self.width, u64::from(self.small[usize::from(piece)]));
        }
        code
    }

    /// Unpacks a position into a board and variables; returns its entry and cell.
    #[inline]
    pub fn unpack(&self, code: u128, cells: &mut [u8], variables: &mut [i64]) -> (u16, u16) {
        if self.small_enough {
            return self.unpack_as(code as u64, cells, variables);
        }
        self.unpack_as(code, cells, variables)
    }

    #[inline]
    fn unpack_as<W: Word>(&self, code: W, cells: &mut [u8], variables: &mut [i64]) -> (u16, u16) {
        let mut code = code;
        for cell in cells.iter_mut().rev() {
            let small = code.take(self.width) as usize;
            *cell = self.pieces.get(small).copied().unwrap_or(0);
        }
        let cell = code.take(self.cell) as u16;
        code.take(self.counts());
        let entry = code.take(self.entry) as u16;
        variables.fill(0);
        for &(at, bits) in self.variables.iter().rev() {
            variables[at] = code.take(bits) as i64;
        }
        (entry, cell)
    }
}

/// An unsigned integer that bit fields are packed into.
trait Word: From<u8> {
    fn then(self, bits: u32, field: u64) -> Self;
    /// Takes the lowest bits.
    fn take(&mut self, bits: u32) -> u64;
    /// Returns the lowest bits alone.
    fn low(self, bits: u32) -> Self;
    /// Returns the same with another field of `bits` bits from `low` on.
    fn with(self, low: u32, bits: u32, field: u64) -> Self;
    /// Returns this above `bits` lower bits.
    fn joined(self, bits: u32, lower: Self) -> Self;
}

impl Word for u64 {
    #[inline]
    fn low(self, bits: u32) -> u64 {
        self & 1u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1)
    }
    #[inline]
    fn with(self, low: u32, bits: u32, field: u64) -> u64 {
        self & !(((1 << bits) - 1) << low) | field << low
    }
    #[inline]
    fn joined(self, bits: u32, lower: u64) -> u64 {
        self.checked_shl(bits).unwrap_or(0) | lower
    }
    #[inline]
    fn then(self, bits: u32, field: u64) -> u64 {
        if bits == 0 { self } else { self << (bits & 63) | field }
    }
    #[inline]
    fn take(&mut self, bits: u32) -> u64 {
        let field = *self & (1u64 << (bits & 63)).wrapping_sub(1);
        *self >>= bits & 63;
        field
    }
}

impl Word for u128 {
    #[inline]
    fn low(self, bits: u32) -> u128 {
        self & 1u128.checked_shl(bits).unwrap_or(0).wrapping_sub(1)
    }
    #[inline]
    fn with(self, low: u32, bits: u32, field: u64) -> u128 {
        self & !(((1 << bits) - 1) << low) | u128::from(field) << low
    }
    #[inline]
    fn joined(self, bits: u32, lower: u128) -> u128 {
        self.checked_shl(bits).unwrap_or(0) | lower
    }
    #[inline]
    fn then(self, bits: u32, field: u64) -> u128 {
        if bits == 0 { self } else { self << (bits & 127) | u128::from(field) }
    }
    #[inline]
    fn take(&mut self, bits: u32) -> u64 {
        let field = *self & (1u128 << (bits & 127)).wrapping_sub(1);
        *self >>= bits & 127;
        field as u64
    }
}
