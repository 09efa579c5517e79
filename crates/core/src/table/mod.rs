//! Values by number: what a cell of a table means, the table itself, and tables in files.

mod files;
mod flaw;
mod folder;
mod format;
mod map;
mod part;
mod scratch;
mod stored;
mod write;

use std::path::Path;

use crate::value::{Unit, Value};

pub use files::{Disk, Files, Out, refuse_without_room, write_whole};
pub use flaw::{Flaw, TableError};
pub use folder::{Folder, Lock};
pub use format::{Form, Header, Maker};
pub use part::{Keep, Kept, NoKeep, PartFile, Snapshot};
pub use scratch::Scratch;
pub use write::{BLOCK, Label, write};

use stored::Stored;

/// What the cells of a table say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Win, draw or loss, without distances.
    Outcome,
    /// Win or loss with its distance in plies, or draw.
    Distance,
    /// A margin of points.
    Points,
}

/// How much room a cell takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// Two bits, four cells to a byte, the first in the lowest bits.
    Quarter,
    /// One byte.
    One,
    /// Two bytes, the lower first.
    Two,
    /// Four bytes, the lowest first.
    Four,
}

impl Width {
    /// The largest code that fits.
    #[inline]
    pub const fn max_code(self) -> u32 {
        match self {
            Width::Quarter => 3,
            Width::One => u8::MAX as u32,
            Width::Two => u16::MAX as u32,
            Width::Four => u32::MAX,
        }
    }

    /// The bytes that `count` cells take; `None` where that is beyond 64 bits.
    pub const fn bytes(self, count: u64) -> Option<u64> {
        match self {
            Width::Quarter => Some(count.div_ceil(4)),
            Width::One => Some(count),
            Width::Two => count.checked_mul(2),
            Width::Four => count.checked_mul(4),
        }
    }
}

/// What a cell's integer means: the only place where values become codes and back.
///
/// Code 0 is a number that no position has. Without distances 1 is a loss, 2 a draw, 3 a win. With distances 1 is a
/// draw, `2 + 2d` a loss in `d` plies, `3 + 2d` a win in `d`. For points half of the range stands for `+0`, so
/// that one byte holds margins from -127 to +127.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coding {
    /// What the cells say.
    pub meaning: Meaning,
    /// How much room they take.
    pub width: Width,
}

/// The code of a number that no position has.
pub const HOLE: u32 = 0;
/// The code of a draw in a table of distances.
pub const DRAW: u32 = 1;

/// The code of a loss in `plies` in a table of distances.
#[inline]
pub const fn loss_code(plies: u32) -> u32 {
    2 + 2 * plies
}

/// The code of a win in `plies` in a table of distances.
#[inline]
pub const fn win_code(plies: u32) -> u32 {
    3 + 2 * plies
}

impl Coding {
    /// The code of a value; `None` where the value does not fit or is of the other kind.
    #[inline]
    pub const fn encode(self, value: Value) -> Option<u32> {
        let code = match self.meaning {
            Meaning::Outcome => match value.wdl() {
                crate::value::Wdl::Loss => 1,
                crate::value::Wdl::Draw => 2,
                crate::value::Wdl::Win => 3,
            },
            Meaning::Distance => match (value.plies(), value.raw()) {
                (_, 0) => DRAW,
                (Some(plies), 1..) => win_code(plies),
                (Some(plies), _) => loss_code(plies),
                (None, _) => return None,
            },
            Meaning::Points => {
                let Some(margin) = value.margin() else { return None };
                let code = margin as i64 + self.even() as i64;
                if code < 1 || code > self.width.max_code() as i64 {
                    return None;
                }
                code as u32
            }
        };
        if code <= self.width.max_code() { Some(code) } else { None }
    }

