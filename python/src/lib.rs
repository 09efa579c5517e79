//! The native module `grundy._native`: sessions and tables for the Python package.
//!
//! The classes that users see stand in `grundy/`; this module takes and gives plain data. Work that can take long releases
//! the interpreter's lock, and Ctrl-C ends it.

mod attended;
mod engine;
mod solved;

use pyo3::prelude::*;

use grundy::catalog::CATALOG;

/// Lists the games: name, a full name with its usual parameters, the form of its parameters, and what the game is.
#[pyfunction]
fn games() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    CATALOG.rows().map(|row| (row.name, row.default, row.parameters, row.about)).collect()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<solved::Solved>()?;
    module.add_function(wrap_pyfunction!(games, module)?)
}
