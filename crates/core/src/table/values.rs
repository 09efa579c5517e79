//! The value of every indexed position of one game, in memory or in a file.

use std::path::Path;

use super::coding::{Coding, Meaning, Width, code_in};
use super::flaw::{Flaw, TableError};
use super::format::{Header, Packing};
use super::stored::{TableFile, read};
use crate::value::Value;

/// The value of every indexed position of one game, in memory or in a file.
///
/// ```
/// use grundy_core::table::{Coding, Meaning, Table, Width};
/// use grundy_core::value::Value;
///
/// // A byte for each number: 0 where there is no position, 1 a draw, 2 + 2d a loss and 3 + 2d a win in d plies.
/// let coding = Coding { meaning: Meaning::Distance, width: Width::One };
/// let table = Table::from_cells(coding, 4, vec![2, 5, 1, 0]).expect("four cells of a byte");
/// assert_eq!([0, 1, 2].map(|number| table.get(number)), [Value::loss_in(0), Value::win_in(1), Value::DRAW].map(Some));
/// assert_eq!((table.get(3), table.get(4)), (None, None));
/// ```
#[derive(Debug)]
pub struct Table {
    coding: Coding,
    count: u64,
    storage: Storage,
}

/// Location of the cells.
#[derive(Debug)]
enum Storage {
    Memory(Vec<u8>),
    File(Box<TableFile>),
    Computed(Box<dyn Source>),
}

/// Cells that are computed when they are read, for tables that are written to a file without being held in memory.
pub trait Source: std::fmt::Debug + Send + Sync {
    /// Writes bytes of the cells as tables lay them out, from `offset` on; zeros beyond their end.
    fn copy(&self, offset: u64, into: &mut [u8]);
}

/// The most bytes of cells that are checked when a game opens its table: a millisecond or two.
const CHECKED_AT_ONCE: u64 = 1 << 20;

impl Table {
    /// Returns a table of `count` indices from cells laid out as `coding` says; `None` if the number of bytes does not
    /// match.
    pub fn from_cells(coding: Coding, count: u64, cells: Vec<u8>) -> Option<Table> {
        let fits = coding.bytes(count) == Some(cells.len() as u64);
        fits.then_some(Table { coding, count, storage: Storage::Memory(cells) })
    }

    /// Returns a table of `count` indices whose cells are computed on request, each always the same.
    pub fn from_source(coding: Coding, count: u64, source: Box<dyn Source>) -> Table {
        Table { coding, count, storage: Storage::Computed(source) }
    }

