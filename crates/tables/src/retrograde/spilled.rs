//! Retrograde analysis of a part whose cells do not fit in memory: they lie in blocks on the disk, of which one is in memory
//! at a time. Updates of other blocks are buffered in a file for each block.
//!
//! The blocks that a distance changes are written as new files; then one small file records which files are current. A run
//! that was killed continues from that file: it loses one distance at most, and of the first look what came since the file
//! was written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::backward::{Buckets, Collect, Update, WINS};
use super::cells::{CellArray, Slot, copy_both, with_cells, with_exits};
use super::look::{Steps, StretchSummary};
use super::part::{Part, Sights};
use super::steps::{self, SCANNED};
use crate::crew::{Crew, allocate};
use grundy_core::table::{
    CheckpointFile, Checkpoints, Disk, Distances, HOLE, Label, Packer, Packing, Snapshot, Table, Width,
    block_size, win_code, write_blocks,
};
use grundy_session::{Activity, Progress, SolveError, Work};

/// The folder of the blocks, and the memory that they may take.
pub(crate) struct Room<'a> {
    /// A folder for the blocks, created if necessary and used by this work alone.
    pub(crate) folder: &'a Path,
    /// The label of the finished table.
    pub(crate) label: Label,
    /// Interval between two checkpoints of the first look.
    pub(crate) every: Duration,
    /// Bytes of memory for blocks and buffers.
    pub(crate) memory: u64,
}

/// The least memory for blocks and buffers, in bytes.
pub(crate) const LEAST_MEMORY: u64 = 12 << 20;

/// Returns the peak disk use in bytes for a part of `count` states: the pending records and two generations of every block.
pub(crate) fn disk(count: u64) -> u64 {
    count.saturating_mul(RECORD as u64 + 8)
}

/// Computes the table of a part of a game as [`solve_part`](super::solve_part) does, from blocks on the disk.
///
/// # Errors
/// As [`solve_part`](super::solve_part); or a file cannot be read or written.
pub(crate) fn solve_spilled(
    part: Box<dyn Part + '_>,
    back: &dyn Collect,
    work: &Work<'_>,
    room: &Room<'_>,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let store = Blocks::new(room, part.len())?;
    let mut state = store.resumed().unwrap_or_default();
    if !state.looked {
        look(&*part, &store, &mut state, &crew, work)?;
    }
    let stays = part.stays();
    drop(part);
    if state.seen.no_distances {
        return Err(SolveError::Broken("an end of the game has no distance".to_owned()));
    }
    while stays && !state.done {
        distance(back, &store, &mut state, &crew, work)?;
    }
    store.table(&state, work)
}

/// The state of the analysis between two distances.
#[derive(Default)]
struct SpillState {
    /// True if every position was looked at and the blocks were written.
    looked: bool,
    /// True if no distance is left.
    done: bool,
    /// The next place of the first look.
    from: u64,
    seen: StretchSummary,
    /// Bytes buffered in the file of each block during the first look.
    waiting: Vec<u64>,
    plies: u32,
    /// Number of positions with a value.
    resolved: u64,
    /// Per block: generation of its current file, and whether it holds positions of the current distance.
    blocks: Vec<(u64, bool)>,
}

/// Bytes of a buffered record of the first look: the offset of a cell in its block, its code and that of its exits.
const RECORD: usize = 12;

