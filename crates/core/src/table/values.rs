//! The value of every numbered position of one game, in memory or in a file.

use std::path::Path;

use super::coding::{Coding, Meaning, Width, code_in};
use super::flaw::{Flaw, TableError};
use super::format::{Header, Packing};
use super::stored::TableFile;
use crate::value::Value;

/// The value of every numbered position of one game, in memory or in a file.
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

/// Where the cells are.
#[derive(Debug)]
enum Storage {
    Memory(Vec<u8>),
    File(Box<TableFile>),
    Computed(Box<dyn Source>),
}

/// Cells that are computed when they are read, for tables that are written to a file without being held in memory.
pub trait Source: std::fmt::Debug + Send + Sync {
    /// Writes bytes of the cells as tables lay them out, from `offset` on; zeroes beyond their end.
    fn copy(&self, offset: u64, into: &mut [u8]);
}

impl Table {
    /// A table of `count` cells laid out as the coding says; `None` where there are too few or too many bytes.
    pub fn from_cells(coding: Coding, count: u64, cells: Vec<u8>) -> Option<Table> {
        let fits = coding.bytes(count) == Some(cells.len() as u64);
        fits.then_some(Table { coding, count, storage: Storage::Memory(cells) })
    }

    /// A table of `count` cells that are made when they are asked for, each always the same.
    pub fn from_source(coding: Coding, count: u64, source: Box<dyn Source>) -> Table {
        Table { coding, count, storage: Storage::Computed(source) }
    }

    /// Opens a file whatever game it is of. Only the header is read and checked; blocks are when they are needed.
    ///
    /// # Errors
    /// The file and why it is no table that can be believed.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let stored = TableFile::open(path)?;
        let (coding, count) = (stored.header.coding, stored.header.count);
        Ok(Table { coding, count, storage: Storage::File(Box::new(stored)) })
    }

    /// Opens the table of one game.
    ///
    /// # Errors
    /// As [`Table::open`], and where the file is of another game, of other parameters or of other rules.
    pub fn open_for(path: &Path, name: &str, fingerprint: u64, count: u64) -> Result<Table, TableError> {
        let table = Table::open(path)?;
        let refuse = |flaw| Err(TableError::new(path, flaw));
        match table.header() {
            Some(header) if header.name != name => {
                refuse(Flaw::OtherGame { expected: name.to_owned(), found: header.name.clone() })
            }
            Some(header) if header.fingerprint != fingerprint || header.count != count => {
                refuse(Flaw::OtherRules)
            }
            _ => Ok(table),
        }
    }

    /// The table itself where its coding is one that serves.
    ///
    /// # Errors
    /// The cells mean something else, or have another width; `path` is named.
    pub fn coded(self, path: &Path, serves: impl FnOnce(Coding) -> bool) -> Result<Table, TableError> {
        match serves(self.coding) {
            true => Ok(self),
            false => Err(TableError::new(path, Flaw::OtherCoding(self.coding))),
        }
    }

    /// What the file says of itself, where the table is in a file.
    pub fn header(&self) -> Option<&Header> {
        match &self.storage {
            Storage::Memory(_) | Storage::Computed(_) => None,
            Storage::File(stored) => Some(&stored.header),
        }
    }

    /// What the cells mean.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// How many numbers there are, holes included.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The value of the position with this number; `None` where no position has it, or where the file is damaged
    /// there (which is then written to the log).
    #[inline]
    pub fn get(&self, index: u64) -> Option<Value> {
        self.coding.decode(self.code(index)?)
    }

    /// The code of the value with this number; `None` beyond the end, or where the file is damaged there.
    #[inline]
    pub fn code(&self, index: u64) -> Option<u32> {
        if index < self.count { self.cell(index * self.coding.cells()) } else { None }
    }

    /// The rank of the value with this number, where the table has ranks; `None` also beyond the end, or where the file
    /// is damaged there.
    #[inline]
    pub fn rank(&self, index: u64) -> Option<u32> {
        let ranked = self.coding.meaning == Meaning::Ranked && index < self.count;
        if ranked { self.cell(index * self.coding.cells() + 1) } else { None }
    }

    /// What stands in a cell that is there; `None` where the file is damaged there.
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

    /// About how many bytes of memory it takes; what the system reads from a file when it is looked at counts for nothing.
    pub fn bytes(&self) -> u64 {
        match &self.storage {
            Storage::Memory(cells) => cells.len() as u64,
            Storage::File(_) => 0,
            Storage::Computed(_) => self.count.saturating_mul(4),
        }
    }

    /// The cells as they are laid out, where they are in memory.
    pub fn cells(&self) -> Option<&[u8]> {
        match &self.storage {
            Storage::Memory(cells) => Some(cells),
            Storage::File(_) | Storage::Computed(_) => None,
        }
    }

    /// The cells as they are laid out in a file that holds them so; the system reads them when they are looked at. `None`
    /// where there is no such file. They are those that [`Table::check`] has checked, if it was called.
    pub fn mapped_cells(&self) -> Option<&[u8]> {
        match &self.storage {
            Storage::File(stored) => stored.mapped(),
            Storage::Memory(_) | Storage::Computed(_) => None,
        }
    }

    /// Copies bytes of the cells as they are laid out, from `offset` on.
    ///
    /// # Errors
    /// The file is damaged there, or there are no such bytes.
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

    /// Checks every checksum of the file; nothing to check in memory.
    ///
    /// # Errors
    /// The file and what is damaged.
    pub fn check(&self) -> Result<(), TableError> {
        self.check_with(1, &mut |_, _| true)
    }

    /// As [`Table::check`] on several threads. `more` is told of the blocks checked and of all blocks now and then;
    /// where it says no the check ends early, with nothing found.
    ///
    /// # Errors
    /// As [`Table::check`].
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

    /// Whether a value costs the unpacking of a block.
    pub fn is_packed(&self) -> bool {
        self.header().is_some_and(|header| header.packing == Packing::Packed)
    }

    /// All cells in memory, every checksum of the file checked as by [`Table::check_with`]: for work that looks at
    /// every cell in no order. `None` where `more` ended it early or the system has not that much memory.
    ///
    /// # Errors
    /// As [`Table::check`].
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

/// Two tables are equal where they say the same of every number.
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
