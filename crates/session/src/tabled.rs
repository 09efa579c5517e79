//! A game's table with its types erased: estimate it, make it, verify it, name its positions.

use std::fmt;
use std::ops::Range;

use grundy_core::game::Player;
use grundy_core::table::{Coding, Maker, Scratch, Table, TableError};
use grundy_core::value::{Unit, Value};

use crate::{Belief, Shard, SolveError, Unproved, Work};

/// A game whose values fill a table.
///
/// ```
/// use grundy_core::table::{Scratch, Table};
/// use grundy_session::{Session, SolveError, quiet_work};
///
/// /// Makes the table of a game in memory, if it needs less than a megabyte; `None` where it has none or a larger one.
/// fn small_table(session: &Session) -> Option<Result<Table, SolveError>> {
///     let tabled = session.tabled(None)?;
///     let small = tabled.estimate().is_ok_and(|estimate| estimate.memory < 1 << 20);
///     small.then(|| tabled.solve(&quiet_work(), &Scratch::none()))
/// }
/// ```
pub trait Tabled: Sync {
    /// The game's full name with its parameters.
    fn name(&self) -> &str;

    /// What the values count.
    fn unit(&self) -> Unit;

    /// How many numbers there are.
    fn count(&self) -> u64;

    /// A number that changes with the rules and the numbering.
    fn fingerprint(&self) -> u64;

    /// Which method makes the table.
    fn maker(&self) -> Maker;

    /// What making the table takes.
    ///
    /// # Errors
    /// The game is too large for such a table.
    fn estimate(&self) -> Result<Estimate, SolveError>;

    /// The least memory that the table can be made in, in bytes: slower than with that of the estimate, where it is less.
    ///
    /// # Errors
    /// As [`Tabled::estimate`].
    fn least_memory(&self) -> Result<u64, SolveError> {
        Ok(self.estimate()?.memory)
    }

    /// Peak use of the disk in bytes with so much memory, where that is limited.
    ///
    /// # Errors
    /// As [`Tabled::estimate`].
    fn disk_within(&self, _memory: Option<u64>) -> Result<u64, SolveError> {
        Ok(self.estimate()?.disk)
    }

    /// The seconds that one thread takes to make the table, where a part of it can be made now, in a second or two, to
    /// measure that.
    fn measured(&self) -> Option<f64> {
        None
    }

    /// Makes the table, starting from the checkpoint in `scratch` where there is one.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the game breaks a promise.
    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError>;

    /// Does what must be done before the numbers are known and shards can be made; `write` keeps what the table's file
    /// needs beside it.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or cannot be written.
    fn prepare(&self, _work: &Work<'_>, _write: bool) -> Result<(), SolveError> {
        Ok(())
    }

    /// One of so many shards of the table, which make it together without shared memory; `None` where the method makes
    /// it in one piece only.
    fn shard(&self, _part: u32, _parts: u32) -> Option<Result<Box<dyn Shard + '_>, SolveError>> {
        None
    }

    /// Checks a table: every checksum, the value of every position against those of its children, and that no values
    /// depend on each other in a circle. Says how far the table may be believed then.
    ///
    /// # Errors
    /// The first doubt.
    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt>;

    /// The tables that it is made and kept in, each a file of its own, in an order in which each needs earlier ones
    /// only; empty where it is kept in one file.
    fn parts(&self) -> Vec<Box<dyn Tabled + '_>> {
        Vec::new()
    }

    /// Ranges of its numbers that are counted apart, each with its name; empty where nothing is.
    fn sections(&self) -> Vec<(String, Range<u64>)> {
        Vec::new()
    }

    /// The type behind the trait, without its module and parameters: of every type and [`Maker`] there are forged tables
    /// in `tests/tables/forged.rs`, which fails until a new one has some.
    fn kind(&self) -> &'static str {
        let full = std::any::type_name::<Self>().split('<').next().unwrap_or("");
        full.rsplit("::").next().unwrap_or(full)
    }

    /// The player to move in the position with this number. Where positions must be found before they have numbers,
    /// [`Tabled::prepare`] must have succeeded.
    fn turn(&self, number: u64) -> Option<Player>;

    /// The position with this number as text, and the player to move in it.
    fn position(&self, number: u64) -> Option<(Player, String)>;

    /// Returns the number of a position that is given as text; [`Tabled::position`] gives a position of this number back.
    /// `None` if the text is no position, or none that the table holds. Where positions must be found before they have
    /// numbers, [`Tabled::prepare`] must have succeeded.
    fn number(&self, position: &str) -> Option<u64>;
}

