//! `grundy solve` for a game of several tables: one after another, each in its own file.

use std::time::Instant;

use anyhow::Result;
use grundy_core::text::{grouped, size};
use grundy_session::{Activity, Assurance, Progress, SolveError, Tabled, Work};

use super::making::Job;
use super::shared::log_line;

/// Builds the tables that are not there, in their order, and checks all of them if the job says so. Returns the cost, and
/// the report of the check; the cost of each table is told as it is built, unless `quiet`.
pub(super) fn solve(job: &Job<'_>, game: &dyn Tabled, quiet: bool) -> Result<Vec<String>> {
    let parts = game.parts();
    refuse_too_large(job, &parts)?;
    let total: u64 = parts.iter().map(|part| part.count()).sum();
    let began = Instant::now();
    let (mut before, mut used, mut made) = (0, 0, 0);
    for (n, part) in parts.iter().enumerate() {
        if job.there(&**part, part.count())?.is_none() {
            // The lock of the game's own name is held already.
            let _lock = (part.name() != game.name()).then(|| job.folder.lock(part.name())).transpose()?;
            let along = Along {
                name: format!("tier {} of {}", n + 1, parts.len()),
                before,
                total,
                count: part.count(),
            };
            let report = |progress: &Progress| job.meter.show(&along.of(progress));
            let work = Work { report: &report, ..*job.work };
            let cost = Job { work: &work, ..*job }.make(&**part, used)?;
            if !quiet {
                log_line(&cost);
            }
            made += 1;
        }
        used += std::fs::metadata(job.folder.file(part.name())).map_or(0, |file| file.len());
        before += part.count();
    }
    let (name, seconds) = (game.name(), began.elapsed().as_secs_f64());
    let (tables, size) = (parts.len(), size(used));
    let mut lines = vec![format!(
        "{name}: {} values in {tables} tables, {made} built in {seconds:.1} s, {size}",
        grouped(total)
    )];
    if job.check {
        lines.push(check(job, total, &parts)?);
    }
    Ok(lines)
}

/// Refuses tables that need more memory than the job may use, before the first is built.
fn refuse_too_large(job: &Job<'_>, parts: &[Box<dyn Tabled + '_>]) -> Result<()> {
    let Some(limit) = job.work.memory() else { return Ok(()) };
    for part in parts {
        let needed = part.least_memory(job.work)?;
        if needed > limit && job.there(&**part, part.count())?.is_none() {
            return Err(
                anyhow::Error::new(SolveError::TooLarge { needed, limit }).context(part.name().to_owned())
            );
        }
    }
    Ok(())
}

/// Checks every table. Each is proved given those that its moves lead to, so that all together are proved.
fn check(job: &Job<'_>, count: u64, parts: &[Box<dyn Tabled + '_>]) -> Result<String> {
    let began = Instant::now();
    let each = parts.iter().map(|part| job.verify(&**part, part.count()));
    let least = Assurance::together(each.collect::<Result<Vec<_>>>()?);
    Ok(least.report(count, began.elapsed()))
}

/// The progress of all tables while one of them is built.
struct Along {
    name: String,
    /// States of the tables before this one.
    before: u64,
    /// States of all tables.
    total: u64,
    /// States of this table.
    count: u64,
}

impl Along {
    /// Returns the progress of all tables; the first look at every position is half of the work on a table.
    fn of(&self, progress: &Progress) -> Progress {
        let half = progress.done.min(self.count) / 2;
        let looked = matches!(progress.what, Activity::Distance(_));
        let done = if looked { self.count / 2 + half } else { half };
        let what = format!("{}, {}", self.name, progress.what).into();
        Progress { what, done: self.before + done, total: self.total }
    }
}
