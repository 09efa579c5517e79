//! Long work: its resources, its progress, and the errors that end it.

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use grundy_core::table::Folder;

/// The resources of a long piece of work, and how it is stopped and watched. A question passes one of these on to all that is
/// done for it.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// Set by the caller to end the work early.
    pub stop: &'a AtomicBool,
    /// The time at which the work ends early by itself.
    pub until: Option<Instant>,
    /// The most threads, at least 1.
    pub threads: usize,
    /// The most memory, in bytes; work that needs more is refused before it starts.
    pub memory_limit: Option<u64>,
    /// Receives the progress now and then.
    pub report: &'a (dyn Fn(&Progress) + Sync),
}

impl Work<'_> {
    /// Reports whether the work is to end: its stop flag is set, or its time is over.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns the same work, ended after `time` at the latest.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        Work { until: self.until.into_iter().chain(end).min(), ..*self }
    }

    /// Takes a lock that others may hold for as long as their questions take; `None` if the work ends before.
    pub fn lock<'m, T>(&self, mutex: &'m Mutex<T>) -> Option<MutexGuard<'m, T>> {
        loop {
            match mutex.try_lock() {
                Ok(guard) => return Some(guard),
                // Caches of methods are valid even if a thread died while it held the lock.
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if self.stopped() => return None,
                // Nothing ends this work early: no need to poll.
                Err(TryLockError::WouldBlock) if self.until.is_none() && std::ptr::eq(self.stop, &NEVER) => {
                    return Some(mutex.lock().unwrap_or_else(PoisonError::into_inner));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
            }
        }
    }

    /// Returns the bytes of memory that the work may use: its limit, else what the system has available; at most what the
    /// process may map. `None` if neither is known.
    pub fn memory(&self) -> Option<u64> {
        self.memory_limit
            .map(|limit| limit.min(mappable_memory().unwrap_or(u64::MAX)))
            .or_else(available_memory)
    }
}

/// Returns the bytes of memory that the system has available without swapping and that the process may map; `None` if
/// unknown.
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

/// Bytes reserved for threads, small allocations and fragmentation.
const ASIDE: u64 = 64 << 20;

/// Returns the bytes that the process may still map; `None` without a limit (`ulimit -v`).
fn mappable_memory() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit = line.split_whitespace().next()?.parse::<u64>().ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let mapped = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)?;
    Some(limit.saturating_sub(mapped).saturating_sub(ASIDE))
}

/// Interval of polling a lock that others hold.
const LOOK: Duration = Duration::from_millis(1);

/// A stop flag that is never set.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// A stop flag that is always set: for work that must not begin, so that only known values are found.
pub static STOPPED: AtomicBool = AtomicBool::new(true);

/// Returns work on one thread that is neither stopped nor watched.
pub fn quiet_work() -> Work<'static> {
    Work { stop: &NEVER, until: None, threads: 1, memory_limit: None, report: &|_| {} }
}

/// Returns work that has ended before it begins, so that only known values are found.
pub fn at_once() -> Work<'static> {
    Work { stop: &STOPPED, ..quiet_work() }
}

/// The progress of a long piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The current activity.
    pub what: Activity,
    /// Units done, usually positions.
    pub done: u64,
    /// Units in all; 0 if not known.
    pub total: u64,
}

/// A step of long work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Looking at every position once.
    Positions,
    /// Retrograde analysis from the positions of this distance.
    Distance(u32),
    /// Encoding and writing the table.
    Writing,
    /// Long work that begins: what is made, and the time and memory that takes.
    Beginning(String),
    /// Another step, in words: `blocks checked`.
    Other(Cow<'static, str>),
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Activity::Positions => f.write_str("positions"),
            Activity::Distance(plies) => write!(f, "distance {plies}"),
            Activity::Writing => f.write_str("writing"),
            Activity::Beginning(words) => f.write_str(words),
            Activity::Other(words) => f.write_str(words),
        }
    }
}

impl From<String> for Activity {
    fn from(words: String) -> Activity {
        Activity::Other(words.into())
    }
}

impl From<&'static str> for Activity {
    fn from(words: &'static str) -> Activity {
        Activity::Other(words.into())
    }
}

/// The reason why a method has no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The stop flag was set, or the time was over.
    Stopped,
    /// Another question held the method for as long as this one could wait.
    Busy,
    /// The work would need more memory than it may use.
    TooLarge {
        /// The bytes needed.
        needed: u64,
        /// The bytes that it may use.
        limit: u64,
    },
    /// There is no file of the table, and it is too large to be built automatically.
    NoTable {
        /// The game's full name.
        name: String,
        /// The folder that was searched.
        folder: std::path::PathBuf,
    },
    /// The game has more positions than the method can index or hold, as the text says.
    Numerous(String),
    /// The method cannot solve this game, for the reason in the text.
    Broken(String),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Stopped => f.write_str("stopped"),
            SolveError::Busy => f.write_str("another question is at work on it"),
            SolveError::TooLarge { needed, limit } => {
                write!(f, "needs {} MB of memory, the limit is {} MB", needed.div_ceil(1 << 20), limit >> 20)
            }
            SolveError::NoTable { name, folder } => {
                write!(f, "no table of {name} in {}; `grundy solve {name}` makes it", folder.display())
            }
            SolveError::Numerous(words) | SolveError::Broken(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for SolveError {}

/// The place of a game's tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The folder of tables.
    pub folder: Folder,
    /// The game's full name.
    pub name: String,
}

/// A request to prepare a method, with the limits of what may be done automatically.
#[derive(Clone, Copy)]
pub struct Need<'a> {
    /// The place of the table's file.
    pub home: &'a Home,
    /// Time budget for building a table automatically.
    pub automatic: Duration,
    /// Time limit of work that reports no progress, such as Grundy numbers.
    pub quiet: Duration,
    /// Estimated time up to which an ending is solved for a position in it.
    pub patience: Duration,
    /// True if the caller has little time: stopped work returns at once, and a background thread may finish what was begun.
    pub hurried: bool,
    /// The work.
    pub work: &'a Work<'a>,
}

impl Need<'_> {
    /// Returns the units that may be computed automatically at `speed` units a second.
    pub fn affords(&self, speed: u64) -> u64 {
        u64::try_from(u128::from(speed) * self.automatic.as_millis() / 1_000).unwrap_or(u64::MAX)
    }

    /// Returns the error for a game that has no table file and is too large to build automatically.
    pub fn no_table(&self) -> SolveError {
        let Home { folder, name } = self.home;
        SolveError::NoTable { name: name.clone(), folder: folder.path().to_owned() }
    }
}
