//! The referee: sets engines against each other, each in its own process, and audits every move by exact values.

// The help texts of the command line are doc comments, where `[1]` names a default and no item.
#![allow(rustdoc::broken_intra_doc_links)]

mod adjudication;
mod audit;
mod blocking;
mod certificate;
mod checks;
mod claim;
mod cli;
mod clock;
mod compare;
mod conformance;
mod engine;
mod engine_option;
mod engine_spec;
mod exact;
mod export;
mod game;
mod games;
mod gomocup;
mod graph;
mod gtp;
mod hash_index;
#[cfg(unix)]
mod keyboard;
mod notation;
mod output;
mod platform;
mod positions;
mod process;
mod progress;
mod prove;
mod prover;
mod record;
mod replay;
mod report;
pub mod review;
mod san;
mod schedule;
mod settings;
mod setup;
mod stats;
mod suite;
mod summary;
mod supervision;
mod tournament;
mod traffic;
mod translator;
mod verdict;
mod walk;
mod xboard;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use certificate::Spelling;
use clap::{CommandFactory, FromArgMatches};
use cli::{Cli, Command, MatchArgs};
use grundy_core::files;
use grundy_engine::output::{finish, refuse, stdout, survive_file_size_limit};
use grundy_engine::{Extra, paths};
use grundy_session::{Catalog, Row, files_of};
use output::{Visible, complain, deliver, folded};
use platform::Signal;
#[cfg(windows)]
use platform::keyboard;
use settings::MatchSettings;
use verdict::Severity;

pub use output::WIDTH;
pub use platform::split_command;
pub use process::{ExitKind, Launch, Process, ReceiveError};
pub use summary::columns;
pub use traffic::{Traffic, TrafficLog};

/// Readers of untrusted files, for fuzzers: each accepts a file or refuses it in one line.
#[doc(hidden)]
pub mod readers {
    use std::path::Path;

    use grundy_session::Catalog;

    use crate::settings::MatchSettings;
    use crate::{blocking, certificate, record, suite};

    /// Checks the statements of a certificate, its checksum left out.
    ///
    /// # Errors
    /// The fault, in one line.
    pub fn certificate(catalog: &Catalog, statements: &str) -> Result<(), String> {
        if statements.starts_with(blocking::MAGIC) {
            return blocking::statements(statements).map(drop);
        }
        certificate::check(catalog, statements, 1).map(drop)
    }

    /// Reads the record of a match.
    ///
    /// # Errors
    /// The fault, in one line.
    pub fn record(catalog: &Catalog, path: &Path) -> Result<(), String> {
        record::read(catalog, path, false).map(drop)
    }

    /// Reads the positions of a suite.
    ///
    /// # Errors
    /// The fault, in one line.
    pub fn suite(catalog: &Catalog, text: &str) -> Result<(), String> {
        suite::read(catalog, text, None).map(drop)
    }

    /// Reads the settings of a match, with its engines.
    ///
    /// # Errors
    /// The fault, in one line.
    pub fn config(path: &Path) -> Result<(), String> {
        let settings = MatchSettings::read(path)?;
        settings.adjudication()?;
        settings.specs().map(drop)
    }
}

/// Set by the first Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);
/// Set by SIGUSR1 and by a key: the match ends after the running games.
static REST: AtomicBool = AtomicBool::new(false);

/// Exit code of wrong usage, and of files that cannot be read or written.
const USAGE: u8 = 2;

/// A kind of certificate that somebody else can verify.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    /// The first word of the first line of such a file.
    pub magic: &'static str,
    /// Returns the statements that the file proves, one per line, or the first thing that is wrong, in one line.
    pub verify: fn(&str) -> Result<Vec<String>, String>,
}

/// Verifiers for `check`, besides the rules of the games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judges {
    /// Verifiers of certificates other than those of an audit.
    pub verifiers: &'static [Verifier],
    /// Games from rules files under the second interpreter, for `--rules-witness`.
    pub witnesses: &'static [Row],
}

