//! A game's table with its types erased: estimate it, compute it, verify it, name its positions.

use std::fmt;
use std::ops::Range;

use grundy_core::game::Player;
use grundy_core::table::{Coding, Folder, Label, Maker, Scratch, Table, TableError, Width};
use grundy_core::value::{Unit, Value};

use crate::{Assurance, Judge, Shard, SolveError, Unproved, Work};

/// A game whose values fill a table. Unless stated otherwise, a method returns at once.
///
/// ```
/// use grundy_core::table::{Scratch, Table};
/// use grundy_session::{Session, SolveError, quiet_work};
///
/// /// Computes the table of a game if it needs less than a megabyte of memory; `None` if it has no table or a larger one.
/// fn small_table(session: &Session) -> Option<Result<Table, SolveError>> {
///     let tabled = session.tabled(None)?;
///     let small = tabled.estimate(&quiet_work()).is_ok_and(|estimate| estimate.memory < 1 << 20);
///     small.then(|| tabled.solve(&quiet_work(), &Scratch::none()))
/// }
/// ```
pub trait Tabled: Sync {
    /// Returns the game's full name with its parameters.
    fn name(&self) -> &str;

    /// Returns the unit of the values.
    fn unit(&self) -> Unit;

    /// Returns the number of states: the indices of the table are below it. May search for positions for a second.
    fn count(&self) -> u64;

    /// Returns the number of states, 0 if their positions are too many to be found just for that; `None` if `_work` ends
    /// before they are, or if they are too many to be numbered at all.
    fn count_within(&self, _work: &Work<'_>) -> Option<u64> {
        Some(self.count())
    }

    /// Returns the number of positions that play reaches, 0 if they are not counted yet; `None` if every state counts as one.
    fn reached(&self) -> Option<u64> {
        None
    }

    /// Returns a checksum of the rules and the indexing; takes about a millisecond.
    fn fingerprint(&self) -> u64;

    /// Returns the method that computes the table.
    fn maker(&self) -> Maker;

    /// Returns the whole file of a table of this game that is part of the program, its name in the header; `None` if there
    /// is none.
    fn shipped(&self) -> Option<&'static [u8]> {
        None
    }

    /// Estimates the time, memory and disk space that the table takes; may measure for a minute, unless `work` ends.
    ///
    /// # Errors
    /// [`SolveError::Numerous`] if the game is too large for such a table; the work was stopped; or what keeps the method from
    /// a table of any size.
    fn estimate(&self, work: &Work<'_>) -> Result<Estimate, SolveError>;

    /// Returns the least memory in bytes in which the table can be computed, if more slowly than with that of the estimate.
    ///
    /// # Errors
    /// As [`Tabled::estimate`].
    fn least_memory(&self, work: &Work<'_>) -> Result<u64, SolveError> {
        Ok(self.estimate(work)?.memory)
    }

    /// Returns the peak disk use in bytes within the memory of `work`.
    ///
    /// # Errors
    /// As [`Tabled::estimate`].
    fn disk_within(&self, work: &Work<'_>) -> Result<u64, SolveError> {
        Ok(self.estimate(work)?.disk)
    }

    /// Estimates the seconds that one thread takes to compute the table, from a part of it that is computed in a second or two;
    /// `None` if that is not possible, or `work` ends before.
    fn measured(&self, _work: &Work<'_>) -> Option<f64> {
        None
    }

    /// Computes the table, continuing from the checkpoint in `scratch` if there is one.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the game breaks a promise.
    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError>;

    /// Finds the positions, if they must be found before they have indices and before shards can be created; with `_write`,
    /// also writes the file that the table's file needs beside it.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the file cannot be written.
    fn prepare(&self, _work: &Work<'_>, _write: bool) -> Result<(), SolveError> {
        Ok(())
    }

    /// Creates shard `_part` of `_parts` of the table, which together compute it without shared memory; `None` if the method
    /// computes it in one piece only.
    fn shard(&self, _part: u32, _parts: u32) -> Option<Result<Box<dyn Shard + '_>, SolveError>> {
        None
    }

    /// Checks a table: every checksum, the value of every position against those of its children, and that no values depend
    /// on each other in a cycle. Returns how far the table may be believed.
    ///
    /// # Errors
    /// The first doubt.
    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError>;

    /// Returns the tables of which it consists, each in a file of its own, in an order in which each needs earlier ones only;
    /// empty if it has one file.
    fn parts(&self) -> Vec<Box<dyn Tabled + '_>> {
        Vec::new()
    }

    /// Returns ranges of its states that are counted separately, each with its name; may be empty.
    fn sections(&self) -> Vec<(String, Range<u64>)> {
        Vec::new()
    }

    /// Returns the type behind the trait, without its module and parameters. `tests/tables/forged.rs` has forged tables of
    /// every type and [`Maker`], and fails until a new one has some.
    fn kind(&self) -> &'static str {
        let full = std::any::type_name::<Self>().split('<').next().unwrap_or("");
        full.rsplit("::").next().unwrap_or(full)
    }

    /// Visits the positions of a range of states, rising, with the player to move. If the positions must be found first,
    /// [`Tabled::prepare`] must have succeeded.
    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player));

    /// Returns the position of a state as text, and the player to move; `None` if there is none. If the positions must be
    /// found first, [`Tabled::prepare`] must have succeeded.
    fn position(&self, number: u64) -> Option<(Player, String)>;

    /// Returns the index of a position given as text; [`Tabled::position`] returns a position of this index. `None` if the
    /// text is no position, or none of the table. If the positions must be found first, [`Tabled::prepare`] must have
    /// succeeded.
    fn number(&self, position: &str) -> Option<u64>;
}

