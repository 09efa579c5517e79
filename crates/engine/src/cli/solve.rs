//! `grundy solve`: makes the table of a game and writes it to the folder of tables, or proves one position by search.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use grundy_core::table::{Disk, Folder, Form, Label, Scratch, Table, refuse_without_room, write};
use grundy_session::{Belief, Catalog, Estimate, NEVER, Settings, Tabled, Work};

use super::methods::{self, Method, MethodArgs};
use super::progress::{Meter, rate};
use super::textbook::Budget;
use super::{Usage, open, search};

#[derive(Args)]
pub struct SolveArgs {
    /// The game, with its parameters: mnk:4,4,4
    game: String,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Refuse before the start what needs more memory
    #[arg(long, value_name = "MB")]
    memory_limit: Option<u64>,
    /// Say what the table would need, and make none
    #[arg(long)]
    estimate: bool,
    /// Tables: blocks as they are instead of compressed, larger and the fastest to probe. Search: alpha-beta as in
    /// textbooks, in the game's order of moves and without memory
    #[arg(long)]
    plain: bool,
    /// Make the table even if there is one
    #[arg(long)]
    again: bool,
    /// Prove the finished table: the value of every position against those of its children
    #[arg(long)]
    check: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Keep the work half done every so often, to go on from after a crash
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    keep_every: f64,
    /// An opening book instead, of all positions with at most N plies played: for games solved by search (connect4)
    /// and for those solved part by part (dots)
    #[arg(long, value_name = "PLIES")]
    book: Option<u32>,
    /// How: a table (the default), or a method for one position, which says what it took
    #[arg(long, value_enum, default_value_t = By::Table)]
    by: By,
    /// The position to solve [default: the start]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Megabytes of the search's table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Keep what the search finds out in this file, and go on from it where it is there
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Stop the search, or the method, after this time
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    #[command(flatten)]
    method: MethodArgs,
}

/// How a game is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Every position, in a file.
    Table,
    /// One position by alpha-beta, without asking a table, formula or book.
    Search,
    /// One position by plain recursion: minimax.
    Naive,
    /// One position by recursion with memory.
    Memo,
    /// All that can follow a position, gone through forwards until nothing changes.
    Sweeps,
    /// All that can follow a position, backwards from the ends of the game: retrograde analysis.
    Queue,
    /// All that can follow a position, layer by layer from the ends of the game; play that cannot come back.
    Layers,
}

