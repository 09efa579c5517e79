//! The catalog: one row a game, with its name, parameters, default, and the method that solves it.
//!
//! Command line, engine options, README and tests all read this one list.

use crate::session::{Session, Settings};

/// Opens a game by its full name (`nim:3,5,7:misere`), or by its bare name with its default parameters.
///
/// # Errors
/// One line that names what was wrong in the name and says what was expected.
pub fn open(name: &str, settings: &Settings) -> Result<Box<dyn Session>, String> {
    let _ = settings;
    Err(format!("unknown game {name:?}"))
}
