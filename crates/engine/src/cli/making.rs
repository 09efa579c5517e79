//! Builds, opens and proves the table of a game, for the command line.

use std::time::Instant;

use anyhow::{Result, bail};
use grundy_core::table::{Disk, Folder, Packing, Scratch, Table, refuse_without_room, write};
use grundy_core::text::{counted, grouped, size};
use grundy_session::{Assurance, SolveError, Tabled, Work};

use super::numbers::rate;
use super::progress::Meter;

/// The options of building tables.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) folder: &'a Folder,
    pub(super) scratch: &'a Scratch,
    pub(super) work: &'a Work<'a>,
    pub(super) meter: &'a Meter,
    /// The form of the blocks.
    pub(super) packing: Packing,
    /// True if existing tables are built again.
    pub(super) again: bool,
    /// True if finished tables are proved.
    pub(super) check: bool,
    /// The most disk space for the tables of a game, in megabytes.
    pub(super) disk_limit: Option<u64>,
}

impl Job<'_> {
    /// Opens the table of a game with `stored` states, if it is there, is large enough, and is not to be built again.
    pub(super) fn there(&self, game: &dyn Tabled, stored: u64) -> Result<Option<Table>> {
        if self.again || stored < game.count() {
            return Ok(None);
        }
        let table = game.existing(self.folder, stored).unwrap_or_else(|error| {
            log::warn!("{error}; it is built again");
            None
        });
        if table.is_some() {
            // A solver killed between its last steps leaves the lock and the checkpoint of a finished table.
            drop(self.folder.lock(game.name()));
            self.scratch.discard(game.name())?;
        }
        Ok(table)
    }

    /// Builds the table and writes it. Other tables of the game take `used` bytes on the disk. Returns the cost in words.
    pub(super) fn make(&self, game: &dyn Tabled, used: u64) -> Result<String> {
        let began = Instant::now();
        // Positions that must be found first are too many to be counted beforehand.
        let disk = if game.count() == 0 { 0 } else { game.disk_within(self.work)? };
        self.refuse_beyond_disk(game, disk, used)?;
        refuse_without_room(self.folder.path(), disk)?;
        log::debug!("builds {} by {:?}: {} positions", game.name(), game.maker(), game.count());
        if self.folder.part(game.name()).exists() {
            self.meter.note(&format!("{}: finds the checkpoint of an earlier run", game.name()));
        }
        let solved = game.solve(self.work, self.scratch);
        self.meter.finish();
        let table = solved?;
        let took = began.elapsed();
        let (path, threads) = (self.folder.file(game.name()), self.work.threads);
        write(&Disk, &path, &game.label(), &table, self.packing, threads)?;
        self.scratch.discard(game.name())?;
        let rate = rate(table.count(), took).map_or(String::new(), |rate| format!("{rate}, "));
        let cost = format!(
            "{}: {} in {:.2} s ({rate}{}), {}",
            game.name(),
            states(game, table.count()),
            took.as_secs_f64(),
            counted(threads as u64, "thread"),
            size(table.coding().bytes(table.count()).unwrap_or(0))
        );
        Ok(cost)
    }

    /// Refuses a table that might exceed the limit of disk space.
    fn refuse_beyond_disk(&self, game: &dyn Tabled, needed: u64, used: u64) -> Result<()> {
        let Some(limit) = self.disk_limit.map(|mb| mb.saturating_mul(1_000_000)) else { return Ok(()) };
        if used.saturating_add(needed) <= limit {
            return Ok(());
        }
        let (name, needed, used, limit) = (game.name(), size(needed), size(used), size(limit));
        bail!(
            "{name}: up to {needed} on disk, and other tables of the game take {used}; the limit is {limit}"
        )
    }

    /// Checks the table of a game, which has `count` states.
    pub(super) fn verify(&self, game: &dyn Tabled, count: u64) -> Result<Assurance> {
        let path = self.folder.file(game.name());
        let table = Table::open_for(&path, game.name(), game.fingerprint(), count)?;
        let verified = game.verify(&table, self.work);
        self.meter.finish();
        verified.map_err(|doubt| anyhow::anyhow!("{}: {doubt}", path.display()))
    }
}

/// Returns the size of a game's table in words: `6,046 values`, or its positions where they are counted; with indices that no
/// position has, also their number.
pub(super) fn states(game: &dyn Tabled, count: u64) -> String {
    match game.reached() {
        None => counted(count, "value"),
        Some(0) => format!("{} indices", grouped(count)),
        Some(reached) if reached == count => counted(count, "position"),
        Some(reached) => format!("{} at {} indices", counted(reached, "position"), grouped(count)),
    }
}

/// Returns why a table does not fit this machine: its size, its memory, or the free disk space of the folder. `None` if it
/// does, or if its parts must be measured, its positions found first, or the work has ended.
///
/// # Errors
/// The game has no table for another reason.
pub(super) fn too_large(folder: &Folder, game: &dyn Tabled, work: &Work<'_>) -> Result<Option<String>> {
    if !game.parts().is_empty() || game.count_within(work) == Some(0) || work.stopped() {
        return Ok(None);
    }
    let needed = match game.estimate(work) {
        Err(SolveError::Stopped) => return Ok(None),
        Err(SolveError::Numerous(words)) => return Ok(Some(words)),
        Err(error) => return Err(error.into()),
        Ok(needs) => lacking(folder, needs.memory, needs.disk),
    };
    Ok(needed.map(|needed| format!("a table of all positions needs {needed}")))
}

/// Returns what a table of these bytes of memory and of disk space in the folder needs that this machine lacks; `None`
/// if it has both.
pub(super) fn lacking(folder: &Folder, memory: u64, disk: u64) -> Option<String> {
    if machine_memory().is_some_and(|has| memory > has) {
        return Some(format!("{} of memory", size(memory)));
    }
    // The folder is made before a table is.
    let above = folder
        .path()
        .ancestors()
        .map(|path| if path.as_os_str().is_empty() { std::path::Path::new(".") } else { path });
    let there = above.into_iter().find(|path| path.exists()).unwrap_or(folder.path());
    refuse_without_room(there, disk).is_err().then(|| format!("{} of disk", size(disk)))
}

/// Returns the bytes of memory that the machine has; `None` if unknown.
pub(super) fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
