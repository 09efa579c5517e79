//! A table: the values of all positions of a game.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::Sender;

use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use grundy::session::{Progress, Session, SolveError, Work};
use grundy::table::{Disk, Folder, Label, Packing, Scratch, Table, write};

use crate::attended::attended;
use crate::engine::{Engine, UNKNOWN, encode};

/// Number of a player in Python.
fn player(number: grundy::game::Player) -> u8 {
    if number == grundy::game::Player::One { 1 } else { 2 }
}

/// The table of a game, in memory or mapped from its file.
#[pyclass(frozen, module = "grundy._native")]
pub struct Solved {
    session: Mutex<Session>,
    table: Table,
}

/// Runs a question that needs the game's numbering.
fn numbered<T>(
    solved: &Solved,
    ask: impl FnOnce(&dyn grundy::session::Tabled) -> T,
) -> PyResult<T> {
    let session = solved.session.lock().map_err(|_| PyRuntimeError::new_err("the session of this table was lost"))?;
    let tabled = session.tabled(None).ok_or_else(|| PyValueError::new_err("the game has no table"))?;
    Ok(ask(&*tabled))
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
        let session = Mutex::new(engine.session());
        let settings = engine.settings();
        let folder = Folder::find(settings.tables.as_deref());
        let made = attended(
            py,
            |stop, reports: Sender<Progress>| -> Result<Table, String> {
                let session = session.lock().map_err(|_| "the session was lost".to_owned())?;
                let tabled = session.tabled(None).ok_or_else(|| {
                    format!("{} has no table: its values are formulas, or found by search", session.name())
                })?;
                if !tabled.parts().is_empty() {
                    let name = tabled.name();
                    return Err(format!("{name} is kept in several files: `grundy solve {name}` makes them, and p.value() reads them"));
                }
                let path = folder.file(tabled.name());
                let open = || Table::open_for(&path, tabled.name(), tabled.fingerprint(), tabled.count());
                let reports = Mutex::new(reports);
                let report = |progress: &Progress| {
                    if let Ok(reports) = reports.lock() {
                        let _ = reports.send(progress.clone());
                    }
                };
                let memory_limit = memory_mb.map(|mb| mb.saturating_mul(1 << 20));
                let work = Work { stop, threads: settings.threads, memory_limit, report: &report };
                tabled.prepare(&work, save).map_err(|error| error.to_string())?;
                if let Ok(table) = open() {
                    return Ok(table);
                }
                let table = tabled.solve(&work, &Scratch::none()).map_err(|error| match error {
                    SolveError::Stopped => "stopped".to_owned(),
                    error => error.to_string(),
                })?;
                if save {
                    folder.make().map_err(|error| error.to_string())?;
                    let label = Label {
                        name: tabled.name().to_owned(),
                        fingerprint: tabled.fingerprint(),
                        maker: tabled.maker(),
                    };
                    write(&Disk, &path, &label, &table, Packing::Zstd, settings.threads)
                        .map_err(|error| error.to_string())?;
                }
                Ok(table)
            },
            |py, progress: Progress| match &on_progress {
                Some(call) => call.call1(py, (progress.what.to_string(), progress.done, progress.total)).map(|_| ()),
                None => Ok(()),
            },
        )?;
        let table = made.map_err(PyRuntimeError::new_err)?;
        Ok(Solved { session, table })
    }

    /// Number of cells; a cell may stand for no position.
    fn __len__(&self) -> usize {
        self.table.count() as usize
    }

    /// Codes of the values of cells `start` to `end` as little-endian `int32`.
    fn codes<'py>(&self, py: Python<'py>, start: u64, end: u64) -> PyResult<Bound<'py, PyBytes>> {
        if start > end || end > self.table.count() {
            return Err(PyIndexError::new_err(format!("{start}..{end}: expected at most {}", self.table.count())));
        }
        let unit = numbered(self, |tabled| tabled.unit())?;
        let codes = py.detach(|| {
            let mut codes = Vec::with_capacity((end - start) as usize * 4);
            for number in start..end {
                let code = self.table.get(number).map_or(UNKNOWN, |value| encode(value, unit));
                codes.extend_from_slice(&code.to_le_bytes());
            }
            codes
        });
        Ok(PyBytes::new(py, &codes))
    }

    /// Positions of cells `start` to `end`: the player to move and the text; `None` for cells without a position.
    fn positions(&self, py: Python<'_>, start: u64, end: u64) -> PyResult<Vec<Option<(u8, String)>>> {
        if start > end || end > self.table.count() {
            return Err(PyIndexError::new_err(format!("{start}..{end}: expected at most {}", self.table.count())));
        }
        py.detach(|| {
            numbered(self, |tabled| {
                let position = |number| {
                    self.table.get(number)?;
                    tabled.position(number).map(|(turn, text)| (player(turn), text))
                };
                (start..end).map(position).collect()
            })
        })
    }

    /// Proves the table against the rules: the word of `grundy tables verify`.
    fn verify(&self, py: Python<'_>) -> PyResult<String> {
        let verified = attended(
            py,
            |stop, _reports: Sender<()>| {
                numbered(self, |tabled| {
                    let work = Work { stop, threads: 1, memory_limit: None, report: &|_| {} };
                    tabled.verify(&self.table, &work).map(|belief| belief.to_string()).map_err(|doubt| doubt.to_string())
                })
            },
            |_, ()| Ok(()),
        )??;
        verified.map_err(PyValueError::new_err)
    }

    /// Path of the file that the table would be in.
    #[staticmethod]
    fn path(engine: &Engine) -> PathBuf {
        Folder::find(engine.settings().tables.as_deref()).file(engine.session().name())
    }
}
