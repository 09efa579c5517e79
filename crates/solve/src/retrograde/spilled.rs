//! Retrograde analysis of a part whose cells do not fit in memory: they lie in blocks on the disk, of which one is in
//! memory at a time, and what is found for the cells of other blocks waits in a file for each block.
//!
//! Blocks that a distance changes are written as new files; then one small file says which files count. Work that is
//! killed goes on from there: it loses one distance at most, and of the first look what came since that file was
//! written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::backward::{Buckets, Collect, Update, WINS};
use super::cells::{CellArray, Slot, copy_both, with_exits};
use super::look::{Steps, StretchSummary};
use super::part::{Part, Sights};
use super::steps::{self, SCANNED};
use crate::crew::{Crew, allocate};
use grundy_core::table::{
    CheckpointFile, Checkpoints, Disk, Distances, HOLE, Label, Packer, Packing, Snapshot, Table, Width,
    block_size, win_code, write_blocks,
};
use grundy_session::{Progress, SolveError, Work};

/// Where the blocks are, and how much memory they may take.
pub(crate) struct Room<'a> {
    /// A folder for the blocks, which is made, and belongs to this work.
    pub(crate) folder: &'a Path,
    /// The name of the table and so on.
    pub(crate) label: Label,
    /// How often the first look is kept.
    pub(crate) every: Duration,
    /// The bytes of memory for blocks and buffers.
    pub(crate) memory: u64,
}

/// The least memory that is enough for blocks and buffers, in bytes.
pub(crate) const LEAST_MEMORY: u64 = 12 << 20;

/// The bytes on the disk that a part of so many numbers takes meanwhile: what waits for the cells, or two of each block.
pub(crate) fn disk(count: u64) -> u64 {
    count.saturating_mul(RECORD as u64 + 8)
}

/// The values of a part of a game as [`solve_part`](super::solve_part) gives them, from blocks on the disk.
pub(crate) fn solve_spilled(
    part: Box<dyn Part + '_>,
    back: &dyn Collect,
    work: &Work<'_>,
    room: &Room<'_>,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let shelf = Shelf::new(room, part.len())?;
    let mut stand = shelf.stand().unwrap_or_default();
    if !stand.looked {
        look(&*part, &shelf, &mut stand, &crew, work)?;
    }
    let stays = part.stays();
    drop(part);
    if stand.seen.no_distances {
        return Err(SolveError::Broken("an end of the game has no distance".to_owned()));
    }
    while stays && !stand.done {
        distance(back, &shelf, &mut stand, &crew, work)?;
    }
    shelf.table(&stand, work)
}

/// How far the work is.
#[derive(Default)]
struct Stand {
    /// Whether every position was looked at and the blocks are there.
    looked: bool,
    /// Whether no distance is left.
    done: bool,
    /// The place where the first look goes on.
    from: u64,
    seen: StretchSummary,
    /// Bytes that wait for each block, while positions are looked at.
    waiting: Vec<u64>,
    plies: u32,
    /// How many positions have a value.
    resolved: u64,
    /// Of each block which of its files counts, and whether it has positions of the present distance.
    blocks: Vec<(u64, bool)>,
}

/// What waits for one cell after the first look: its offset in the block, its code and that of its exits.
const RECORD: usize = 12;

