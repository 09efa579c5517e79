//! `grundy solve`: builds the table of a game and writes it to the folder of tables, or solves one position by search.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use grundy_core::table::{Folder, Packing, Scratch};
use grundy_session::{Catalog, Estimate, NEVER, Settings, Tabled, Work};

use super::division;
use super::making::{Job, megabytes, size};
use super::methods::{self, Method, MethodArgs};
use super::output::stdout;
use super::parts;
use super::paths;
use super::progress::Meter;
use super::search;
use super::shared::{Usage, open};
use super::textbook::Budget;

#[derive(Args)]
pub struct SolveArgs {
    /// The game, with its parameters: mnk:4,4,4
    game: String,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(long, value_name = "DIR", value_parser = paths::tables())]
    tables: Option<PathBuf>,
    /// Number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Refuse work that needs more memory before it starts; games solved by tiers use the disk instead
    #[arg(long, value_name = "MB")]
    memory_limit: Option<u64>,
    /// Stop before a table that would exceed this disk space, together with other tables of the game
    #[arg(long, value_name = "MB")]
    disk_limit: Option<u64>,
    /// Print what the table would need, and build none
    #[arg(long)]
    estimate: bool,
    /// Tables: blocks uncompressed, larger and fastest to probe. Search: alpha-beta as in textbooks, in the game's order of
    /// moves and without a transposition table
    #[arg(long)]
    plain: bool,
    /// Build the table even if there is one
    #[arg(long)]
    again: bool,
    /// Prove the finished table: the value of every position against those of its children
    #[arg(long)]
    check: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Write a checkpoint every N seconds, from which a later run continues
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    keep_every: f64,
    /// Build an opening book instead, of all positions with at most N plies played: for games solved by search (connect4)
    /// and for those solved part by part (dots)
    #[arg(long, value_name = "PLIES")]
    book: Option<u32>,
    /// Also build the table of who makes the next loony move (dots)
    #[arg(long, conflicts_with = "book")]
    loony: bool,
    /// The method: a table (the default), or a method for one position, which prints what it took
    #[arg(long, value_enum, default_value_t = By::Table)]
    by: By,
    /// The position to solve [default: the start]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Megabytes of the search's table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Save the results of the search in this file, and continue from it if it is there
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    keep: Option<PathBuf>,
    /// Stop the search, or the method, after this time
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    #[command(flatten)]
    method: MethodArgs,
}

/// The method of solving a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Every position, in a file.
    Table,
    /// One position by alpha-beta, without a table, formula or book.
    Search,
    /// One position by plain recursion: minimax.
    Naive,
    /// One position by memoised recursion.
    Memo,
    /// All positions that can follow one, swept forwards until no value changes.
    Sweeps,
    /// All positions that can follow one, backwards from the ends of the game: retrograde analysis.
    Queue,
    /// All positions that can follow one, layer by layer from the ends of the game; acyclic games only.
    Layers,
    /// One position by Monte-Carlo tree search, 10 s unless --seconds is given: an estimate, until it is proved.
    Mcts,
}

impl By {
    /// Returns the textbook method; `None` for a table, Monte-Carlo tree search and the game's own search.
    fn method(self, args: &SolveArgs, searches: bool) -> Option<Method> {
        match self {
            By::Table | By::Mcts => None,
            By::Search if searches && !args.plain && args.method.bounds.is_none() => None,
            By::Search => Some(Method::Search { plain: args.plain }),
            By::Naive => Some(Method::Naive),
            By::Memo => Some(Method::Memo),
            By::Sweeps => Some(Method::Sweeps),
            By::Queue => Some(Method::Queue),
            By::Layers => Some(Method::Layers),
        }
    }
}

/// Default seconds of playouts.
const PLAYOUTS: f64 = 10.0;

/// Returns the default number of threads.
pub(super) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the error for a game that has no table.
pub(super) fn no_table(name: &str) -> anyhow::Error {
    Usage(format!("{name} is solved without a table: expected one that grundy games says to have a table"))
        .into()
}

pub fn run(catalog: &Catalog, args: &SolveArgs) -> Result<ExitCode> {
    let threads = args.threads.map_or_else(all_threads, usize::from);
    if args.by != By::Table {
        let threads = args.threads.map_or(1, usize::from);
        let hash_mb = args.hash as usize;
        let playouts = args.by == By::Mcts;
        let method = if playouts { grundy_session::Method::MonteCarlo } else { grundy_session::Method::Own };
        let settings =
            Settings { tables: args.tables.clone(), threads, hash_mb, method, ..Settings::default() };
        let mut session = open(catalog, &args.game, &settings)?;
        if let Some(method) = args.by.method(args, session.searches()) {
            let memory = args.memory_limit.unwrap_or(methods::MEMORY_MB).saturating_mul(1 << 20);
            let budget = Budget::new(args.seconds, memory);
            return methods::run(&mut session, args.position.as_deref(), method, &args.method, budget);
        }
        if let Some(path) = &args.keep {
            search::keep(&mut session, path, args.keep_every)?;
        }
        let seconds = args.seconds.or(playouts.then_some(PLAYOUTS));
        let estimates = playouts || args.method.depth.is_some();
        return search::run(&mut session, args.position.as_deref(), seconds, args.method.depth, estimates);
    }
    if !args.loony {
        return table(catalog, args, &args.game, threads);
    }
    let settings = Settings { tables: args.tables.clone(), ..Settings::default() };
    let name = open(catalog, &args.game, &settings)?.name().to_owned();
    let states = format!("{name}:loony");
    if let Err(why) = open(catalog, &states, &settings) {
        return Err(Usage(format!("{name} has no table of loony states: {why}")).into());
    }
    let made = table(catalog, args, &name, threads)?;
    if made != ExitCode::SUCCESS {
        return Ok(made);
    }
    table(catalog, args, &states, threads)
}

