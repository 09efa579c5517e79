//! Codes laid out as in a table, for whoever owns them.

use grundy_core::table::{HOLE, Width};

/// Codes as a table lays them out.
#[derive(Default)]
pub(crate) struct Codes {
    pub(crate) bytes: Vec<u8>,
}

impl Codes {
    /// The code in a cell; that of a hole beyond the end.
    #[inline]
    pub(crate) fn get(&self, width: Width, at: usize) -> u32 {
        fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
            bytes.get(at.checked_mul(N)?..)?.first_chunk().copied()
        }
        let code = match width {
            Width::Quarter => self.bytes.get(at / 4).map(|byte| u32::from(byte >> (at % 4 * 2) & 3)),
            Width::One => self.bytes.get(at).map(|&code| code.into()),
            Width::Two => word(&self.bytes, at).map(|code| u16::from_le_bytes(code).into()),
            Width::Four => word(&self.bytes, at).map(u32::from_le_bytes),
        };
        code.unwrap_or(HOLE)
    }

    /// Puts a code of whole bytes into a cell that is there.
    #[inline]
    pub(crate) fn set(&mut self, width: Width, at: usize, code: u32) {
        let code = code.to_le_bytes();
        match width {
            Width::Quarter | Width::One => self.bytes[at] = code[0],
            Width::Two => self.bytes[2 * at..][..2].copy_from_slice(&code[..2]),
            Width::Four => self.bytes[4 * at..][..4].copy_from_slice(&code),
        }
    }
}