/// Looks at all positions, and makes the blocks.
fn look(
    part: &dyn Part,
    shelf: &Shelf<'_>,
    stand: &mut Stand,
    crew: &Crew,
    work: &Work<'_>,
) -> Result<(), SolveError> {
    let steps = Steps::new(part, crew);
    let mut state = shelf.state();
    let mut waiting = Waiting::open(shelf, &stand.waiting)?;
    while stand.from < steps.places {
        let (tasks, end) = steps.tasks(stand.from);
        // A few tasks at a time: what they find is in memory.
        for few in tasks.chunks(crew.size()) {
            let found = crew.map(few.to_vec(), &|places| {
                let (mut summary, mut records, mut wrong) = (StretchSummary::default(), Vec::new(), None);
                Sights::of(&|sights| part.look_at_places(places.clone(), sights), &mut |sights| {
                    for &(number, sight) in sights {
                        match summary.note(number, sight) {
                            Ok((noted, exit)) => records.push((number, noted, exit.unwrap_or(HOLE))),
                            Err(error) => wrong = wrong.take().or(Some(error)),
                        }
                    }
                });
                summary.ends = Vec::new();
                wrong.map_or(Ok((summary, records)), Err)
            });
            for found in found {
                let (summary, records) = found?;
                stand.seen.add(&summary);
                for (number, noted, exit) in records {
                    let (block, offset) = shelf.place(number);
                    let cell: u32 = noted.code();
                    waiting.push(block, &record(offset, cell, exit))?;
                }
            }
            if work.stopped() {
                return Err(SolveError::Stopped);
            }
        }
        stand.from = end;
        (work.report)(&steps.progress(end));
        if state.due() || end == steps.places {
            waiting.settle()?;
            stand.waiting.clone_from(&waiting.written);
            shelf.keep(&mut state, stand)?;
        }
    }
    if !part.stays() && stand.seen.edges > 0 {
        return Err(SolveError::Broken("a move stays in its tier, where none was said to".to_owned()));
    }
    let width = if stand.seen.fits::<u8>() {
        Width::One
    } else if stand.seen.fits::<u16>() {
        Width::Two
    } else {
        Width::Four
    };
    for block in 0..shelf.blocks() {
        let len = shelf.len(block);
        let mut cells = allocate(len, HOLE)?;
        let mut exits = allocate(if part.leaves() { len } else { 0 }, HOLE)?;
        waiting.read::<RECORD>(block, &mut |record: &[u8; RECORD]| {
            let [a, b, c, d, e, f, g, h, exit @ ..] = *record;
            let at = u32::from_le_bytes([a, b, c, d]) as usize;
            if let Some(cell) = cells.get_mut(at) {
                *cell = u32::from_le_bytes([e, f, g, h]);
            }
            if let Some(cell) = exits.get_mut(at) {
                *cell = u32::from_le_bytes(exit);
            }
        })?;
        // Where no move stays the best way out is the value.
        let most = stand.seen.most_children;
        if !part.stays() {
            let open = |cell: u32| cell >= u32::MAX - most;
            cells
                .iter_mut()
                .zip(&exits)
                .filter(|(cell, _)| open(**cell))
                .for_each(|(cell, &exit)| *cell = exit);
            exits = Vec::new();
        }
        let exits = (!exits.is_empty()).then(|| narrowed(&exits, width, 0));
        shelf.save(block, 0, &narrowed(&cells, width, most), exits.as_ref())?;
    }
    stand.looked = true;
    stand.waiting = Vec::new();
    stand.resolved = stand.seen.done;
    // The ends have distances of their own: all blocks are looked through until the last of these.
    stand.blocks = vec![(0, true); shelf.blocks()];
    shelf.keep(&mut state, stand)?;
    (0..shelf.blocks()).for_each(|block| waiting.forget(block));
    Ok(())
}

fn record(offset: u32, cell: u32, exit: u32) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    let words = [offset, cell, exit];
    record.chunks_mut(4).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    record
}

/// Cells of four bytes in a width in which they fit.
fn narrowed(cells: &[u32], width: Width, most_children: u32) -> CellArray {
    fn narrow<S: Slot>(cells: &[u32], most: u32) -> CellArray {
        let code = |&code: &u32| if code >= u32::MAX - most { S::MAX - (u32::MAX - code) } else { code };
        S::array(cells.iter().map(|cell| S::new(code(cell))).collect())
    }
    match width {
        Width::Quarter | Width::One => narrow::<u8>(cells, most_children),
        Width::Two => narrow::<u16>(cells, most_children),
        Width::Four => narrow::<u32>(cells, most_children),
    }
}

