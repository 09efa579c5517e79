//! A web board for every game of grundy: the value of every move, play, analysis, and a link for every position.
//!
//! One request is one question about one position. What the tables know is answered by a pool of quick threads; what
//! has to be searched waits for a pool of its own, so that long searches keep nobody else waiting. A game of one's own
//! has the same board: `fn main() -> ExitCode { grundy_board::main(&[ROW]) }`.

mod address;
mod answer;
mod api;
mod app;
mod bring;
mod door;
mod games;
mod lichess;
mod metrics;
mod notation;
mod opponent;
mod pages;
mod parameters;
mod pool;
mod server;
mod uploads;
mod uwapi;
mod watch;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;
use grundy::catalog::CATALOG;
use grundy::session::Row;

use app::{App, Args};

/// Serves the games of grundy with these rows in front until the process is told to end; gives the exit code.
pub fn main(rows: &'static [Row]) -> ExitCode {
    let args = Args::parse();
    let log = env_logger::Env::default().default_filter_or("warn,grundy_board=info");
    env_logger::Builder::from_env(log).init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&format!("no threads: {error}")),
    };
    let app = match App::new(CATALOG.with(rows), &args) {
        Ok(app) => Arc::new(app),
        Err(error) => return failed(&format!("no folder for uploads: {error}")),
    };
    match runtime.block_on(server::serve(&args, &app)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => failed(&why),
    }
}

fn failed(why: &str) -> ExitCode {
    log::error!("{why}");
    ExitCode::FAILURE
}
