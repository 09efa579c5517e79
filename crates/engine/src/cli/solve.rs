//! `grundy solve`: answers who wins a game and by which moves. It builds the game's table, or where none fits, solves the
//! start position by the method that the game's row names.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use grundy_core::table::{Folder, Maker, Packing, Scratch};
use grundy_core::text::{counted, grouped, size, with_blanks};
use grundy_core::value::{Value, Wdl};
use grundy_core::words;
use grundy_session::{
    Analysis, Catalog, Distance, Known, MoveValue, Session, Settings, SolveError, Tabled, Work,
};

use super::estimate;
use super::given::Given;
use super::making::{Job, machine_memory, states, too_large};
use super::methods::{self, Asked, Method, MethodArgs};
use super::next;
use super::numbers::{about, rate, time};
use super::output::stdout;
use super::parts;
use super::paths;
use super::progress::Meter;
use super::search::{self, Proof};
use super::shared::{
    FAILED, Usage, check_loony, entry, log_line, no_table, open, refuse_unvalued, search_method, wrapped,
};
use super::solved::Solved;
use super::stopping::Stopper;
use super::strategy;
use super::textbook::Budget;
use super::verdict;
use super::worth;

/// Time limit of the value of the position in sums, which is shown beside the answer.
const WORTH: Duration = Duration::from_millis(300);

#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    given: Given,
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(long, value_name = "DIR", value_parser = paths::tables())]
    tables: Option<PathBuf>,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Refuse a table that needs more memory before it starts (games solved by tiers use the disk instead), and give the
    /// positions of a search no more
    #[arg(long, value_name = "MB")]
    memory_limit: Option<u64>,
    /// Stop before a table that would exceed this disk space, together with other tables of the game
    #[arg(long, value_name = "MB")]
    disk_limit: Option<u64>,
    /// Print what the solve would need, and solve nothing: an estimate, from a short measurement
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
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = words::interval)]
    keep_every: f64,
    /// Build an opening book instead, of all positions with at most N plies played: for games solved by search (connect4)
    /// and for those solved part by part (dots)
    #[arg(long, value_name = "PLIES")]
    book: Option<u32>,
    /// Also build the table of who makes the next loony move (dots)
    #[arg(long, conflicts_with = "book")]
    loony: bool,
    /// The method: a table if one fits, else that of the game (the default), or a method for one position, which prints
    /// what it took
    #[arg(long, value_enum, default_value_t = By::Table)]
    by: By,
    /// Megabytes of the search's table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Save the results of the search in this file, and continue from it if it is there
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    keep: Option<PathBuf>,
    /// Write strategies that prove who wins to this file, as a certificate for `referee check`: for games without points
    /// that are searched and always end (connect4); compressed if the name ends with .zst
    #[arg(long, value_name = "FILE", conflicts_with_all = ["book", "loony", "estimate"], value_parser = paths::certificate())]
    certificate: Option<PathBuf>,
    /// Stop after this time, and print what is known by then; Ctrl-C does the same
    #[arg(long, value_name = "SECONDS", value_parser = words::time)]
    seconds: Option<f64>,
    /// One JSON object in place of the text
    #[arg(long, conflicts_with_all = ["book", "loony", "estimate", "by"])]
    json: bool,
    #[command(flatten)]
    method: MethodArgs,
}

/// The method of solving a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Every position, in a file; if none fits, the start position by the game's own method.
    Table,
    /// One position by alpha-beta, without a stored table, formula or book.
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

/// Returns an option that would do nothing with the method, and where it does something.
fn without_effect(args: &SolveArgs) -> Option<(&'static str, &'static str)> {
    let table = args.by == By::Table;
    let only_tables = "solve without --by";
    [
        (!table && args.estimate, "--estimate", only_tables),
        (!table && args.again, "--again", only_tables),
        (!table && args.check, "--check", only_tables),
        (!table && args.book.is_some(), "--book", only_tables),
        (!table && args.loony, "--loony", only_tables),
        (!table && args.certificate.is_some(), "--certificate", only_tables),
        (args.by != By::Search && args.keep.is_some(), "--keep", "--by search"),
        (args.by != By::Search && args.method.bounds.is_some(), "--bounds", "--by search"),
        (table && args.method.depth.is_some(), "--depth", "--by naive, memo, search and mcts"),
    ]
    .into_iter()
    .find_map(|(given, option, place)| given.then_some((option, place)))
}

