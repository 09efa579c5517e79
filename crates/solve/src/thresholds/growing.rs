//! Numbers in the least room that holds the largest of them so far.

use grundy_core::table::Width;
use grundy_session::SolveError;

use crate::codes::Codes;
use crate::crew::allocate;

/// So many numbers, all 0 at first.
pub(super) struct Growing {
    width: Width,
    codes: Codes,
}

impl Growing {
    /// No numbers.
    pub(super) fn none() -> Growing {
        Growing { width: Width::One, codes: Codes::default() }
    }

    /// So many.
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

    /// Those that lie in these bytes.
    pub(super) fn of_bytes(width: Width, bytes: Vec<u8>) -> Growing {
        Growing { width, codes: Codes { bytes } }
    }

    pub(super) fn width(&self) -> Width {
        self.width
    }

    /// The bytes that they lie in.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.codes.bytes
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.codes.bytes
    }

    /// The bytes without their numbers.
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

    /// Puts a number into a place that is there; all get more room where it takes more.
    ///
    /// # Errors
    /// There is too little memory.
    #[inline]
    pub(super) fn set(&mut self, at: u64, number: u32) -> Result<(), SolveError> {
        if number > self.width.max_code() {
            let four = number > Width::Two.max_code();
            self.widen(if four { Width::Four } else { Width::Two })?;
        }
        self.codes.set(self.width, at as usize, number);
        Ok(())
    }

    /// Gives all numbers so much room at least.
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
