//! A table in a file. Opening reads only the header; each block is read and checked on first use.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use super::coding::{Width, code_in};
use super::flaw::{Flaw, TableError};
use super::format::{ENTRY, Header, Packing, block_sum};
use super::map::Map;

use crate::files;
use crate::pack::{Decompressor, decompress};

/// Number of decompressed blocks that are cached, each in the slot of its index modulo this: enough for a few moves of
/// a game.
const KEPT: u64 = 1024;
/// Upper limit of their size in bytes: a file may have large blocks.
const KEPT_BYTES: u64 = 1 << 26;

/// Bytes of cells that are checked before the checksum of all cells advances.
const CHECKED: u64 = 1 << 23;

/// A table in a file.
#[derive(Debug)]
pub(super) struct TableFile {
    pub(super) header: Header,
    path: PathBuf,
    file: File,
    content: u64,
    /// The block of an index is the index shifted right by this.
    shift: u32,
    blocks: Blocks,
    /// The list of blocks, read and checked on first use; `None` if it is damaged.
    index: OnceLock<Option<Vec<u8>>>,
    /// `true` once damage was reported.
    damaged: AtomicBool,
}

/// Access to the blocks.
#[derive(Debug)]
enum Blocks {
    /// The whole file mapped, and a bit for each block that has been checked.
    Mapped { map: Map, checked: Vec<AtomicU64> },
    /// Read and decompressed; recent blocks are cached.
    Packed(Vec<Mutex<CachedBlock>>),
}

/// A decompressed block.
#[derive(Debug, Default)]
struct CachedBlock {
    block: Option<u64>,
    cells: Vec<u8>,
}

impl TableFile {
    /// Opens a file: reads and checks its header only.
    pub(super) fn open(path: &Path) -> Result<TableFile, TableError> {
        TableFile::try_open(path).map_err(|flaw| TableError::new(path, flaw))
    }

