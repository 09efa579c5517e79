//! Joins the shards to one file: the first worker receives the blocks in order, a group at a time, compressed by the workers
//! that hold them.

use std::path::Path;

use anyhow::{Result, anyhow};
use grundy::session::Layout;
use grundy::table::{
    Coding, Disk, Flaw, Label, PackedBlock, Packer, Packing, block_size, unpack, write_blocks,
};

use crate::transport::Transport;

/// Bytes of cells in a group.
const GROUP: u64 = 4 << 20;

/// Writes the table; every worker takes part, and the first one writes.
///
/// # Errors
/// The file cannot be written, or a worker has failed.
pub fn join(transport: &mut Transport<'_>, path: &Path, label: &Label, packing: Packing) -> Result<()> {
    let (layout, coding) = transport.with(|shard| (shard.layout(), shard.coding()));
    let groups = Groups::new(layout, coding, packing, label);
    if transport.index() > 0 {
        for group in 0..groups.count {
            groups.send(transport, group)?;
        }
        // By then the first worker has written the file.
        transport.drain();
        return transport.exchange(Vec::new()).map(drop);
    }
    let mut left = 0..groups.count;
    let mut rest = Vec::new();
    let mut packer = Packer::new(packing, groups.size).map_err(told)?;
    let mut next = || match left.next() {
        None => Ok(None),
        Some(group) => {
            groups
                .send(transport, group)
                .map_err(|error| Flaw::Io(std::io::Error::other(error.to_string())))?;
            let cells = transport.cells();
            let last = group + 1 == groups.count;
            groups.blocks(cells, &mut rest, last, &mut packer).map(Some)
        }
    };
    let written = write_blocks(&Disk, path, label, (coding, layout.count()), packing, &mut next);
    match written {
        Err(error) => {
            // The others are sending the cells of the next group, or waiting for the end.
            transport.drain();
            Err(transport.fail(error.to_string()))
        }
        Ok(()) => {
            transport.drain();
            transport.exchange(Vec::new()).map(drop)
        }
    }
}

/// The division of the blocks into groups.
struct Groups {
    layout: Layout,
    coding: Coding,
    packing: Packing,
    /// Blocks that each worker sends in a group.
    each: u64,
    count: u64,
    /// Bytes of cells in a block of the file.
    size: u32,
    /// True if the blocks of the shards are whole blocks of the file, which their workers compress.
    packs: bool,
}

impl Groups {
    fn new(layout: Layout, coding: Coding, packing: Packing, label: &Label) -> Groups {
        let size = block_size(coding, layout.count(), label.maker);
        let bytes = coding.bytes(1 << layout.shift()).unwrap_or(u64::MAX);
        let each = (GROUP / bytes.saturating_mul(layout.parts().into())).max(1);
        let count = layout.own_blocks(0).div_ceil(each);
        Groups { layout, coding, packing, each, count, size, packs: bytes.is_multiple_of(size.into()) }
    }

    /// Sends this worker's blocks of a group.
    fn send(&self, transport: &mut Transport<'_>, group: u64) -> Result<()> {
        let (part, parts) = (u64::from(transport.index()), u64::from(self.layout.parts()));
        let own = self.layout.own_blocks(part as u32);
        let mut packer = Packer::new(self.packing, self.size).map_err(told)?;
        for at in (group * self.each..(group + 1) * self.each).take_while(|&at| at < own) {
            let block = at * parts + part;
            let range = self.layout.block(block);
            let bytes = |count: u64| self.coding.bytes(count).ok_or_else(|| anyhow!("too many cells"));
            let mut cells = vec![0; bytes(range.end - range.start)? as usize];
            let offset = bytes(at << self.layout.shift())?;
            transport.with(|shard| shard.copy(offset, &mut cells));
            let cells =
                if self.packs { pack(&mut packer, &cells, self.size as usize).map_err(told)? } else { cells };
            transport.send_cells(block, cells);
        }
        transport.drain();
        transport.exchange(Vec::new()).map(drop)
    }

    /// Returns the blocks of the file that the cells of a group complete. The cells of an incomplete block stay in `rest`.
    fn blocks(
        &self,
        cells: Vec<(u64, Vec<u8>)>,
        rest: &mut Vec<u8>,
        last: bool,
        packer: &mut Packer,
    ) -> Result<Vec<PackedBlock>, Flaw> {
        if self.packs {
            let blocks = cells.into_iter().map(|(_, packed)| unpack_all(self.packing, self.size, &packed));
            return Ok(blocks.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
        }
        cells.iter().for_each(|(_, cells)| rest.extend(cells));
        let whole = if last { rest.len() } else { rest.len() - rest.len() % self.size as usize };
        let whole: Vec<u8> = rest.drain(..whole).collect();
        whole.chunks(self.size as usize).map(|cells| packer.pack(cells.to_vec())).collect()
    }
}

/// Converts a flaw to an error.
fn told(flaw: Flaw) -> anyhow::Error {
    anyhow!("{flaw}")
}

/// Compresses the cells of a shard's block; each block of the file is preceded by its length.
fn pack(packer: &mut Packer, cells: &[u8], size: usize) -> Result<Vec<u8>, Flaw> {
    let mut packed = Vec::new();
    for cells in cells.chunks(size) {
        let (cells, stored) = packer.pack(cells.to_vec())?;
        let stored = stored.unwrap_or(cells);
        packed.extend((stored.len() as u32).to_le_bytes());
        packed.extend(stored);
    }
    Ok(packed)
}

/// Splits what [`pack`] has joined.
fn unpack_all(packing: Packing, size: u32, mut packed: &[u8]) -> Result<Vec<PackedBlock>, Flaw> {
    let mut blocks = Vec::new();
    while let Some((len, after)) = packed.split_first_chunk::<4>() {
        let len = u32::from_le_bytes(*len) as usize;
        let (stored, after) = after.split_at_checked(len).ok_or(Flaw::ContentDamaged)?;
        blocks.push(unpack(packing, size, stored.to_vec())?);
        packed = after;
    }
    Ok(blocks)
}
