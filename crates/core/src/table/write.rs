//! Writing a table file.

use std::io::{self, BufWriter, SeekFrom, Write};
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::files::{Files, Out, write_whole};
use super::flaw::{Flaw, TableError};
use super::format::{Form, Header, LONGEST_NAME, Maker, block_sum};
use super::values::Table;

/// Bytes of cells in a block: the larger, the better it packs and the slower a single value is found.
pub const BLOCK: u32 = 1 << 12;
/// How hard zstd tries: beyond this the time grows and the size hardly shrinks.
const LEVEL: i32 = 12;
/// The same for superposed tables of more than [`LARGE`] bytes of cells, the archives of many endings: they pack a
/// quarter smaller so, and a single value is found five times as slowly.
const LARGE_BLOCK: u32 = 1 << 15;
const LARGE_LEVEL: i32 = 15;
const LARGE: u64 = 1 << 27;
/// Bytes of cells that are packed before they are written.
const GROUP: u64 = 1 << 24;

/// What the writer is told of a table besides its cells.
#[derive(Clone, Debug)]
pub struct Label {
    /// The game's full name with its parameters.
    pub name: String,
    /// A number that changes with the rules and the numbering.
    pub fingerprint: u64,
    /// Which method made it.
    pub maker: Maker,
}

/// Writes a table to a file, whole or not at all. The same table gives the same bytes on any number of threads.
///
/// # Errors
/// The file and what the file system said; the cells of a damaged table are not written on.
pub fn write(
    files: &dyn Files,
    path: &Path,
    label: &Label,
    table: &Table,
    form: Form,
    threads: usize,
) -> Result<(), TableError> {
    if label.name.len() > LONGEST_NAME {
        return Err(TableError::new(path, Flaw::HeaderField("name")));
    }
    let mut header = Header {
        name: label.name.clone(),
        fingerprint: label.fingerprint,
        count: table.count(),
        coding: table.coding(),
        form,
        maker: label.maker,
        block: if large(table, label.maker) { LARGE_BLOCK } else { BLOCK },
        stored: 0,
        index_sum: 0,
        content_sum: 0,
    };
    let Some(content) = header.content_offset() else {
        return Err(TableError::new(path, Flaw::HeaderField("count")));
    };
    let mut damage = None;
    let written = write_whole(files, path, |file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        // Zeroes stand for the header and the list until both are known.
        io::copy(&mut io::Read::take(io::repeat(0), content), &mut out)?;
        let mut index = Vec::new();
        let mut whole = Xxh3::new();
        let blocks = GROUP / u64::from(header.block);
        for first in (0..header.blocks()).step_by(blocks as usize) {
            let group = first..header.blocks().min(first + blocks);
            let packed = match pack(table, &header, group, threads) {
                Ok(packed) => packed,
                Err(flaw) => {
                    damage = Some(flaw);
                    return Err(io::Error::other("damaged"));
                }
            };
            for (block, (cells, stored)) in (first..).zip(packed) {
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

fn large(table: &Table, maker: Maker) -> bool {
    maker == Maker::BitParallel
        && table.coding().width.bytes(table.count()).is_some_and(|bytes| bytes > LARGE)
}

/// A block's cells and, where the form packs them, what is stored.
type PackedBlock = (Vec<u8>, Option<Vec<u8>>);

/// Packs blocks on several threads.
fn pack(
    table: &Table,
    header: &Header,
    group: std::ops::Range<u64>,
    threads: usize,
) -> Result<Vec<PackedBlock>, Flaw> {
    let share = (group.end - group.start).div_ceil(threads.clamp(1, 64) as u64).max(1);
    let pack_share = |begin: u64| -> Result<Vec<PackedBlock>, Flaw> {
        let mut packer =
            zstd::bulk::Compressor::new(if large(table, header.maker) { LARGE_LEVEL } else { LEVEL })?;
        (begin..group.end.min(begin + share))
            .map(|block| {
                let mut cells = vec![0; header.block_len(block)];
                table.copy_bytes(block * u64::from(header.block), &mut cells)?;
                let stored = match header.form {
                    Form::Plain => None,
                    Form::Packed => Some(packer.compress(&cells)?),
                };
                Ok((cells, stored))
            })
            .collect()
    };
    let begins = group.clone().step_by(share as usize);
    if share == group.end - group.start {
        return pack_share(group.start);
    }
    std::thread::scope(|scope| {
        let shares: Vec<_> = begins.map(|begin| scope.spawn(move || pack_share(begin))).collect();
        let mut all = Vec::new();
        for share in shares {
            all.extend(share.join().map_err(|_| Flaw::Io(io::Error::other("a thread died")))??);
        }
        Ok(all)
    })
}