/// What making a table takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many numbers are computed.
    pub numbers: u64,
    /// How many numbers the finished table has.
    pub kept: u64,
    /// Peak use of the disk in bytes: the finished table and the checkpoints.
    pub disk: u64,
    /// Peak use of memory in bytes, with cells of one byte where no measurement shows that they are larger.
    pub memory: u64,
    /// Bytes of files that are read again and again, quickest where the system has room to cache them.
    pub cached: u64,
    /// How many moves are looked at, where that is known beforehand.
    pub moves: Option<u64>,
    /// The seconds that one thread takes, by a short measurement, where one was made.
    pub seconds: Option<f64>,
}

impl Estimate {
    /// What a table of so many numbers takes that is made in one piece, with a checkpoint as large as the table.
    pub fn in_one_piece(numbers: u64, memory: u64) -> Estimate {
        let disk = numbers.saturating_mul(2);
        Estimate { numbers, kept: numbers, disk, memory, cached: 0, moves: None, seconds: None }
    }
}

/// Why a table is not believed.
#[derive(Debug)]
pub enum Doubt {
    /// The file is damaged.
    Table(TableError),
    /// The work ended early, or the table is not of this game.
    Work(SolveError),
    /// The cells are not of the kind or width that the game's method writes.
    Coding {
        /// What the table has.
        found: Coding,
        /// What the method writes.
        expected: Coding,
    },
    /// A distance or a margin is at the ceiling, where nothing is told apart any more.
    Ceiling {
        /// The position's number.
        number: u64,
        /// The value in the table.
        found: Value,
    },
    /// A move leads to a number that is not filled before its own: lines may go round.
    Order {
        /// The position's number.
        number: u64,
        /// The number of the position after the move.
        child: u64,
    },
    /// A rank does not follow from those of the children: values could hold each other up in a circle.
    Rank {
        /// The position's number.
        number: u64,
        /// The rank in the table.
        found: u32,
        /// The rank that the children give.
        expected: u32,
    },
    /// A position's value does not follow from the values of its children.
    Wrong {
        /// The position's number.
        number: u64,
        /// The value in the table; `None` for no position.
        found: Option<Value>,
        /// The value that the rules and the children's values give.
        expected: Option<Value>,
    },
}

impl Doubt {
    /// Why position `number`, with `found` in the table where the rules and the children make `expected`, is not proved.
    pub fn of(unproved: Unproved, number: u64, found: Option<Value>, expected: Option<Value>) -> Doubt {
        match unproved {
            Unproved::Ceiling(found) => Doubt::Ceiling { number, found },
            Unproved::Differs | Unproved::Unit(_) | Unproved::Unmeasured(_) => {
                Doubt::Wrong { number, found, expected }
            }
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show =
            |value: &Option<Value>| value.map_or("no position".to_owned(), |value| format!("{value:?}"));
        match self {
            Doubt::Table(error) => write!(f, "{error}"),
            Doubt::Work(error) => write!(f, "{error}"),
            Doubt::Coding { found, expected } => {
                let words = |Coding { meaning, width }: &Coding| format!("{meaning}, {width} a cell");
                write!(f, "the table has {}; the method writes {}", words(found), words(expected))
            }
            Doubt::Ceiling { number, found } => {
                write!(f, "position {number} has {found:?}, which is as far as values can be told apart")
            }
            Doubt::Order { number, child } => {
                write!(f, "position {number} leads to {child}, which is not nearer to the end")
            }
            Doubt::Rank { number, found, expected } => {
                write!(f, "position {number} has rank {found}, its children make it {expected}")
            }
            Doubt::Wrong { number, found, expected } => {
                write!(f, "position {number} has {}, its children make it {}", show(found), show(expected))
            }
        }
    }
}

impl std::error::Error for Doubt {}
