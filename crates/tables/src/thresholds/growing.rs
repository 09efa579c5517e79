//! Arrays of numbers in the least width that holds the largest of them so far.

use grundy_core::table::Width;
use grundy_session::SolveError;

use crate::codes::Codes;
use crate::crew::allocate;

/// An array of numbers, all 0 at first.
pub(super) struct Growing {
    width: Width,
    codes: Codes,
}

impl Growing {
    /// Creates an empty array.
    pub(super) fn none() -> Growing {
        Growing { width: Width::One, codes: Codes::default() }
    }

    /// Creates an array of `len` zeros.
    ///
    /// # Errors
    /// There is too little memory.
    pub(super) fn new(len: u64) -> Result<Growing, SolveError> {
        Growing::of_width(len, Width::One)
    }

    fn of_width(len: u64, width: Width) -> Result<Growing, SolveError> {
        let bytes = width.bytes(len).unwrap_or(u64::MAX);
        Ok(Growing { width, codes: Codes { bytes: allocate(bytes, 0)? } })
    }

    /// Creates the array with these bytes.
    pub(super) fn of_bytes(width: Width, bytes: Vec<u8>) -> Growing {
        Growing { width, codes: Codes { bytes } }
    }

    pub(super) fn width(&self) -> Width {
        self.width
    }

    /// Returns the bytes of the array.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.codes.bytes
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.codes.bytes
    }

    /// Unwraps the bytes of the array.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.codes.bytes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.codes.bytes.is_empty()
    }

    #[inline]
    pub(super) fn get(&self, at: u64) -> u32 {
        self.codes.get(self.width, at as usize)
    }

    /// Sets a number; widens the array if necessary.
    ///
    /// # Errors
    /// There is too little memory.
    #[inline]
    pub(super) fn set(&mut self, at: u64, number: u32) -> Result<(), SolveError> {
        self.widen_for(number)?;
        self.codes.set(self.width, at as usize, number);
        Ok(())
    }

    /// Widens the array so that it can hold a number.
    ///
    /// # Errors
    /// There is too little memory.
    #[inline]
    pub(super) fn widen_for(&mut self, number: u32) -> Result<(), SolveError> {
        if number <= self.width.max_code() {
            return Ok(());
        }
        self.widen(if number > Width::Two.max_code() { Width::Four } else { Width::Two })
    }

    /// Widens the array to at least this width.
    ///
    /// # Errors
    /// There is too little memory.
    #[cold]
    pub(super) fn widen(&mut self, width: Width) -> Result<(), SolveError> {
        if width > self.width {
            let len = self.codes.bytes.len() as u64 / self.width.bytes(1).unwrap_or(1);
            let mut wide = Growing::of_width(len, width)?;
            (0..len).for_each(|at| wide.codes.set(width, at as usize, self.get(at)));
            *self = wide;
        }
        Ok(())
    }
}
