//! The methods, one file each, and what all of them share: how a method answers, works and is limited.
//!
//! A method is generic over every game that has the abilities it asks for. It knows no game by name.

pub mod bitparallel;
mod cell;
mod crew;
pub mod formula;
pub mod frames;
pub mod groups;
pub mod layers;
pub mod memo;
pub mod octal;
pub mod openings;
mod oracle;
pub mod pns;
pub mod retrograde;
pub mod search;
pub mod sum;
pub mod verify;
pub mod windows;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::game::Game;
use crate::table::Folder;
use crate::value::{Score, Value};

pub use oracle::{TableMethod, TableOracle};

/// A method that is ready to answer: exact values of positions, or nothing.
pub trait Oracle<G: Game>: Send + Sync {
    /// Does the long work that answers for `position` need, where it was not done yet; cheap to call again.
    ///
    /// # Errors
    /// The work was stopped or is too large; the method then answers `None`.
    fn prepare(&self, _game: &G, _position: &G::Position, _work: &Work<'_>) -> Result<(), SolveError> {
        Ok(())
    }

    /// The exact value of a position, finished or not; `None` where the method does not know it. A method that knows
    /// no distances gives none for a finished position either: values of one method are of one kind.
    fn value(&self, game: &G, position: &G::Position) -> Option<Value>;

    /// Proved bounds of an unfinished position's value for the player to move, where the method knows any.
    fn bounds(&self, game: &G, position: &G::Position) -> Option<(Value, Value)> {
        // A win of unknown distance bounds no distance.
        self.value(game, position).filter(|value| !value.is_unmeasured()).map(|value| (value, value))
    }

    /// What the position would be worth without a rule of the game, and which rule, where that makes a difference.
    fn without_rule(&self, _game: &G, _position: &G::Position) -> Option<(Value, &'static str)> {
        None
    }

    /// As [`Oracle::prepare`] for a question that cannot wait for long: where the work is stopped this returns at once,
    /// and what was begun may be finished on a thread of its own, for a later question.
    ///
    /// # Errors
    /// As [`Oracle::prepare`].
    fn prepare_or_leave(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Result<(), SolveError> {
        self.prepare(game, position, work)
    }

    /// Moves that keep the value, where the method finds them without asking every child; `None` asks them all.
    /// An empty list means that every move keeps the value.
    fn keeping_moves(&self, _game: &G, _position: &G::Position) -> Option<Vec<G::Move>> {
        None
    }

    /// The Grundy number of a position, where the game is impartial and the method knows it.
    fn grundy(&self, _game: &G, _position: &G::Position) -> Option<u64> {
        None
    }

    /// Says in which folder the table of the game of this full name would be.
    fn look_in(&self, folder: Folder, name: &str) {
        if let Some(table) = self.as_table() {
            table.look_in(folder, name);
        }
    }

    /// The table by groups behind the answers, where they come from one.
    fn as_book(&self) -> Option<&dyn groups::Parted<G>> {
        None
    }

    /// The table behind the answers, where they come from one.
    fn as_table(&self) -> Option<&TableOracle<G>> {
        None
    }
}

/// The circumstances of a long piece of work: when to stop, how many threads, how much memory, whom to tell.
pub struct Work<'a> {
    /// Set from outside to end the work early.
    pub stop: &'a AtomicBool,
    /// How many threads may work, at least 1.
    pub threads: usize,
    /// The most memory to use, in bytes; the work is refused before it starts where it needs more.
    pub memory_limit: Option<u64>,
    /// Told now and then how far the work is.
    pub report: &'a (dyn Fn(&Progress) + Sync),
}

impl Work<'_> {
    /// Whether somebody asked for the work to end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A flag that is never set, for work that nobody stops.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// Work on one thread that nobody stops or watches.
pub fn quiet_work() -> Work<'static> {
    Work { stop: &NEVER, threads: 1, memory_limit: None, report: &|_| {} }
}

/// How far a long piece of work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, a few words: `distance 12`, `layer 5 of 17`.
    pub what: String,
    /// Units done, usually positions.
    pub done: u64,
    /// Units in all; 0 where nobody knows.
    pub total: u64,
}

/// Why a method gave no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The stop flag was set.
    Stopped,
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
    /// The game breaks a promise that the method relies on; which, in words.
    Broken(String),
}

impl std::fmt::Display for SolveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SolveError::Stopped => f.write_str("stopped"),
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

/// When a search ends. Where nothing is set it ends with its proof.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// No new iteration starts after this instant.
    pub soft: Option<Instant>,
    /// The search ends at this instant.
    pub hard: Option<Instant>,
    /// Go on after the value is proved, until stopped (`go infinite`, `go ponder`).
    pub infinite: bool,
}

/// One line of a search's report: what is known at this depth, and the play that shows it.
#[derive(Clone, Debug)]
pub struct Line<M> {
    /// Plies searched to the full.
    pub depth: u32,
    /// Plies reached at the most.
    pub seldepth: u32,
    /// Nodes visited so far.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// 1 for the best move, 2 for the second best and so on (`MultiPV`).
    pub rank: u32,
    /// The worth of the first move of `pv`, for the player to move.
    pub score: Score,
    /// The principal variation: legal to its end, never past the end of the game.
    pub pv: Vec<M>,
}