/// Runs code for the cells, of whatever width they are.
macro_rules! with_cells {
    ($array:expr, $cells:ident => $body:expr) => {
        match $array {
            CellArray::One($cells) => $body,
            CellArray::Two($cells) => $body,
            CellArray::Four($cells) => $body,
        }
    };
}

/// Resolves the positions that are one ply further away than those of the present distance.
fn distance(
    back: &dyn Collect,
    shelf: &Shelf<'_>,
    stand: &mut Stand,
    crew: &Crew,
    work: &Work<'_>,
) -> Result<(), SolveError> {
    let (plies, most) = (stand.plies, stand.seen.most_children);
    let report = |done| {
        let progress = Progress { what: format!("distance {plies}"), done, total: shelf.count };
        (work.report)(&progress);
        if work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    };
    let mut waiting = Waiting::open(shelf, &[])?;
    for block in 0..shelf.blocks() {
        if !stand.blocks[block].1 && plies > stand.seen.last_end {
            continue;
        }
        let (cells, _) = shelf.load(block, stand, win_code(plies + 1))?;
        let (first, len) = ((block as u64) << shelf.shift, cells.len());
        let group = SCANNED * crew.size();
        for begin in (0..len).step_by(group) {
            let end = len.min(begin + group);
            let tasks = (begin..end).step_by(SCANNED).map(|begin| begin..end.min(begin + SCANNED)).collect();
            let collected = crew.map(tasks, &|range: Range<usize>| {
                let known = with_cells!(&cells, cells => steps::scan(cells, range, plies));
                let known: Vec<u64> = known.into_iter().map(|known| known + (first << 1)).collect();
                let mut buckets = Buckets::new(shelf.count, shelf.shift);
                back.collect(&known, &mut buckets).map(|_| buckets)
            });
            for buckets in collected {
                for (to, updates) in buckets?.lists.iter().enumerate() {
                    updates.iter().try_for_each(|update| waiting.push(to, &update.to_le_bytes()))?;
                }
            }
            report(stand.resolved)?;
        }
    }
    let (mut news, mut kept) = (0, true);
    for block in 0..shelf.blocks() {
        let exits_left = plies < stand.seen.last_exit;
        if !waiting.has(block) && !exits_left {
            stand.blocks[block].1 = false;
            continue;
        }
        let (mut cells, exits) = shelf.load(block, stand, win_code(plies + 1))?;
        let (mut found, mut changed) = (0u64, false);
        let ways = exits.as_ref().map_or(Vec::new(), |exits| exits.of_distance(0..exits.len(), plies + 1));
        with_cells!(&mut cells, cells => {
            let mut apply = |update: Update| {
                changed = true;
                steps::apply(cells, plies, most, std::iter::once(update), &mut |_| found += 1);
            };
            ways.into_iter().for_each(|(at, win)| apply(at | if win { WINS } else { 0 }));
            waiting.read::<4>(block, &mut |bytes: &[u8; 4]| apply(u32::from_le_bytes(*bytes)))?;
        });
        waiting.forget(block);
        if changed {
            // The file that counts stays until the new ones do.
            let next = stand.blocks[block].0 + 1;
            shelf.save(block, next, &cells, exits.as_ref())?;
            stand.blocks[block].0 = next;
            kept = false;
        }
        stand.blocks[block].1 = found > 0;
        news += found;
        report(stand.resolved + news)?;
    }
    stand.resolved += news;
    stand.done = news == 0 && plies >= stand.seen.last_end.max(stand.seen.last_exit);
    stand.plies += 1;
    if !kept {
        shelf.keep(&mut shelf.state(), stand)?;
        shelf.tidy(stand);
    }
    Ok(())
}

/// The blocks on the disk.
struct Shelf<'a> {
    room: &'a Room<'a>,
    count: u64,
    /// A block has `2^shift` cells.
    shift: u32,
}