/// Runs the command line; returns its exit code.
///
/// `catalog` has the games, `extras` subcommands besides those of the referee, `judges` further verifiers for
/// `check`.
pub fn main(catalog: &Catalog, extras: &[Extra], judges: Judges) -> ExitCode {
    supervision::enable();
    finish(obey(catalog, extras, judges), USAGE, complain)
}

/// Returns the description of the command line, with the subcommands `extras` besides those of the referee.
pub fn command(extras: &[Extra]) -> clap::Command {
    grundy_engine::augment(Cli::command(), extras)
}

fn obey(catalog: &Catalog, extras: &[Extra], judges: Judges) -> ExitCode {
    let matches = match command(extras).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            let words: Vec<String> =
                std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
            let unknown = error.kind() == clap::error::ErrorKind::UnknownArgument;
            let matches = unknown && words.first().is_some_and(|word| word == "match");
            let Some(line) = words.iter().filter(|_| matches).find_map(|word| cli::in_place_of(word)) else {
                return refuse(&error);
            };
            complain(&line);
            return ExitCode::from(USAGE);
        }
    };
    let Some((extra, arguments)) = grundy_engine::chosen(&matches, extras) else {
        return match Cli::from_arg_matches(&matches) {
            Ok(cli) => run(catalog, judges, cli),
            Err(error) => refuse(&error.format(&mut Cli::command())),
        };
    };
    (extra.run)(catalog, arguments).unwrap_or_else(|error| {
        complain(&format!("{error:#}"));
        ExitCode::from(USAGE)
    })
}

fn run(catalog: &Catalog, judges: Judges, cli: Cli) -> ExitCode {
    survive_file_size_limit();
    if !matches!(cli.command, Command::Supervise { .. } | Command::Init { .. } | Command::Exec { .. }) {
        start_logging();
    }
    let out = &mut Visible(stdout());
    let done = match cli.command {
        Command::Supervise { parent, tag, isolated, megabytes, words } => {
            return ExitCode::from(supervision::supervise(parent, &tag, isolated, megabytes, &words));
        }
        Command::Init { probe } => return ExitCode::from(supervision::init(probe)),
        Command::Exec { isolated, megabytes, words } => {
            let error = supervision::exec_engine(isolated, megabytes, &words);
            let _ = writeln!(std::io::stderr(), "{}", supervision::no_start(&words, &format!(": {error}")));
            return ExitCode::from(supervision::CANNOT_START);
        }
        Command::Match(args) => {
            watch_signals();
            run_match(catalog, *args)
        }
        Command::Audit(args) => {
            watch_signals();
            audit::run(catalog, &args, &STOP, out)
        }
        Command::Compare(args) => {
            compare::run(catalog, &args).and_then(|(text, severity)| deliver(&text, None).map(|()| severity))
        }
        Command::Conformance(args) => conformance::run(catalog, &args, out),
        Command::Suite(args) => {
            suite::run(catalog, &args).and_then(|(text, severity)| deliver(&text, None).map(|()| severity))
        }
        Command::Check { file, threads, rules_witness } => {
            let all = || std::thread::available_parallelism().map_or(1, usize::from).min(256);
            settings::worker_count("--threads", threads.unwrap_or_else(all)).and_then(|threads| {
                let read = files::read_large_text(&file);
                let other = read.as_ref().ok().filter(|_| rules_witness);
                if let Some(game) = other.and_then(|text| not_from_rules(catalog, judges, text)) {
                    let path = file.display();
                    return Err(format!(
                        "{path}: a certificate of {game}: --rules-witness is for games from rules files"
                    ));
                }
                let checked = match read {
                    Ok(text) => check(catalog, judges, rules_witness, &file, &text, threads),
                    Err(error) if file.is_file() => Err(format!("{}: {error}", file.display())),
                    Err(error) => return Err(format!("{}: {error}", file.display())),
                };
                let lines = checked.inspect_err(|why| complain(&format!("refused: {why}")));
                let said = lines.map(|lines| {
                    lines.iter().try_for_each(|line| write!(out, "{}", folded(&format!("{line}\n"))))
                });
                Ok(if said.is_ok() { Severity::Clean } else { Severity::Slipped })
            })
        }
        Command::Prove(args) => {
            watch_signals();
            prove::run(catalog, &args, &STOP, out)
        }
        Command::Export { record, format, tags, output, repair } => {
            let format = match (format.pgn, format.csv) {
                (true, _) => export::Format::Pgn,
                (_, true) => export::Format::Csv,
                _ => export::Format::Junit,
            };
            read_record(catalog, &record, repair)
                .and_then(|contents| export::export(catalog, &contents, format, &tags))
                .and_then(|text| deliver(&text, output.as_deref()))
                .map(|()| Severity::Clean)
        }
        Command::Report { record, output, repair } => read_record(catalog, &record, repair)
            .and_then(|contents| report::page(catalog, &contents))
            .and_then(|page| deliver(&page, Some(&output)))
            .map(|()| Severity::Clean),
    };
    match done {
        Ok(severity) => ExitCode::from(severity.exit_code()),
        Err(message) => {
            complain(&message);
            ExitCode::from(USAGE)
        }
    }
}