    /// The value behind a code; `None` for a hole.
    #[inline]
    pub const fn decode(self, code: u32) -> Option<Value> {
        if code == HOLE {
            return None;
        }
        Some(match self.meaning {
            Meaning::Outcome => match code {
                1 => Value::LOSS,
                2 => Value::DRAW,
                _ => Value::WIN,
            },
            Meaning::Distance => match code {
                DRAW => Value::DRAW,
                _ if code.is_multiple_of(2) => Value::loss_in((code - 2) / 2),
                _ => Value::win_in((code - 3) / 2),
            },
            Meaning::Points => {
                let margin = code as i64 - self.even() as i64;
                Value::points(if margin > i32::MAX as i64 {
                    i32::MAX
                } else if margin < -(i32::MAX as i64) {
                    -i32::MAX
                } else {
                    margin as i32
                })
            }
        })
    }

    /// What the values of such a table count.
    pub const fn unit(self) -> Unit {
        match self.meaning {
            Meaning::Points => Unit::Points,
            _ => Unit::Outcome,
        }
    }

    /// The code of `+0`.
    #[inline]
    const fn even(self) -> u32 {
        self.width.max_code() / 2 + 1
    }
}

/// The value of every numbered position of one game, in memory or in a file.
#[derive(Debug)]
pub struct Table {
    coding: Coding,
    count: u64,
    cells: Cells,
}

/// Where the cells are.
#[derive(Debug)]
enum Cells {
    Memory(Vec<u8>),
    Stored(Box<Stored>),
    Made(Box<dyn Source>),
}

/// Cells that are made when they are asked for, for tables that are not laid out in memory before they are written.
pub trait Source: std::fmt::Debug + Send + Sync {
    /// Writes bytes of the cells as tables lay them out, from `offset` on; zeroes beyond their end.
    fn copy(&self, offset: u64, into: &mut [u8]);
}

impl Table {
    /// A table of `count` cells laid out as the coding says; `None` where there are too few or too many bytes.
    pub fn from_cells(coding: Coding, count: u64, cells: Vec<u8>) -> Option<Table> {
        let fits = coding.width.bytes(count) == Some(cells.len() as u64);
        fits.then_some(Table { coding, count, cells: Cells::Memory(cells) })
    }

    /// A table of `count` cells that are made when they are asked for, each always the same.
    pub fn from_source(coding: Coding, count: u64, source: Box<dyn Source>) -> Table {
        Table { coding, count, cells: Cells::Made(source) }
    }

    /// Opens a file whatever game it is of. Only the header is read and checked; blocks are when they are needed.
    ///
    /// # Errors
    /// The file and why it is no table that can be believed.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let stored = Stored::open(path)?;
        let (coding, count) = (stored.header.coding, stored.header.count);
        Ok(Table { coding, count, cells: Cells::Stored(Box::new(stored)) })
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