impl By {
    /// The method of the textbooks that is asked for, unless the game's own search is.
    fn method(self, args: &SolveArgs, searches: bool) -> Option<Method> {
        match self {
            By::Table => None,
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

/// Threads where none were named.
pub(super) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The refusal of a game that has no table.
pub(super) fn no_table(name: &str) -> anyhow::Error {
    Usage(format!("{name} is solved without a table: expected one that grundy games says to have a table"))
        .into()
}

pub fn run(catalog: &Catalog, args: &SolveArgs) -> Result<ExitCode> {
    let threads = args.threads.map_or_else(all_threads, usize::from);
    if args.by != By::Table {
        let threads = args.threads.map_or(1, usize::from);
        let hash_mb = args.hash as usize;
        let settings = Settings { tables: args.tables.clone(), threads, hash_mb, ..Settings::default() };
        let mut session = open(catalog, &args.game, &settings)?;
        if let Some(method) = args.by.method(args, session.searches()) {
            let memory = args.memory_limit.unwrap_or(methods::MEMORY_MB).saturating_mul(1 << 20);
            let budget = Budget::new(args.seconds, memory);
            return methods::run(&mut session, args.position.as_deref(), method, &args.method, budget);
        }
        if let Some(path) = &args.keep {
            search::keep(&mut session, path, args.keep_every)?;
        }
        return search::run(&mut session, args.position.as_deref(), args.seconds, args.method.depth);
    }
    let settings = Settings { tables: args.tables.clone(), ..Settings::default() };
    let mut session = open(catalog, &args.game, &settings)?;
    if let Some(plies) = args.book.filter(|_| session.tabled(args.book).is_none()) {
        session = open(catalog, &format!("{}:book={plies}", session.name()), &settings)?;
    }
    let Some(game) = session.tabled(args.book) else { return Err(no_table(session.name())) };
    if args.estimate {
        return estimate(&*game, threads);
    }
    let folder = Folder::find(args.tables.as_deref());
    folder.make()?;
    let path = folder.file(game.name());
    let _lock = folder.lock(game.name())?;
    let meter = Meter::new(args.quiet);
    let work = Work {
        stop: &NEVER,
        threads,
        memory_limit: args.memory_limit.map(|mb| mb.saturating_mul(1 << 20)),
        report: &|progress| meter.show(progress),
    };
    let mut out = io::stdout();
    let scratch = Scratch::new(folder.clone(), every(args.keep_every));
    // What holds more than was asked for will do; a book that is shorter is made anew.
    let stored = session.tabled(None).map_or(0, |stored| stored.count());
    let mut count = game.count();
    let there = (!args.again && path.exists() && stored >= count)
        .then(|| Table::open_for(&path, game.name(), game.fingerprint(), stored));
    match there {
        Some(Ok(table)) => {
            count = table.count();
            // A solver killed between its last two steps leaves the checkpoint of a table that is done.
            scratch.discard(game.name())?;
            writeln!(out, "{}: there already", path.display())?;
        }
        old => {
            if let Some(Err(error)) = old {
                log::warn!("{error}; made anew");
            }
            make(args, &*game, &folder, &scratch, &work, &meter)?;
            count = game.count();
            let size = std::fs::metadata(&path).map_or(0, |file| file.len());
            writeln!(out, "{}: {}", path.display(), megabytes(size))?;
        }
    }
    if args.check {
        let began = Instant::now();
        let table = Table::open_for(&path, game.name(), game.fingerprint(), count)?;
        let verified = game.verify(&table, &work);
        meter.finish();
        let seconds = began.elapsed().as_secs_f64();
        match verified {
            Ok(Belief::Proved) => {
                writeln!(
                    out,
                    "proved: the values of all {count} numbers follow from the rules, {seconds:.1} s"
                )?;
            }
            Ok(belief) => writeln!(out, "{belief}; {count} numbers, {seconds:.1} s")?,
            Err(doubt) => bail!("{}: {doubt}", path.display()),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what making a table takes.
fn estimate(game: &dyn Tabled, threads: usize) -> Result<ExitCode> {
    let Estimate { numbers, kept, disk, memory, moves, seconds } = game.estimate()?;
    let mut out = io::stdout().lock();
    let (Some(moves), Some(seconds)) = (moves, seconds) else {
        writeln!(
            out,
            "{}: {kept} numbers, {} of memory to solve with cells of one byte, up to {} on disk meanwhile",
            game.name(),
            size(memory),
            size(disk)
        )?;
        return Ok(ExitCode::SUCCESS);
    };
    writeln!(out, "{}", game.name())?;
    writeln!(out, "numbers in all parts: {numbers} (one byte each)")?;
    writeln!(out, "numbers kept: {kept}")?;
    writeln!(out, "disk: {} at most, parts and finished table", size(disk))?;
    writeln!(out, "memory: {}", size(memory))?;
    writeln!(out, "moves looked at: {moves}")?;
    writeln!(
        out,
        "time: {} on 1 thread, about {} on {threads}, by a short measurement of the inner loop",
        time(seconds),
        time(seconds / threads as f64)
    )?;
    Ok(ExitCode::SUCCESS)
}

fn form(args: &SolveArgs) -> Form {
    if args.plain { Form::Plain } else { Form::Packed }
}

/// The time between two checkpoints.
fn every(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).min(Duration::from_secs(1 << 30))
}

/// Makes the table and writes it.
fn make(
    args: &SolveArgs,
    game: &dyn Tabled,
    folder: &Folder,
    scratch: &Scratch,
    work: &Work<'_>,
    meter: &Meter,
) -> Result<()> {
    let began = Instant::now();
    refuse_without_room(folder.path(), game.estimate()?.disk)?;
    let solved = game.solve(work, scratch);
    meter.finish();
    let table = solved?;
    let seconds = began.elapsed().as_secs_f64();
    let label = Label { name: game.name().to_owned(), fingerprint: game.fingerprint(), maker: game.maker() };
    write(&Disk, &folder.file(game.name()), &label, &table, form(args), work.threads)?;
    scratch.discard(game.name())?;
    let rate = rate(table.count(), began.elapsed()).map_or(String::new(), |rate| format!("{rate}, "));
    writeln!(
        io::stdout(),
        "{}: {} numbers in {seconds:.2} s ({rate}{} threads), {} of cells",
        game.name(),
        table.count(),
        work.threads,
        megabytes(table.coding().width.bytes(table.count()).unwrap_or(0))
    )?;
    Ok(())
}

/// A size for people.
pub(super) fn megabytes(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{bytes} bytes") } else { format!("{:.1} MB", bytes as f64 / 1e6) }
}

/// A size for people, from bytes to terabytes.
fn size(bytes: u64) -> String {
    if bytes < 10_000_000_000 { megabytes(bytes) } else { format!("{:.1} GB", bytes as f64 / 1e9) }
}

/// A time for people.
fn time(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