impl Shelf<'_> {
    fn new<'a>(room: &'a Room<'a>, count: u64) -> Result<Shelf<'a>, SolveError> {
        fs::create_dir_all(room.folder).map_err(|error| failed(room.folder, &error))?;
        // A block is read as bytes, then holds four bytes for a cell and four for its exits at most, some of it twice; and
        // a bucket for each block is small.
        let fits = |shift: &u32| (32u64 << shift) <= room.memory / 2;
        let smallest = if cfg!(test) { 3 } else { 12 };
        let shift = (smallest..=28).rev().find(fits).unwrap_or(smallest);
        let shift = (smallest..=shift).find(|shift| count >> shift <= 16).unwrap_or(shift);
        Ok(Shelf { room, count, shift })
    }

    fn blocks(&self) -> usize {
        self.count.div_ceil(1 << self.shift) as usize
    }

    /// How many cells a block has.
    fn len(&self, block: usize) -> u64 {
        (self.count - ((block as u64) << self.shift)).min(1 << self.shift)
    }

    /// The block of a number, and its offset there.
    fn place(&self, number: u64) -> (usize, u32) {
        ((number >> self.shift) as usize, (number & ((1 << self.shift) - 1)) as u32)
    }

    fn file(&self, name: &str, place: u64) -> CheckpointFile<'static> {
        let Label { name: table, fingerprint, .. } = &self.room.label;
        let path = self.room.folder.join(name);
        CheckpointFile::new(&Disk, path, table, fingerprint ^ u64::from(self.shift), place, self.room.every)
    }

    /// The file of what waits for a block.
    fn waiting(&self, block: usize) -> PathBuf {
        self.room.folder.join(format!("{block}.waiting"))
    }

    fn block(&self, block: usize, number: u64) -> (String, CheckpointFile<'static>) {
        let name = format!("{block}-{number}.block");
        let file = self.file(&name, (block as u64) << 32 | number);
        (name, file)
    }

    /// The cells of a block, with room for a code, and its exits.
    fn load(
        &self,
        block: usize,
        stand: &Stand,
        code: u32,
    ) -> Result<(CellArray, Option<CellArray>), SolveError> {
        let (name, mut file) = self.block(block, stand.blocks[block].0);
        let found = file.resume().and_then(|kept| {
            let &[exits] = kept.stage.as_slice() else { return None };
            with_exits(kept.width, kept.cells, exits, self.len(block))
        });
        let lost = || SolveError::Broken(format!("{} is lost", self.room.folder.join(&name).display()));
        let (cells, exits) = found.ok_or_else(lost)?;
        Ok((cells.with_room_for(code, stand.seen.most_children)?, exits))
    }

    fn save(
        &self,
        block: usize,
        number: u64,
        cells: &CellArray,
        exits: Option<&CellArray>,
    ) -> Result<(), SolveError> {
        let bytes = |array: &CellArray| array.width().bytes(array.len() as u64).unwrap_or(0);
        let own = bytes(cells);
        let (name, mut file) = self.block(block, number);
        file.save(&Snapshot {
            stage: &[exits.map_or(0, |exits| exits.width().bytes(1).unwrap_or(0))],
            width: cells.width(),
            len: own + exits.map_or(0, bytes),
            copy: &|offset, into| {
                copy_both(
                    offset,
                    into,
                    own,
                    |at, into| cells.copy(at, into),
                    |at, into| {
                        if let Some(exits) = exits {
                            exits.copy(at, into);
                        }
                    },
                );
            },
        });
        self.there(&name)
    }

    /// Refuses to go on where a file could not be written.
    fn there(&self, name: &str) -> Result<(), SolveError> {
        let path = self.room.folder.join(name);
        let unwritten = || SolveError::Broken(format!("{} could not be written", path.display()));
        if path.exists() { Ok(()) } else { Err(unwritten()) }
    }

    fn state(&self) -> CheckpointFile<'static> {
        self.file("state", self.count)
    }

    /// How far an earlier run was.
    fn stand(&self) -> Option<Stand> {
        let kept = self.state().resume()?;
        let &[looked, done, from, plies, resolved, ref seen @ ..] = kept.stage.as_slice() else {
            return None;
        };
        let words = kept.cells.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let (waiting, blocks) = match looked {
            0 => (words.collect(), Vec::new()),
            _ => (Vec::new(), words.map(|word| (word >> 1, word & 1 == 1)).collect::<Vec<_>>()),
        };
        let stand = Stand {
            looked: looked == 1,
            done: done == 1,
            from,
            seen: StretchSummary::of_words(seen.try_into().ok()?),
            waiting,
            plies: u32::try_from(plies).ok()?,
            resolved,
            blocks,
        };
        let blocks = if stand.looked { stand.blocks.len() } else { stand.waiting.len() };
        let there = |(block, &len): (usize, &u64)| {
            len == 0 || fs::metadata(self.waiting(block)).is_ok_and(|file| file.len() >= len)
        };
        let whole = blocks == self.blocks() && stand.waiting.iter().enumerate().all(there);
        whole.then_some(stand)
    }

    /// Keeps how far the work is.
    fn keep(&self, state: &mut CheckpointFile<'_>, stand: &Stand) -> Result<(), SolveError> {
        let words: Vec<u64> = match stand.looked {
            false => stand.waiting.clone(),
            true => stand.blocks.iter().map(|&(number, fresh)| number << 1 | u64::from(fresh)).collect(),
        };
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let head = [stand.looked.into(), stand.done.into(), stand.from, stand.plies.into(), stand.resolved];
        state.save(&Snapshot {
            stage: &[&head[..], &stand.seen.words()[..]].concat(),
            width: Width::One,
            len: bytes.len() as u64,
            copy: &|offset, into| into.copy_from_slice(&bytes[offset as usize..offset as usize + into.len()]),
        });
        self.there("state")
    }

    /// Removes the files of blocks that do not count any more.
    fn tidy(&self, stand: &Stand) {
        for (block, &(number, _)) in stand.blocks.iter().enumerate() {
            if let Some(before) = number.checked_sub(1) {
                let _ = fs::remove_file(self.room.folder.join(format!("{block}-{before}.block")));
            }
        }
    }

    /// The finished table, from a file.
    fn table(&self, stand: &Stand, work: &Work<'_>) -> Result<Table, SolveError> {
        let most = stand.seen.most_children;
        let mut seen = Distances::NONE;
        for block in 0..self.blocks() {
            seen = seen.and(self.load(block, stand, 0)?.0.settle(most));
        }
        let coding = seen.coding();
        let mut blocks = 0..self.blocks();
        let mut next = || -> Result<Option<Vec<u8>>, SolveError> {
            let Some(block) = blocks.next() else { return Ok(None) };
            let (mut cells, _) = self.load(block, stand, 0)?;
            cells.settle(most);
            Ok(Some(cells.laid_out(coding)))
        };
        let size = block_size(coding, self.count, self.room.label.maker);
        let path = self.room.folder.join("table");
        let mut error = None;
        // The blocks of a file have bytes of their own number.
        let (mut pending, mut ended) = (Vec::new(), false);
        let mut packed = || {
            if ended {
                return Ok(None);
            }
            match next() {
                Ok(bytes) if !work.stopped() => {
                    ended = bytes.is_none();
                    pending.extend(bytes.unwrap_or_default());
                    let whole = pending.len() - if ended { 0 } else { pending.len() % size as usize };
                    let rest = pending.split_off(whole);
                    let mut packer = Packer::new(Packing::Packed, size)?;
                    let blocks = std::mem::replace(&mut pending, rest);
                    let blocks = blocks.chunks(size as usize).map(|cells| packer.pack(cells.to_vec()));
                    blocks.collect::<Result<Vec<_>, _>>().map(Some)
                }
                failed => {
                    error = failed.err().or(Some(SolveError::Stopped));
                    Err(io::Error::other("unfinished").into())
                }
            }
        };
        let written =
            write_blocks(&Disk, &path, &self.room.label, (coding, self.count), Packing::Packed, &mut packed);
        if let Some(error) = error {
            return Err(error);
        }
        let Label { name, fingerprint, .. } = &self.room.label;
        let opened = written.and_then(|()| Table::open_for(&path, name, *fingerprint, self.count));
        opened.map_err(|error| SolveError::Broken(error.to_string()))
    }
}