/// Default seconds of playouts.
const PLAYOUTS: f64 = 10.0;

/// Returns the default number of threads.
pub(super) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub fn run(catalog: &Catalog, args: &SolveArgs) -> Result<ExitCode> {
    if let Some((option, place)) = without_effect(args) {
        return Err(Usage(format!("{option} would do nothing here: it is for {place}")).into());
    }
    let threads = args.threads.map_or_else(all_threads, usize::from);
    let outcome = args.method.distance == Some(Asked::First);
    let distance = if outcome { Distance::First } else { Distance::Exact };
    let hash_mb = args.memory_limit.unwrap_or(u64::MAX).clamp(1, u64::from(args.hash)) as usize;
    if args.by != By::Table {
        let threads = args.threads.map_or(1, usize::from);
        let playouts = args.by == By::Mcts;
        let method = if playouts { grundy_session::Method::MonteCarlo } else { grundy_session::Method::Own };
        let settings = Settings {
            tables: args.tables.clone(),
            threads,
            hash_mb,
            method,
            distance,
            ..Settings::default()
        };
        let mut session = args.given.open(catalog, &settings)?;
        refuse_unvalued(&session)?;
        if let Some(method) = args.by.method(args, session.searches()) {
            let memory = args.memory_limit.unwrap_or(methods::MEMORY_MB).saturating_mul(1 << 20);
            let stopper = Stopper::new(args.seconds, None)?;
            let budget = Budget { stop: Some(stopper.flag()), ..Budget::new(None, memory) };
            let code = methods::run(&mut session, method, &args.method, budget)?;
            return Ok(stopper.code().unwrap_or(code));
        }
        let given = match &args.keep {
            Some(path) => search::keep(&mut session, path, args.keep_every)?.then_some(path.as_path()),
            None => None,
        };
        let seconds = args.seconds.or(playouts.then_some(PLAYOUTS));
        let estimates = playouts || args.method.depth.is_some();
        return search::run(&mut session, given, seconds, args.method.depth, estimates);
    }
    let settings = Settings {
        tables: args.tables.clone(),
        threads,
        hash_mb,
        distance,
        memory: args.memory_limit.map(|mb| mb.saturating_mul(1 << 20)),
        ..Settings::default()
    };
    let mut session = args.given.open(catalog, &settings)?;
    refuse_unvalued(&session)?;
    if args.loony {
        check_loony(&session)?;
    }
    if args.certificate.is_some() {
        strategy::check_possible(&session)?;
    }
    if let Some(plies) = args.book.filter(|_| session.tabled(args.book).is_none()) {
        session = with_book(catalog, &session, plies, &settings)?;
    }
    if args.estimate {
        let limit = settings.memory;
        session.configure(&Settings { hash_mb: 64, threads: 1, ..settings.clone() });
        let meter = Meter::new(args.quiet);
        return estimate::run(catalog, &mut session, args.book, threads, limit, &meter);
    }
    // Results of earlier proofs are told, and prove nothing here.
    let known = session.known_result().cloned();
    // Where only the winner is known, how soon would take far longer, and is searched for if that is asked.
    let unmeasured = known.as_ref().and_then(Known::value).is_some_and(Value::is_unmeasured);
    let distance = if unmeasured && args.method.distance.is_none() { Distance::First } else { distance };
    let settings = Settings { known: false, distance, ..settings };
    session.configure(&settings);
    if !args.loony {
        return answer(catalog, args, session, threads, known);
    }
    let states = format!("{}:loony", session.name());
    let states =
        open(catalog, &states, &settings).map_err(|why| Usage(format!("{}: {why}", session.name())))?;
    let code = answer(catalog, args, session, threads, known)?;
    if code != ExitCode::SUCCESS {
        return Ok(code);
    }
    let run = Run::new(args, &states, threads, None)?;
    match run.build(&states, args)? {
        Built::Table { lines, .. } => write_lines(&lines)?,
        Built::Stopped => return Ok(run.code()),
        Built::None(why) => anyhow::bail!("{}: {}", states.name(), why.unwrap_or_default()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the session's game with an opening book of `plies` plies.
fn with_book(catalog: &Catalog, session: &Session, plies: u32, settings: &Settings) -> Result<Session> {
    let name = session.name();
    if session.tabled(None).is_some() {
        let command = format!("grundy solve {}", next::quoted(name));
        return Err(Usage(format!(
            "--book would do nothing here: {command} builds a table of all positions"
        ))
        .into());
    }
    let opened = catalog.open(&format!("{name}:book={plies}"), settings);
    Ok(opened.map_err(|why| Usage(format!("{name} has no such opening book: {why}")))?)
}

/// The result of building a game's table.
enum Built {
    /// It is there: by which method, its size in words, and its cost in lines.
    Table { maker: Maker, states: String, lines: Vec<String> },
    /// The work was stopped.
    Stopped,
    /// There is none, and why, if the game could have one.
    None(Option<String>),
}

/// A run of `grundy solve`: its limits, its progress and its files.
struct Run {
    folder: Folder,
    scratch: Scratch,
    stopper: Stopper,
    meter: Meter,
    threads: usize,
    memory_limit: Option<u64>,
    began: Instant,
    /// The result of an earlier proof.
    known: Option<Known>,
}

impl Run {
    fn new(args: &SolveArgs, session: &Session, threads: usize, known: Option<Known>) -> Result<Run> {
        let folder = session.folder().clone();
        let scratch = Scratch::new(folder.clone(), Duration::from_secs_f64(args.keep_every));
        let stopper = Stopper::new(args.seconds, Some(scratch.clone()))?;
        let memory_limit = args.memory_limit.map(|mb| mb.saturating_mul(1 << 20));
        let (meter, began) = (Meter::new(args.quiet), Instant::now());
        Ok(Run { folder, scratch, stopper, meter, threads, memory_limit, began, known })
    }

    /// Returns the exit code of work that was stopped.
    fn code(&self) -> ExitCode {
        self.stopper.code().unwrap_or(ExitCode::SUCCESS)
    }

    /// Builds the game's table, unless it is there. A table that does not fit this machine is none, if the game has a
    /// search; limits that the command line sets are kept by an error.
    fn build(&self, session: &Session, args: &SolveArgs) -> Result<Built> {
        let asked = [(args.check, "--check"), (args.again, "--again")].into_iter().find(|(given, _)| *given);
        let refuse = |why: &str| {
            asked.map_or(Ok(()), |(_, option)| Err(Usage(format!("{option} is for a table: {why}"))))
        };
        let Some(game) = session.tabled(args.book) else {
            refuse(&format!("{} has none", session.name()))?;
            return if args.book.is_some() { Err(no_table(session.name())) } else { Ok(Built::None(None)) };
        };
        // The room on the disk is that of the folder.
        self.folder.make()?;
        let report = |progress: &_| self.meter.show(progress);
        let (stop, threads, memory_limit) = (self.stopper.flag(), self.threads, self.memory_limit);
        let work = Work { stop, until: None, threads, memory_limit, report: &report };
        let job = Job {
            folder: &self.folder,
            scratch: &self.scratch,
            work: &work,
            meter: &self.meter,
            packing: if args.plain { Packing::Plain } else { Packing::Packed },
            again: args.again,
            check: args.check,
            disk_limit: args.disk_limit,
        };
        let optional = session.searches() && args.book.is_none() && args.disk_limit.is_none();
        if optional && let Some(why) = too_large(&self.folder, &*game, &work)? {
            refuse(&why)?;
            return Ok(Built::None(Some(why)));
        }
        if work.stopped() {
            return Ok(Built::Stopped);
        }
        let error = match make(&job, session, &*game, args.quiet) {
            Ok((count, lines)) => {
                let states = states(&*game, count);
                return Ok(Built::Table { maker: game.maker(), states, lines });
            }
            Err(error) => error,
        };
        self.meter.finish();
        match error.downcast_ref::<SolveError>() {
            Some(SolveError::Stopped) => Ok(Built::Stopped),
            Some(SolveError::TooLarge { needed, .. })
                if optional && machine_memory().is_some_and(|has| *needed > has) =>
            {
                Ok(Built::None(Some(format!("a table of all positions {error}"))))
            }
            // Of a game of several tables the error names the one that is too large.
            Some(SolveError::TooLarge { .. }) if game.parts().is_empty() => {
                let (name, searches) = (session.name(), session.searches());
                let more = args.memory_limit.map_or("more memory", |_| "a larger --memory-limit");
                let next = if searches { ", or --by search, which needs no table" } else { "" };
                anyhow::bail!("{name} {error}: expected {more}{next}")
            }
            _ => Err(error),
        }
    }
}

/// Opens or builds the table of a game, and proves it if the job says so. Returns its number of states, and the cost in
/// lines.
fn make(job: &Job<'_>, session: &Session, game: &dyn Tabled, quiet: bool) -> Result<(u64, Vec<String>)> {
    let path = job.folder.file(game.name());
    let _lock = job.folder.lock(game.name())?;
    if !game.parts().is_empty() {
        let count = game.parts().iter().map(|part| part.count()).sum();
        return Ok((count, parts::solve(job, game, quiet)?));
    }
    // A larger book than requested will do; a shorter one is built again.
    let stored = session.tabled(None).map_or(0, |stored| stored.count());
    let mut count = game.count();
    let mut lines = Vec::new();
    if let Some(table) = job.there(game, stored)? {
        count = table.count();
        lines.push(format!("{}: there already", path.display()));
    } else {
        lines.push(wrapped("", &job.make(game, 0)?, 2));
        // If positions had to be found first, their number is known only now.
        count = if count == 0 { game.count() } else { count.min(game.count()) };
        let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
        lines.push(format!("{}: {}", path.display(), size(bytes)));
    }
    if job.check {
        let began = Instant::now();
        let assurance = job.verify(game, count)?;
        let positions = game.reached().filter(|&reached| reached > 0).unwrap_or(count);
        lines.push(assurance.report(positions, began.elapsed()));
    }
    Ok((count, lines))
}

/// Answers who wins from the session's position: from a table, by a formula, or by a search.
fn answer(
    catalog: &Catalog,
    args: &SolveArgs,
    mut session: Session,
    threads: usize,
    known: Option<Known>,
) -> Result<ExitCode> {
    let run = Run::new(args, &session, threads, known)?;
    let method = catalog.row(session.name()).map_or("", |row| row.method);
    // What took long to prove is told at once, and proved again.
    if let Some(known) = run.known.as_ref().filter(|known| known.is_costly() && !args.quiet) {
        let time = estimate::seconds_of(known)
            .map_or_else(String::new, |seconds| format!(" in {} of CPU time", about(seconds)));
        let said = told(catalog, &session, known);
        wrapped("known: ", &format!("{said}; it is proved again now{time}"), 2).lines().for_each(log_line);
    }
    let (how, lines, why) = match run.build(&session, args)? {
        Built::Stopped => return unsolved(catalog, args, &run, &mut session, &Proof::default(), None),
        Built::Table { maker, states, lines } => (Some(by_table(maker, &states)), lines, None),
        Built::None(why) => (None, Vec::new(), why),
    };
    let work = session.work(run.stopper.flag());
    let report = |progress: &_| run.meter.show(progress);
    let work = Work { report: &report, ..work };
    let mut found = session.known_within(verdict::LISTED, &work);
    if found.value.is_none() && how.is_some() && verdict::is_start(&session) {
        // A table of one tier or of few plies may lack the start.
        run.meter.finish();
        undamaged(&session, args, &run)?;
        if args.json {
            let solved = Solved::of(&session, &found, run.began.elapsed().as_secs_f64());
            solved.by("", &how.unwrap_or_default()).write(&mut stdout())?;
            return Ok(ExitCode::SUCCESS);
        }
        write_lines(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut how = how.unwrap_or_else(|| method.to_owned());
    let mut line = None;
    if found.value.is_none() && session.searches() {
        let said = [Value::WIN, Value::LOSS].map(|value| {
            let found = Analysis { value: Some(value), ..Analysis::default() };
            (value, verdict::sentence(catalog, &session, &found))
        });
        let endless = args.seconds.is_none() && run.known.is_none() && !args.quiet;
        let infeasible = verdict::infeasible(catalog, &session).filter(|_| endless);
        if let Some(entry) = &infeasible {
            let said = format!("{}; Ctrl-C ends the search with a report", entry.get("note"));
            wrapped("not feasible here: ", &said, 2).lines().for_each(log_line);
        }
        let patience = (endless && infeasible.is_none())
            .then_some("the search goes on until it finds a proof; Ctrl-C ends it with a report");
        let proof = search::prove(&mut session, run.stopper.flag(), &run.meter, patience, |value| {
            let announced = args.method.distance != Some(Asked::First) && !args.quiet;
            let said = said.iter().find(|(outcome, _)| *outcome == value && announced);
            if let Some((_, sentence)) = said.filter(|_| run.began.elapsed() > search::ANNOUNCED) {
                log_line(&format!("proved: {sentence}; how soon is searched for now, Ctrl-C ends that"));
            }
        });
        let Some(value) = proof.score.and_then(|score| score.settled()) else {
            return unsolved(catalog, args, &run, &mut session, &proof, why.as_deref());
        };
        // The other moves are judged as well, as far as that takes little more time.
        const MORE: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(5)];
        let more = run.began.elapsed().clamp(MORE[0], MORE[1]);
        found = session.analyze(verdict::LISTED, more, &work);
        settle(&mut found, value, proof.line.first());
        let rate = rate(proof.nodes, run.began.elapsed()).map_or(String::new(), |rate| format!(", {rate}"));
        how = format!("{}: {} searched{rate}", search_method(method), counted(proof.nodes, "position"));
        line = Some(proof.line.join(" "));
    } else if found.value.is_none() {
        if work.stopped() {
            return unsolved(catalog, args, &run, &mut session, &Proof::default(), why.as_deref());
        }
        let memory = args.memory_limit.unwrap_or(methods::MEMORY_MB).saturating_mul(1 << 20);
        let budget = Budget { stop: Some(run.stopper.flag()), ..Budget::new(None, memory) };
        match methods::value(&mut session, Method::Queue, &args.method, budget) {
            Ok(solved) => {
                found.value = Some(solved.value);
                how = format!("retrograde analysis of {}", counted(solved.counts.positions, "position"));
            }
            Err(failure) => {
                return unsolved(
                    catalog,
                    args,
                    &run,
                    &mut session,
                    &Proof::default(),
                    Some(&failure.to_string()),
                );
            }
        }
    }
    run.meter.finish();
    let mut out = stdout();
    if !args.json {
        let whole = if lines.is_empty() { String::new() } else { whole_table(catalog, &session, &run) };
        verdict::write(&mut out, catalog, &session, &found, &[("whole table", whole)])?;
    }
    if let (Some(path), Some(value)) = (&args.certificate, found.value) {
        out.flush()?;
        let written = strategy::write(&mut session, value, path, &work);
        run.meter.finish();
        let written = written?;
        if !args.json {
            entry(&mut out, "certificate", &written)?;
        }
    }
    let line = line.unwrap_or_else(|| verdict::best_play(&mut session));
    let seconds = run.began.elapsed().as_secs_f64();
    if args.json {
        Solved::of(&session, &found, seconds).by(&line, &how).write(&mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    entry(&mut out, "best play", &line)?;
    for (label, text) in worth::lines(catalog, &mut session, WORTH) {
        entry(&mut out, label, &text)?;
    }
    entry(&mut out, "solved by", &how)?;
    entry(&mut out, "cost", &time(seconds))?;
    write_lines(&lines)?;
    if !lines.is_empty() && !args.check {
        entry(
            &mut out,
            "check",
            &format!("grundy tables verify {} proves every value", next::quoted(session.name())),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the longest win in the tables of a game whose start is one of many positions, if they are small, and the command that
/// counts them; empty for other games.
fn whole_table(catalog: &Catalog, session: &Session, run: &Run) -> String {
    /// Maximum number of states that are looked at.
    const STATES: u64 = 10_000_000;
    if !verdict::has_many_starts(catalog, session) {
        return String::new();
    }
    let Some(game) = session.tabled(None) else { return String::new() };
    let counts = format!("grundy tables stats {} counts all positions", next::quoted(game.name()));
    let parts = game.parts();
    let games: Vec<&dyn Tabled> = match parts.is_empty() {
        true => vec![&*game],
        false => parts.iter().map(|part| &**part).collect(),
    };
    let states: u64 = games.iter().map(|game| game.count()).sum();
    // The table of a game under the fifty-move rule has other values.
    if game.unit().is_points() || game.name() != session.name() || states > STATES {
        return counts;
    }
    let mut longest: Option<u32> = None;
    for game in games {
        let Ok(Some(table)) = game.existing(&run.folder, game.count()) else { return counts };
        game.turns(0..table.count(), &mut |number, _| {
            let win = table.get(number).filter(|value| value.wdl() == Wdl::Win);
            longest = longest.max(win.and_then(Value::plies));
        });
    }
    match longest {
        Some(plies) => format!("the longest win takes {}; {counts}", verdict::plies_in_words(plies)),
        None => counts,
    }
}

/// Checks the table that gave no value.
///
/// # Errors
/// It is damaged: one line with the command that builds it again.
fn undamaged(session: &Session, args: &SolveArgs, run: &Run) -> Result<()> {
    let Some(game) = session.tabled(args.book).filter(|game| game.parts().is_empty()) else { return Ok(()) };
    let checked =
        game.existing(&run.folder, game.count()).and_then(|table| table.map_or(Ok(()), |t| t.check()));
    checked.with_context(|| {
        format!("grundy solve {} --again builds the table anew", next::quoted(session.name()))
    })
}

/// Adds the value that a search has proved, and the move that it found.
fn settle(found: &mut Analysis, value: Value, best: Option<&String>) {
    if found.value.is_none_or(Value::is_unmeasured) {
        found.value = Some(value);
    }
    if let Some(MoveValue { value: open @ None, .. }) =
        found.list.moves.iter_mut().find(|m| Some(&m.word) == best)
    {
        *open = Some(value);
    }
}

/// Returns the result of an earlier proof of the position in one sentence.
fn told(catalog: &Catalog, session: &Session, known: &Known) -> String {
    let found = Analysis { value: known.value(), bound: Some(known.score), ..Analysis::default() };
    verdict::sentence(catalog, session, &found)
}

/// Writes what is known of a position that is not solved, and what to do next.
fn unsolved(
    catalog: &Catalog,
    args: &SolveArgs,
    run: &Run,
    session: &mut Session,
    proof: &Proof,
    why: Option<&str>,
) -> Result<ExitCode> {
    run.meter.finish();
    let mut out = stdout();
    let seconds = run.began.elapsed().as_secs_f64();
    let expected = run.known.as_ref().and_then(estimate::seconds_of);
    let first = args.method.distance == Some(Asked::First);
    let next = next::after_solve(catalog, session, &run.folder, expected, first);
    let code = match args.seconds.is_none() && run.stopper.code().is_none() {
        true => ExitCode::from(FAILED),
        false => run.code(),
    };
    if args.json {
        let found = Analysis { bound: proof.score, ..Analysis::default() };
        Solved::of(session, &found, seconds)
            .by(&proof.likely.join(" "), "")
            .then(with_blanks(&next))
            .write(&mut out)?;
        return Ok(code);
    }
    let seconds = time(seconds);
    let known = run.known.as_ref().filter(|known| known.value().is_some() && verdict::is_start(session));
    let said = match known {
        Some(known) => format!("{}; not proved again", told(catalog, session, known)),
        None => format!("{} is {}", session.name(), verdict::unsolved(catalog, session)),
    };
    writeln!(out, "{}", wrapped("", &format!("{said}: stopped after {seconds}"), 2))?;
    let proved =
        proof.score.map_or_else(String::new, |score| verdict::bound_in_words(catalog, session, score));
    entry(&mut out, "proved", &proved)?;
    let known = run.known.as_ref().map_or_else(String::new, |known| known.show(session.unit()));
    entry(&mut out, "known", &known)?;
    entry(&mut out, "likely play", &proof.likely.join(" "))?;
    let nodes = if proof.nodes > 0 { format!("{} positions", grouped(proof.nodes)) } else { String::new() };
    entry(&mut out, "searched", &nodes)?;
    entry(&mut out, "no table", why.unwrap_or(""))?;
    verdict::write_published(&mut out, catalog, session)?;
    entry(&mut out, "next", &next)?;
    Ok(code)
}

/// Returns the description of a table.
fn by_table(maker: Maker, states: &str) -> String {
    let method = match maker {
        Maker::Layers => "by layers",
        Maker::Retrograde => "by retrograde analysis",
        Maker::BitParallel => "by bit-parallel retrograde analysis",
        Maker::Thresholds => "by thresholds",
        Maker::Other => "by the game's own method",
    };
    format!("table of {states} {method}")
}

fn write_lines(lines: &[String]) -> Result<()> {
    let mut out = stdout();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
