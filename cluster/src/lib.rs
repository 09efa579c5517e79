//! Tables made on many threads, processes and machines: the same files as `grundy solve` writes, byte for byte.
//!
//! The [shards](grundy::session::Shard) of a game's method do the work. This crate carries their messages by timely dataflow,
//! connects the processes, notices when one is lost, writes checkpoints, and joins the shards to one file. A program with its
//! own game solves it with `fn main() -> ExitCode { grundy_cluster::main(&[ROW]) }`.

mod checkpoint;
mod cli;
mod heartbeat;
mod join;
mod launch;
mod limits;
mod message;
mod rendezvous;
mod solve;
mod system;
mod transport;
mod watch;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::{CommandFactory, Parser};
use grundy::catalog::CATALOG;
use grundy::output;
use grundy::session::Row;

use cli::{Cli, Command};

/// Returns the description of the command line, for manual pages and completions.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line, with the games of `rows` in front of those of grundy; returns the exit code.
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
    output::survive_file_size_limit();
    let done = match &cli.command {
        Command::Solve(args) => solve::run(&CATALOG.with(rows), args),
        Command::Launch(args) => launch::run(args),
    };
    done.unwrap_or_else(|error| {
        if output::closed(&error) {
            return ExitCode::SUCCESS;
        }
        watch::tell(&format!("{error:#}"));
        ExitCode::from(error.downcast_ref().map_or(cli::FAILED, |failure: &cli::Failure| failure.code))
    })
}