/// Checks a certificate, the `text` of `file`; returns what it proves, in lines.
///
/// # Errors
/// Something is not proved; one line.
fn check(
    catalog: &Catalog,
    judges: Judges,
    rules_witness: bool,
    file: &std::path::Path,
    text: &str,
    threads: usize,
) -> Result<Vec<String>, String> {
    // Line ends of other systems are accepted.
    let text =
        if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) };
    let magic = text.split_whitespace().next().unwrap_or_default();
    let own = Verifier { magic: blocking::MAGIC, verify: blocking::verify };
    let mut verifiers = judges.verifiers.iter().chain([&own]);
    if let Some(verifier) = verifiers.find(|verifier| verifier.magic == magic) {
        return (verifier.verify)(&text);
    }
    if text.starts_with("{\"line\":") {
        let path = file.display();
        return Err(format!(
            "{path} is the record of a match and no certificate: referee prove {path} proves its moves, \
             referee report {path} shows them"
        ));
    }
    let (catalog, by, spelling) = match rules_witness {
        true => (&Catalog::new(&[]).with(judges.witnesses), "the second interpreter", Spelling::Any),
        false => (catalog, "the rules", Spelling::Standard),
    };
    let sections = certificate::check_text(catalog, &text, threads, spelling)?;
    let mut lines: Vec<String> = sections.iter().flat_map(|proved| proved.report(by)).collect();
    lines.extend(certificate::conclusions(&sections));
    Ok(lines)
}

/// Returns the game of a certificate if it is one of the catalog that the second interpreter does not have.
fn not_from_rules<'t>(catalog: &Catalog, judges: Judges, text: &'t str) -> Option<&'t str> {
    let game = text.lines().find_map(|line| line.strip_prefix("game "))?;
    let witness = Catalog::new(&[]).with(judges.witnesses);
    (witness.row(game).is_none() && catalog.row(game).is_some()).then_some(game)
}

