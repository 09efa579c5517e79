//! The file format, version 1: header, list of blocks, blocks. All integers are little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 8 | magic `89 'grundy' 0A` |
//! | 4 | format version |
//! | 4 | length of the header, its checksum included |
//! | 1 1 1 1 | meaning of a cell, width of a cell, form of the blocks, method that made the table |
//! | 4 | bytes of cells in a block (the last one may have fewer) |
//! | 8 | number of indices |
//! | 8 | fingerprint of the rules and the indexing |
//! | 8 | bytes that the blocks take in the file |
//! | 8 | xxh3 (64 bits) of the list of blocks |
//! | 16 | xxh3 (128 bits) of all cells, decompressed |
//! | 2 + n | the game's full name with its parameters |
//! | 16 | xxh3 (128 bits) of the header up to here |
//!
//! The list of blocks follows: for each block its end, counted from the first block's beginning (8 bytes), and the xxh3
//! (64 bits, seeded with the block's index) of its bytes in the file. The blocks begin at the next multiple of 4096 and
//! end with the file.

use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

use super::coding::{Coding, Meaning, Width};
use super::flaw::Flaw;

/// The first bytes of every table.
pub(super) const MAGIC: [u8; 8] = *b"\x89grundy\n";
/// The version that this program writes and reads.
pub(super) const VERSION: u32 = 1;
/// Bytes of the header before the name.
const FIXED: usize = 74;
/// Bytes of the header's checksum.
const SUM: usize = 16;
/// The longest name in bytes.
pub(super) const LONGEST_NAME: usize = 1 << 15;
/// Bytes of an entry in the list of blocks.
pub(super) const ENTRY: u64 = 16;
/// Blocks begin at a multiple of this, in bytes.
const ALIGN: u64 = 4096;

/// Storage of the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Uncompressed, to be mapped into memory.
    Plain,
    /// Each compressed with zstd by itself.
    Packed,
}

/// Method that made a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// `layers`.
    Layers,
    /// `retrograde`.
    Retrograde,
    /// `bitparallel`.
    BitParallel,
    /// `thresholds`.
    Thresholds,
    /// Any other.
    Other,
}

/// The header of a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game's full name with its parameters.
    pub name: String,
    /// A hash that changes with the rules and the indexing.
    pub fingerprint: u64,
    /// Number of indices.
    pub count: u64,
    /// Coding of the cells.
    pub coding: Coding,
    /// Storage of the blocks.
    pub packing: Packing,
    /// Method that made the table.
    pub maker: Maker,
    /// Bytes of cells in a block.
    pub block: u32,
    /// Size of all blocks in the file, in bytes.
    pub stored: u64,
    /// The checksum of the list of blocks.
    pub index_sum: u64,
    /// The checksum of all cells.
    pub content_sum: u128,
}

