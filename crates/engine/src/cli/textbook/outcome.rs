//! Limits and results of the textbook methods.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grundy_core::value::Value;
use grundy_session::{Board, Listed, Move};

/// The limits of a method.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Time limit.
    pub end: Option<Instant>,
    /// Memory limit in bytes.
    pub memory: u64,
    /// Ends the work once it is set.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Budget<'a> {
    /// Returns limits of `seconds` from now and `memory` bytes.
    pub fn new(seconds: Option<f64>, memory: u64) -> Budget<'a> {
        let time = seconds.map(Duration::from_secs_f64);
        Budget { end: time.and_then(|time| Instant::now().checked_add(time)), memory, stop: None }
    }

    /// Reports whether the time is up or the work was stopped.
    pub fn over(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// Work counters of a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions visited whose value was not remembered.
    pub positions: u64,
    /// Finished positions among them.
    pub finished: u64,
    /// Lookups in the table of values.
    pub lookups: u64,
}

/// The result of a method.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value of the root.
    pub value: Value,
    /// True if the value rests on positions at the depth limit, which were taken for draws.
    pub estimated: bool,
    /// The work.
    pub counts: Counts,
    /// Counters of this method alone, in words.
    pub also: Option<String>,
}

/// The reason why a method found no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The time was up.
    Time(Counts),
    /// The memory limit, in bytes, was reached.
    Memory(Counts, u64),
    /// There is a cycle, which this method cannot handle.
    Comes(Counts),
    /// A cycle of this number of positions has moves that gain points.
    Gains(u64),
    /// The game violates its contract, as the text says.
    Broken(String),
    /// A position has more moves than can be listed.
    Moves(u64),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Time(counts) => {
                write!(f, "not finished in time, {} positions visited", counts.positions)
            }
            Failure::Memory(counts, limit) => {
                let (positions, limit) = (counts.positions, limit >> 20);
                write!(f, "not finished: {positions} positions fill the {limit} MB of --memory-limit")
            }
            Failure::Comes(counts) => write!(
                f,
                "play comes back to a position (after {} were visited), so that this method does not end: expected \
                 --by sweeps or queue, or --depth N with naive, memo or search",
                counts.positions
            ),
            Failure::Gains(count) => write!(
                f,
                "moves within a cycle of {count} positions gain points, so that endless play has no value"
            ),
            Failure::Broken(what) => write!(f, "{what}"),
            Failure::Moves(most) => {
                write!(f, "a position has more than {most} moves: expected a smaller game")
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Maximum number of moves of a position.
pub const MOST_MOVES: usize = 4_000_000;

/// Marks a value that is not known yet.
pub const OPEN: Value = Value::from_raw(i32::MIN);

/// Returns the moves of the position on top.
///
/// # Errors
/// There are too many.
pub fn moves(board: &mut dyn Board) -> Result<Vec<Move>, Failure> {
    let list = board.list(Listed::Legal, MOST_MOVES + 1).unwrap_or_default();
    if list.len() > MOST_MOVES { Err(Failure::Moves(MOST_MOVES as u64)) } else { Ok(list) }
}
