//! Computing the table: the estimate, the parts one after another, and the finished table.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::rows::{EVEN, Rows};
use super::split::{GroupPart, Split};
use crate::crew::{Crew, Meter, allocate, refuse_beyond};
use grundy_core::table::{
    Coding, Disk, Flaw, Label, Maker, Meaning, Packing, Source, Table, Width, block_size, write_blocks,
};
use grundy_session::{Estimate, SolveError, Work};

/// The coding of these tables.
pub(super) const CODING: Coding = Coding { meaning: Meaning::Points, width: Width::One };

/// Bytes of cells that are computed before they are written.
const BAND: usize = 1 << 24;

/// Returns the next cells of a part; `None` after the last.
pub type Bands<'a> = dyn FnMut() -> Result<Option<Vec<u8>>, SolveError> + 'a;

/// The store of finished parts while the table is computed.
pub trait Store {
    /// Reports whether the part is there.
    fn has(&self, part: GroupPart) -> bool;
    /// Returns the cells of a part of `count` states; `None` if it is not there or damaged.
    fn load(&self, part: GroupPart, count: u64) -> Option<Cells>;
    /// Saves a part of `count` states.
    ///
    /// # Errors
    /// The errors of `bands`; or the write failed.
    fn save(&mut self, part: GroupPart, count: u64, bands: &mut Bands<'_>) -> Result<(), SolveError>;
    /// Removes a part.
    fn remove(&mut self, part: GroupPart);
}

/// The cells of a finished part.
#[derive(Clone, Debug)]
pub enum Cells {
    /// In memory.
    Memory(Arc<Vec<u8>>),
    /// In a file that was checked; the system reads it when it is accessed.
    File(Arc<Table>),
}

impl Cells {
    /// Creates an empty list of cells.
    fn none() -> Cells {
        Cells::Memory(Arc::default())
    }

    /// Returns all cells.
    pub fn all(&self) -> &[u8] {
        match self {
            Cells::Memory(cells) => cells,
            Cells::File(table) => table.mapped_cells().unwrap_or_default(),
        }
    }
}

/// Parts as files in a folder of their own, each written completely or not at all.
pub struct DiskStore {
    folder: PathBuf,
    name: String,
    fingerprint: u64,
}

impl DiskStore {
    /// Creates the store of one game in this folder, and the folder if necessary.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn new(folder: &Path, name: &str, fingerprint: u64) -> std::io::Result<DiskStore> {
        std::fs::create_dir_all(folder)?;
        for entry in std::fs::read_dir(folder)?.flatten() {
            // Remove files that a killed process has not finished; the game's lock is held.
            if entry.file_name().to_string_lossy().contains(".tmp.") {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        Ok(DiskStore { folder: folder.to_owned(), name: name.to_owned(), fingerprint })
    }

    fn path(&self, part: GroupPart) -> PathBuf {
        self.folder.join(format!("{}-{}.cells", part.front, part.back))
    }

    /// Returns the name of a part: the game and the part's place.
    fn name(&self, part: GroupPart) -> String {
        format!("{} {}-{}", self.name, part.front, part.back)
    }
}

impl Store for DiskStore {
    fn has(&self, part: GroupPart) -> bool {
        self.path(part).exists()
    }

    fn load(&self, part: GroupPart, count: u64) -> Option<Cells> {
        let path = self.path(part);
        let opened = Table::open_for(&path, &self.name(part), self.fingerprint, count)
            .and_then(|table| table.check().map(|()| table));
        match opened {
            Ok(table) => Some(Cells::File(Arc::new(table))),
            Err(error) => {
                log::warn!("{error}");
                None
            }
        }
    }

    fn save(&mut self, part: GroupPart, count: u64, bands: &mut Bands<'_>) -> Result<(), SolveError> {
        let label = Label { name: self.name(part), fingerprint: self.fingerprint, maker: Maker::Layers };
        let size = block_size(CODING, count, label.maker) as usize;
        let mut failure = None;
        let mut rest = Vec::new();
        let mut next = || {
            if failure.is_some() {
                return Err(Flaw::ContentDamaged);
            }
            let band = bands().unwrap_or_else(|error| {
                failure = Some(error);
                None
            });
            let last = band.is_none();
            rest.extend(band.unwrap_or_default());
            let whole = if last { rest.len() } else { rest.len() / size * size };
            let blocks: Vec<_> = rest[..whole].chunks(size).map(|block| (block.to_vec(), None)).collect();
            rest.drain(..whole);
            Ok((!(last && blocks.is_empty())).then_some(blocks))
        };
        let written =
            write_blocks(&Disk, &self.path(part), &label, (CODING, count), Packing::Plain, &mut next);
        match (failure, written) {
            (Some(error), _) => Err(error),
            (None, written) => written.map_err(|error| SolveError::Broken(error.to_string())),
        }
    }

