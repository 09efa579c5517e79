//! `grundy solve` for games solved part by part, what it would take, and the search of one position.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use grundy::protocol::value_word;
use grundy::session::{Booked, Go, Session};
use grundy::solve::Work;
use grundy::solve::groups::DiskStore;
use grundy::table::{Disk, Folder, Form, Label, Maker, refuse_without_room, write};
use grundy::value::Score;

use super::Usage;
use super::progress::Meter;
use super::solve::megabytes;

/// How many moves are made at most in a book; all without one.
fn drawn(book: Option<u32>) -> usize {
    book.map_or(usize::MAX, |plies| plies as usize)
}

/// How many numbers the finished table has, where the game fits.
pub(super) fn numbers(game: &dyn Booked, book: Option<u32>) -> Option<u64> {
    Some(game.plan(drawn(book)).ok()?.kept)
}

/// Prints what a table takes.
pub(super) fn estimate(game: &dyn Booked, book: Option<u32>, threads: usize) -> Result<ExitCode> {
    let plan = game.plan(drawn(book))?;
    let seconds = game.seconds()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", game.name())?;
    writeln!(out, "numbers in all parts: {} (one byte each)", plan.numbers)?;
    writeln!(out, "numbers kept: {}", plan.kept)?;
    writeln!(out, "disk: {} at most, parts and finished table", size(plan.disk))?;
    writeln!(out, "memory: {}", size(plan.memory))?;
    writeln!(out, "moves looked at: {}", plan.moves)?;
    writeln!(
        out,
        "time: {} on 1 thread, about {} on {threads}, by a short measurement of the inner loop",
        time(seconds),
        time(seconds / threads as f64)
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Makes the table, or the part of it that makes an opening book, and writes it.
pub(super) fn make(
    game: &dyn Booked,
    book: Option<u32>,
    folder: &Folder,
    work: &Work<'_>,
    meter: &Meter,
    form: Form,
) -> Result<()> {
    let drawn = drawn(book);
    let plan = game.plan(drawn)?;
    refuse_without_room(folder.path(), plan.disk)?;
    let began = Instant::now();
    let (name, fingerprint) = (game.name(), game.fingerprint());
    let mut store = DiskStore::new(&folder.part(name).with_extension("parts"), name, fingerprint)?;
    let solved = game.make(drawn, &mut store, work);
    meter.finish();
    let table = solved?;
    let seconds = began.elapsed().as_secs_f64();
    let label = Label { name: name.to_owned(), fingerprint, maker: Maker::Layers };
    write(&Disk, &folder.file(name), &label, &table, form, work.threads)?;
    store.discard()?;
    writeln!(
        io::stdout(),
        "{name}: {} numbers in {seconds:.2} s ({:.1} million moves a second, {} threads), {} kept",
        plan.numbers,
        plan.moves as f64 / seconds.max(1e-9) / 1e6,
        work.threads,
        table.count()
    )?;
    Ok(())
}

/// Has a search go on from a file and keep in it what it finds out.
pub(super) fn keep(session: &mut dyn Session, path: &Path, every: f64) -> Result<()> {
    let every = Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX);
    let Some(there) = session.keep(path, every) else {
        return Err(Usage(format!(
            "{} keeps no searches: expected a game that is proved by windows, as dots is",
            session.name()
        ))
        .into());
    };
    if there? {
        writeln!(io::stdout(), "goes on from {}", path.display())?;
    }
    Ok(())
}

/// Searches a position, without tables, until its value is proved or the time is up; says how large that may get, and
/// each bound.
pub(super) fn search(
    session: &mut dyn Session,
    position: Option<&str>,
    seconds: Option<f64>,
) -> Result<ExitCode> {
    if !session.searches() {
        let name = session.name();
        return Err(Usage(format!("{name} has no search: expected a game that is solved by search")).into());
    }
    session.setup(position).map_err(|refusal| Usage(refusal.to_string()))?;
    let mut out = io::stdout();
    writeln!(out, "{} {}", session.name(), session.position())?;
    if let Some(effort) = session.effort() {
        writeln!(out, "{effort}")?;
    }
    let began = Instant::now();
    let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    let stop = AtomicBool::new(false);
    let (mut proved, mut failed, mut shown) = (None, Ok(()), None);
    let unit = session.unit();
    std::thread::scope(|scope| {
        let (done, ended) = std::sync::mpsc::channel::<()>();
        let stop = &stop;
        if let Some(limit) = limit {
            scope.spawn(move || {
                if ended.recv_timeout(limit).is_err() {
                    stop.store(true, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
        // No limit is given to the search itself, so that it tells bounds as it proves them.
        let go = Go { alone: true, ..Go::default() };
        session.go(&go, stop, &mut |info| {
            let (sign, value) = match info.score {
                Score::Exact(value) => ("=", value),
                Score::AtLeast(value) => (">=", value),
                Score::AtMost(value) => ("<=", value),
                Score::Guess(_) => return,
            };
            if info.rank != 1 || shown.replace(info.score) == Some(info.score) {
                return;
            }
            let line = format!(
                "value {sign} {}\tnodes {}\t{:.1} s",
                value_word(Some(value), unit),
                info.nodes,
                began.elapsed().as_secs_f64()
            );
            if failed.is_ok() {
                failed = writeln!(out, "{line}").and_then(|()| out.flush());
            }
            if info.score.exact().is_some() {
                proved = Some(info.pv.join(" "));
            }
        });
        let _ = done.send(());
    });
    failed?;
    match proved {
        Some(line) => writeln!(out, "proved; best play {line}")?,
        None => writeln!(out, "not proved in {:.1} s", began.elapsed().as_secs_f64())?,
    }
    Ok(ExitCode::SUCCESS)
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