impl Header {
    /// Encodes the header. Its length depends on the name alone.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FIXED + self.name.len() + SUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.push(match self.coding.meaning {
            Meaning::Outcome => 0,
            Meaning::Distance => 1,
            Meaning::Points => 2,
            Meaning::Ranked => 3,
            Meaning::Alternating => 4,
        });
        bytes.push(match self.coding.width {
            Width::Quarter => 0,
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
        });
        bytes.push(match self.packing {
            Packing::Plain => 0,
            Packing::Packed => 1,
        });
        bytes.push(match self.maker {
            Maker::Other => 0,
            Maker::Layers => 1,
            Maker::Retrograde => 2,
            Maker::BitParallel => 3,
            Maker::Thresholds => 4,
        });
        bytes.extend(self.block.to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend(self.fingerprint.to_le_bytes());
        bytes.extend(self.stored.to_le_bytes());
        bytes.extend(self.index_sum.to_le_bytes());
        bytes.extend(self.content_sum.to_le_bytes());
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend(self.name.as_bytes());
        bytes.extend(xxh3_128(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes a header by `read(offset, length)`; nothing is trusted before the checksum matches.
    pub(super) fn decode(
        file_len: u64,
        read: impl Fn(u64, usize) -> std::io::Result<Vec<u8>>,
    ) -> Result<Header, Flaw> {
        if file_len < (FIXED + SUM) as u64 {
            return Err(Flaw::NotATable);
        }
        let first = read(0, 16)?;
        let mut fields = Fields(&first).checked()?;
        let version = u32::from_le_bytes(fields.take()?);
        if version != VERSION {
            return Err(Flaw::Version { expected: VERSION, found: version });
        }
        let len = u32::from_le_bytes(fields.take()?) as usize;
        if !(FIXED + SUM..=FIXED + SUM + LONGEST_NAME).contains(&len) {
            return Err(Flaw::HeaderDamaged);
        }
        if file_len < len as u64 {
            return Err(Flaw::Length { expected: len as u64, found: file_len });
        }
        let bytes = read(0, len)?;
        let (said, sum) = bytes.split_at(len - SUM);
        if xxh3_128(said).to_le_bytes() != sum {
            return Err(Flaw::HeaderDamaged);
        }
        let header = Header::fields(&said[16..])?;
        let cells = header.cell_bytes().ok_or(Flaw::HeaderField("count"))?;
        if header.packing == Packing::Plain && header.stored != cells {
            return Err(Flaw::HeaderField("length"));
        }
        let expected = header
            .content_offset()
            .and_then(|offset| offset.checked_add(header.stored))
            .ok_or(Flaw::HeaderField("count"))?;
        if expected != file_len {
            return Err(Flaw::Length { expected, found: file_len });
        }
        Ok(header)
    }

    /// Decodes the fields after the header's length.
    fn fields(bytes: &[u8]) -> Result<Header, Flaw> {
        let mut fields = Fields(bytes);
        let [meaning, width, packing, maker] = fields.take()?;
        let meaning = match meaning {
            0 => Meaning::Outcome,
            1 => Meaning::Distance,
            2 => Meaning::Points,
            3 => Meaning::Ranked,
            4 => Meaning::Alternating,
            _ => return Err(Flaw::HeaderField("meaning")),
        };
        let width = match (width, meaning) {
            (0, Meaning::Outcome) => Width::Quarter,
            // Codes too large for one byte are written as plain distances.
            (1, Meaning::Alternating) => Width::One,
            // Without distances a cell has three values: nobody writes wider ones.
            (1, Meaning::Distance | Meaning::Points | Meaning::Ranked) => Width::One,
            (2, Meaning::Distance | Meaning::Points | Meaning::Ranked) => Width::Two,
            (4, Meaning::Distance | Meaning::Points | Meaning::Ranked) => Width::Four,
            _ => return Err(Flaw::HeaderField("width")),
        };
        let packing = match packing {
            0 => Packing::Plain,
            1 => Packing::Packed,
            _ => return Err(Flaw::HeaderField("form")),
        };
        let maker = match maker {
            0 => Maker::Other,
            1 => Maker::Layers,
            2 => Maker::Retrograde,
            3 => Maker::BitParallel,
            4 => Maker::Thresholds,
            _ => return Err(Flaw::HeaderField("method")),
        };
        let block = u32::from_le_bytes(fields.take()?);
        if !(64..=1 << 24).contains(&block) || !block.is_power_of_two() {
            return Err(Flaw::HeaderField("block size"));
        }
        let count = u64::from_le_bytes(fields.take()?);
        let fingerprint = u64::from_le_bytes(fields.take()?);
        let stored = u64::from_le_bytes(fields.take()?);
        let index_sum = u64::from_le_bytes(fields.take()?);
        let content_sum = u128::from_le_bytes(fields.take()?);
        let length = usize::from(u16::from_le_bytes(fields.take()?));
        if fields.0.len() != length {
            return Err(Flaw::HeaderField("name"));
        }
        let name = std::str::from_utf8(fields.0).map_err(|_| Flaw::HeaderField("name"))?.to_owned();
        let coding = Coding { meaning, width };
        Ok(Header { name, fingerprint, count, coding, packing, maker, block, stored, index_sum, content_sum })
    }

    fn len(&self) -> usize {
        FIXED + self.name.len() + SUM
    }

    /// Returns the size of all cells, decompressed, in bytes.
    pub fn cell_bytes(&self) -> Option<u64> {
        self.coding.bytes(self.count)
    }

    /// Returns the number of blocks.
    pub(super) fn blocks(&self) -> u64 {
        self.cell_bytes().unwrap_or(0).div_ceil(u64::from(self.block))
    }

    /// Returns the decompressed size of a block in bytes; the last one may be smaller.
    pub(super) fn block_len(&self, block: u64) -> usize {
        let begin = block * u64::from(self.block);
        self.cell_bytes().unwrap_or(0).saturating_sub(begin).min(u64::from(self.block)) as usize
    }

    /// Returns the offset of the list of blocks in the file.
    pub(super) fn index_offset(&self) -> u64 {
        self.len() as u64
    }

    /// Returns the offset of the first block in the file.
    pub(super) fn content_offset(&self) -> Option<u64> {
        self.blocks().checked_mul(ENTRY)?.checked_add(self.index_offset())?.checked_next_multiple_of(ALIGN)
    }
}

/// Returns the checksum of a block as it is stored.
pub(super) fn block_sum(block: u64, stored: &[u8]) -> u64 {
    xxh3_64_with_seed(stored, block)
}

/// A cursor over header fields.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(Flaw::HeaderDamaged)?;
        self.0 = rest;
        Ok(*first)
    }

    /// Checks and skips the magic bytes.
    fn checked(mut self) -> Result<Fields<'a>, Flaw> {
        if self.take::<8>()? == MAGIC { Ok(self) } else { Err(Flaw::NotATable) }
    }
}
