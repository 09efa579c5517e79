//! `grundy solve --estimate`: what a table, an opening book or a search would take, by a short measurement.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use grundy_core::random::SplitMix64;
use grundy_core::table::{Folder, Maker, Width};
use grundy_core::text::{counted, grouped, size, wrapped};
use grundy_session::{
    Catalog, Estimate, Go, Known, Limits, STOPPED, Session, SolveError, Tabled, Work, quiet_work,
};

use super::division;
use super::making::lacking;
use super::numbers::{about, time};
use super::output::stdout;
use super::progress::Meter;
use super::shared::{FAILED, log_line, no_table, search_method};
use super::stopping::Stopper;
use super::verdict;

/// Prints what solving the session's position would take: a table, a book of `book` plies, or a search. `meter` shows the
/// progress of the measurement of a table.
pub fn run(
    catalog: &Catalog,
    session: &mut Session,
    book: Option<u32>,
    threads: usize,
    limit: Option<u64>,
    meter: &Meter,
) -> Result<ExitCode> {
    // The book may be in the game's name.
    let named = || session.name().rsplit_once(":book=")?.1.parse().ok();
    let book = book.or_else(named);
    let mut out = stdout();
    let stopper = Stopper::new(None, None)?;
    let work = Work { stop: stopper.flag(), report: &|progress| meter.show(progress), ..quiet_work() };
    let stopped = || {
        log_line("stopped before there was an estimate");
        Ok(ExitCode::from(FAILED))
    };
    let folder = session.folder().clone();
    let mut fits = false;
    let mut missing = None;
    if let Some(game) = session.tabled(book) {
        let earlier = earlier(session).filter(|_| book.is_none());
        let found = of_table(&*game, &Asked { book, threads, limit, folder: &folder, earlier, meter }, &work);
        meter.finish();
        match found {
            Ok(lacking) => {
                if let Some(division) = session.division() {
                    division::write(&mut out, &division, &*game, &folder, limit)?;
                }
                fits = lacking.is_none();
                missing = lacking;
            }
            Err(_) if work.stopped() => return stopped(),
            Err(error) if error.is::<SolveError>() && session.searches() && book.is_none() => {
                writeln!(out, "{}: no table: {error:#}", session.name())?;
            }
            Err(error) => return Err(error),
        }
    } else if book.is_some() {
        return Err(no_table(session.name()));
    }
    if let Some(plies) = book {
        let count = session.tabled(book).map(|game| game.count());
        match count.zip(position_of_book(session, plies, stopper.flag())) {
            _ if work.stopped() => return stopped(),
            Some((count, (seconds, enough))) => {
                let all = count as f64 * seconds / threads as f64;
                let least = if enough { "" } else { "more than " };
                writeln!(
                    out,
                    "time: {least}{} on {threads} threads, by a search of some of the {}: an estimate",
                    time(all),
                    counted(count, "position")
                )?;
            }
            None => writeln!(out, "time: not known: no position of the book could be searched")?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    if fits {
        return Ok(ExitCode::SUCCESS);
    }
    let method = catalog.row(session.name()).map_or("", |row| row.method);
    let name = session.name().to_owned();
    let at_once = session.work(&STOPPED);
    let known = session.value_within(&at_once).is_some();
    if let Some(missing) = missing {
        if !known && !session.searches() {
            writeln!(out, "grundy solve cannot build the table here, which needs {missing}")?;
            return Ok(ExitCode::SUCCESS);
        }
        writeln!(out, "grundy solve builds no table here, which needs {missing}, and goes on without:")?;
    }
    if known || !session.searches() {
        writeln!(out, "{name}: {method}\ntime: less than a second as a rule, without a table")?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(entry) = verdict::infeasible(catalog, session) {
        let why = entry.get("note");
        writeln!(
            out,
            "{name}: the start position by {}\ntime: not feasible here: {why}",
            search_method(method)
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let position = match verdict::is_start(session) {
        true => "the start position".to_owned(),
        false => session.position(),
    };
    let earlier = session.known_result().filter(|known| !known.by_table).and_then(seconds_of);
    let found = earlier.map_or_else(|| of_search(session, stopper.flag()), Searched::Earlier);
    let by = match found {
        _ if work.stopped() => return stopped(),
        Searched::Earlier(seconds) => {
            format!("{} of CPU time, as an earlier proof has taken", about(seconds))
        }
        Searched::Proved(seconds) => format!("{}, as it has just been proved", about(seconds)),
        Searched::Extrapolated { least, most, plies } => format!(
            "between {} and {} on 1 thread, extrapolated from positions at most {plies} plies before the end by the \
             growth from ply to ply",
            time(least),
            time(most)
        ),
        Searched::Far { plies, length } => format!(
            "not known: positions at most {plies} plies before the end were proved in a second, and games have about \
             {length}"
        ),
        Searched::Unknown => "not known: no position on the way could be proved in a second".to_owned(),
    };
    let how = format!("{name}: {position} by {}", search_method(method));
    writeln!(out, "{}\n{}", wrapped("", &how, 2), wrapped("time: ", &by, 2))?;
    Ok(ExitCode::SUCCESS)
}

/// States that one thread solves in a second, about, where the table's method measures nothing itself: see
/// docs/figures.md.
const fn speed(maker: Maker, width: Width) -> f64 {
    match maker {
        Maker::Layers if matches!(width, Width::Quarter) => 4e6,
        Maker::Layers => 15e6,
        Maker::Retrograde => 3e6,
        Maker::BitParallel => 7e6,
        Maker::Thresholds => 0.7e6,
        Maker::Other => 1e6,
    }
}

/// A question about a table.
struct Asked<'a> {
    /// The plies of an opening book.
    book: Option<u32>,
    threads: usize,
    /// The bytes of memory that the table may take.
    limit: Option<u64>,
    /// The folder of the table.
    folder: &'a Folder,
    /// A line on an earlier proof, beside the time.
    earlier: Option<String>,
    /// The progress, which ends before the estimate is printed.
    meter: &'a Meter,
}

impl Asked<'_> {
    /// Prints the time on one thread in `seconds`, and how it was found. It is that of `grundy solve`, unless this machine is
    /// `lacking` something.
    fn time(&self, lacking: Option<&str>, seconds: f64, by: &str) -> Result<()> {
        let label = if lacking.is_some() && self.book.is_none() { "time of this table" } else { "time" };
        let (one, all, threads) = (time(seconds), time(seconds / self.threads as f64), self.threads);
        let mut out = stdout();
        writeln!(out, "{label}: {one} on 1 thread, about {all} on {threads}, {by}")?;
        if let Some(earlier) = self.earlier.as_ref().filter(|_| lacking.is_none()) {
            writeln!(out, "{earlier}")?;
        }
        Ok(())
    }
}

/// Returns a line on an earlier proof of the position, to stand beside the time of its table.
fn earlier(session: &Session) -> Option<String> {
    let known = session.known_result()?;
    let took = about(seconds_of(known)?);
    Some(match (known.by_table, &known.command) {
        (false, Some(command)) => {
            format!("instead: {command} proves the value, and has taken {took} of CPU time")
        }
        (false, None) => format!("instead: an earlier search has taken {took} of CPU time"),
        (true, _) => {
            format!("earlier: this table has taken {took} of CPU time; machines and their load differ")
        }
    })
}

/// Prints the estimate of a table; returns what it needs that this machine lacks.
fn of_table(game: &dyn Tabled, asked: &Asked<'_>, work: &Work<'_>) -> Result<Option<String>> {
    let Estimate { numbers, kept, disk, memory, width, cached, moves, seconds, at_least } =
        game.estimate(work)?;
    let mut out = stdout();
    asked.meter.finish();
    if at_least {
        writeln!(
            out,
            "{}: more than {} positions, more than {} of memory to solve with {width} a position\ntime: not known \
             before all positions are found, which `grundy solve` does first",
            game.name(),
            grouped(kept),
            size(memory)
        )?;
        short_of_memory(memory, asked.limit)?;
        return Ok(lacking(asked.folder, memory, 0));
    }
    let measured = seconds.filter(|_| moves.is_some()).or_else(|| game.measured(work));
    let parts = game.parts();
    // Each part is built for itself, as far as the disk has room.
    let least = parts.iter().map(|part| part.least_memory(work)).collect::<Result<Vec<_>, _>>()?;
    let least = least.into_iter().max();
    asked.meter.finish();
    let lacking = match least {
        Some(least) => lacking(asked.folder, least, 0),
        None => lacking(asked.folder, memory, disk),
    };
    let least = least.unwrap_or(memory);
    let (Some(moves), Some(seconds)) = (moves, measured) else {
        writeln!(
            out,
            "{}: {} positions, {} of memory to solve with {width} a position, up to {} on disk meanwhile",
            game.name(),
            grouped(kept),
            size(memory),
            size(disk)
        )?;
        let (seconds, by) = match measured {
            Some(seconds) => (seconds, "by solving the first parts"),
            None => (kept as f64 / speed(game.maker(), width), "by the speed of such tables: an estimate"),
        };
        if asked.book.is_none() || measured.is_some() {
            asked.time(lacking.as_deref(), seconds, by)?;
        }
        short_of_memory(memory, asked.limit)?;
        return Ok(lacking);
    };
    let what = match (asked.book, &lacking) {
        (Some(_), _) => "an opening book",
        (None, None) => "grundy solve builds a table of all positions",
        (None, Some(_)) => "a table of all positions",
    };
    writeln!(out, "{}: {what}", game.name())?;
    if !parts.is_empty() {
        writeln!(out, "tables: {}", parts.len())?;
    }
    writeln!(out, "positions in all parts: {}", grouped(numbers))?;
    writeln!(out, "positions kept: {}", grouped(kept))?;
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
    writeln!(out, "moves generated: {}", grouped(moves))?;
    asked.time(lacking.as_deref(), seconds, "by a short measurement")?;
    short_of_memory(least, asked.limit)?;
    Ok(lacking)
}

/// Prints a line if a limit leaves too little memory.
fn short_of_memory(least: u64, limit: Option<u64>) -> Result<()> {
    if let Some(limit) = limit.filter(|&limit| limit < least) {
        let (limit, least) = (size(limit), size(least));
        writeln!(stdout(), "refused with --memory-limit {limit}: the least is {least}")?;
    }
    Ok(())
}

/// The time of a search.
enum Searched {
    /// An earlier proof took these seconds.
    Earlier(f64),
    /// It took these seconds.
    Proved(f64),
    /// It would take between `least` and `most` seconds, by positions at most `plies` plies before the end of a game.
    Extrapolated {
        least: f64,
        most: f64,
        plies: usize,
    },
    /// Only positions at most `plies` plies before the end were proved, of games of `length`.
    Far {
        plies: usize,
        length: usize,
    },
    Unknown,
}

/// Time for a search of the position itself.
const AT_ONCE: Duration = Duration::from_secs(2);
/// Time for a search of one of the positions on the way.
const ON_THE_WAY: Duration = Duration::from_millis(500);
/// Time for all of them.
const TOGETHER: Duration = Duration::from_secs(5);
/// Number of random games.
const GAMES: usize = 3;
/// Maximum length of a random game, in plies.
const LONGEST: usize = 300;
/// Number of distances from the end that the growth is taken from.
const FITTED: usize = 4;
/// Factor by which the time of a position may differ from that of others as far from the end.
const SPREAD: f64 = 3.0;
/// The greatest ratio of a game's plies to those before its end that were measured.
const FARTHEST: f64 = 3.0;
/// Times below this are those of the call, not of the search.
const TRIFLE: f64 = 0.0005;

/// Searches the session's position, and if that takes too long, positions of random games from their ends backwards;
/// the time grows by a factor for each ply, and is extrapolated to the position.
fn of_search(session: &mut Session, stop: &AtomicBool) -> Searched {
    let began = Instant::now();
    if let Some(seconds) = searched(session, AT_ONCE, stop) {
        return Searched::Proved(seconds);
    }
    let start = session.position();
    let mut dice = SplitMix64(1);
    let games: Vec<Vec<String>> =
        (0..GAMES).map(|_| random_game(session, &start, LONGEST, &mut dice)).collect();
    let length = games.iter().map(Vec::len).max().unwrap_or(0);
    let mut times: Vec<(f64, f64)> = Vec::new();
    for left in (2..length).step_by(2) {
        let at = games.iter().filter_map(|game| game.get(..game.len().checked_sub(left)?));
        let mut all = 0.0;
        let mut count = 0;
        for moves in at {
            let late = began.elapsed() > AT_ONCE + TOGETHER || stop.load(Ordering::Relaxed);
            if late || !set_up(session, &start, moves) {
                continue;
            }
            match searched(session, ON_THE_WAY, stop) {
                Some(seconds) => (all, count) = (all + seconds, count + 1),
                None => count = GAMES + 1,
            }
        }
        if count == 0 || count > GAMES {
            break;
        }
        times.push((left as f64, all / count as f64));
    }
    let _ = session.setup(Some(&start));
    times.retain(|&(_, seconds)| seconds >= TRIFLE);
    let last = &times[times.len().saturating_sub(FITTED)..];
    match growth(last) {
        Some((_, (left, _))) if length as f64 > FARTHEST * left => {
            Searched::Far { plies: left as usize, length }
        }
        Some((factors, (left, seconds))) => {
            let [least, most] = factors.map(|factor| seconds * factor.powf(length as f64 - left));
            // Positions of random games differ by that much among themselves.
            // The position itself was not proved in the time that it had.
            let least = (least / SPREAD).max(AT_ONCE.as_secs_f64());
            let most = (most * SPREAD).max(least);
            Searched::Extrapolated { least, most, plies: left as usize }
        }
        None => Searched::Unknown,
    }
}

/// Fits an exponential to times by plies before the end. Returns the least and the largest likely factor of a ply, both at
/// least 1, and the last point.
fn growth(times: &[(f64, f64)]) -> Option<([f64; 2], (f64, f64))> {
    let (&last, count) = (times.last()?, times.len() as f64);
    if times.len() < 2 {
        return None;
    }
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| times.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1.ln()));
    let spread = mean(&|p| (p.0 - x) * (p.0 - x));
    let slope = mean(&|p| (p.0 - x) * (p.1.ln() - y)) / spread;
    // The standard error of the slope; two points have none.
    let rest = mean(&|p| (p.1.ln() - y - slope * (p.0 - x)).powi(2));
    let error = (rest / spread / (count - 2.0).max(1.0)).sqrt();
    Some(([slope - error, slope + error].map(|slope| slope.max(0.0).exp()), last))
}

/// Returns the mean seconds of searching positions that random games reach after `plies` plies, and whether all of them
/// were proved in time.
fn position_of_book(session: &mut Session, plies: u32, stop: &AtomicBool) -> Option<(f64, bool)> {
    let (start, began) = (session.position(), Instant::now());
    let mut dice = SplitMix64(1);
    let (mut all, mut count, mut enough) = (0.0, 0, true);
    while began.elapsed() < TOGETHER && !stop.load(Ordering::Relaxed) {
        let moves = random_game(session, &start, plies as usize, &mut dice);
        if session.over().is_some() || moves.len() < plies as usize {
            continue;
        }
        let most = (TOGETHER.saturating_sub(began.elapsed())).max(ON_THE_WAY);
        let seconds = searched(session, most, stop);
        enough &= seconds.is_some();
        all += seconds.unwrap_or(most.as_secs_f64());
        count += 1;
    }
    let _ = session.setup(Some(&start));
    (count > 0).then(|| (all / f64::from(count), enough))
}

/// Plays random moves from a position until the game is over or `plies` are played, and returns them.
fn random_game(session: &mut Session, start: &str, plies: usize, dice: &mut SplitMix64) -> Vec<String> {
    let _ = session.setup(Some(start));
    while session.history().len() < plies {
        let moves = session.legal_moves(1_000);
        if moves.is_empty() {
            break;
        }
        let word = &moves[(dice.bits() % moves.len() as u64) as usize];
        if session.play(word).is_err() {
            break;
        }
    }
    session.history().to_vec()
}

fn set_up(session: &mut Session, start: &str, moves: &[String]) -> bool {
    session.setup(Some(start)).is_ok() && moves.iter().all(|word| session.play(word).is_ok())
}

/// Returns the seconds in which a search proves the session's position; `None` if that takes longer than `most`.
fn searched(session: &mut Session, most: Duration, stop: &AtomicBool) -> Option<f64> {
    session.forget();
    let began = Instant::now();
    let limits = Limits { hard: Some(began + most), ..Limits::default() };
    let mut proved = session.over().is_some();
    session.think(&Go { alone: true, limits, ..Go::default() }, stop, &mut |info| {
        proved |= info.rank == 1 && info.score.exact().is_some();
    });
    proved.then(|| began.elapsed().as_secs_f64())
}

/// Returns the seconds that an earlier proof took; `None` if it found a bound only, or none were noted.
pub fn seconds_of(known: &Known) -> Option<f64> {
    known.cost.filter(|_| known.value().is_some()).map(|cost| cost.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::growth;

    #[test]
    fn an_exponential_is_recognised() {
        let times: Vec<(f64, f64)> = (1..5).map(|n| (f64::from(2 * n), 0.001 * 4f64.powi(n))).collect();
        let (factors, last) = growth(&times).expect("enough points");
        assert!(factors.iter().all(|factor| (factor - 2.0).abs() < 1e-9) && last.0 == 8.0);
        assert!(growth(&times[..1]).is_none());
        // Noise is not taken for a time that falls.
        assert_eq!(growth(&[(2.0, 0.2), (4.0, 0.1)]).map(|found| found.0), Some([1.0, 1.0]));
        let noisy: Vec<(f64, f64)> =
            times.iter().zip([1.0, 2.0, 0.5, 1.0]).map(|(p, off)| (p.0, p.1 * off)).collect();
        let ([least, most], _) = growth(&noisy).expect("enough points");
        assert!(least < most && most < 3.0, "{least} {most}");
    }
}
