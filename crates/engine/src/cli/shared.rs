//! Shared by the subcommands: exit codes, usage errors, options, opening a game.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use grundy_session::{Catalog, Session, Settings, WeightsChoice};

use super::paths;
pub use super::progress::log_line;
pub use grundy_core::text::{WIDTH, wrapped};

/// The work failed.
pub const FAILED: u8 = 1;
/// The command line was wrong.
pub const USAGE: u8 = 2;

/// Options for threads, memory and tables, of the engine and of some subcommands.
///
/// `grundy tables` has global options `--threads` and `--tables` of its own, so the ids differ here: clap would confuse
/// them.
#[derive(Args)]
pub struct Means {
    /// Threads for search and solving [default: 1]
    #[arg(id = "means-threads", long = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Megabytes of transposition table [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: Option<u32>,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(id = "means-tables", long = "tables", value_name = "DIR", value_parser = paths::tables())]
    pub tables: Option<std::path::PathBuf>,
    /// Weights of a learned evaluation for searches with limits, or none [default: those in the folder of tables]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<String>,
}

impl Means {
    /// Returns the settings overridden by the given options.
    pub fn over(&self, settings: &Settings) -> Settings {
        Settings {
            threads: self.threads.map_or(settings.threads, usize::from),
            hash_mb: self.hash.map_or(settings.hash_mb, |mb| mb as usize),
            tables: self.tables.clone().or_else(|| settings.tables.clone()),
            weights: self.weights.as_deref().map_or_else(|| settings.weights.clone(), WeightsChoice::parse),
            ..settings.clone()
        }
    }
}

/// A usage error: the command line asks for something that does not exist.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Opens a game named on the command line.
pub fn open(catalog: &Catalog, name: &str, settings: &Settings) -> Result<Session> {
    Ok(catalog.open(name, settings).map_err(Usage)?)
}

/// Refuses to answer about a game whose positions have no value.
///
/// # Errors
/// Why they have none, and what to write in the file of the rules.
pub fn refuse_unvalued(session: &Session) -> Result<()> {
    session.unvalued().map_or(Ok(()), |why| bail!("{}: {why}", session.name()))
}

/// Writes a label and a text, broken to fit; nothing if there is no text.
pub fn entry(out: &mut impl Write, label: &str, text: &str) -> io::Result<()> {
    const LABEL: usize = 14;
    if text.is_empty() {
        return Ok(());
    }
    let mut label = format!("  {label:LABEL$}");
    if !label.ends_with(' ') {
        label.push_str("  ");
    }
    writeln!(out, "{}", wrapped(&label, text, LABEL + 2))
}

/// Returns a bound of [`Analysis::show`](grundy_session::Analysis::show), `<=draw`, as `at most` and the value; `None` for
/// anything else.
pub fn bound_of(shown: &str) -> Option<(&'static str, &str)> {
    let least = shown.strip_prefix(">=").map(|value| ("at least", value));
    least.or_else(|| shown.strip_prefix("<=").map(|value| ("at most", value)))
}

/// Returns a value as text, bounds in words: `at most a draw`; other values as `write` writes them.
pub fn readable(shown: &str, write: impl Fn(&str) -> String) -> String {
    match bound_of(shown) {
        Some((bound, "draw")) => format!("{bound} a draw"),
        Some((bound, value)) => format!("{bound} {}", write(value)),
        None => write(shown),
    }
}

/// Returns the error for a game that has no table.
pub(super) fn no_table(name: &str) -> anyhow::Error {
    Usage(format!(
        "{name} has no table: grundy solve {name} answers without one, grundy games NAME says which have"
    ))
    .into()
}

/// Refuses `--loony` for a game without loony moves.
pub(super) fn check_loony(session: &Session) -> Result<()> {
    if session.annotation() == Some("loony") {
        return Ok(());
    }
    let name = session.name();
    let why = format!("--loony would do nothing here: it is for dots without a penalty, not for {name}");
    Err(Usage(why).into())
}

/// Returns the search among the methods in a row's `method`: the part behind `else`, or all of it if there is none.
pub fn search_method(method: &str) -> &str {
    let split = ["; else ", ", else "].into_iter().find_map(|word| method.rsplit_once(word));
    split.map_or(method, |(_, search)| search)
}

/// Returns the time of a search: these milliseconds, or else `seconds`.
pub fn time(milliseconds: u64, seconds: Option<f64>) -> Duration {
    seconds.map_or(Duration::from_millis(milliseconds), Duration::from_secs_f64)
}
