//! What a method of the textbooks may use, and what it finds.

use std::fmt;
use std::time::{Duration, Instant};

use grundy_core::value::Value;
use grundy_session::{Board, Listed, Move};

/// What a method may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// When it has to end.
    pub end: Option<Instant>,
    /// Bytes of memory.
    pub memory: u64,
}

impl Budget {
    /// So many seconds from now, and bytes of memory.
    pub fn new(seconds: Option<f64>, memory: u64) -> Budget {
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Budget { end: time.and_then(|time| Instant::now().checked_add(time)), memory }
    }

    /// Whether the time is up.
    pub fn over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// What a method has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions looked at, each time one is come to whose value is not remembered.
    pub positions: u64,
    /// Those of them in which the game is over.
    pub finished: u64,
    /// Look-ups in the table of values.
    pub lookups: u64,
}

/// What a method has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value of the position that was asked about.
    pub value: Value,
    /// Whether the value rests on positions that were not looked into: they were taken for even.
    pub estimated: bool,
    /// What it took.
    pub counts: Counts,
    /// What only this method counts, in words.
    pub also: Option<String>,
}

/// Why a method found nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The time was up.
    Time(Counts),
    /// The memory was full, in bytes.
    Memory(Counts, u64),
    /// Play can come back to a position, which this method cannot see the end of.
    Comes(Counts),
    /// So many positions lead to each other by moves that gain points.
    Gains(u64),
    /// The game breaks a promise: how.
    Broken(String),
    /// A position has more moves than can be listed.
    Moves(u64),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Time(counts) => {
                write!(f, "not finished in time, {} positions looked at", counts.positions)
            }
            Failure::Memory(counts, limit) => {
                let (positions, limit) = (counts.positions, limit >> 20);
                write!(f, "not finished: {positions} positions fill the {limit} MB of --memory-limit")
            }
            Failure::Comes(counts) => write!(
                f,
                "play comes back to a position (after {} were looked at), so that this method finds no end: expected \
                 --by sweeps, queue or search --depth N",
                counts.positions
            ),
            Failure::Gains(count) => write!(
                f,
                "points are gained on the way round a cycle of {count} positions, so that play without end has no value"
            ),
            Failure::Broken(what) => write!(f, "{what}"),
            Failure::Moves(most) => {
                write!(f, "a position has more than {most} moves: expected a smaller game")
            }
        }
    }
}

impl std::error::Error for Failure {}

/// The most moves of a position that are looked at.
pub const MOST_MOVES: usize = 4_000_000;

/// Stands for a value that is not known yet.
pub const OPEN: Value = Value::from_raw(i32::MIN);

/// The moves of the position on top.
///
/// # Errors
/// There are too many.
pub fn moves(board: &mut dyn Board) -> Result<Vec<Move>, Failure> {
    let list = board.list(Listed::Legal, MOST_MOVES + 1).unwrap_or_default();
    if list.len() > MOST_MOVES { Err(Failure::Moves(MOST_MOVES as u64)) } else { Ok(list) }
}