/// What waits for the cells of each block: in memory, and beyond so many bytes in files.
struct Waiting<'a> {
    shelf: &'a Shelf<'a>,
    lists: Vec<Vec<u8>>,
    bytes: u64,
    /// The bytes in the file of each block.
    written: Vec<u64>,
}

impl<'a> Waiting<'a> {
    /// Goes on with files of which so many bytes count.
    fn open(shelf: &'a Shelf<'a>, written: &[u64]) -> Result<Waiting<'a>, SolveError> {
        let blocks = shelf.blocks();
        let mut counted = written.to_vec();
        counted.resize(blocks, 0);
        let waiting = Waiting { shelf, lists: vec![Vec::new(); blocks], bytes: 0, written: counted };
        for block in 0..blocks {
            let path = shelf.waiting(block);
            match waiting.written[block] {
                0 => waiting.forget_file(block),
                len => OpenOptions::new()
                    .write(true)
                    .open(&path)
                    .and_then(|file| file.set_len(len))
                    .map_err(|error| failed(&path, &error))?,
            }
        }
        Ok(waiting)
    }

    fn push(&mut self, block: usize, bytes: &[u8]) -> Result<(), SolveError> {
        self.lists[block].extend_from_slice(bytes);
        self.bytes += bytes.len() as u64;
        if self.bytes > self.shelf.room.memory / 4 { self.spill() } else { Ok(()) }
    }

    fn has(&self, block: usize) -> bool {
        self.written[block] > 0 || !self.lists[block].is_empty()
    }

    /// Writes what is in memory to the files.
    fn spill(&mut self) -> Result<(), SolveError> {
        for block in 0..self.lists.len() {
            if self.lists[block].is_empty() {
                continue;
            }
            let path = self.shelf.waiting(block);
            let open = OpenOptions::new().append(true).create(true).open(&path);
            let written = open.and_then(|mut file| file.write_all(&self.lists[block]));
            written.map_err(|error| failed(&path, &error))?;
            self.written[block] += self.lists[block].len() as u64;
            self.lists[block] = Vec::new();
        }
        self.bytes = 0;
        Ok(())
    }

    /// Makes all that waits last on the disk.
    fn settle(&mut self) -> Result<(), SolveError> {
        self.spill()?;
        for block in (0..self.written.len()).filter(|&block| self.written[block] > 0) {
            let path = self.shelf.waiting(block);
            File::open(&path).and_then(|file| file.sync_data()).map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    /// Shows all that waits for a block, each of so many bytes.
    fn read<const N: usize>(&self, block: usize, show: &mut impl FnMut(&[u8; N])) -> Result<(), SolveError> {
        if self.written[block] > 0 {
            let path = self.shelf.waiting(block);
            let mut left = self.written[block];
            let read = File::open(&path).and_then(|file| {
                let mut file = io::BufReader::with_capacity(1 << 16, file);
                let mut one = [0; N];
                while left > 0 {
                    file.read_exact(&mut one)?;
                    show(&one);
                    left = left.saturating_sub(N as u64);
                }
                Ok(())
            });
            read.map_err(|error| failed(&path, &error))?;
        }
        self.lists[block].as_chunks().0.iter().for_each(show);
        Ok(())
    }

    /// Drops what waits for a block.
    fn forget(&mut self, block: usize) {
        self.bytes -= self.lists[block].len() as u64;
        self.lists[block] = Vec::new();
        self.written[block] = 0;
        self.forget_file(block);
    }

    fn forget_file(&self, block: usize) {
        let _ = fs::remove_file(self.shelf.waiting(block));
    }
}

fn failed(path: &Path, error: &io::Error) -> SolveError {
    SolveError::Broken(format!("{}: {error}", path.display()))
}