    /// Opens a file of any game. Only the header is read and checked; blocks are when they are needed.
    ///
    /// # Errors
    /// The file, and why it is not a valid table.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let stored = TableFile::open(path)?;
        let (coding, count) = (stored.header.coding, stored.header.count);
        Ok(Table { coding, count, storage: Storage::File(Box::new(stored)) })
    }

    /// Reads a whole file of any game from memory and checks every checksum. Returns its header and its table, which is in
    /// memory and does not borrow from `file`.
    ///
    /// # Errors
    /// Why it is not a valid table.
    pub fn read(file: &[u8]) -> Result<(Header, Table), Flaw> {
        let (header, cells) = read(file)?;
        let table = Table::from_cells(header.coding, header.count, cells).ok_or(Flaw::ContentDamaged)?;
        Ok((header, table))
    }

    /// Opens the table of one game. A small one is checked at once, so that a damaged one is refused as a whole.
    ///
    /// # Errors
    /// Same as [`Table::open`], or if the file is of another game, of other parameters or of other rules, or is small and damaged.
    pub fn open_for(path: &Path, name: &str, fingerprint: u64, count: u64) -> Result<Table, TableError> {
        let table = Table::open(path)?;
        let refuse = |flaw| Err(TableError::new(path, flaw));
        match table.header() {
            Some(header) if !is_same_game(&header.name, name) => {
                refuse(Flaw::OtherGame { expected: name.to_owned(), found: header.name.clone() })
            }
            Some(header) if header.fingerprint != fingerprint || header.count != count => {
                refuse(Flaw::OtherRules)
            }
            _ => {
                if table.coding.bytes(count).is_some_and(|bytes| bytes <= CHECKED_AT_ONCE) {
                    table.check()?;
                }
                Ok(table)
            }
        }
    }

    /// Returns the table if `serves` accepts its coding.
    ///
    /// # Errors
    /// The coding is not accepted; the error names `path`.
    pub fn coded(self, path: &Path, serves: impl FnOnce(Coding) -> bool) -> Result<Table, TableError> {
        match serves(self.coding) {
            true => Ok(self),
            false => Err(TableError::new(path, Flaw::OtherCoding(self.coding))),
        }
    }

    /// Returns the file's header; `None` if the table is in memory.
    pub fn header(&self) -> Option<&Header> {
        match &self.storage {
            Storage::Memory(_) | Storage::Computed(_) => None,
            Storage::File(stored) => Some(&stored.header),
        }
    }

    /// Returns the coding of the cells.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns the number of indices, holes included.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the value of an index; `None` if no position has it, or if the file is damaged there (which is logged).
    #[inline]
    pub fn get(&self, index: u64) -> Option<Value> {
        self.coding.decode(self.code(index)?)
    }

    /// Returns the code of an index; `None` beyond the end, or if the file is damaged there.
    #[inline]
    pub fn code(&self, index: u64) -> Option<u32> {
        if index < self.count { self.cell(index * self.coding.cells()) } else { None }
    }

    /// Returns the rank of an index in a table with ranks; `None` otherwise, beyond the end, or if the file is damaged
    /// there.
    #[inline]
    pub fn rank(&self, index: u64) -> Option<u32> {
        let ranked = self.coding.meaning == Meaning::Ranked && index < self.count;
        if ranked { self.cell(index * self.coding.cells() + 1) } else { None }
    }

    /// Returns the content of a cell that exists; `None` if the file is damaged there.
    #[inline]
    fn cell(&self, index: u64) -> Option<u32> {
        match &self.storage {
            Storage::Memory(cells) => Some(code_in(cells, self.coding.width, index as usize)),
            Storage::File(stored) => stored.code(index),
            Storage::Computed(source) => {
                let mut bytes = [0; 4];
                let (begin, within) = match self.coding.width {
                    Width::Quarter => (index / 4, index as usize % 4),
                    width => (width.bytes(index)?, 0),
                };
                let len = self.coding.width.bytes(1)? as usize;
                source.copy(begin, &mut bytes[..len]);
                Some(code_in(&bytes, self.coding.width, within))
            }
        }
    }

    /// Returns about how many bytes of memory the table takes; pages of a mapped file and cached blocks do not count.
    pub fn bytes(&self) -> u64 {
        match &self.storage {
            Storage::Memory(cells) => cells.len() as u64,
            Storage::File(_) => 0,
            Storage::Computed(_) => self.count.saturating_mul(4),
        }
    }

    /// Returns the cells as they are laid out; `None` if they are not in memory.
    pub fn cells(&self) -> Option<&[u8]> {
        match &self.storage {
            Storage::Memory(cells) => Some(cells),
            Storage::File(_) | Storage::Computed(_) => None,
        }
    }

    /// Returns the cells of an uncompressed file; the system reads pages on access. `None` if there is no such file.
    /// Blocks are not checked here: call [`Table::check`] first.
    pub fn mapped_cells(&self) -> Option<&[u8]> {
        match &self.storage {
            Storage::File(stored) => stored.mapped(),
            Storage::Memory(_) | Storage::Computed(_) => None,
        }
    }

    /// Copies bytes of the cells as they are laid out, from `offset` on.
    ///
    /// # Errors
    /// The file is damaged there, or the range exceeds the cells.
    pub fn copy_bytes(&self, offset: u64, into: &mut [u8]) -> Result<(), Flaw> {
        match &self.storage {
            Storage::Memory(cells) => {
                let from = usize::try_from(offset).ok().and_then(|at| cells.get(at..)?.get(..into.len()));
                into.copy_from_slice(from.ok_or(Flaw::ContentDamaged)?);
                Ok(())
            }
            Storage::File(stored) => stored.copy_bytes(offset, into),
            Storage::Computed(source) => {
                source.copy(offset, into);
                Ok(())
            }
        }
    }

    /// Checks every checksum of the file; succeeds for tables in memory.
    ///
    /// # Errors
    /// The file, and what is damaged.
    pub fn check(&self) -> Result<(), TableError> {
        self.check_with(1, &mut |_, _| true)
    }

    /// Checks like [`Table::check`], on several threads. `more(checked, all)` is called now and then with numbers of
    /// blocks; if it returns `false`, the check ends early and reports no damage.
    ///
    /// # Errors
    /// Same as [`Table::check`].
    pub fn check_with(
        &self,
        threads: usize,
        more: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<(), TableError> {
        match &self.storage {
            Storage::Memory(_) | Storage::Computed(_) => Ok(()),
            Storage::File(stored) => {
                let checked = stored.check(threads, more, &mut |_| {});
                checked.map_err(|flaw| TableError::new(stored.path(), flaw))
            }
        }
    }

    /// Reports whether reading a value decompresses a block.
    pub fn is_packed(&self) -> bool {
        self.header().is_some_and(|header| header.packing == Packing::Packed)
    }

    /// Loads all cells into memory and checks every checksum, like [`Table::check_with`]: for random access to every
    /// cell. `None` if `more` ended it early or memory does not suffice.
    ///
    /// # Errors
    /// Same as [`Table::check`].
    pub fn load(
        &self,
        threads: usize,
        more: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Table>, TableError> {
        let Storage::File(stored) = &self.storage else { return Ok(None) };
        let len = self.coding.bytes(self.count).and_then(|len| usize::try_from(len).ok());
        let mut cells = Vec::new();
        if len.is_none_or(|len| cells.try_reserve_exact(len).is_err()) {
            return Ok(None);
        }
        let mut ended = false;
        let mut more = |done, total| {
            ended |= !more(done, total);
            !ended
        };
        let checked = stored.check(threads, &mut more, &mut |group| cells.extend_from_slice(group));
        checked.map_err(|flaw| TableError::new(stored.path(), flaw))?;
        Ok(Table::from_cells(self.coding, self.count, cells).filter(|_| !ended))
    }
}

/// Reports whether these may be names of one game: of one that is read from files, the paths may differ, and fingerprints tell
/// games of different files apart.
fn is_same_game(one: &str, other: &str) -> bool {
    const FILE: &str = ":file=";
    let read = one.split_once(FILE).zip(other.split_once(FILE));
    one == other || read.is_some_and(|(one, other)| one.0 == other.0)
}

/// Tables are equal if they have the same content at every index.
impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        self.coding == other.coding
            && self.count == other.count
            && (0..self.count * self.coding.cells()).all(|index| self.cell(index) == other.cell(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_outcomes_share_a_byte() {
        let coding = Coding { meaning: Meaning::Outcome, width: Width::Quarter };
        let table = Table::from_cells(coding, 5, vec![0b11_10_01_00, 0b11]).unwrap();
        let values: Vec<_> = (0..6).map(|n| table.get(n)).collect();
        let (win, draw, loss) = (Some(Value::WIN), Some(Value::DRAW), Some(Value::LOSS));
        assert_eq!(values, [None, loss, draw, win, win, None]);
        assert_eq!(Table::from_cells(coding, 9, vec![0; 2]), None);
    }

    #[test]
    fn a_rank_stands_behind_its_margin() {
        let coding = Coding { meaning: Meaning::Ranked, width: Width::One };
        let table = Table::from_cells(coding, 3, vec![131, 7, 128, 0, 0, 0]).unwrap();
        let said: Vec<_> = (0..4).map(|n| (table.get(n), table.rank(n))).collect();
        let margin = |points| Some(Value::points(points));
        assert_eq!(said, [(margin(3), Some(7)), (margin(0), Some(0)), (None, Some(0)), (None, None)]);
        let other = Table::from_cells(coding, 3, vec![131, 8, 128, 0, 0, 0]).unwrap();
        assert!(table != other && Table::from_cells(coding, 3, vec![0; 3]).is_none());
        let points = Coding { meaning: Meaning::Points, width: Width::One };
        assert_eq!(Table::from_cells(points, 1, vec![131]).unwrap().rank(0), None);
    }
}
