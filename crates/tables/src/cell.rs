//! Cells of a table while it is being made: one, two or four bytes that several threads may fill at once.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};

use bytemuck::Zeroable;

use grundy_core::table::Width;

/// A cell that threads share; zero is a hole. Each is written by one thread, or by several that store the same code; others rely
/// on it only after a barrier, or find a hole before. So relaxed access suffices, which costs as much as plain access.
pub trait Cell: Zeroable + Send + Sync {
    /// Its width in the finished table.
    const WIDTH: Width;

    /// Returns the code.
    fn get(&self) -> u32;

    /// Sets the code; the caller has checked that it fits.
    fn set(&self, code: u32);

    /// Encodes cells as in a finished table.
    fn into_bytes(cells: Vec<Self>) -> Vec<u8>;

    /// Decodes cells of a table.
    fn from_bytes(bytes: Vec<u8>) -> Vec<Self>;
}

impl Cell for AtomicU8 {
    const WIDTH: Width = Width::One;

    #[inline]
    fn get(&self) -> u32 {
        u32::from(self.load(Ordering::Relaxed))
    }

    #[inline]
    fn set(&self, code: u32) {
        self.store(code as u8, Ordering::Relaxed);
    }

    fn into_bytes(cells: Vec<Self>) -> Vec<u8> {
        // The same memory is used again: nothing is copied.
        cells.into_iter().map(AtomicU8::into_inner).collect()
    }

    fn from_bytes(bytes: Vec<u8>) -> Vec<Self> {
        bytes.into_iter().map(AtomicU8::new).collect()
    }
}

impl Cell for AtomicU16 {
    const WIDTH: Width = Width::Two;

    #[inline]
    fn get(&self) -> u32 {
        u32::from(self.load(Ordering::Relaxed))
    }

    #[inline]
    fn set(&self, code: u32) {
        self.store(code as u16, Ordering::Relaxed);
    }

    fn into_bytes(cells: Vec<Self>) -> Vec<u8> {
        cells.into_iter().flat_map(|cell| cell.into_inner().to_le_bytes()).collect()
    }

    fn from_bytes(bytes: Vec<u8>) -> Vec<Self> {
        let (cells, _) = bytes.as_chunks::<2>();
        cells.iter().map(|cell| AtomicU16::new(u16::from_le_bytes(*cell))).collect()
    }
}

impl Cell for AtomicU32 {
    const WIDTH: Width = Width::Four;

    #[inline]
    fn get(&self) -> u32 {
        self.load(Ordering::Relaxed)
    }

    #[inline]
    fn set(&self, code: u32) {
        self.store(code, Ordering::Relaxed);
    }

    fn into_bytes(cells: Vec<Self>) -> Vec<u8> {
        cells.into_iter().flat_map(|cell| cell.into_inner().to_le_bytes()).collect()
    }

    fn from_bytes(bytes: Vec<u8>) -> Vec<Self> {
        let (cells, _) = bytes.as_chunks::<4>();
        cells.iter().map(|cell| AtomicU32::new(u32::from_le_bytes(*cell))).collect()
    }
}

/// Allocates `count` empty cells; `None` if the system has too little memory.
pub fn empty_cells<C: Cell>(count: u64) -> Option<Vec<C>> {
    bytemuck::allocation::try_zeroed_vec(usize::try_from(count).ok()?).ok()
}

/// Copies bytes of the codes of cells in little-endian order, starting at byte `offset`, which is a whole number of cells.
pub fn copy_bytes<C>(cells: &[C], code: impl Fn(&C) -> u32, offset: u64, into: &mut [u8]) {
    let size = size_of::<C>();
    let first = offset as usize / size;
    for (cell, bytes) in cells[first..].iter().zip(into.chunks_mut(size)) {
        bytes.copy_from_slice(&code(cell).to_le_bytes()[..size]);
    }
}
