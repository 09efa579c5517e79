//! A table: the values of all positions of a game.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use grundy::session::{Progress, Session, Tabled, Work};
use grundy::table::{Disk, Folder, Packing, Scratch, Table, write};
use grundy::value::{Unit, Value};

use crate::attended::{attended, quietly};
use crate::engine::{Engine, UNKNOWN, encode, number};

/// The most moves listed of one position.
const LISTED: usize = 1_000_000;

/// A position of a table: the player to move, the text, the code of the value, and the best moves where they were asked
/// for (`None` where the table does not say which they are).
type Record = (u8, String, i32, Option<Vec<String>>);

/// The table of a game, in memory or mapped from its file.
#[pyclass(frozen, module = "grundy._native")]
pub struct Solved {
    /// Names the positions of the table's indices.
    session: Mutex<Session>,
    table: Table,
    unit: Unit,
}

/// How a table is made.
struct Making {
    save: bool,
    threads: usize,
    memory_limit: Option<u64>,
    folder: Folder,
}

impl Making {
    /// Opens the table from the folder, else makes it and saves it there where that is wanted.
    fn table(
        &self,
        session: &Session,
        stop: &AtomicBool,
        report: &(dyn Fn(&Progress) + Sync),
    ) -> Result<Table, String> {
        let name = session.name();
        let none = || format!("{name} has no table: its values are found by a formula or by search");
        let tabled = session.tabled(None).ok_or_else(none)?;
        if !tabled.parts().is_empty() {
            return Err(format!("{name} is kept in several files: expected a game with one table"));
        }
        let work = Work { stop, until: None, threads: self.threads, memory_limit: self.memory_limit, report };
        tabled.prepare(&work, self.save).map_err(|error| error.to_string())?;
        let path = self.folder.file(tabled.name());
        if let Ok(table) = Table::open_for(&path, tabled.name(), tabled.fingerprint(), tabled.count()) {
            return Ok(table);
        }
        if !self.save {
            return tabled.solve(&work, &Scratch::none()).map_err(|error| error.to_string());
        }
        self.folder.make().map_err(|error| error.to_string())?;
        let _lock = self.folder.lock(tabled.name()).map_err(|error| error.to_string())?;
        let table = tabled.solve(&work, &Scratch::none()).map_err(|error| error.to_string())?;
        write(&Disk, &path, &tabled.label(), &table, Packing::Packed, self.threads)
            .map_err(|error| error.to_string())?;
        Ok(table)
    }
}

impl Solved {
    /// Asks about the numbering of positions.
    fn numbered<T>(&self, ask: impl FnOnce(&Session, &dyn Tabled) -> T) -> PyResult<T> {
        let lost = || PyRuntimeError::new_err("a thread panicked while it used the table");
        let session = self.session.lock().map_err(|_| lost())?;
        let tabled = session.tabled(None).ok_or_else(|| PyRuntimeError::new_err("the game has no table"))?;
        Ok(ask(&session, &*tabled))
    }

    /// Refuses a range that is not within the table.
    fn within(&self, start: u64, end: u64) -> PyResult<()> {
        let count = self.table.count();
        if start <= end && end <= count {
            return Ok(());
        }
        Err(PyIndexError::new_err(format!("{start}..{end}: expected indices of at most {count}")))
    }

    /// Returns the code of the value with this index.
    fn code(&self, index: u64) -> i32 {
        self.table.get(index).map_or(UNKNOWN, |value| encode(value, self.unit))
    }

    /// Finds the moves of the best value by the table alone; `None` where it lacks the value of a move.
    fn best_moves(&self, walker: &Session, tabled: &dyn Tabled) -> Option<Vec<String>> {
        let valued = |child: grundy::session::Successor| {
            let value = child.over.or_else(|| self.table.get(tabled.number(&child.position)?))?;
            Some((child.word, value.back(child.step)))
        };
        let moves: Vec<(String, Value)> =
            walker.successors(LISTED).into_iter().map(valued).collect::<Option<_>>()?;
        let best = moves.iter().map(|&(_, value)| value).max();
        Some(moves.into_iter().filter(|&(_, value)| Some(value) == best).map(|(word, _)| word).collect())
    }
}

