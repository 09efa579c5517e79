//! Makes, finds and proves the table of a game, for the command line.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use grundy_core::table::{Disk, Folder, Label, Packing, Scratch, Table, refuse_without_room, write};
use grundy_session::{Belief, Tabled, Work};

use super::output::stdout;
use super::progress::{Meter, rate};

/// What making tables takes from the command line.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) folder: &'a Folder,
    pub(super) scratch: &'a Scratch,
    pub(super) work: &'a Work<'a>,
    pub(super) meter: &'a Meter,
    /// How blocks are stored.
    pub(super) packing: Packing,
    /// Whether tables that are there are made again.
    pub(super) again: bool,
    /// Whether finished tables are proved.
    pub(super) check: bool,
    /// The most that the tables of a game may take on the disk, in megabytes.
    pub(super) disk_limit: Option<u64>,
}

impl Job<'_> {
    /// The table of a game, where it is there and is not to be made again; it has at least so many numbers.
    pub(super) fn there(&self, game: &dyn Tabled, stored: u64) -> Result<Option<Table>> {
        let path = self.folder.file(game.name());
        if self.again || !path.exists() || stored < game.count() {
            return Ok(None);
        }
        match Table::open_for(&path, game.name(), game.fingerprint(), stored) {
            Ok(table) => {
                // A solver killed between its last steps leaves the lock and the checkpoint of a table that is done.
                drop(self.folder.lock(game.name()));
                self.scratch.discard(game.name())?;
                Ok(Some(table))
            }
            Err(error) => {
                log::warn!("{error}; made anew");
                Ok(None)
            }
        }
    }

    /// Makes the table and writes it. Other tables of the game take `used` bytes on the disk.
    pub(super) fn make(&self, game: &dyn Tabled, used: u64) -> Result<()> {
        let began = Instant::now();
        let disk = game.disk_within(self.work.memory())?;
        self.refuse_beyond_disk(game, disk, used)?;
        refuse_without_room(self.folder.path(), disk)?;
        log::debug!("makes {} by {:?}: {} numbers", game.name(), game.maker(), game.count());
        let solved = game.solve(self.work, self.scratch);
        self.meter.finish();
        let table = solved?;
        let seconds = began.elapsed().as_secs_f64();
        let label =
            Label { name: game.name().to_owned(), fingerprint: game.fingerprint(), maker: game.maker() };
        let (path, threads) = (self.folder.file(game.name()), self.work.threads);
        write(&Disk, &path, &label, &table, self.packing, threads)?;
        self.scratch.discard(game.name())?;
        let rate = rate(table.count(), began.elapsed()).map_or(String::new(), |rate| format!("{rate}, "));
        writeln!(
            stdout(),
            "{}: {} numbers in {seconds:.2} s ({rate}{threads} threads), {} of cells",
            game.name(),
            table.count(),
            megabytes(table.coding().bytes(table.count()).unwrap_or(0))
        )?;
        Ok(())
    }

    /// Refuses a table that might take the disk beyond its limit.
    fn refuse_beyond_disk(&self, game: &dyn Tabled, needed: u64, used: u64) -> Result<()> {
        let Some(limit) = self.disk_limit.map(|mb| mb.saturating_mul(1 << 20)) else { return Ok(()) };
        if used.saturating_add(needed) <= limit {
            return Ok(());
        }
        let (name, needed, used, limit) = (game.name(), size(needed), size(used), size(limit));
        bail!(
            "{name}: up to {needed} on disk, and other tables of the game take {used}; the limit is {limit}"
        )
    }

    /// Checks the table of a game, which has this many numbers.
    pub(super) fn verify(&self, game: &dyn Tabled, count: u64) -> Result<Belief> {
        let path = self.folder.file(game.name());
        let table = Table::open_for(&path, game.name(), game.fingerprint(), count)?;
        let verified = game.verify(&table, self.work);
        self.meter.finish();
        verified.map_err(|doubt| anyhow::anyhow!("{}: {doubt}", path.display()))
    }
}

/// A size for people.
pub(super) fn megabytes(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{bytes} bytes") } else { format!("{:.1} MB", bytes as f64 / 1e6) }
}

/// A size for people, from bytes to terabytes.
pub(super) fn size(bytes: u64) -> String {
    if bytes < 10_000_000_000 { megabytes(bytes) } else { format!("{:.1} GB", bytes as f64 / 1e9) }
}