    fn remove(&mut self, part: GroupPart) {
        let _ = std::fs::remove_file(self.path(part));
    }
}

/// Parts in memory, for tables that are computed in one go.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(HashMap<GroupPart, Arc<Vec<u8>>>);

impl Store for MemoryStore {
    fn has(&self, part: GroupPart) -> bool {
        self.0.contains_key(&part)
    }

    fn load(&self, part: GroupPart, count: u64) -> Option<Cells> {
        let cells = self.0.get(&part).filter(|cells| cells.len() as u64 == count)?;
        Some(Cells::Memory(Arc::clone(cells)))
    }

    fn save(&mut self, part: GroupPart, count: u64, bands: &mut Bands<'_>) -> Result<(), SolveError> {
        let mut cells = allocate(count, 0)?;
        cells.clear();
        while let Some(band) = bands()? {
            cells.extend(band);
        }
        self.0.insert(part, Arc::new(cells));
        Ok(())
    }

    fn remove(&mut self, part: GroupPart) {
        self.0.remove(&part);
    }
}

/// Returns the parts of positions with at most `drawn` strings cut, those with fewest first.
pub fn kept_parts(split: &Split, drawn: usize) -> impl Iterator<Item = GroupPart> + '_ {
    let all = split.strings();
    (0..=drawn.min(all)).flat_map(move |cut| split.layer(all - cut))
}

/// Returns the parts that a part is computed from.
fn children(part: GroupPart) -> impl Iterator<Item = GroupPart> {
    let front = part.front.checked_sub(1).map(|front| GroupPart { front, ..part });
    let back = part.back.checked_sub(1).map(|back| GroupPart { back, ..part });
    front.into_iter().chain(back)
}

/// Estimates the resources of a table of all positions with at most `drawn` strings cut, without the time.
pub fn estimate(split: &Split, drawn: usize) -> Estimate {
    let layer = |left: usize| split.layer(left).map(|part| split.size(part)).sum::<u64>();
    let kept: u64 = kept_parts(split, drawn).map(|part| split.size(part)).sum();
    let all = split.strings();
    let (mut numbers, mut moves, mut working, mut largest) = (0, 0_u64, 0, 0);
    for left in 0..=all {
        numbers += layer(left);
        moves = moves.saturating_add(layer(left).saturating_mul(left as u64));
        // Parts that are kept are not deleted.
        let below = if left > 0 && all - (left - 1) > drawn { layer(left - 1) } else { 0 };
        let here = if all - left > drawn { layer(left) } else { 0 };
        working = working.max(here + below);
        for part in split.layer(left) {
            largest = largest.max(split.size(part) + children(part).map(|c| split.size(c)).sum::<u64>());
        }
    }
    let tables = 5 * (1_u64 << (split.strings() - split.deep())) + (4 * 2 + 32) * (1_u64 << split.deep());
    let disk = (working + kept).max(2 * kept);
    // The cells of a band are in memory twice, once as blocks that are written.
    let memory = tables + 3 * BAND as u64;
    Estimate { kept, disk, cached: largest, moves: Some(moves), ..Estimate::in_one_piece(numbers, memory) }
}

/// Measures the seconds that one move takes on one thread, by some rows of the largest part. The fastest of them
/// counts, since other load on the machine only makes rows slower.
pub fn measure(split: &Split) -> f64 {
    let part = split.layer(split.strings() / 2).max_by_key(|&part| split.size(part));
    let Some(part) = part else { return 0.0 };
    let rows = Rows::new(split, part);
    let heads = split.heads(part.front);
    let width = rows.width();
    let child = vec![EVEN; width.max(part.back.checked_sub(1).map_or(0, |b| split.sets(b).len()))];
    let mut row = vec![0; width];
    let began = Instant::now();
    let mut best = f64::INFINITY;
    for head in heads.iter().cycle().step_by(heads.len() / 2 + 1) {
        let now = Instant::now();
        // Several rows together, so that the time can be measured.
        let few = (1_usize << 16) / width + 1;
        for _ in 0..few {
            rows.fill(*head, &mut row, &child, &|_| &child);
        }
        best = best.min(now.elapsed().as_secs_f64() / (few * width * part.left().max(1)) as f64);
        if began.elapsed() > Duration::from_millis(500) {
            break;
        }
    }
    best
}

/// Computes the table of all positions with at most `drawn` strings cut, continuing from the parts in the store.
///
/// # Errors
/// The work was stopped, needs too much memory, or a part could not be written.
pub fn solve(
    split: &Split,
    drawn: usize,
    store: &mut dyn Store,
    work: &Work<'_>,
) -> Result<Table, SolveError> {
    refuse_beyond(Some(estimate(split, drawn).memory), work)?;
    let (count, cells) = each_part(split, drawn, store, work, &mut |part, store, crew, meter| {
        make(split, part, store, crew, meter)
    })?;
    Ok(Table::from_source(CODING, count, Box::new(cells)))
}

/// Computes one part from those in the store, and saves it there.
pub(super) type MakePart<'a> =
    dyn FnMut(GroupPart, &mut dyn Store, &Crew, &Meter<'_, '_>) -> Result<(), SolveError> + 'a;

/// Computes all parts that positions with at most `drawn` strings cut need and the store does not have, those with
/// fewest strings left first. Returns the number of states of the kept parts, and their cells.
pub(super) fn each_part(
    split: &Split,
    drawn: usize,
    store: &mut dyn Store,
    work: &Work<'_>,
    make: &mut MakePart<'_>,
) -> Result<(u64, Joined), SolveError> {
    let all = split.strings();
    let kept = |part: GroupPart| all - part.left() <= drawn;
    let mut needed: BTreeSet<GroupPart> = kept_parts(split, drawn).collect();
    let mut todo = Vec::new();
    for left in (0..=all).rev() {
        for part in split.layer(left) {
            if needed.contains(&part) && !store.has(part) {
                needed.extend(children(part));
                todo.push(part);
            }
        }
    }
    todo.reverse();
    let total = todo.iter().map(|&part| split.size(part)).sum();
    let meter = Meter::new(work, format!("positions in {} parts", todo.len()), total);
    let crew = Crew::new(work);
    let mut layer = 0;
    for &part in &todo {
        if part.left() > layer {
            layer = part.left();
            let done = (0..layer.saturating_sub(1)).flat_map(|left| split.layer(left));
            done.filter(|&part| !kept(part) && store.has(part))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|part| store.remove(part));
        }
        make(part, store, &crew, &meter)?;
    }
    let mut parts = Vec::new();
    let mut count = 0;
    for part in kept_parts(split, drawn) {
        parts.push((count, read(split, part, store)?));
        count += split.size(part);
    }
    Ok((count, Joined(parts)))
}