/// Looks at all positions, and writes the blocks.
fn look(
    part: &dyn Part,
    store: &Blocks<'_>,
    state: &mut SpillState,
    crew: &Crew,
    work: &Work<'_>,
) -> Result<(), SolveError> {
    let (steps, stays) = (Steps::new(part, crew), part.stays());
    let mut file = store.state_file();
    let mut waiting = Waiting::open(store, &state.waiting)?;
    while state.from < steps.places {
        let (tasks, end) = steps.tasks(state.from);
        // A few tasks at a time: their results are in memory.
        for few in tasks.chunks(crew.size()) {
            let found = crew.map(few.to_vec(), &|places| {
                let (mut summary, mut records, mut wrong) = (StretchSummary::default(), Vec::new(), None);
                Sights::of(&|sights| part.look_at_places(places.clone(), sights), &mut |sights| {
                    for &(number, sight) in sights {
                        match summary.note(stays, number, sight) {
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
                state.seen.add(&summary);
                for (number, noted, exit) in records {
                    let (block, offset) = store.place(number);
                    let cell: u32 = noted.code();
                    waiting.push(block, &record(offset, cell, exit))?;
                }
            }
            if work.stopped() {
                return Err(SolveError::Stopped);
            }
        }
        state.from = end;
        (work.report)(&steps.progress(end));
        if file.due() || end == steps.places {
            waiting.settle()?;
            state.waiting.clone_from(&waiting.written);
            store.keep(&mut file, state)?;
        }
    }
    let width = if state.seen.fits::<u8>() {
        Width::One
    } else if state.seen.fits::<u16>() {
        Width::Two
    } else {
        Width::Four
    };
    for block in 0..store.blocks() {
        let len = store.len(block);
        let mut cells = allocate(len, HOLE)?;
        let mut exits = allocate(if part.leaves() && stays { len } else { 0 }, HOLE)?;
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
        let exits = (!exits.is_empty()).then(|| narrowed(&exits, width, 0));
        store.save(block, 0, &narrowed(&cells, width, state.seen.most_children), exits.as_ref())?;
    }
    state.looked = true;
    state.waiting = Vec::new();
    state.resolved = state.seen.done;
    // Ends may have distances of their own: all blocks are scanned up to the largest of these.
    state.blocks = vec![(0, true); store.blocks()];
    store.keep(&mut file, state)?;
    (0..store.blocks()).for_each(|block| waiting.forget(block));
    Ok(())
}

fn record(offset: u32, cell: u32, exit: u32) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    let words = [offset, cell, exit];
    record.chunks_mut(4).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    record
}

/// Narrows cells of four bytes to a width that holds them.
fn narrowed(cells: &[u32], width: Width, most_children: u32) -> CellArray {
    fn narrow<S: Slot>(cells: &[u32], most: u32) -> CellArray {
        let code = |&code: &u32| if code >= u32::MAX - most { S::MAX - (u32::MAX - code) } else { code };
        S::array(cells.iter().map(|cell| S::of_stored(code(cell))).collect())
    }
    match width {
        Width::Quarter | Width::One => narrow::<u8>(cells, most_children),
        Width::Two => narrow::<u16>(cells, most_children),
        Width::Four => narrow::<u32>(cells, most_children),
    }
}

/// Resolves the positions that are one ply further away than those of the present distance.
fn distance(
    back: &dyn Collect,
    store: &Blocks<'_>,
    state: &mut SpillState,
    crew: &Crew,
    work: &Work<'_>,
) -> Result<(), SolveError> {
    let (plies, most) = (state.plies, state.seen.most_children);
    let report = |done| {
        let progress = Progress { what: Activity::Distance(plies), done, total: store.count };
        (work.report)(&progress);
        if work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    };
    let mut waiting = Waiting::open(store, &[])?;
    for block in 0..store.blocks() {
        if !state.blocks[block].1 && plies > state.seen.last_end {
            continue;
        }
        let (cells, _) = store.load(block, state, win_code(plies + 1))?;
        let (first, len) = ((block as u64) << store.shift, cells.len());
        let group = SCANNED * crew.size();
        for begin in (0..len).step_by(group) {
            let end = len.min(begin + group);
            let tasks = (begin..end).step_by(SCANNED).map(|begin| begin..end.min(begin + SCANNED)).collect();
            let collected = crew.map(tasks, &|range: Range<usize>| {
                let known = with_cells!(&cells, cells => steps::scan(cells, range, plies));
                let known: Vec<u64> = known.into_iter().map(|known| known + (first << 1)).collect();
                let mut buckets = Buckets::new(store.count, store.shift);
                back.collect(&known, &mut buckets).map(|_| buckets.sorted())
            });
            for sorted in collected {
                for (to, updates) in sorted?.stretches().enumerate() {
                    updates.iter().try_for_each(|update| waiting.push(to, &update.to_le_bytes()))?;
                }
            }
            report(state.resolved)?;
        }
    }
    let (mut news, mut kept) = (0, true);
    for block in 0..store.blocks() {
        let exits_left = plies < state.seen.last_exit;
        if !waiting.has(block) && !exits_left {
            state.blocks[block].1 = false;
            continue;
        }
        let (mut cells, exits) = store.load(block, state, win_code(plies + 1))?;
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
            // The current file stays until all new ones are written.
            let next = state.blocks[block].0 + 1;
            store.save(block, next, &cells, exits.as_ref())?;
            state.blocks[block].0 = next;
            kept = false;
        }
        state.blocks[block].1 = found > 0;
        news += found;
        report(state.resolved + news)?;
    }
    state.resolved += news;
    state.done = news == 0 && plies >= state.seen.last_end.max(state.seen.last_exit);
    state.plies += 1;
    if !kept {
        store.keep(&mut store.state_file(), state)?;
        store.tidy(state);
    }
    Ok(())
}

/// The blocks on the disk.
struct Blocks<'a> {
    room: &'a Room<'a>,
    count: u64,
    /// A block has `2^shift` cells.
    shift: u32,
}

impl Blocks<'_> {
    fn new<'a>(room: &'a Room<'a>, count: u64) -> Result<Blocks<'a>, SolveError> {
        fs::create_dir_all(room.folder).map_err(|error| failed(room.folder, &error))?;
        // A block is read as bytes, then holds at most four bytes per cell and four for its exits, some of it twice; the
        // buffers of all blocks are small.
        let fits = |shift: &u32| (32u64 << shift) <= room.memory / 2;
        let smallest = if cfg!(test) { 3 } else { 12 };
        let shift = (smallest..=28).rev().find(fits).unwrap_or(smallest);
        let shift = (smallest..=shift).find(|shift| count >> shift <= 16).unwrap_or(shift);
        Ok(Blocks { room, count, shift })
    }

    fn blocks(&self) -> usize {
        self.count.div_ceil(1 << self.shift) as usize
    }

    /// Returns the number of cells of a block.
    fn len(&self, block: usize) -> u64 {
        (self.count - ((block as u64) << self.shift)).min(1 << self.shift)
    }

    /// Returns the block of a state, and its offset there.
    fn place(&self, number: u64) -> (usize, u32) {
        ((number >> self.shift) as usize, (number & ((1 << self.shift) - 1)) as u32)
    }

    fn file(&self, name: &str, place: u64) -> CheckpointFile<'static> {
        let Label { name: table, fingerprint, .. } = &self.room.label;
        let path = self.room.folder.join(name);
        CheckpointFile::new(&Disk, path, table, fingerprint ^ u64::from(self.shift), place, self.room.every)
    }

    /// Returns the path of the buffer of a block.
    fn waiting(&self, block: usize) -> PathBuf {
        self.room.folder.join(format!("{block}.waiting"))
    }

    fn block(&self, block: usize, number: u64) -> (String, CheckpointFile<'static>) {
        let name = format!("{block}-{number}.block");
        let file = self.file(&name, (block as u64) << 32 | number);
        (name, file)
    }

    /// Reads the cells of a block, widened to hold `code`, and its exits.
    ///
    /// # Errors
    /// The file is lost or damaged: the next run begins anew.
    fn load(
        &self,
        block: usize,
        state: &SpillState,
        code: u32,
    ) -> Result<(CellArray, Option<CellArray>), SolveError> {
        let (name, mut file) = self.block(block, state.blocks[block].0);
        let found = file.resume().and_then(|kept| {
            let &[exits] = kept.stage.as_slice() else { return None };
            with_exits(kept.width, kept.cells, exits, self.len(block))
        });
        let lost = || {
            let _ = fs::remove_file(self.room.folder.join("state"));
            let path = self.room.folder.join(&name);
            SolveError::Broken(format!("{} is lost: start again to make the table anew", path.display()))
        };
        let (cells, exits) = found.ok_or_else(lost)?;
        Ok((cells.with_room_for(code, state.seen.most_children, false)?, exits))
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
        self.require(&name, self.room.folder.join(&name).exists())
    }

    /// Refuses to go on from a file that was not written.
    fn require(&self, name: &str, written: bool) -> Result<(), SolveError> {
        let unwritten =
            || SolveError::Broken(format!("{} could not be written", self.room.folder.join(name).display()));
        if written { Ok(()) } else { Err(unwritten()) }
    }

    fn state_file(&self) -> CheckpointFile<'static> {
        self.file("state", self.count)
    }

    /// Returns the state of an earlier run; `None` if it cannot be continued.
    fn resumed(&self) -> Option<SpillState> {
        let kept = self.state_file().resume()?;
        let &[looked, done, from, plies, resolved, ref seen @ ..] = kept.stage.as_slice() else {
            return None;
        };
        let words = kept.cells.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let (waiting, blocks) = match looked {
            0 => (words.collect(), Vec::new()),
            _ => (Vec::new(), words.map(|word| (word >> 1, word & 1 == 1)).collect::<Vec<_>>()),
        };
        let state = SpillState {
            looked: looked == 1,
            done: done == 1,
            from,
            seen: StretchSummary::of_words(seen.try_into().ok()?),
            waiting,
            plies: u32::try_from(plies).ok()?,
            resolved,
            blocks,
        };
        let blocks = if state.looked { state.blocks.len() } else { state.waiting.len() };
        let there = |(block, &len): (usize, &u64)| {
            len == 0 || fs::metadata(self.waiting(block)).is_ok_and(|file| file.len() >= len)
        };
        let whole = blocks == self.blocks() && state.waiting.iter().enumerate().all(there);
        whole.then_some(state)
    }

    /// Saves the state.
    fn keep(&self, file: &mut CheckpointFile<'_>, state: &SpillState) -> Result<(), SolveError> {
        let words: Vec<u64> = match state.looked {
            false => state.waiting.clone(),
            true => state.blocks.iter().map(|&(number, fresh)| number << 1 | u64::from(fresh)).collect(),
        };
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let head = [state.looked.into(), state.done.into(), state.from, state.plies.into(), state.resolved];
        let stage = [&head[..], &state.seen.words()[..]].concat();
        file.save(&Snapshot {
            stage: &stage,
            width: Width::One,
            len: bytes.len() as u64,
            copy: &|offset, into| into.copy_from_slice(&bytes[offset as usize..offset as usize + into.len()]),
        });
        // An older one may be there still, of blocks that are removed next.
        let kept = self.state_file().resume();
        self.require("state", kept.is_some_and(|kept| kept.stage == stage && kept.cells == bytes))
    }

    /// Removes the files of blocks that are not current any more.
    fn tidy(&self, state: &SpillState) {
        for (block, &(number, _)) in state.blocks.iter().enumerate() {
            if let Some(before) = number.checked_sub(1) {
                let _ = fs::remove_file(self.room.folder.join(format!("{block}-{before}.block")));
            }
        }
    }

    /// Writes the finished table to a file and opens it.
    fn table(&self, state: &SpillState, work: &Work<'_>) -> Result<Table, SolveError> {
        let most = state.seen.most_children;
        let mut seen = Distances::NONE;
        for block in 0..self.blocks() {
            seen = seen.and(self.load(block, state, 0)?.0.settle(most));
        }
        let coding = seen.coding();
        let mut blocks = 0..self.blocks();
        let mut next = || -> Result<Option<Vec<u8>>, SolveError> {
            let Some(block) = blocks.next() else { return Ok(None) };
            let (mut cells, _) = self.load(block, state, 0)?;
            cells.settle(most);
            Ok(Some(cells.laid_out(coding)))
        };
        let size = block_size(coding, self.count, self.room.label.maker);
        let path = self.room.folder.join("table");
        let mut error = None;
        // The blocks of a table file have another size.
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

/// Records buffered for each block: in memory, and in files beyond a quarter of the memory.
struct Waiting<'a> {
    store: &'a Blocks<'a>,
    lists: Vec<Vec<u8>>,
    bytes: u64,
    /// Bytes in the file of each block.
    written: Vec<u64>,
}