/// A file of values that a game keeps beside its tables, as a table of its own, and its values.
pub type KeptTable<'a> = (Box<dyn Tabled + 'a>, Table);

impl dyn Tabled + '_ {
    /// Returns the label of the table's file.
    pub fn label(&self) -> Label {
        Label { name: self.name().to_owned(), fingerprint: self.fingerprint(), maker: self.maker() }
    }

    /// Opens the table's file in `folder`; `None` if there is none.
    ///
    /// # Errors
    /// The file is damaged, of other rules, or does not have `count` states.
    pub fn existing(&self, folder: &Folder, count: u64) -> Result<Option<Table>, TableError> {
        let path = folder.file(self.name());
        if !path.exists() {
            return Ok(None);
        }
        Table::open_for(&path, self.name(), self.fingerprint(), count).map(Some)
    }
}

/// The resources that computing a table takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// States that are computed.
    pub numbers: u64,
    /// States of the finished table.
    pub kept: u64,
    /// Peak disk use in bytes: the finished table and the checkpoints.
    pub disk: u64,
    /// Peak memory use in bytes, with cells of this width unless a measurement shows that they are larger.
    pub memory: u64,
    /// The least width of a cell.
    pub width: Width,
    /// Bytes of files that are read repeatedly, fastest if the system can cache them.
    pub cached: u64,
    /// Moves that are generated, if known beforehand.
    pub moves: Option<u64>,
    /// Seconds on one thread, if there was a short measurement.
    pub seconds: Option<f64>,
    /// True if positions were counted up to a limit only: every figure is then a lower bound.
    pub at_least: bool,
}

impl Estimate {
    /// Returns the resources of a table that is computed in one piece with cells of one byte, with a checkpoint as large as
    /// the table.
    pub fn in_one_piece(numbers: u64, memory: u64) -> Estimate {
        let disk = numbers.saturating_mul(2);
        Estimate {
            numbers,
            kept: numbers,
            disk,
            memory,
            width: Width::One,
            cached: 0,
            moves: None,
            seconds: None,
            at_least: false,
        }
    }
}

/// The reason why a table is not believed.
#[derive(Debug)]
pub enum VerifyError {
    /// The file is damaged.
    Table(TableError),
    /// The work ended early, or the table is not of this game.
    Work(SolveError),
    /// The cells are not of the kind or width that the game's method writes.
    Coding {
        /// The coding of the table.
        found: Coding,
        /// The coding that the method writes.
        expected: Coding,
    },
    /// A distance or a margin is at the ceiling, where values cannot be told apart.
    Ceiling {
        /// The position's index.
        number: u64,
        /// The value in the table.
        found: Value,
    },
    /// A move leads to a state that does not come earlier: play may be cyclic.
    Order {
        /// The position's index.
        number: u64,
        /// The index of the position after the move.
        child: u64,
    },
    /// A rank does not follow from those of the children: values could support each other in a cycle.
    Rank {
        /// The position's index.
        number: u64,
        /// The rank in the table.
        found: u32,
        /// The rank that follows from the children.
        expected: u32,
    },
    /// A position's value does not follow from the values of its children.
    Wrong {
        /// The position's index.
        number: u64,
        /// The value in the table; `None` for no position.
        found: Option<Value>,
        /// The value that follows from the rules and the children's values.
        expected: Option<Value>,
    },
}

impl VerifyError {
    /// Returns a doubt about tables that a solve rests on as the reason why it fails.
    pub fn fails(self) -> SolveError {
        match self {
            VerifyError::Work(error) => error,
            other => SolveError::Broken(other.to_string()),
        }
    }
}

impl VerifyError {
    /// Compares the coding of a table with the one that the method writes.
    ///
    /// # Errors
    /// [`VerifyError::Coding`] if they differ.
    pub fn unless_coded(found: Coding, expected: Coding) -> Result<(), VerifyError> {
        if found == expected { Ok(()) } else { Err(VerifyError::Coding { found, expected }) }
    }
}

impl Judge {
    /// [Judges](Judge::value) position `number`, which has `found` in a table, while the rules and the children's values
    /// give `expected`.
    ///
    /// # Errors
    /// [`VerifyError::Ceiling`] or [`VerifyError::Wrong`], as in [`Judge::value`].
    pub fn cell(
        &self,
        number: u64,
        found: Option<Value>,
        expected: Option<Value>,
    ) -> Result<(), VerifyError> {
        self.value(found, expected).map_err(|unproved| match unproved {
            Unproved::Ceiling(found) => VerifyError::Ceiling { number, found },
            Unproved::Differs | Unproved::Unit(_) | Unproved::Unmeasured(_) => {
                VerifyError::Wrong { number, found, expected }
            }
        })
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show =
            |value: &Option<Value>| value.map_or("no position".to_owned(), |value| format!("{value:?}"));
        match self {
            VerifyError::Table(error) => write!(f, "{error}"),
            VerifyError::Work(error) => write!(f, "{error}"),
            VerifyError::Coding { found, expected } => {
                let words = |Coding { meaning, width }: &Coding| format!("{meaning}, {width} a cell");
                write!(f, "the table has {}; the method writes {}", words(found), words(expected))
            }
            VerifyError::Ceiling { number, found } => {
                write!(f, "position {number} has {found:?}, which is as far as values can be told apart")
            }
            VerifyError::Order { number, child } => {
                write!(f, "position {number} leads to {child}, which is not nearer to the end")
            }
            VerifyError::Rank { number, found, expected } => {
                write!(f, "position {number} has rank {found}, its children make it {expected}")
            }
            VerifyError::Wrong { number, found, expected } => {
                write!(f, "position {number} has {}, its children make it {}", show(found), show(expected))
            }
        }
    }
}

impl std::error::Error for VerifyError {}