fn run_match(catalog: &Catalog, args: MatchArgs) -> Result<Severity, String> {
    let MatchArgs { mut settings, config, resume, repair } = args;
    if let Some(path) = &config {
        settings = settings.or(MatchSettings::read(path)?);
    }
    // clap ignores a requirement that conflicts with what is given: --resume with --engine.
    if repair && resume.is_none() {
        return Err("--repair: expected --resume FILE, the record to be repaired".to_owned());
    }
    let resumed = resume.as_deref().map(|path| record::resume(catalog, path, repair)).transpose()?;
    if let Some((_, contents)) = &resumed {
        settings.only_concurrency()?;
        let recorded = contents.header.settings.clone();
        // The sender of the record has chosen these programs.
        for engine in &recorded.engine {
            complain(&format!("starts the engine of the record: {engine}"));
        }
        let concurrency = settings.concurrency.or(recorded.concurrency);
        // A record names no files to write.
        let MatchSettings { wide, log, .. } = settings;
        settings = MatchSettings { concurrency, wide, record: None, log, ..recorded };
    }
    let numbers =
        [("--games", settings.games), ("--rounds", settings.rounds), ("--max-plies", settings.max_plies)];
    for (option, number) in numbers {
        if number == Some(0) {
            return Err(format!("{option} 0: expected at least 1"));
        }
    }
    let specs = if resumed.is_some() { settings.recorded_specs()? } else { settings.specs()? };
    let mut errors: Vec<&Path> = specs.iter().filter_map(|spec| spec.launch.stderr_log.as_deref()).collect();
    // Engines may share a file.
    errors.sort_unstable();
    errors.dedup();
    let written = [settings.log.as_deref(), settings.record.as_deref()].into_iter().flatten().chain(errors);
    let files = settings.game.iter().flat_map(|game| files_of(game)).map(Path::new);
    let openings = settings.openings.as_deref().map(Path::new);
    paths::apart(written, files.chain(openings).chain(config.as_deref()).chain(resume.as_deref()))?;
    let log = TrafficLog::to(settings.log.as_deref())?;
    let out = Mutex::new(Visible(stdout()));
    let context = tournament::Context {
        catalog,
        record: resume.as_deref().or(settings.record.as_deref()),
        log,
        stop: &STOP,
        rest: &REST,
        out: &out,
    };
    if keyboard::watch(&REST) {
        complain("press q to end the match after the running games");
    }
    let done = tournament::run(&settings, resumed, &context);
    keyboard::restore();
    done
}

/// Reads a record for a report or an export.
fn read_record(catalog: &Catalog, path: &std::path::Path, repair: bool) -> Result<record::Contents, String> {
    let contents = record::read(catalog, path, repair)?;
    if contents.torn > 0 {
        complain(&format!("{}: half a line at its end is left out", path.display()));
    }
    Ok(contents)
}

/// Watches signals. SIGUSR1, or Ctrl-C once: no new game begins. Ctrl-C twice, or SIGTERM: exits; the supervisors end
/// the engines.
fn watch_signals() {
    platform::watch_signals(|signal| {
        if signal == Signal::Rest {
            return REST.store(true, Ordering::SeqCst);
        }
        if signal == Signal::Terminate || STOP.swap(true, Ordering::SeqCst) {
            keyboard::restore();
            std::process::exit(i32::from(Severity::Interrupted.exit_code()));
        }
        complain("stopping when what runs is done; Ctrl-C once more stops at once");
    });
}

fn start_logging() {
    let environment = env_logger::Env::default().default_filter_or("warn");
    let mut logger = env_logger::Builder::from_env(environment);
    logger.format_timestamp(None);
    // Without a request for a log each line is a sentence.
    if std::env::var_os("RUST_LOG").is_none() {
        logger.format(|out, record| {
            let level = record.level().as_str().to_lowercase();
            writeln!(out, "referee: {level}: {}", record.args())
        });
    }
    logger.init();
}

#[cfg(test)]
mod tests {
    use grundy_session::{Catalog, Family};

    /// The games that unit tests play.
    pub static CATALOG: Catalog = Catalog::new(FAMILIES);

    static FAMILIES: &[Family] = &[
        Family { title: "boards", rows: &grundy_boards::ROWS },
        Family { title: "searched", rows: &grundy_searched::ROWS },
        Family { title: "chess", rows: &grundy_chess::ROWS },
        Family { title: "heaps", rows: &grundy_heaps::ROWS },
        Family { title: "sowing", rows: &grundy_sowing::ROWS },
    ];
}
