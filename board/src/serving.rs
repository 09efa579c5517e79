//! The program `grundy-board`.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use clap::Parser as _;
use env_logger::Target;
use grundy::catalog::CATALOG;
use grundy::output::{finish, refuse};
use grundy::paths;
use grundy::session::Row;

use crate::app::{App, Args};
use crate::lines::Lines;
use crate::server;

/// Exit code of what failed.
const FAILED: u8 = 1;

/// Serves the games of grundy with these rows in front until the process is told to end; gives the exit code.
pub fn main(rows: &'static [Row]) -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            return finish(refuse(&error), FAILED, |why| drop(writeln!(std::io::stderr(), "{why}")));
        }
    };
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
    let code = match folders(&args) {
        Ok(()) => run(rows, &args),
        Err(why) => failed(&why),
    };
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

/// Checks the folders that the command line names. One of tables may come later.
fn folders(args: &Args) -> Result<(), String> {
    if let Some(folder) = &args.rules_dir {
        paths::folder(folder.clone()).map_err(|why| format!("--rules-dir: {why}"))?;
    }
    match &args.tables {
        Some(folder) if folder.exists() => {
            paths::folder(folder.clone()).map_err(|why| format!("--tables: {why}"))?;
        }
        Some(folder) => log::warn!("--tables: {} is not there yet: no tables are used", folder.display()),
        None => {}
    }
    Ok(())
}

fn failed(why: &str) -> ExitCode {
    log::error!("{why}");
    ExitCode::FAILURE
}
