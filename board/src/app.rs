//! The command line, what every request can see, and the answer to what is not here.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use clap::Parser;
use grundy::session::{Catalog, Settings, Work, quiet_work};
use rustc_hash::FxHashSet;

use crate::games::Games;
use crate::metrics::Metrics;
use crate::opponent::Opponent;
use crate::pool::Pool;
use crate::recent::Recent;
use crate::uploads::Uploads;

/// A web board for every game: the value of every move, play, analysis, and a link for every position.
#[derive(Parser, Debug, Clone)]
#[command(name = "grundy-board", version)]
pub struct Args {
    /// Address to listen on; others than this machine can use the board only if one is given that they can reach
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: IpAddr,
    /// Port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8080)]
    pub port: u16,
    /// Open the board in the browser
    #[arg(long)]
    pub open: bool,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Megabytes of transposition table for each search
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub hash: u32,
    /// Megabytes that open games may keep, with their tables and all that they have learned; the one that was asked for
    /// least recently is closed first. A question that needs more than this is answered without its table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: u64,
    /// Seconds that a question may take, with all that is done for it
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub time: u64,
    /// Questions that may wait for a search; more are told to come back
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=10000))]
    pub queue: u16,
    /// Folder from which games may read files (`graph:file=..`); none without it
    #[arg(long, value_name = "DIR")]
    pub rules_dir: Option<PathBuf>,
    /// Let visitors bring rules files of at most 64 KB; they are forgotten when the board ends
    #[arg(long)]
    pub uploads: bool,
    /// Another engine to play against: a name and the command that starts it; may be given again
    #[arg(long, value_name = "NAME=COMMAND")]
    pub engine: Vec<Opponent>,
    /// TCP port that speaks UGI, one engine a connection
    #[arg(long, value_name = "PORT")]
    pub ugi_port: Option<u16>,
    /// Another name that this board is reached by, behind a server in front of it for instance; may be given again.
    /// Requests to other names than this machine's own are refused
    #[cfg(not(target_family = "wasm"))]
    #[arg(long, value_name = "NAME", value_parser = crate::origin::host)]
    pub host: Vec<String>,
    /// Let pages of all sites use the board: read the API, start searches and engines
    #[arg(long)]
    pub cors: bool,
}

/// What every request can see.
pub struct App {
    pub catalog: Catalog,
    pub games: Games,
    pub quick: Pool,
    pub opening: Pool,
    pub slow: Pool,
    pub metrics: Metrics,
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub recent: Recent,
    /// Games whose tables of loony states are being made.
    pub making: Mutex<FxHashSet<String>>,
    pub limit: Duration,
    /// Bytes of memory that a question may use, and that open games may keep.
    pub memory: u64,
    pub settings: Settings,
    pub engines: Vec<Opponent>,
    /// Folders from which games may read files.
    pub folders: Vec<PathBuf>,
    pub uploads: Option<Uploads>,
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub cors: bool,
    /// Told each event of a search at once, where an answer cannot be read before its end.
    pub tell: Option<Tell>,
}

/// Takes an event by its name with what it says.
pub type Tell = fn(&str, &serde_json::Value);

/// What one question may use: until when it is answered, and how much memory.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    until: Instant,
    memory: u64,
}

impl Bounds {
    /// The work of the question, which ends when the flag is set too.
    pub fn work<'a>(&self, stop: &'a AtomicBool) -> Work<'a> {
        Work { stop, until: Some(self.until), memory_limit: Some(self.memory), ..quiet_work() }
    }
}

/// What handlers are given.
pub type State = axum::extract::State<Arc<App>>;

impl App {
    /// The board of a catalog.
    ///
    /// # Errors
    /// The folder for uploads cannot be made.
    pub fn new(catalog: Catalog, args: &Args) -> std::io::Result<App> {
        let settings = Settings {
            threads: 1,
            hash_mb: args.hash as usize,
            tables: args.tables.clone(),
            memory: Some(args.memory << 20),
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
            games: Games::new(catalog, settings.clone(), args.memory << 20, folders.clone()),
            quick: Pool::new("quick", 4, 4096, 0),
            opening: Pool::new("opening", 2, 1024, 5),
            slow: Pool::new("search", args.threads.into(), args.queue.into(), 10),
            metrics: Metrics::default(),
            recent: Recent::default(),
            making: Mutex::default(),
            limit: Duration::from_secs(args.time),
            memory: args.memory << 20,
            settings,
            engines: args.engine.clone(),
            folders,
            uploads,
            cors: args.cors,
            tell: None,
        })
    }
}

impl App {
    /// The bounds of a question that is asked now.
    pub fn bounds(&self) -> Bounds {
        Bounds { until: Instant::now() + self.limit, memory: self.memory }
    }
}

/// An answer to what is not here.
pub fn not_found(what: &str) -> Response {
    (StatusCode::NOT_FOUND, format!("{what} is not here\n")).into_response()
}