impl<'a> Waiting<'a> {
    /// Continues with files, truncated to these lengths.
    fn open(store: &'a Blocks<'a>, written: &[u64]) -> Result<Waiting<'a>, SolveError> {
        let blocks = store.blocks();
        let mut counted = written.to_vec();
        counted.resize(blocks, 0);
        let waiting = Waiting { store, lists: vec![Vec::new(); blocks], bytes: 0, written: counted };
        for block in 0..blocks {
            let path = store.waiting(block);
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
        if self.bytes > self.store.room.memory / 4 { self.spill() } else { Ok(()) }
    }

    fn has(&self, block: usize) -> bool {
        self.written[block] > 0 || !self.lists[block].is_empty()
    }

    /// Writes the records in memory to the files.
    fn spill(&mut self) -> Result<(), SolveError> {
        for block in 0..self.lists.len() {
            if self.lists[block].is_empty() {
                continue;
            }
            let path = self.store.waiting(block);
            let open = OpenOptions::new().append(true).create(true).open(&path);
            let written = open.and_then(|mut file| file.write_all(&self.lists[block]));
            written.map_err(|error| failed(&path, &error))?;
            self.written[block] += self.lists[block].len() as u64;
            self.lists[block] = Vec::new();
        }
        self.bytes = 0;
        Ok(())
    }

    /// Writes all records and syncs them to the disk.
    fn settle(&mut self) -> Result<(), SolveError> {
        self.spill()?;
        for block in (0..self.written.len()).filter(|&block| self.written[block] > 0) {
            let path = self.store.waiting(block);
            File::open(&path).and_then(|file| file.sync_data()).map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    /// Visits all records of a block, of `N` bytes each.
    fn read<const N: usize>(&self, block: usize, show: &mut impl FnMut(&[u8; N])) -> Result<(), SolveError> {
        if self.written[block] > 0 {
            let path = self.store.waiting(block);
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

    /// Drops the records of a block.
    fn forget(&mut self, block: usize) {
        self.bytes -= self.lists[block].len() as u64;
        self.lists[block] = Vec::new();
        self.written[block] = 0;
        self.forget_file(block);
    }

    fn forget_file(&self, block: usize) {
        let _ = fs::remove_file(self.store.waiting(block));
    }
}

fn failed(path: &Path, error: &io::Error) -> SolveError {
    SolveError::Broken(format!("{}: {error}", path.display()))
}
