//! The catalog: one row a game, with its name, parameters, default, and the method that solves it.
//!
//! Command line, engine options, README and tests all read this one list. Only here do games and methods meet.

mod spec;

pub use spec::Spec;

use crate::session::{Session, Settings};

/// A row of the catalog.
pub struct Row {
    /// The first word of the game's name.
    pub name: &'static str,
    /// The sections it takes, as a person would type them.
    pub parameters: &'static str,
    /// The full name that a bare name stands for.
    pub default: &'static str,
    /// Which method solves it, and for which sizes.
    pub method: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Opens the game.
    open: fn(&mut Spec<'_>) -> Result<Box<dyn Session>, String>,
}

/// All games, in the order in which they are shown.
pub static ROWS: &[Row] = &[];

/// The row of a name, by its first word.
pub fn row(name: &str) -> Option<&'static Row> {
    let first = name.split(':').next().unwrap_or("");
    ROWS.iter().find(|row| row.name == first)
}

/// Opens a game by its full name (`nim:3,5,7:misere`), or by its bare name with its default parameters.
///
/// # Errors
/// One line that names what was wrong in the name and says what was expected.
pub fn open(name: &str, settings: &Settings) -> Result<Box<dyn Session>, String> {
    let row = row(name).ok_or_else(|| unknown(name))?;
    let full = if name == row.name { row.default } else { name };
    let mut spec = Spec::new(full);
    let mut session = (row.open)(&mut spec)?;
    spec.finish(row.parameters)?;
    session.configure(settings);
    Ok(session)
}

/// The refusal of a name that is in no row.
fn unknown(name: &str) -> String {
    let shown: String = name.chars().take(60).collect();
    let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    format!("unknown game {shown:?}: expected one of {}", names.join(", "))
}
