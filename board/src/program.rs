//! The program `grundy-board`: its log, its threads, and the server.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use clap::{CommandFactory as _, Parser as _};
use env_logger::Target;
use grundy::catalog::CATALOG;
use grundy::output::{finish, refuse};
use grundy::paths;
use grundy::session::Row;

use crate::app::App;
use crate::cli::Args;
use crate::home;
use crate::log_writer::LogWriter;
use crate::server;

/// Exit code of a failure.
const FAILED: u8 = 1;

/// Returns the description of the command line, for manual pages and completions.
pub fn command() -> clap::Command {
    Args::command()
}

/// Serves the games of grundy, with `rows` in front of them, until the process is told to end.
pub fn main(rows: &'static [Row]) -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            return finish(refuse(&error), FAILED, |why| drop(writeln!(std::io::stderr(), "{why}")));
        }
    };
    let log = env_logger::Env::default().default_filter_or("warn,grundy_board=info");
    let writer = match LogWriter::new() {
        Ok(writer) => writer,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "cannot start the thread of the log: {error}");
            return ExitCode::FAILURE;
        }
    };
    env_logger::Builder::from_env(log)
        .format(|out, record| {
            let now = humantime::format_rfc3339_seconds(SystemTime::now());
            writeln!(out, "[{now} {:5} {}] {}", record.level(), record.target(), record.args())
        })
        .target(Target::Pipe(Box::new(writer.clone())))
        .init();
    let code = match check_folders(&args) {
        Ok(()) => run(rows, &args),
        Err(why) => fail(&why),
    };
    writer.write_out();
    code
}

fn run(rows: &'static [Row], args: &Args) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("cannot start the threads of the server: {error}")),
    };
    let app = match App::new(CATALOG.with(rows), args) {
        Ok(app) => Arc::new(app),
        Err(error) => return fail(&format!("cannot make a folder for uploads: {error}")),
    };
    let catalog = app.catalog;
    // The first page then finds the names in rules files read.
    std::thread::spawn(move || home::prepare(&catalog));
    match runtime.block_on(server::serve(args, &app)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(&why),
    }
}

/// Checks the folders that the command line names. That of tables may be made later.
fn check_folders(args: &Args) -> Result<(), String> {
    if let Some(folder) = &args.rules_dir {
        paths::folder(folder.clone()).map_err(|why| format!("--rules-dir: {why}"))?;
    }
    match &args.tables {
        Some(folder) if folder.exists() => {
            paths::folder(folder.clone()).map_err(|why| format!("--tables: {why}"))?;
        }
        Some(folder) => {
            log::warn!("--tables: {} does not exist yet: no tables are used", folder.display())
        }
        None => {}
    }
    Ok(())
}

fn fail(why: &str) -> ExitCode {
    log::error!("{why}");
    ExitCode::FAILURE
}
