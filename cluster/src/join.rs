//! The shards joined to one file: the blocks come in their order, a few from each worker at a time, packed by the worker
//! that has them.

use std::path::Path;

use anyhow::{Result, anyhow};
use grundy::session::Layout;
use grundy::table::{
    Coding, Disk, Flaw, Label, PackedBlock, Packer, Packing, block_size, unpack, write_blocks,
};

use crate::carry::Carrier;

/// Bytes of cells that are on their way to the writer at a time.
const GROUP: u64 = 4 << 20;

/// Writes the table; every worker takes part, and the first one writes.
///
/// # Errors
/// What the file system said, or why another worker cannot go on.
pub fn join(carrier: &mut Carrier<'_>, path: &Path, label: &Label, packing: Packing) -> Result<()> {
    let (layout, coding) = carrier.with(|shard| (shard.layout(), shard.coding()));
    let groups = Groups::new(layout, coding, packing, label);
    if carrier.index() > 0 {
        for group in 0..groups.count {
            groups.send(carrier, group)?;
        }
        // The first worker has the file safe on its disk by then.
        carrier.settle();
        return carrier.exchange(Vec::new()).map(drop);
    }
    let mut left = 0..groups.count;
    let mut rest = Vec::new();
    let mut packer = Packer::new(packing, groups.size).map_err(told)?;
    let mut next = || match left.next() {
        None => Ok(None),
        Some(group) => {
            groups
                .send(carrier, group)
                .map_err(|error| Flaw::Io(std::io::Error::other(error.to_string())))?;
            let cells = carrier.cells();
            let last = group + 1 == groups.count;
            groups.blocks(cells, &mut rest, last, &mut packer).map(Some)
        }
    };
    let written = write_blocks(&Disk, path, label, (coding, layout.count()), packing, &mut next);
    match written {
        Err(error) => {
            // The others send the cells of the next group meanwhile, or wait for the end.
            carrier.settle();
            Err(carrier.fail(error.to_string()))
        }
        Ok(()) => {
            carrier.settle();
            carrier.exchange(Vec::new()).map(drop)
        }
    }
}

/// The groups in which the cells come together.
struct Groups {
    layout: Layout,
    coding: Coding,
    packing: Packing,
    /// Blocks that each worker sends in a group.
    each: u64,
    count: u64,
    /// Bytes of cells in a block of the file.
    size: u32,
    /// Whether the blocks of the shards are whole blocks of the file, so that whoever has them packs them.
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

    /// Sends the blocks of a group that this worker has.
    fn send(&self, carrier: &mut Carrier<'_>, group: u64) -> Result<()> {
        let (part, parts) = (u64::from(carrier.index()), u64::from(self.layout.parts()));
        let own = self.layout.own_blocks(part as u32);
        let mut packer = Packer::new(self.packing, self.size).map_err(told)?;
        for at in (group * self.each..(group + 1) * self.each).take_while(|&at| at < own) {
            let block = at * parts + part;
            let range = self.layout.block(block);
            let bytes = |count: u64| self.coding.bytes(count).ok_or_else(|| anyhow!("too many cells"));
            let mut cells = vec![0; bytes(range.end - range.start)? as usize];
            let offset = bytes(at << self.layout.shift())?;
            carrier.with(|shard| shard.copy(offset, &mut cells));
            let cells =
                if self.packs { pack(&mut packer, &cells, self.size as usize).map_err(told)? } else { cells };
            carrier.send_cells(block, cells);
        }
        carrier.settle();
        carrier.exchange(Vec::new()).map(drop)
    }

    /// The file's blocks that are whole by the cells of a group. Cells that make no whole block wait in `rest`.
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

/// What is wrong, as an error.
fn told(flaw: Flaw) -> anyhow::Error {
    anyhow!("{flaw}")
}

/// Packs the cells of a shard's block: each block of the file with its length before it.
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

/// The blocks that [`pack`] has put together.
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
