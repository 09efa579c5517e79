//! A web board for every game of grundy: the value of every move, play, analysis, and a link for every position.
//!
//! One request is one question about one position. What the tables know is answered by a pool of quick threads; what
//! has to be searched waits for a pool of its own, so that long searches keep nobody else waiting. A game of one's own
//! has the same board: `fn main() -> ExitCode { grundy_board::main(&[ROW]) }`.

mod address;
mod answer;
mod api;
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

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use grundy::catalog::CATALOG;
use grundy::session::{Catalog, Row, Settings};

use games::Games;
use metrics::Metrics;
use opponent::Opponent;
use pool::Pool;
use uploads::Uploads;

/// A web board for every game: the value of every move, play, analysis, and a link for every position.
#[derive(Parser, Debug, Clone)]
#[command(name = "grundy-board", version)]
struct Args {
    /// Address to listen on; others than this machine can use the board only if one is given that they can reach
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// Port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Open the board in the browser
    #[arg(long)]
    open: bool,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Megabytes of transposition table for each search
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Games that are kept open with their tables
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096))]
    games: u16,
    /// Seconds that a question may take
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    time: u64,
    /// Questions that may wait for a search; more are told to come back
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=10000))]
    queue: u16,
    /// Folder from which games may read files (`graph:file=..`); none without it
    #[arg(long, value_name = "DIR")]
    rules_dir: Option<PathBuf>,
    /// Let visitors bring rules files of at most 64 KB; they are forgotten when the board ends
    #[arg(long)]
    uploads: bool,
    /// Another engine to play against: a name and the command that starts it; may be given again
    #[arg(long, value_name = "NAME=COMMAND")]
    engine: Vec<Opponent>,
    /// TCP port that speaks UGI, one engine a connection
    #[arg(long, value_name = "PORT")]
    ugi_port: Option<u16>,
    /// Let pages of other sites read the API
    #[arg(long)]
    cors: bool,
}

/// What every request can see.
struct App {
    catalog: Catalog,
    games: Games,
    quick: Pool,
    opening: Pool,
    slow: Pool,
    metrics: Metrics,
    limit: Duration,
    settings: Settings,
    engines: Vec<Opponent>,
    /// Folders from which games may read files.
    folders: Vec<PathBuf>,
    uploads: Option<Uploads>,
    cors: bool,
}

/// What handlers are given.
type State = axum::extract::State<Arc<App>>;

impl App {
    fn new(catalog: Catalog, args: &Args) -> std::io::Result<App> {
        let settings = Settings {
            threads: 1,
            hash_mb: args.hash as usize,
            tables: args.tables.clone(),
            ..Settings::default()
        };
        let uploads = args.uploads.then(Uploads::new).transpose()?;
        let brought = uploads.as_ref().map(Uploads::folder);
        let folders: Vec<PathBuf> = args
            .rules_dir
            .as_deref()
            .into_iter()
            .chain(brought)
            .map(|dir| dir.canonicalize().unwrap_or_else(|_| dir.to_owned()))
            .collect();
        Ok(App {
            catalog,
            games: Games::new(catalog, settings.clone(), args.games.into(), folders.clone()),
            quick: Pool::new("quick", 4, 4096, 0),
            opening: Pool::new("opening", 2, 1024, 5),
            slow: Pool::new("search", args.threads.into(), args.queue.into(), 10),
            metrics: Metrics::default(),
            limit: Duration::from_secs(args.time),
            settings,
            engines: args.engine.clone(),
            folders,
            uploads,
            cors: args.cors,
        })
    }
}

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
