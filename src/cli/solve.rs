//! `grundy solve`: makes the table of a game and writes it to the folder of tables, or proves one position by search.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use grundy::session::{Settings, Tabled};
use grundy::solve::{NEVER, SolveError, Work};
use grundy::table::{Disk, Folder, Form, Keep, Label, NoKeep, PartFile, Table, refuse_without_room, write};

use super::progress::{Meter, a_second};
use super::{Usage, open, parts};

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
    /// Blocks as they are instead of compressed: larger, and the fastest to probe
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
    /// How: a table (the default), or a search of one position, which tells what it has proved until it is done
    #[arg(long, value_enum, default_value_t = By::Table)]
    by: By,
    /// The position to search [default: the start]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Megabytes of the search's table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Keep what the search finds out in this file, and go on from it where it is there
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Stop the search after this time
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
}

/// How a game is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Every position, in a file.
    Table,
    /// One position, without asking a table, formula or book.
    Search,
}

/// Threads where none were named.
pub(super) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The door to the table of a game that was named on the command line.
pub(super) fn no_table(name: &str) -> anyhow::Error {
    Usage(format!("{name} is solved without a table: expected a game whose method is layers or retrograde"))
        .into()
}

pub fn run(args: &SolveArgs) -> Result<ExitCode> {
    let threads = args.threads.map_or_else(all_threads, usize::from);
    if args.by == By::Search {
        let threads = args.threads.map_or(1, usize::from);
        let hash_mb = args.hash as usize;
        let settings = Settings { tables: args.tables.clone(), threads, hash_mb, ..Settings::default() };
        let mut session = open(&args.game, &settings)?;
        if let Some(path) = &args.keep {
            parts::keep(&mut *session, path, args.keep_every)?;
        }
        return parts::search(&mut *session, args.position.as_deref(), args.seconds);
    }
    let settings = Settings { tables: args.tables.clone(), ..Settings::default() };
    let mut session = open(&args.game, &settings)?;
    if let Some(game) = session.booked().filter(|_| args.estimate) {
        return parts::estimate(&*game, args.book, threads);
    }
    let by_parts = session.booked().is_some();
    if let Some(plies) = args.book.filter(|_| !by_parts) {
        session = open(&format!("{}:book={plies}", session.name()), &settings)?;
    }
    let Some(game) = session.tabled() else { return Err(no_table(session.name())) };
    if args.estimate {
        return estimate(&*game);
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
    // A book that is shorter than the one asked for is made anew.
    let wanted = session.booked().and_then(|booked| parts::numbers(&*booked, args.book)).unwrap_or(0);
    let there = (!args.again && path.exists() && game.count() >= wanted)
        .then(|| Table::open_for(&path, game.name(), game.fingerprint(), game.count()));
    match there {
        Some(Ok(_)) => {
            // A solver killed between its last two steps leaves the checkpoint of a table that is done.
            match std::fs::remove_file(folder.part(game.name())) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => writeln!(out, "{}: there already", path.display())?,
            }
        }
        old => {
            if let Some(Err(error)) = old {
                log::warn!("{error}; made anew");
            }
            match session.booked() {
                Some(booked) => parts::make(&*booked, args.book, &folder, &work, &meter, form(args))?,
                None => make(args, &*game, &folder, &work, &meter)?,
            }
            let size = std::fs::metadata(&path).map_or(0, |file| file.len());
            writeln!(out, "{}: {}", path.display(), megabytes(size))?;
        }
    }
    if args.check {
        // A book made in place of a shorter one has the numbers asked for.
        let count = game.count().max(wanted);
        let began = Instant::now();
        let table = Table::open_for(&path, game.name(), game.fingerprint(), count)?;
        let proved = game.verify(&table, &work);
        meter.finish();
        if let Err(doubt) = proved {
            bail!("{}: {doubt}", path.display());
        }
        let seconds = began.elapsed().as_secs_f64();
        writeln!(out, "proved: the values of all {count} numbers follow from each other, {seconds:.1} s")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what a table needs: what the method says when it may use no memory at all.
fn estimate(game: &dyn Tabled) -> Result<ExitCode> {
    let work = Work { stop: &NEVER, threads: 1, memory_limit: Some(0), report: &|_| {} };
    let needed = match game.solve(&work, &mut NoKeep) {
        Err(SolveError::TooLarge { needed, .. }) => needed,
        Err(error) => return Err(error.into()),
        Ok(table) => table.coding().width.bytes(table.count()).unwrap_or(0),
    };
    writeln!(
        io::stdout(),
        "{}: {} numbers, {} of memory to solve with cells of one byte, up to {} on disk meanwhile",
        game.name(),
        game.count(),
        megabytes(needed),
        megabytes(game.count().saturating_mul(2)),
    )?;
    Ok(ExitCode::SUCCESS)
}

fn form(args: &SolveArgs) -> Form {
    if args.plain { Form::Plain } else { Form::Packed }
}

/// Makes the table and writes it.
fn make(args: &SolveArgs, game: &dyn Tabled, folder: &Folder, work: &Work<'_>, meter: &Meter) -> Result<()> {
    let began = Instant::now();
    // A table and a checkpoint, at worst as large as their cells.
    refuse_without_room(folder.path(), game.count().saturating_mul(2))?;
    let (name, fingerprint) = (game.name(), game.fingerprint());
    let every = Duration::try_from_secs_f64(args.keep_every).unwrap_or(Duration::MAX);
    let every = every.min(Duration::from_secs(1 << 30));
    let mut part = PartFile::new(&Disk, folder.part(name), name, fingerprint, game.count(), every);
    let solved = game.solve(work, &mut part as &mut dyn Keep);
    meter.finish();
    let table = solved?;
    let seconds = began.elapsed().as_secs_f64();
    let label = Label { name: name.to_owned(), fingerprint, maker: game.maker() };
    write(&Disk, &folder.file(name), &label, &table, form(args), work.threads)?;
    part.discard()?;
    let rate = game.count() as f64 / seconds.max(1e-9);
    let width = table.coding().width.bytes(game.count()).unwrap_or(0);
    writeln!(
        io::stdout(),
        "{name}: {} numbers in {seconds:.2} s ({}, {} threads), {} of cells",
        game.count(),
        a_second(rate),
        work.threads,
        megabytes(width)
    )?;
    Ok(())
}

/// A size for people.
pub(super) fn megabytes(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{bytes} bytes") } else { format!("{:.1} MB", bytes as f64 / 1e6) }
}
