//! Resources of long work: a thread pool, checks of memory, and progress reports.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use grundy_core::table::{Coding, Table};
use rayon::prelude::*;

use grundy_session::{Activity, Progress, SolveError, Work, available_memory};

/// A thread pool. With one thread no thread is started, and all work runs on the caller's.
pub struct Crew {
    pool: Option<rayon::ThreadPool>,
}

impl Crew {
    /// Creates a pool of as many threads as the work may use; fewer if the system has no more.
    pub fn new(work: &Work<'_>) -> Crew {
        let pool = (work.threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(work.threads.min(1024)).build().ok())
            .flatten();
        Crew { pool }
    }

    /// Creates a pool without threads: all work runs on the caller's.
    pub const fn alone() -> Crew {
        Crew { pool: None }
    }

    /// Returns the number of tasks to run at once: one on a single thread, else a few for each thread.
    pub fn tasks(&self) -> usize {
        if self.size() == 1 { 1 } else { 4 * self.size() }
    }

    /// Returns the number of threads.
    pub fn size(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Runs `f` on every task and returns the results in the order of the tasks.
    pub fn map<T: Send, R: Send>(&self, tasks: Vec<T>, f: &(dyn Fn(T) -> R + Sync)) -> Vec<R> {
        let slots: Vec<_> = tasks.into_iter().map(|task| Mutex::new((Some(task), None))).collect();
        self.each(slots.len(), &|n| {
            let mut slot = slots[n].lock().unwrap_or_else(PoisonError::into_inner);
            slot.1 = slot.0.take().map(f);
        });
        let done =
            |slot: Mutex<(Option<T>, Option<R>)>| slot.into_inner().unwrap_or_else(PoisonError::into_inner).1;
        slots.into_iter().filter_map(done).collect()
    }

    /// Runs `task` on every number below `count`.
    fn each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        match &self.pool {
            Some(pool) if count > 1 => pool.install(|| (0..count).into_par_iter().for_each(task)),
            _ => (0..count).for_each(task),
        }
    }
}

/// Runs each job on its own thread with a stack of `stack` bytes, and calls `beat` about every `pulse` until all have ended. A
/// job for which the system has no thread is left out. A panic of a job is passed on to the caller.
pub fn side_by_side<'a>(
    jobs: Vec<Box<dyn FnOnce() + Send + 'a>>,
    stack: usize,
    pulse: Duration,
    beat: &mut dyn FnMut(),
) {
    // Without threads the jobs run one after another.
    if cfg!(target_family = "wasm") {
        for job in jobs {
            job();
            beat();
        }
        return;
    }
    let (waiting, done) = (&thread::current(), &AtomicUsize::new(0));
    thread::scope(|scope| {
        let start = |job: Box<dyn FnOnce() + Send + 'a>| {
            let body = move || {
                job();
                done.fetch_add(1, Ordering::Release);
                waiting.unpark();
            };
            thread::Builder::new().stack_size(stack).spawn_scoped(scope, body)
        };
        let threads: Vec<_> = jobs.into_iter().filter_map(|job| start(job).ok()).collect();
        let mut beaten = Instant::now();
        // A thread that panicked is not counted in `done`, but it has finished.
        while done.load(Ordering::Acquire) < threads.len() && threads.iter().any(|t| !t.is_finished()) {
            thread::park_timeout(pulse);
            if beaten.elapsed() >= pulse {
                beaten = Instant::now();
                beat();
            }
        }
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
}

/// Refuses work that needs more bytes than it may use.
///
/// # Errors
/// [`SolveError::TooLarge`]; without a limit of its own the work may use the memory that the system has available.
pub fn refuse_beyond(needed: Option<u64>, work: &Work<'_>) -> Result<(), SolveError> {
    let needed = needed.unwrap_or(u64::MAX);
    match work.memory() {
        Some(limit) if needed > limit => Err(SolveError::TooLarge { needed, limit }),
        _ => Ok(()),
    }
}

/// Allocates `count` cells, all `fill`.
///
/// # Errors
/// [`SolveError::TooLarge`] if the system has too little memory.
pub fn allocate<T: Clone>(count: u64, fill: T) -> Result<Vec<T>, SolveError> {
    let needed = count.saturating_mul(size_of::<T>() as u64);
    let refuse = || SolveError::TooLarge { needed, limit: available_memory().unwrap_or(0) };
    let mut cells = Vec::new();
    let len = usize::try_from(count).map_err(|_| refuse())?;
    cells.try_reserve_exact(len).map_err(|_| refuse())?;
    cells.resize(len, fill);
    Ok(cells)
}

/// Returns the table of `count` indices with these cells.
///
/// # Errors
/// [`SolveError::Broken`] if their number of bytes is not that of the coding.
pub fn finished(coding: Coding, count: u64, cells: Vec<u8>) -> Result<Table, SolveError> {
    let lost = || SolveError::Broken("the table has lost cells".to_owned());
    Table::from_cells(coding, count, cells).ok_or_else(lost)
}

/// Counts finished units and reports the progress.
pub struct Meter<'a, 'w> {
    work: &'a Work<'w>,
    what: Activity,
    done: AtomicU64,
    total: u64,
}

impl<'a, 'w> Meter<'a, 'w> {
    /// Creates a meter for `total` units.
    pub fn new(work: &'a Work<'w>, what: impl Into<Activity>, total: u64) -> Meter<'a, 'w> {
        let what = what.into();
        log::debug!("{what}: {total}, {} threads", work.threads);
        Meter { work, what, done: AtomicU64::new(0), total }
    }

    /// Adds units and reports the progress.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the work is to end.
    pub fn add(&self, units: u64) -> Result<(), SolveError> {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        (self.work.report)(&Progress { what: self.what.clone(), done, total: self.total });
        if self.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }
}