    fn try_open(path: &Path) -> Result<TableFile, Flaw> {
        let file = files::open(path).map_err(io::Error::from)?;
        let metadata = file.metadata()?;
        let header = Header::decode(metadata.len(), |offset, len| {
            let mut bytes = vec![0; len];
            read_at(&file, &mut bytes, offset)?;
            Ok(bytes)
        })?;
        let content = header.content_offset().ok_or(Flaw::HeaderField("count"))?;
        let blocks = match header.packing {
            Packing::Plain => {
                let map = Map::of(&file)?;
                // Another process might have truncated the file since its length was compared with the header.
                if map.len() as u64 != metadata.len() {
                    return Err(Flaw::Length { expected: metadata.len(), found: map.len() as u64 });
                }
                let words = header.blocks().div_ceil(64) as usize;
                Blocks::Mapped { map, checked: (0..words).map(|_| AtomicU64::new(0)).collect() }
            }
            Packing::Packed => {
                let cached = (KEPT_BYTES / u64::from(header.block)).clamp(1, KEPT);
                Blocks::Packed((0..cached).map(|_| Mutex::default()).collect())
            }
        };
        // A block's size is a power of two bytes.
        let shift = match header.coding.width {
            Width::Quarter => header.block.trailing_zeros() + 2,
            Width::One => header.block.trailing_zeros(),
            Width::Two => header.block.trailing_zeros() - 1,
            Width::Four => header.block.trailing_zeros() - 2,
        };
        Ok(TableFile {
            header,
            path: path.to_owned(),
            file,
            content,
            shift,
            blocks,
            index: OnceLock::new(),
            damaged: AtomicBool::new(false),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the code of a cell that exists; `None` if its block is damaged or cannot be read.
    #[inline]
    pub(super) fn code(&self, index: u64) -> Option<u32> {
        let width = self.header.coding.width;
        let block = index >> self.shift;
        match &self.blocks {
            Blocks::Mapped { map, checked } => {
                let (word, bit) = (checked.get((block / 64) as usize)?, 1 << (block % 64));
                if word.load(Ordering::Relaxed) & bit == 0 {
                    self.check_mapped(map, block).map_err(|flaw| self.warn(&flaw)).ok()?;
                    word.fetch_or(bit, Ordering::Relaxed);
                }
                Some(code_in(map.get(self.content as usize..)?, width, index as usize))
            }
            Blocks::Packed(cached) => {
                let mut cached = cached[(block % cached.len() as u64) as usize].lock().ok()?;
                if cached.block != Some(block) {
                    cached.block = None;
                    self.unpack(block, &mut cached.cells).map_err(|flaw| self.warn(&flaw)).ok()?;
                    cached.block = Some(block);
                }
                Some(code_in(&cached.cells, width, (index - (block << self.shift)) as usize))
            }
        }
    }

    /// Checks a block of a mapped file.
    #[cold]
    fn check_mapped(&self, map: &Map, block: u64) -> Result<(), Flaw> {
        let begin = (self.content + block * u64::from(self.header.block)) as usize;
        let cells = map.get(begin..begin + self.header.block_len(block)).ok_or(Flaw::BlockDamaged(block))?;
        self.entry(block)?.check(block, cells)
    }

    /// Returns all cells of an uncompressed file; its blocks may not be checked yet.
    pub(super) fn mapped(&self) -> Option<&[u8]> {
        let Blocks::Mapped { map, .. } = &self.blocks else { return None };
        let len = usize::try_from(self.header.cell_bytes()?).ok()?;
        map.get(self.content as usize..)?.get(..len)
    }

    /// Copies the bytes of cells from `offset` on, checking each block.
    pub(super) fn copy_bytes(&self, offset: u64, into: &mut [u8]) -> Result<(), Flaw> {
        let size = u64::from(self.header.block);
        let mut cells = Vec::new();
        let mut done = 0;
        while done < into.len() {
            let at = offset + done as u64;
            let block = at / size;
            self.unpack(block, &mut cells)?;
            let rest = cells
                .get((at % size) as usize..)
                .filter(|r| !r.is_empty())
                .ok_or(Flaw::BlockDamaged(block))?;
            let len = rest.len().min(into.len() - done);
            into[done..done + len].copy_from_slice(&rest[..len]);
            done += len;
        }
        Ok(())
    }

    /// Checks everything that has a checksum (the list of blocks, every block, all cells) and that the bytes between
    /// the list and the blocks are zero. `more(checked, all)` is called with numbers of blocks and reports whether to
    /// continue; `cells` receives all cells in order.
    pub(super) fn check(
        &self,
        threads: usize,
        more: &mut dyn FnMut(u64, u64) -> bool,
        cells: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Flaw> {
        let index_offset = self.header.index_offset();
        let mut between = vec![0; (self.content - index_offset) as usize];
        read_at(&self.file, &mut between, index_offset)?;
        let (index, padding) = between.split_at((self.header.blocks() * ENTRY) as usize);
        if xxh3_64(index) != self.header.index_sum || padding.iter().any(|&byte| byte != 0) {
            return Err(Flaw::IndexDamaged);
        }
        let mut whole = Xxh3::new();
        let blocks = self.header.blocks();
        let threads = threads.clamp(1, 64) as u64;
        let mut group = Vec::new();
        let at_a_time = (CHECKED / u64::from(self.header.block)).max(1);
        for first in (0..blocks).step_by(at_a_time as usize) {
            let last = blocks.min(first + at_a_time);
            let bytes = (first..last).map(|block| self.header.block_len(block)).sum();
            group.resize(bytes, 0);
            let share = (last - first).div_ceil(threads) as usize * self.header.block as usize;
            let at = |share_no: usize| first * u64::from(self.header.block) + (share_no * share) as u64;
            if threads == 1 {
                self.copy_bytes(at(0), &mut group)?;
            } else {
                std::thread::scope(|scope| {
                    let shares: Vec<_> = group
                        .chunks_mut(share)
                        .enumerate()
                        .map(|(n, share)| crate::threads::start(scope, move || self.copy_bytes(at(n), share)))
                        .collect();
                    let died = || Flaw::Io(io::Error::other("a thread died"));
                    shares.into_iter().try_for_each(|share| share.join().ok_or_else(died)?)
                })?;
            }
            whole.update(&group);
            cells(&group);
            if !more(last, blocks) {
                return Ok(());
            }
        }
        if whole.digest128() == self.header.content_sum { Ok(()) } else { Err(Flaw::ContentDamaged) }
    }

    /// Reads a block, checks it and decompresses it.
    fn unpack(&self, block: u64, into: &mut Vec<u8>) -> Result<(), Flaw> {
        thread_local! {
            static TOOLS: RefCell<Option<(Decompressor<'static>, Vec<u8>)>> = const { RefCell::new(None) };
        }
        let entry = self.entry(block)?;
        let len = self.header.block_len(block);
        if let Blocks::Mapped { map, .. } = &self.blocks {
            let begin = (self.content + block * u64::from(self.header.block)) as usize;
            let cells = map.get(begin..begin + len).ok_or(Flaw::BlockDamaged(block))?;
            entry.check(block, cells)?;
            into.clear();
            into.extend_from_slice(cells);
            return Ok(());
        }
        // A block that does not shrink grows by a few bytes only; the limit keeps a forged length from allocating
        // without bound.
        let packed = entry.end.checked_sub(entry.begin).filter(|&packed| {
            packed <= 2 * u64::from(self.header.block) + 1024 && entry.end <= self.header.stored
        });
        let packed = packed.ok_or(Flaw::BlockDamaged(block))? as usize;
        TOOLS.with_borrow_mut(|tools| {
            let (unpacker, stored) = match tools {
                Some(tools) => tools,
                None => tools.insert((Decompressor::new()?, Vec::new())),
            };
            stored.resize(packed, 0);
            read_at(&self.file, stored, self.content + entry.begin)?;
            entry.check(block, stored)?;
            into.resize(len, 0);
            let unpacked = unpacker.decompress_to_buffer(stored, &mut into[..]);
            if unpacked.is_ok_and(|unpacked| unpacked == len) {
                Ok(())
            } else {
                Err(Flaw::BlockDamaged(block))
            }
        })
    }

    /// Returns the list's entry for a block.
    #[inline]
    fn entry(&self, block: u64) -> Result<Entry, Flaw> {
        let index = match self.index.get() {
            Some(index) => index,
            None => {
                let index = self.read_index()?;
                self.index.get_or_init(|| (xxh3_64(&index) == self.header.index_sum).then_some(index))
            }
        };
        Entry::of(index.as_ref().ok_or(Flaw::IndexDamaged)?, block)
    }

    fn read_index(&self) -> Result<Vec<u8>, Flaw> {
        let mut index = vec![0; (self.header.blocks() * ENTRY) as usize];
        read_at(&self.file, &mut index, self.header.index_offset())?;
        Ok(index)
    }

    /// Logs damage, once.
    fn warn(&self, flaw: &Flaw) {
        if !self.damaged.swap(true, Ordering::Relaxed) {
            log::error!("{}: {flaw}; its values are not used", self.path.display());
        }
    }
}

/// Returns the header and the cells of a whole file in memory, with every checksum checked.
pub(super) fn read(file: &[u8]) -> Result<(Header, Vec<u8>), Flaw> {
    let part = |begin: u64, end: u64| {
        let range = usize::try_from(begin).ok()?..usize::try_from(end).ok()?;
        file.get(range)
    };
    let header = Header::decode(file.len() as u64, |offset, len| {
        let bytes = part(offset, offset.saturating_add(len as u64));
        bytes.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    })?;
    let content = header.content_offset().ok_or(Flaw::HeaderField("count"))?;
    let between = part(header.index_offset(), content).ok_or(Flaw::IndexDamaged)?;
    let (index, padding) = between.split_at((header.blocks() * ENTRY) as usize);
    if xxh3_64(index) != header.index_sum || padding.iter().any(|&byte| byte != 0) {
        return Err(Flaw::IndexDamaged);
    }
    let mut cells = Vec::new();
    for block in 0..header.blocks() {
        let entry = Entry::of(index, block)?;
        let (begin, end) = (content.checked_add(entry.begin), content.checked_add(entry.end));
        let stored = begin.zip(end).and_then(|(begin, end)| part(begin, end));
        let stored = stored.ok_or(Flaw::BlockDamaged(block))?;
        entry.check(block, stored)?;
        let unpacked = match header.packing {
            Packing::Plain => stored.to_vec(),
            Packing::Packed => decompress(stored, header.block as usize)?,
        };
        if unpacked.len() != header.block_len(block) {
            return Err(Flaw::BlockDamaged(block));
        }
        cells.extend(unpacked);
    }
    if xxh3_128(&cells) != header.content_sum {
        return Err(Flaw::ContentDamaged);
    }
    Ok((header, cells))
}

/// Reads at an offset, independently of other threads.
#[cfg(unix)]
fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, offset)
}

/// Reads at an offset, independently of other threads.
#[cfg(windows)]
fn read_at(file: &File, mut into: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !into.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, into, offset)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        into = &mut into[count..];
        offset += count as u64;
    }
    Ok(())
}

/// Reads at an offset; there is one thread only.
#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, into: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _};
    file.seek(io::SeekFrom::Start(offset))?;
    file.read_exact(into)
}

/// Position and checksum of a block.
struct Entry {
    begin: u64,
    end: u64,
    sum: u64,
}

impl Entry {
    /// Reads a block's entry in the list of blocks.
    fn of(index: &[u8], block: u64) -> Result<Entry, Flaw> {
        let word = |at: u64| {
            let bytes = index.get(at as usize..).and_then(|bytes| bytes.first_chunk());
            bytes.map(|bytes| u64::from_le_bytes(*bytes)).ok_or(Flaw::BlockDamaged(block))
        };
        let at = block * ENTRY;
        let begin = if block == 0 { 0 } else { word(at - ENTRY)? };
        Ok(Entry { begin, end: word(at)?, sum: word(at + 8)? })
    }

    fn check(&self, block: u64, stored: &[u8]) -> Result<(), Flaw> {
        if block_sum(block, stored) == self.sum { Ok(()) } else { Err(Flaw::BlockDamaged(block)) }
    }
}