/// The cells of parts one behind another, each with the number of states before it.
#[derive(Debug)]
pub(super) struct Joined(Vec<(u64, Cells)>);

impl Source for Joined {
    fn copy(&self, offset: u64, into: &mut [u8]) {
        into.fill(0);
        let (mut at, mut into) = (offset, into);
        let first = self.0.partition_point(|&(before, _)| before <= offset).saturating_sub(1);
        for (before, cells) in &self.0[first..] {
            let Some(cells) = cells.all().get((at - before) as usize..) else { continue };
            let len = cells.len().min(into.len());
            into[..len].copy_from_slice(&cells[..len]);
            at += len as u64;
            into = &mut into[len..];
            if into.is_empty() {
                return;
            }
        }
    }
}

/// Returns the cells of a part that must be there.
pub(super) fn read(split: &Split, part: GroupPart, store: &mut dyn Store) -> Result<Cells, SolveError> {
    match store.load(part, split.size(part)) {
        Some(cells) => Ok(cells),
        None => {
            store.remove(part);
            Err(SolveError::Broken(format!(
                "part {}-{} was damaged and has been removed; start again to make it anew",
                part.front, part.back
            )))
        }
    }
}

/// Computes a part from the two below it, some rows at a time.
fn make(
    split: &Split,
    part: GroupPart,
    store: &mut dyn Store,
    crew: &Crew,
    meter: &Meter<'_, '_>,
) -> Result<(), SolveError> {
    let mut child = |front: Option<usize>, back: Option<usize>| match (front, back) {
        (Some(front), Some(back)) => read(split, GroupPart { front, back }, store),
        _ => Ok(Cells::none()),
    };
    let ahead = child(part.front.checked_sub(1), Some(part.back))?;
    let behind = child(Some(part.front), part.back.checked_sub(1))?;
    let (ahead, behind) = (ahead.all(), behind.all());
    let rows = Rows::new(split, part);
    let width = rows.width();
    let deep = part.back.checked_sub(1).map_or(0, |back| split.sets(back).len());
    let heads = split.heads(part.front);
    // Small shares, so that threads end together and a stop is noticed soon.
    let share = (1_usize << 18).div_ceil(width).max(1);
    let at_once = BAND.div_ceil(width).next_multiple_of(share);
    let mut bands = heads.chunks(at_once).enumerate();
    let mut make_band = || {
        let Some((band, heads)) = bands.next() else { return Ok(None) };
        let mut cells: Vec<u8> = allocate((heads.len() * width) as u64, 0)?;
        let tasks: Vec<_> = cells.chunks_mut(share * width).zip(heads.chunks(share)).enumerate().collect();
        let done = crew.map(tasks, &|(n, (cells, heads))| {
            for (i, (row, &head)) in cells.chunks_mut(width).zip(heads).enumerate() {
                let at = (band * at_once + n * share + i) * deep;
                rows.fill(head, row, &behind[at..at + deep], &|class| {
                    &ahead[class * width..(class + 1) * width]
                });
            }
            meter.add(cells.len() as u64)
        });
        done.into_iter().collect::<Result<(), SolveError>>()?;
        Ok(Some(cells))
    };
    store.save(part, split.size(part), &mut make_band)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::groups::Coins;
    use grundy_session::quiet_work;

    /// A ring of `n` coins with a loose string each.
    pub fn ring(n: usize, fine: i32) -> Coins {
        let around: Vec<u8> =
            (0..2 * n).map(|i| (if i < n { (i + 1) % n } else { n + (i + 1 - n) % n }) as u8).collect();
        let mut symmetries: Vec<Vec<u8>> = vec![(0..2 * n as u8).collect()];
        for k in 1..n {
            let last: &Vec<u8> = &symmetries[k - 1];
            symmetries.push(last.iter().map(|&i| around[usize::from(i)]).collect());
        }
        let coins = (0..n).map(|c| 1 << c | 1 << ((c + 1) % n) | 1 << (n + c)).collect();
        Coins { strings: 2 * n as u32, coins, symmetries, fine }
    }

    /// Plain negamax over all sets.
    pub fn plain(coins: &Coins) -> Vec<i32> {
        let won = |left: u64| coins.coins.iter().filter(|&&coin| coin & left == 0).count() as i32;
        let mut values = vec![-coins.fine];
        for left in 1..1_u64 << coins.strings {
            let moves = (0..coins.strings).filter(|i| left >> i & 1 == 1).map(|i| left ^ 1 << i);
            let worth = moves.map(|next| match won(next) - won(left) {
                0 => -values[next as usize],
                gain => gain + values[next as usize],
            });
            values.push(worth.max().unwrap_or(0));
        }
        values
    }

    #[test]
    fn every_set_has_the_value_of_plain_negamax() {
        for coins in [ring(4, 0), ring(5, 3), ring(3, -2)] {
            let split = Split::new(&coins).unwrap();
            let values = plain(&coins);
            for threads in [1, 2] {
                let mut store = MemoryStore::default();
                let work = Work { threads, ..quiet_work() };
                let table = solve(&split, split.strings(), &mut store, &work).unwrap();
                assert!(table.count() < values.len() as u64, "symmetry saves something");
                for (left, &value) in (0..).zip(&values) {
                    let (part, number) = split.number(left);
                    let before: u64 =
                        kept_parts(&split, 99).take_while(|&p| p != part).map(|p| split.size(p)).sum();
                    assert_eq!(table.get(before + number).unwrap().margin(), Some(value), "{left:b}");
                }
            }
        }
    }

    #[test]
    fn work_goes_on_from_the_parts_that_are_there_and_mends_damaged_ones() {
        let coins = ring(5, 0);
        let split = Split::new(&coins).unwrap();
        let whole = solve(&split, 4, &mut MemoryStore::default(), &quiet_work()).unwrap();
        let counted = std::sync::atomic::AtomicU64::new(0);
        let stop = std::sync::atomic::AtomicBool::new(false);
        let report = |_: &grundy_session::Progress| {
            if counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 20 {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let mut store = MemoryStore::default();
        let work = Work { stop: &stop, report: &report, ..quiet_work() };
        assert_eq!(solve(&split, 4, &mut store, &work), Err(SolveError::Stopped));
        let (&part, _) = store.0.iter().max_by_key(|(part, _)| part.left()).unwrap();
        store.0.insert(part, Arc::default());
        // A damaged part that is still needed is taken away, and the next run makes it.
        let done = solve(&split, 4, &mut store, &quiet_work());
        let done = if done.is_err() { solve(&split, 4, &mut store, &quiet_work()) } else { done };
        assert_eq!(done.as_ref().map(Table::count), Ok(whole.count()));
        assert!(done.unwrap() == whole);
        let left: usize = store.0.keys().filter(|part| part.left() + 4 < 9).count();
        assert_eq!(left, 0, "parts of lower layers are deleted");
    }
}
