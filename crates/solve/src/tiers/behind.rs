//! Tables of tiers that are made on a thread beside a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use grundy_core::table::Table;
use grundy_session::{Progress, SolveError, Work, quiet_work};

use super::ability::Tiered;
use super::list::TierList;
use super::make::extend;
use super::part::FinishedTier;
use crate::filed::Filed;

/// The tables of a game's tiers, as far as they are there.
pub(super) type Tables = Arc<[Filed<Arc<Table>>]>;

/// How often who waits for a table looks whether it is there.
const LOOK: Duration = Duration::from_millis(1);

/// The thread that makes tables in the background, one at a time.
#[derive(Debug, Default)]
pub(super) struct Behind {
    /// Ends it, when the game is closed.
    stop: Arc<AtomicBool>,
    running: Arc<AtomicBool>,
    /// Why it could not make a table, if it could not.
    failed: Arc<Mutex<Option<SolveError>>>,
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Says that the thread has ended, also where it panicked.
struct End(Arc<AtomicBool>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Behind {
    /// Begins to make the tables of these tiers, each after those that it leads to, unless others are being made.
    /// Whether a thread is at work now.
    pub(super) fn make<G: Tiered + Clone>(
        &self,
        game: &G,
        list: &Arc<TierList>,
        tables: &Tables,
        tiers: Vec<usize>,
    ) -> bool {
        let missing = tiers.iter().any(|&tier| tables[tier].get().is_none());
        if !missing || self.failed().is_some() {
            return false;
        }
        if self.running.swap(true, Ordering::Acquire) {
            return true;
        }
        let end = End(self.running.clone());
        let (game, list, tables) = (game.clone(), list.clone(), tables.clone());
        let (stop, failed) = (self.stop.clone(), self.failed.clone());
        let run = move || {
            let _end = end;
            let work = Work { stop: &stop, ..quiet_work() };
            if let Err(error) = make(&game, &list, &tables, &tiers, &work) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        };
        // Where there are no threads, `end` goes with what could not be run.
        thread::Builder::new().name("tiers".into()).spawn(run).is_ok()
    }

    /// Waits for a table as long as the work allows. Whether it is there.
    pub(super) fn wait(&self, table: &Filed<Arc<Table>>, work: &Work<'_>) -> bool {
        while table.get().is_none() && self.running.load(Ordering::Acquire) {
            (work.report)(&Progress { what: "tiers".into(), done: 0, total: 1 });
            if work.stopped() {
                break;
            }
            thread::sleep(LOOK);
        }
        table.get().is_some()
    }

    fn failed(&self) -> Option<SolveError> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Makes the tables of these tiers that are not there.
pub(super) fn make<G: Tiered>(
    game: &G,
    list: &TierList,
    tables: &[Filed<Arc<Table>>],
    tiers: &[usize],
    work: &Work<'_>,
) -> Result<(), SolveError> {
    let mut made: Vec<FinishedTier> = Vec::new();
    for &tier in tiers {
        let finished = match tables[tier].get() {
            Some(table) => (list.numbers(tier), table.clone()),
            None => extend(game, list, &made, tier, work)?,
        };
        tables[tier].set(finished.1.clone());
        made.push(finished);
    }
    Ok(())
}
