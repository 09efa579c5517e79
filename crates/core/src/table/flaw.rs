//! Reasons to refuse a table file: each says what was found and what was expected.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::coding::Coding;
use crate::text::{size, visible};

/// A table file that could not be used, and the reason.
#[derive(Debug)]
pub struct TableError {
    /// The file or folder.
    pub path: PathBuf,
    /// The reason.
    pub flaw: Flaw,
}

impl TableError {
    /// Returns an error about this file.
    pub fn new(path: impl AsRef<Path>, flaw: impl Into<Flaw>) -> TableError {
        TableError { path: path.as_ref().to_owned(), flaw: flaw.into() }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.flaw)
    }
}

impl std::error::Error for TableError {}

/// The reason why a file is refused.
#[derive(Debug)]
pub enum Flaw {
    /// It does not begin like a table.
    NotATable,
    /// It is of another format version.
    Version {
        /// The version this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// It is shorter or longer than its header says; both in bytes.
    Length {
        /// Length by the header.
        expected: u64,
        /// Length of the file.
        found: u64,
    },
    /// The header's checksum is wrong.
    HeaderDamaged,
    /// The named header field has a value that no table has.
    HeaderField(&'static str),
    /// The checksum of the list of blocks is wrong.
    IndexDamaged,
    /// A block's checksum is wrong, or it cannot be decompressed; its index.
    BlockDamaged(u64),
    /// The checksum of all cells is wrong.
    ContentDamaged,
    /// It is the table of another game or of other parameters.
    OtherGame {
        /// The game asked for.
        expected: String,
        /// The game in the header.
        found: String,
    },
    /// It was made with other rules or another indexing of the same name, or from another file.
    OtherRules,
    /// Its coding is one that the game's method does not write.
    OtherCoding(Coding),
    /// Another process is making it.
    Locked,
    /// There is not enough free space on the disk.
    NoRoom {
        /// Bytes that may be needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// Error of the system.
    Io(io::Error),
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Flaw {
        Flaw::Io(error)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NotATable => f.write_str("not a table of this program"),
            Flaw::Version { expected, found } => write!(f, "format version {found}, expected {expected}"),
            Flaw::Length { expected, found } => write!(f, "{found} bytes long, expected {expected}"),
            Flaw::HeaderDamaged => f.write_str("damaged: the header's checksum is wrong"),
            Flaw::HeaderField(field) => write!(f, "damaged: no table has this {field}"),
            Flaw::IndexDamaged => f.write_str("damaged: the checksum of the list of blocks is wrong"),
            Flaw::BlockDamaged(block) => write!(f, "damaged: the checksum of block {block} is wrong"),
            Flaw::ContentDamaged => f.write_str("damaged: the checksum of the cells is wrong"),
            Flaw::OtherGame { expected, found } => {
                write!(f, "a table of {}, expected {expected}", visible(found))
            }
            Flaw::OtherRules => f.write_str("made with other rules or another numbering, solve it anew"),
            Flaw::OtherCoding(Coding { meaning, width }) => {
                write!(
                    f,
                    "a table of {meaning}, {width} a cell, which the method of this game does not write"
                )
            }
            Flaw::Locked => f.write_str("another process is making this table"),
            Flaw::NoRoom { needed, free } => {
                write!(
                    f,
                    "needs up to {} of disk, {} are free: expected a folder with more room (--tables)",
                    size(*needed),
                    size(*free)
                )
            }
            Flaw::Io(error) => write!(f, "{error}"),
        }
    }
}
