//! What the subcommands share: exit codes, errors of usage, options, the opening of a game.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use grundy_session::{Catalog, Session, Settings};

/// The work failed.
pub const FAILED: u8 = 1;
/// The command line was wrong.
pub const USAGE: u8 = 2;

/// Threads, memory and tables: options that the engine takes, and some subcommands after their name, too.
///
/// `grundy tables` has global options `--threads` and `--tables` of its own. The ids are therefore other ones here, or
/// clap would take those for these.
#[derive(Args)]
pub struct Means {
    /// Threads for search and solving [default: 1]
    #[arg(id = "means-threads", long = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Megabytes of transposition table [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: Option<u32>,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(id = "means-tables", long = "tables", value_name = "DIR")]
    pub tables: Option<std::path::PathBuf>,
}

impl Means {
    /// The settings with what was named in place of what they have.
    pub fn over(&self, settings: &Settings) -> Settings {
        Settings {
            threads: self.threads.map_or(settings.threads, usize::from),
            hash_mb: self.hash.map_or(settings.hash_mb, |mb| mb as usize),
            tables: self.tables.clone().or_else(|| settings.tables.clone()),
            ..settings.clone()
        }
    }
}

/// A command line that asks for what is not there; the text says what is.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Opens a game that was named on the command line.
pub fn open(catalog: &Catalog, name: &str, settings: &Settings) -> Result<Session> {
    Ok(catalog.open(name, settings).map_err(Usage)?)
}

/// Whether an error only says that whoever read our output has gone.
pub fn closed(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|e| e.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// One line to stderr; where even that is closed there is nobody to tell.
pub fn log_line(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
