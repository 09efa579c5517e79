//! Codes in memory, encoded as in a table.

use grundy_core::table::{HOLE, Width};

/// Codes, encoded as in a table.
#[derive(Default)]
pub(crate) struct Codes {
    pub(crate) bytes: Vec<u8>,
}

impl Codes {
    /// Returns the code in a cell; that of a hole beyond the end.
    #[inline]
    pub(crate) fn get(&self, width: Width, at: usize) -> u32 {
        code(&self.bytes, width, at)
    }

    /// Sets the code of an existing cell of whole bytes.
    #[inline]
    pub(crate) fn set(&mut self, width: Width, at: usize, code: u32) {
        set_code(&mut self.bytes, width, at, code);
    }
}

/// As [`Codes::get`].
#[inline]
pub(crate) fn code(bytes: &[u8], width: Width, at: usize) -> u32 {
    fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
        bytes.get(at.checked_mul(N)?..)?.first_chunk().copied()
    }
    let code = match width {
        Width::Quarter => bytes.get(at / 4).map(|byte| u32::from(byte >> (at % 4 * 2) & 3)),
        Width::One => bytes.get(at).map(|&code| code.into()),
        Width::Two => word(bytes, at).map(|code| u16::from_le_bytes(code).into()),
        Width::Four => word(bytes, at).map(u32::from_le_bytes),
    };
    code.unwrap_or(HOLE)
}

/// As [`Codes::set`].
#[inline]
pub(crate) fn set_code(bytes: &mut [u8], width: Width, at: usize, code: u32) {
    let code = code.to_le_bytes();
    match width {
        Width::Quarter | Width::One => bytes[at] = code[0],
        Width::Two => bytes[2 * at..][..2].copy_from_slice(&code[..2]),
        Width::Four => bytes[4 * at..][..4].copy_from_slice(&code),
    }
}
