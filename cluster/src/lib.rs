//! Tables made on many threads, processes and machines: the same files as `grundy solve` writes, byte for byte.
//!
//! The work itself is done by the [shards](grundy::session::Shard) that a game's method offers. This crate carries their
//! messages, by timely dataflow; it lets processes find each other, notices when one is lost, keeps what is done so far,
//! and joins the shards to one file. A game of one's own is solved by
//! `fn main() -> ExitCode { grundy_cluster::main(&[ROW]) }`.

mod carry;
mod cli;
mod join;
mod kept;
mod launch;
mod letter;
mod meet;
mod pulse;
mod room;
mod solve;
mod watch;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use clap::Parser;
use grundy::catalog::CATALOG;
use grundy::output;
use grundy::session::Row;

use cli::{Cli, Command};

/// The command line, with games of one's own in front of those of grundy; gives the exit code.
pub fn main(rows: &'static [Row]) -> ExitCode {
    output::finish(obey(rows), cli::FAILED, watch::tell)
}

fn obey(rows: &'static [Row]) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return output::refuse(&error),
    };
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(|out, record| {
            let now = humantime::format_rfc3339_seconds(SystemTime::now());
            writeln!(out, "[{now} {:5} {}] {}", record.level(), record.target(), record.args())
        })
        .init();
    watch::end_with_panics();
    // A file that may not grow any more is an error of the write, told in one line, and not the end of the process.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let done = match &cli.command {
        Command::Solve(args) => solve::run(&CATALOG.with(rows), args),
        Command::Launch(args) => launch::run(args),
    };
    done.unwrap_or_else(|error| {
        if output::closed(&error) {
            return ExitCode::SUCCESS;
        }
        watch::tell(&format!("{error:#}"));
        ExitCode::from(match () {
            () if error.is::<cli::Usage>() => cli::USAGE,
            () if error.is::<cli::Missing>() => cli::LOST,
            () => cli::FAILED,
        })
    })
}