#[pymethods]
impl Solved {
    /// Opens the game's table from the folder of tables, else makes it and, where `save` says so, writes it there.
    /// `on_progress` is called with the step's name, the units done, and the units in all (0: unknown).
    #[new]
    #[pyo3(signature = (engine, save=true, memory_mb=None, on_progress=None))]
    fn new(
        py: Python<'_>,
        engine: &Engine,
        save: bool,
        memory_mb: Option<u64>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Solved> {
        let session = engine.session();
        let (unit, folder) = (session.unit(), session.folder().clone());
        let session = Mutex::new(session);
        let settings = engine.settings();
        let making = Making {
            save,
            threads: settings.threads,
            memory_limit: memory_mb.map(|mb| mb.saturating_mul(1 << 20)),
            folder,
        };
        let made = attended(
            py,
            |stop, reports: Sender<Progress>| {
                let session = session.lock().map_err(|lost| lost.to_string())?;
                // Nobody may be left to hear a report.
                making.table(&session, stop, &|progress| drop(reports.send(progress.clone())))
            },
            |py, Progress { what, done, total }| {
                on_progress
                    .as_ref()
                    .map_or(Ok(()), |call| call.call1(py, (what.to_string(), done, total)).map(drop))
            },
        )?;
        Ok(Solved { table: made.map_err(PyRuntimeError::new_err)?, session, unit })
    }

    /// Counts the indices; an index may stand for no position.
    fn __len__(&self) -> usize {
        self.table.count() as usize
    }

    /// Returns the codes of the values with indices from `start` to `end` as little-endian `int32`.
    fn codes<'py>(&self, py: Python<'py>, start: u64, end: u64) -> PyResult<Bound<'py, PyBytes>> {
        self.within(start, end)?;
        let size = (end - start) as usize * size_of::<i32>();
        PyBytes::new_with(py, size, |bytes| {
            py.detach(|| {
                for (index, code) in (start..end).zip(bytes.chunks_exact_mut(size_of::<i32>())) {
                    code.copy_from_slice(&self.code(index).to_le_bytes());
                }
            });
            Ok(())
        })
    }

    /// Returns the positions with indices from `start` to `end`; indices that stand for no position of the game are left out.
    fn records(&self, py: Python<'_>, start: u64, end: u64, best: bool) -> PyResult<Vec<Record>> {
        self.within(start, end)?;
        quietly(py, |stop| {
            self.numbered(|session, tabled| {
                let mut walker = session.at_start();
                let record = |index| {
                    let code = Some(self.code(index)).filter(|&code| code != UNKNOWN)?;
                    let (turn, text) = tabled.position(index)?;
                    // Numberings have room for boards that no play leads to.
                    walker.setup(Some(&text)).ok()?;
                    let moves = if best { self.best_moves(&walker, tabled) } else { None };
                    Some((number(turn), text, code, moves))
                };
                (start..end).take_while(|_| !stop.load(Ordering::Relaxed)).filter_map(record).collect()
            })
        })?
    }

    /// Returns the index of a position; `None` where the table does not hold it.
    fn index(&self, py: Python<'_>, position: &str) -> PyResult<Option<u64>> {
        py.detach(|| self.numbered(|_, tabled| tabled.number(position)))
    }

    /// Proves the table against the rules; returns the word of `grundy tables verify`.
    fn verify(&self, py: Python<'_>) -> PyResult<String> {
        let verified = quietly(py, |stop| {
            self.numbered(|_, tabled| {
                let work = Work { stop, until: None, threads: 1, memory_limit: None, report: &|_| {} };
                tabled
                    .verify(&self.table, &work)
                    .map(|assurance| assurance.to_string())
                    .map_err(|doubt| doubt.to_string())
            })
        })??;
        verified.map_err(PyValueError::new_err)
    }
}
