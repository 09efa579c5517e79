//! The program `grundy-board`.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use clap::Parser as _;
use env_logger::Target;
use grundy::catalog::CATALOG;
use grundy::session::Row;

use crate::app::{App, Args};
use crate::lines::Lines;
use crate::server;

/// Serves the games of grundy with these rows in front until the process is told to end; gives the exit code.
pub fn main(rows: &'static [Row]) -> ExitCode {
    let args = Args::parse();
    let log = env_logger::Env::default().default_filter_or("warn,grundy_board=info");
    let lines = match Lines::new() {
        Ok(lines) => lines,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "no thread for the log: {error}");
            return ExitCode::FAILURE;
        }
    };
    env_logger::Builder::from_env(log)
        .format(|out, record| {
            let now = humantime::format_rfc3339_seconds(SystemTime::now());
            writeln!(out, "[{now} {:5} {}] {}", record.level(), record.target(), record.args())
        })
        .target(Target::Pipe(Box::new(lines.clone())))
        .init();
    let code = run(rows, &args);
    lines.write_out();
    code
}

fn run(rows: &'static [Row], args: &Args) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&format!("no threads: {error}")),
    };
    let app = match App::new(CATALOG.with(rows), args) {
        Ok(app) => Arc::new(app),
        Err(error) => return failed(&format!("no folder for uploads: {error}")),
    };
    match runtime.block_on(server::serve(args, &app)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => failed(&why),
    }
}

fn failed(why: &str) -> ExitCode {
    log::error!("{why}");
    ExitCode::FAILURE
}
