//! Long work: what it may use, its progress, and why it failed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use grundy_core::table::Folder;

/// What a long piece of work may use, and how it is stopped and watched. A question takes one of these along through all
/// that is done for it.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// Set from outside to end the work early.
    pub stop: &'a AtomicBool,
    /// When the work ends early by itself.
    pub until: Option<Instant>,
    /// How many threads may work, at least 1.
    pub threads: usize,
    /// The most memory to use, in bytes; the work is refused before it starts where it needs more.
    pub memory_limit: Option<u64>,
    /// Told the progress now and then.
    pub report: &'a (dyn Fn(&Progress) + Sync),
}

impl Work<'_> {
    /// Whether the work is to end: its stop flag is set, or its time is over.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The same work, ended after `time` at the latest.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        Work { until: self.until.into_iter().chain(end).min(), ..*self }
    }

    /// Takes a lock that others may hold for as long as their questions take; `None` where the work ends before that.
    pub fn lock<'m, T>(&self, mutex: &'m Mutex<T>) -> Option<MutexGuard<'m, T>> {
        loop {
            match mutex.try_lock() {
                Ok(guard) => return Some(guard),
                // What methods remember is true even if a thread died while it held the lock.
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if self.stopped() => return None,
                // Nothing ends this work: there is no need to look again and again.
                Err(TryLockError::WouldBlock) if self.until.is_none() && std::ptr::eq(self.stop, &NEVER) => {
                    return Some(mutex.lock().unwrap_or_else(PoisonError::into_inner));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
            }
        }
    }

    /// The bytes of memory that it may use: its limit, else what the system has to give, where it says so; never more
    /// than the process may map.
    pub fn memory(&self) -> Option<u64> {
        self.memory_limit
            .map(|limit| limit.min(mappable_memory().unwrap_or(u64::MAX)))
            .or_else(available_memory)
    }
}

/// The bytes of memory that the system can give without swapping and that the process may map, where it says so.
pub fn available_memory() -> Option<u64> {
    // A browser gives a page no more than a few gigabytes and says nothing of them.
    if cfg!(target_family = "wasm") {
        return Some(1 << 30);
    }
    let text = std::fs::read_to_string("/proc/meminfo").ok();
    let free = text.and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    });
    free.into_iter().chain(mappable_memory()).min()
}

/// What threads, small things and the allocator's gaps take of the space that a process may map.
const ASIDE: u64 = 64 << 20;

/// The bytes that the process may still map, where a limit is set (`ulimit -v`).
fn mappable_memory() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit = line.split_whitespace().next()?.parse::<u64>().ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let mapped = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)?;
    Some(limit.saturating_sub(mapped).saturating_sub(ASIDE))
}

/// Between two looks at a lock that others hold.
const LOOK: Duration = Duration::from_millis(1);

/// A stop flag that is never set.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// A stop flag that is always set: of work that must not begin, so that only what is known is found.
pub static STOPPED: AtomicBool = AtomicBool::new(true);

/// Work on one thread that is neither stopped nor watched.
pub fn quiet_work() -> Work<'static> {
    Work { stop: &NEVER, until: None, threads: 1, memory_limit: None, report: &|_| {} }
}

/// The progress of a long piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done: `distance 12`, `layer 5 of 17`.
    pub what: String,
    /// Units done, usually positions.
    pub done: u64,
    /// Units in all; 0 where that is not known.
    pub total: u64,
}

/// Why a method gave no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The stop flag was set, or the time was over.
    Stopped,
    /// Another question was at work on it for as long as this one could wait.
    Busy,
    /// The work would need more memory than it may use; both in bytes.
    TooLarge {
        /// What the work would need.
        needed: u64,
        /// What it may use.
        limit: u64,
    },
    /// There is no file with the table, and it is too large to be made unasked.
    NoTable {
        /// The game's full name.
        name: String,
        /// Where it was looked for.
        folder: std::path::PathBuf,
    },
    /// The method cannot solve this game; the text says why.
    Broken(String),
}

impl std::fmt::Display for SolveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SolveError::Stopped => f.write_str("stopped"),
            SolveError::Busy => f.write_str("another question is at work on it"),
            SolveError::TooLarge { needed, limit } => {
                write!(f, "needs {} MB of memory, the limit is {} MB", needed.div_ceil(1 << 20), limit >> 20)
            }
            SolveError::NoTable { name, folder } => {
                write!(f, "no table of {name} in {}; `grundy solve {name}` makes it", folder.display())
            }
            SolveError::Broken(promise) => f.write_str(promise),
        }
    }
}

impl std::error::Error for SolveError {}

/// Where the tables of one game are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The folder of tables.
    pub folder: Folder,
    /// The game's full name.
    pub name: String,
}

/// A request to make a method ready, and how much may be spent on it.
#[derive(Clone, Copy)]
pub struct Need<'a> {
    /// Where the table's file would be.
    pub home: &'a Home,
    /// How long the making of a table may take that was not asked for.
    pub unasked: Duration,
    /// Whether the caller has little time. Where the work is stopped it returns at once, and a background thread may
    /// finish what was begun.
    pub hurried: bool,
    /// The work.
    pub work: &'a Work<'a>,
}
