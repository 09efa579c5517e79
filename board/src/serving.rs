//! The program `grundy-board`.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;
use grundy::catalog::CATALOG;
use grundy::session::Row;

use crate::app::{App, Args};
use crate::server;

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
