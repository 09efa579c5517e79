//! The command line.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use grundy::paths;

/// Exit code: the work failed.
pub const FAILED: u8 = 1;
/// Exit code: the command line was wrong.
pub const USAGE: u8 = 2;
/// Exit code: another process of the solve was lost, or has not come; a restart of all resumes from the checkpoints.
pub const LOST: u8 = 3;

/// The environment variable with the token of a solve.
pub const TOKEN: &str = "GRUNDY_CLUSTER_TOKEN";

/// Builds tables of games on many threads, processes and machines: the same files as `grundy solve` writes.
#[derive(Parser)]
#[command(name = "grundy-cluster", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done, 1 the work failed, 2 wrong usage, 3 another process was lost or has \
    not come: start all again to go on.\n\
    Examples:\n  \
    grundy-cluster solve teeko:5x4 --threads 2\n  \
    grundy-cluster launch teeko:5x4 --local 4\n  \
    GRUNDY_CLUSTER_TOKEN=.. grundy-cluster solve teeko:5x5 --processes 4 --rank 0 --hosts hosts"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Build a table; each process of a solve is started like this, with its own rank
    Solve(SolveArgs),
    /// Start the processes of a solve on this machine, and restart them if one is lost
    Launch(LaunchArgs),
}

/// The arguments that all processes of a solve share.
#[derive(Args, Clone)]
pub struct Common {
    /// The game, with its parameters: teeko:5x4
    pub game: String,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]; rank 0 writes the table there, each process its
    /// checkpoints
    #[arg(long, value_name = "DIR", value_parser = paths::tables())]
    pub tables: Option<PathBuf>,
    /// Threads of each process
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Refuse a table that needs more memory in one process [default: the system's limit on the process]
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
    /// Write uncompressed blocks, which are larger and the fastest to probe
    #[arg(long)]
    pub plain: bool,
    /// Build the table even if it exists
    #[arg(long)]
    pub again: bool,
    /// Prove the finished table in its shards: the value of every position against those of its children
    #[arg(long)]
    pub check: bool,
    /// Write a checkpoint at this interval, to resume from after a crash
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = positive)]
    pub keep_every: f64,
    /// Give up if not all other processes have connected after this time
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive)]
    pub start_within: f64,
    /// Count a process that has sent no heartbeat for this time as lost
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = positive)]
    pub patience: f64,
}

#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub common: Common,
    /// Number of processes of this solve
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub processes: u32,
    /// Rank of this process, from 0
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub rank: u32,
    /// File with the address of each process, HOST:PORT, one a line in the order of the ranks
    #[arg(long, value_name = "FILE")]
    pub hosts: Option<PathBuf>,
    /// File with the shared secret [default: $GRUNDY_CLUSTER_TOKEN]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Exit with the process of this number, which has started this one with a listening socket as its stdin
    #[arg(long, hide = true, value_name = "PID")]
    pub launched_by: Option<u32>,
}

#[derive(Args)]
pub struct LaunchArgs {
    #[command(flatten)]
    pub common: Common,
    /// Number of processes on this machine
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub local: u32,
    /// Restart all processes at most this many times if one was lost
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub restarts: u32,
}

/// Reads a number of seconds.
fn positive(word: &str) -> Result<f64, String> {
    let seconds = word.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds.is_finite());
    seconds.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

/// Converts seconds to a duration, of at least a millisecond and at most 34 years.
pub fn seconds(seconds: f64) -> Duration {
    let most = Duration::from_secs(1 << 30);
    Duration::try_from_secs_f64(seconds).unwrap_or(most).clamp(Duration::from_millis(1), most)
}

/// An error that ends the process with a code of its own.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// The message.
    pub text: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}

/// Returns an error of the command line.
pub fn usage(text: String) -> anyhow::Error {
    Failure { code: USAGE, text }.into()
}
