//! Writing a table file.

use std::io::{self, BufWriter, SeekFrom, Write};
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::coding::Coding;
use super::files::{Files, Out, write_whole};
use super::flaw::{Flaw, TableError};
use super::format::{Header, LONGEST_NAME, Maker, Packing, block_sum};
use super::values::Table;
use crate::pack::{Compressor, decompress};
use crate::threads;

/// Bytes of cells in a block of most tables: larger blocks compress better, and slow down the lookup of a single value.
const BLOCK: u32 = 1 << 12;
/// Compression level of zstd for these: beyond it the time grows and the size hardly shrinks.
const LEVEL: i32 = 12;
/// Size in bytes beyond which a table is large.
const LARGE: u64 = 1 << 26;
/// Bytes of cells in a block of a large table: blocks of twice the size compress no better.
const MEDIUM_BLOCK: u32 = 1 << 14;
/// Compression level of zstd for these, which are made in minutes to hours: its strategy, `lazy2`, is much faster than that of
/// [`LEVEL`], and the files hardly larger. A level whose strategy `.cargo/config.toml` leaves out gets a weaker one.
const MEDIUM_LEVEL: i32 = 7;
/// Bytes of cells in a block of a large bit-parallel table, an archive of many endings.
const LARGE_BLOCK: u32 = 1 << 15;
/// Compression level of zstd for these: they are written once, and copied often.
const LARGE_LEVEL: i32 = 15;
/// Bytes of cells that are compressed before they are written.
const GROUP: u64 = 1 << 24;

/// Description of a table for its header, besides its cells.
#[derive(Clone, Debug)]
pub struct Label {
    /// The game's full name with its parameters.
    pub name: String,
    /// A hash that changes with the rules and the indexing.
    pub fingerprint: u64,
    /// Method that made it.
    pub maker: Maker,
}

/// Writes a table to a file, completely or not at all. The same table gives the same bytes on any number of threads.
///
/// # Errors
/// The error of the file system, with the file. A damaged table is not copied.
pub fn write(
    files: &dyn Files,
    path: &Path,
    label: &Label,
    table: &Table,
    packing: Packing,
    threads: usize,
) -> Result<(), TableError> {
    let header = header(label, table.coding(), table.count(), packing);
    let blocks = GROUP / u64::from(header.block);
    let mut firsts = (0..header.blocks()).step_by(blocks as usize);
    let mut next = || {
        let group = firsts.next().map(|first| first..header.blocks().min(first + blocks));
        group.map(|group| pack(table, &header, group, threads)).transpose()
    };
    write_blocks(files, path, label, (table.coding(), table.count()), packing, &mut next)
}

/// Writes a table of `count` indices like [`write()`], whose blocks are handed over compressed, in order, a few at a
/// time. Each block but the last has [`block_size`] bytes of cells.
///
/// # Errors
/// Same as [`write()`].
pub fn write_blocks(
    files: &dyn Files,
    path: &Path,
    label: &Label,
    (coding, count): (Coding, u64),
    packing: Packing,
    next: &mut dyn FnMut() -> Result<Option<Vec<PackedBlock>>, Flaw>,
) -> Result<(), TableError> {
    if label.name.len() > LONGEST_NAME {
        return Err(TableError::new(path, Flaw::HeaderField("name")));
    }
    let mut header = header(label, coding, count, packing);
    let Some(content) = header.content_offset() else {
        return Err(TableError::new(path, Flaw::HeaderField("count")));
    };
    let mut damage = None;
    let written = write_whole(files, path, |file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        // Zeros stand in for the header and the list until both are known.
        io::copy(&mut io::Read::take(io::repeat(0), content), &mut out)?;
        let mut index = Vec::new();
        let mut whole = Xxh3::new();
        let mut blocks = 0..header.blocks();
        loop {
            let group = match next() {
                Ok(None) if blocks.is_empty() => break,
                Ok(Some(group)) => group,
                failed => {
                    damage = Some(failed.err().unwrap_or(Flaw::ContentDamaged));
                    return Err(io::Error::other("damaged"));
                }
            };
            for ((cells, stored), block) in group.into_iter().zip(&mut blocks) {
                whole.update(&cells);
                let stored = stored.as_ref().unwrap_or(&cells);
                out.write_all(stored)?;
                header.stored += stored.len() as u64;
                index.extend(header.stored.to_le_bytes());
                index.extend(block_sum(block, stored).to_le_bytes());
            }
        }
        header.index_sum = xxh3_64(&index);
        header.content_sum = whole.digest128();
        out.flush()?;
        let file: &mut dyn Out = *out.get_mut();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.encode())?;
        file.write_all(&index)
    });
    match damage {
        Some(flaw) => Err(TableError::new(path, flaw)),
        None => written,
    }
}

