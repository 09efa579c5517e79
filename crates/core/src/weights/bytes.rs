//! Numbers and texts of unpacked contents.

use super::error::WeightsError;

/// The most cells and weights.
pub(super) const CELLS: usize = 4096;
pub(super) const WEIGHTS: usize = 1 << 25;

/// Appends numbers after their count.
pub(super) fn put_numbers(body: &mut Vec<u8>, numbers: &[i16]) {
    body.extend((numbers.len() as u32).to_le_bytes());
    numbers.iter().for_each(|number| body.extend(number.to_le_bytes()));
}

/// The rest of some bytes.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// Takes the next bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], WeightsError> {
        let (taken, rest) =
            self.0.split_at_checked(length).ok_or(WeightsError::Damaged("it is cut short"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Reads a number of `N` bytes, at most 8.
    pub(super) fn number<const N: usize>(&mut self) -> Result<u64, WeightsError> {
        Ok(self.take(N)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// Reads signed numbers of 2 bytes after their count of 4 bytes.
    pub(super) fn numbers(&mut self) -> Result<Vec<i16>, WeightsError> {
        let count = self.number::<4>()? as usize;
        let pairs = self.take(count.saturating_mul(2))?.chunks_exact(2);
        Ok(pairs.map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    /// Reads a text after its length of 4 bytes.
    pub(super) fn text(&mut self) -> Result<String, WeightsError> {
        let length = self.number::<4>()? as usize;
        let text = std::str::from_utf8(self.take(length)?);
        text.map(str::to_owned).map_err(|_| WeightsError::Damaged("a text is no UTF-8"))
    }
}