    /// What the file says of itself, where the table is in a file.
    pub fn header(&self) -> Option<&Header> {
        match &self.cells {
            Cells::Memory(_) | Cells::Made(_) => None,
            Cells::Stored(stored) => Some(&stored.header),
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

    /// The code in the cell with this number; `None` beyond the end, or where the file is damaged there.
    #[inline]
    pub fn code(&self, index: u64) -> Option<u32> {
        if index >= self.count {
            return None;
        }
        match &self.cells {
            Cells::Memory(cells) => Some(code_in(cells, self.coding.width, index as usize)),
            Cells::Stored(stored) => stored.code(index),
            Cells::Made(source) => {
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

    /// The cells as they are laid out, where they are in memory.
    pub fn cells(&self) -> Option<&[u8]> {
        match &self.cells {
            Cells::Memory(cells) => Some(cells),
            Cells::Stored(_) | Cells::Made(_) => None,
        }
    }

    /// Copies bytes of the cells as they are laid out, from `offset` on.
    ///
    /// # Errors
    /// The file is damaged there, or there are no such bytes.
    pub fn copy_bytes(&self, offset: u64, into: &mut [u8]) -> Result<(), Flaw> {
        match &self.cells {
            Cells::Memory(cells) => {
                let from = usize::try_from(offset).ok().and_then(|at| cells.get(at..)?.get(..into.len()));
                into.copy_from_slice(from.ok_or(Flaw::ContentDamaged)?);
                Ok(())
            }
            Cells::Stored(stored) => stored.copy_bytes(offset, into),
            Cells::Made(source) => {
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

    /// As [`Table::check`] on several threads. `more` is told of the blocks checked and of all blocks now and then; where
    /// it says no the check ends early, with nothing found.
    ///
    /// # Errors
    /// As [`Table::check`].
    pub fn check_with(
        &self,
        threads: usize,
        more: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<(), TableError> {
        match &self.cells {
            Cells::Memory(_) | Cells::Made(_) => Ok(()),
            Cells::Stored(stored) => {
                let checked = stored.check(threads, more, &mut |_| {});
                checked.map_err(|flaw| TableError::new(stored.path(), flaw))
            }
        }
    }

    /// Whether a value costs the unpacking of a block.
    pub fn is_packed(&self) -> bool {
        self.header().is_some_and(|header| header.form == Form::Packed)
    }

    /// All cells in memory, every checksum of the file checked as by [`Table::check_with`]: for work that looks at every
    /// cell in no order. `None` where `more` ended it early or the system has not that much memory.
    ///
    /// # Errors
    /// As [`Table::check`].
    pub fn load(
        &self,
        threads: usize,
        more: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Table>, TableError> {
        let Cells::Stored(stored) = &self.cells else { return Ok(None) };
        let len = self.coding.width.bytes(self.count).and_then(|len| usize::try_from(len).ok());
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
            && (0..self.count).all(|index| self.code(index) == other.code(index))
    }
}

/// The code of a cell in cells laid out in this width; the caller has checked that the cell is there.
#[inline]
fn code_in(cells: &[u8], width: Width, index: usize) -> u32 {
    match width {
        Width::Quarter => u32::from(cells[index / 4] >> (index % 4 * 2) & 3),
        Width::One => u32::from(cells[index]),
        Width::Two => u32::from(u16::from_le_bytes([cells[2 * index], cells[2 * index + 1]])),
        Width::Four => {
            let at = 4 * index;
            u32::from_le_bytes([cells[at], cells[at + 1], cells[at + 2], cells[at + 3]])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: [Width; 3] = [Width::One, Width::Two, Width::Four];

    #[test]
    fn every_code_has_one_value_and_every_value_its_code() {
        for meaning in [Meaning::Distance, Meaning::Points] {
            for width in WIDTHS {
                let coding = Coding { meaning, width };
                for code in (1..=255).chain(30_000..30_100) {
                    let Some(value) = coding.decode(code).filter(|_| code <= width.max_code()) else {
                        continue;
                    };
                    if value.margin().is_none_or(|m| m.abs() < Value::MAX_POINTS) {
                        assert_eq!(coding.encode(value), Some(code), "{coding:?} {value:?}");
                    }
                }
            }
        }
        let coding = Coding { meaning: Meaning::Outcome, width: Width::Quarter };
        for value in [Value::WIN, Value::DRAW, Value::LOSS] {
            assert_eq!(coding.encode(value).and_then(|c| coding.decode(c)), Some(value));
        }
    }

    #[test]
    fn what_does_not_fit_has_no_code() {
        let bytes = Coding { meaning: Meaning::Distance, width: Width::One };
        assert!(bytes.encode(Value::win_in(126)).is_some());
        assert_eq!(bytes.encode(Value::win_in(127)), None);
        assert_eq!(bytes.encode(Value::WIN), None);
        let points = Coding { meaning: Meaning::Points, width: Width::One };
        assert!(points.encode(Value::points(-127)).is_some() && points.encode(Value::points(127)).is_some());
        assert_eq!(points.encode(Value::points(128)), None);
        assert_eq!(points.encode(Value::points(-128)), None);
        assert_eq!(points.encode(Value::win_in(3)), None);
    }

    #[test]
    fn four_outcomes_share_a_byte() {
        let coding = Coding { meaning: Meaning::Outcome, width: Width::Quarter };
        let table = Table::from_cells(coding, 5, vec![0b11_10_01_00, 0b11]).unwrap();
        let values: Vec<_> = (0..6).map(|n| table.get(n)).collect();
        let (win, draw, loss) = (Some(Value::WIN), Some(Value::DRAW), Some(Value::LOSS));
        assert_eq!(values, [None, loss, draw, win, win, None]);
        assert_eq!(Table::from_cells(coding, 9, vec![0; 2]), None);
    }
}