/// Builds the table of a game, or prints the estimate.
fn table(catalog: &Catalog, args: &SolveArgs, name: &str, threads: usize) -> Result<ExitCode> {
    let settings = Settings { tables: args.tables.clone(), ..Settings::default() };
    let mut session = open(catalog, name, &settings)?;
    if let Some(plies) = args.book.filter(|_| session.tabled(args.book).is_none()) {
        session = open(catalog, &format!("{}:book={plies}", session.name()), &settings)?;
    }
    let Some(game) = session.tabled(args.book) else { return Err(no_table(session.name())) };
    let memory_limit = args.memory_limit.map(|mb| mb.saturating_mul(1 << 20));
    if args.estimate {
        let code = estimate(&*game, threads, memory_limit)?;
        if let Some(division) = session.division() {
            let folder = Folder::find(args.tables.as_deref());
            division::write(&mut stdout(), &division, &*game, &folder, memory_limit)?;
        }
        return Ok(code);
    }
    let folder = Folder::find(args.tables.as_deref());
    folder.make()?;
    let path = folder.file(game.name());
    let _lock = folder.lock(game.name())?;
    let meter = Meter::new(args.quiet);
    let work =
        Work { stop: &NEVER, until: None, threads, memory_limit, report: &|progress| meter.show(progress) };
    let scratch = Scratch::new(folder.clone(), every(args.keep_every));
    let job = Job {
        folder: &folder,
        scratch: &scratch,
        work: &work,
        meter: &meter,
        packing: if args.plain { Packing::Plain } else { Packing::Packed },
        again: args.again,
        check: args.check,
        disk_limit: args.disk_limit,
    };
    if !game.parts().is_empty() {
        return parts::solve(&job, &*game);
    }
    let mut out = stdout();
    // A larger book than requested will do; a shorter one is built again.
    let stored = session.tabled(None).map_or(0, |stored| stored.count());
    let mut count = game.count();
    if let Some(table) = job.there(&*game, stored)? {
        count = table.count();
        writeln!(out, "{}: there already", path.display())?;
    } else {
        job.make(&*game, 0)?;
        // If positions had to be found first, their number is known only now.
        count = if count == 0 { game.count() } else { count.min(game.count()) };
        let size = std::fs::metadata(&path).map_or(0, |file| file.len());
        writeln!(out, "{}: {}", path.display(), megabytes(size))?;
    }
    if args.check {
        let began = Instant::now();
        let assurance = job.verify(&*game, count)?;
        writeln!(out, "{}", assurance.report(count, began.elapsed()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the estimate of a table.
fn estimate(game: &dyn Tabled, threads: usize, limit: Option<u64>) -> Result<ExitCode> {
    let Estimate { numbers, kept, disk, memory, cached, moves, seconds } = game.estimate()?;
    let mut out = stdout();
    let seconds = moves.and_then(|_| seconds.or_else(|| game.measured()));
    let (Some(moves), Some(seconds)) = (moves, seconds) else {
        writeln!(
            out,
            "{}: {kept} positions, {} of memory to solve with cells of one byte, up to {} on disk meanwhile",
            game.name(),
            size(memory),
            size(disk)
        )?;
        if let Some(seconds) = game.measured() {
            let (one, all) = (time(seconds), time(seconds / threads as f64));
            writeln!(out, "time: {one} on 1 thread, about {all} on {threads}, by solving the first parts")?;
        }
        return short_of_memory(memory, limit);
    };
    writeln!(out, "{}", game.name())?;
    let parts = game.parts();
    if !parts.is_empty() {
        writeln!(out, "tables: {}", parts.len())?;
    }
    writeln!(out, "positions in all parts: {numbers}")?;
    writeln!(out, "positions kept: {kept}")?;
    writeln!(out, "disk: {} at most, parts and finished table", size(disk))?;
    match cached {
        0 => writeln!(out, "memory: {}", size(memory))?,
        cached => {
            let (memory, cached) = (size(memory), size(cached));
            writeln!(out, "memory: {memory}; fastest if the system has {cached} more to cache files")?;
            writeln!(
                out,
                "more memory changes neither the parts nor the disk: parts are files, and only the time grows if the \
                 system has less to cache them"
            )?;
        }
    }
    writeln!(out, "moves generated: {moves}")?;
    writeln!(
        out,
        "time: {} on 1 thread, about {} on {threads}, by a short measurement",
        time(seconds),
        time(seconds / threads as f64)
    )?;
    let least = parts.iter().map(|part| part.least_memory()).collect::<Result<Vec<_>, _>>()?;
    short_of_memory(least.into_iter().max().unwrap_or(memory), limit)
}

/// Prints a line if a limit leaves too little memory.
fn short_of_memory(least: u64, limit: Option<u64>) -> Result<ExitCode> {
    if let Some(limit) = limit.filter(|&limit| limit < least) {
        let (limit, least) = (size(limit), size(least));
        writeln!(stdout(), "refused with --memory-limit {limit}: the least is {least}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the time between two checkpoints.
fn every(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).min(Duration::from_secs(1 << 30))
}

/// Formats a time in seconds, minutes or hours.
fn time(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