/// Returns the header of a table whose blocks are not written yet.
fn header(label: &Label, coding: Coding, count: u64, packing: Packing) -> Header {
    Header {
        name: label.name.clone(),
        fingerprint: label.fingerprint,
        count,
        coding,
        packing,
        maker: label.maker,
        block: block_size(coding, count, label.maker),
        stored: 0,
        index_sum: 0,
        content_sum: 0,
    }
}

/// Returns the bytes of cells in a block of a table of `count` indices, by the method that made it.
pub fn block_size(coding: Coding, count: u64, maker: Maker) -> u32 {
    let large = coding.bytes(count).is_some_and(|bytes| bytes > LARGE);
    match maker {
        Maker::BitParallel if large => LARGE_BLOCK,
        Maker::Layers | Maker::Retrograde if large => MEDIUM_BLOCK,
        _ => BLOCK,
    }
}

/// A block's cells, and its compressed bytes if blocks are compressed.
pub type PackedBlock = (Vec<u8>, Option<Vec<u8>>);

/// Compresses blocks one after another.
pub struct Packer {
    packing: Packing,
    zstd: Compressor<'static>,
}

impl Packer {
    /// Returns a packer of blocks of `block` bytes, as chosen by [`block_size`].
    ///
    /// # Errors
    /// Memory does not suffice.
    pub fn new(packing: Packing, block: u32) -> Result<Packer, Flaw> {
        let level = match block {
            MEDIUM_BLOCK => MEDIUM_LEVEL,
            LARGE_BLOCK => LARGE_LEVEL,
            _ => LEVEL,
        };
        Ok(Packer { packing, zstd: Compressor::new(level)? })
    }

    /// Compresses the cells of a block.
    ///
    /// # Errors
    /// Memory does not suffice.
    pub fn pack(&mut self, cells: Vec<u8>) -> Result<PackedBlock, Flaw> {
        let stored = match self.packing {
            Packing::Plain => None,
            Packing::Packed => Some(self.zstd.compress(&cells)?),
        };
        Ok((cells, stored))
    }
}

/// Restores the cells of a block that was received as its stored bytes; a block has at most `block` bytes of cells.
///
/// # Errors
/// The bytes do not decompress to a block.
pub fn unpack(packing: Packing, block: u32, stored: Vec<u8>) -> Result<PackedBlock, Flaw> {
    Ok(match packing {
        Packing::Plain => (stored, None),
        Packing::Packed => (decompress(&stored, block as usize)?, Some(stored)),
    })
}

/// Compresses blocks on several threads.
fn pack(
    table: &Table,
    header: &Header,
    group: std::ops::Range<u64>,
    threads: usize,
) -> Result<Vec<PackedBlock>, Flaw> {
    let share = (group.end - group.start).div_ceil(threads.clamp(1, 64) as u64).max(1);
    let pack_share = |begin: u64| -> Result<Vec<PackedBlock>, Flaw> {
        let mut packer = Packer::new(header.packing, header.block)?;
        (begin..group.end.min(begin + share))
            .map(|block| {
                let mut cells = vec![0; header.block_len(block)];
                table.copy_bytes(block * u64::from(header.block), &mut cells)?;
                packer.pack(cells)
            })
            .collect()
    };
    let begins = group.clone().step_by(share as usize);
    if share == group.end - group.start {
        return pack_share(group.start);
    }
    std::thread::scope(|scope| {
        let shares: Vec<_> = begins.map(|begin| threads::start(scope, move || pack_share(begin))).collect();
        let mut all = Vec::new();
        for share in shares {
            all.extend(share.join().ok_or_else(|| Flaw::Io(io::Error::other("a thread died")))??);
        }
        Ok(all)
    })
}

#[cfg(test)]
mod tests {
    use super::super::coding::{Meaning, Width};
    use super::*;

    #[test]
    fn blocks_of_every_size_are_sent_and_unpacked() {
        let coding = Coding { meaning: Meaning::Distance, width: Width::One };
        for (maker, size) in [
            (Maker::Layers, MEDIUM_BLOCK),
            (Maker::Retrograde, MEDIUM_BLOCK),
            (Maker::BitParallel, LARGE_BLOCK),
        ] {
            assert_eq!(block_size(coding, LARGE, maker), BLOCK);
            assert_eq!(block_size(coding, LARGE + 1, maker), size);
            let cells: Vec<u8> = (0..size).map(|at| (at / 100) as u8).collect();
            for packing in [Packing::Plain, Packing::Packed] {
                let (_, stored) = Packer::new(packing, size).unwrap().pack(cells.clone()).unwrap();
                let sent = stored.unwrap_or_else(|| cells.clone());
                assert_eq!(unpack(packing, size, sent).unwrap().0, cells);
            }
        }
    }
}
