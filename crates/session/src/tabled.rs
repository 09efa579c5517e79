//! The door to a game's table, its types erased: make it, prove it, name its positions.

use std::fmt;

use grundy_core::game::Player;
use grundy_core::table::{Maker, Scratch, Table, TableError};
use grundy_core::value::{Unit, Value};

use crate::{SolveError, Work};

/// A game whose values fill a table.
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

    /// Makes the table, going on from what an earlier run has left in `scratch`.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the game breaks a promise.
    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError>;

    /// Proves a table: every checksum and the local equation of every position.
    ///
    /// # Errors
    /// The first doubt.
    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<(), Doubt>;

    /// The player to move in the position with this number.
    fn turn(&self, number: u64) -> Option<Player>;

    /// The position with this number in words, and the player to move in it.
    fn position(&self, number: u64) -> Option<(Player, String)>;
}

/// What making a table takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Numbers of all that is worked out.
    pub numbers: u64,
    /// Numbers that the finished table has.
    pub kept: u64,
    /// Bytes on disk at the worst moment, the finished table beside the work half done.
    pub disk: u64,
    /// Bytes of memory at the worst moment, with cells of one byte.
    pub memory: u64,
    /// Moves from all positions that are looked at, where that is known beforehand.
    pub moves: Option<u64>,
    /// The seconds that one thread takes, by a short measurement, where there is one.
    pub seconds: Option<f64>,
}

impl Estimate {
    /// What a table of so many numbers takes that is made in one piece: at worst a checkpoint as large as the table
    /// beside it.
    pub fn in_one_piece(numbers: u64, memory: u64) -> Estimate {
        let disk = numbers.saturating_mul(2);
        Estimate { numbers, kept: numbers, disk, memory, moves: None, seconds: None }
    }
}

/// Why a table is not proved.
#[derive(Debug)]
pub enum Doubt {
    /// The file is damaged.
    Table(TableError),
    /// The work ended early, or the table is not of this game.
    Work(SolveError),
    /// A position's value is not what its children's values make of it.
    Wrong {
        /// The position's number.
        number: u64,
        /// The value in the table; `None` for no position.
        found: Option<Value>,
        /// The value that the rules and the children's values give.
        expected: Option<Value>,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show =
            |value: &Option<Value>| value.map_or("no position".to_owned(), |value| format!("{value:?}"));
        match self {
            Doubt::Table(error) => write!(f, "{error}"),
            Doubt::Work(error) => write!(f, "{error}"),
            Doubt::Wrong { number, found, expected } => {
                write!(f, "position {number} has {}, its children make it {}", show(found), show(expected))
            }
        }
    }
}

impl std::error::Error for Doubt {}
