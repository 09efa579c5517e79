//! The referee: sets engines against each other, each in its own process, and audits every move by exact values.

// The help texts of the command line are doc comments, where `[1]` names a default and no item.
#![allow(rustdoc::broken_intra_doc_links)]

mod audit;
mod certificate;
mod checks;
mod cli;
mod clock;
mod compare;
mod conformance;
mod engine;
mod explore;
mod export;
mod graph;
mod guard;
mod index;
mod keys;
mod output;
mod play;
mod positions;
mod process;
mod progress;
mod prove;
mod proving;
mod record;
mod replay;
mod report;
mod san;
mod schedule;
mod settings;
mod spec;
mod speech;
mod stats;
mod suite;
mod summary;
mod talk;
mod tournament;
mod traffic;
mod truth;
mod verdict;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use certificate::Spelling;
use clap::{CommandFactory, FromArgMatches};
use cli::{Cli, Command, MatchArgs};
use grundy_core::files;
use grundy_core::text::{brief, visible_lines};
use grundy_engine::Extra;
use grundy_engine::output::{finish, refuse, stdout};
use grundy_session::{Catalog, Row};
use output::{Visible, deliver};
use settings::{ConfigFile, MatchSettings};
use verdict::Gravity;

pub use process::{Farewell, Launch, Process, Silence};
pub use traffic::{Traffic, TrafficLog};

/// What reads files of strangers, for fuzzers: each accepts a file or refuses it in one line.
#[doc(hidden)]
pub mod readers {
    use std::path::Path;

    use grundy_session::Catalog;

    use crate::{certificate, record, settings, suite};

    /// The statements of a certificate, its checksum left out.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn certificate(catalog: &Catalog, statements: &str) -> Result<(), String> {
        certificate::check(catalog, statements, 1).map(drop)
    }

    /// The record of a match.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn record(catalog: &Catalog, path: &Path) -> Result<(), String> {
        record::read(catalog, path, false).map(drop)
    }

    /// The positions of a suite.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn suite(catalog: &Catalog, text: &str) -> Result<(), String> {
        suite::read(catalog, text, None).map(drop)
    }

    /// The settings of a match, with its engines.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn config(path: &Path) -> Result<(), String> {
        let file = settings::ConfigFile::read(path)?;
        file.settings.specs().map(drop)
    }
}

/// Set by the first Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);
/// Set by SIGUSR1 and by a key: the match ends after the running games.
static REST: AtomicBool = AtomicBool::new(false);

/// Exit code of wrong usage, and of what cannot be read or written.
const USAGE: u8 = 2;

/// A kind of certificate that somebody else can verify.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    /// The first word of the first line of such a file.
    pub magic: &'static str,
    /// What the file proves, one line each; or the first thing that is wrong, in one line.
    pub verify: fn(&str) -> Result<Vec<String>, String>,
}

/// What `check` verifies certificates with, besides the rules of the games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judges {
    /// Certificates besides those of an audit.
    pub verifiers: &'static [Verifier],
    /// Games from rules files by an interpreter of their own, for `--rules-witness`.
    pub witnesses: &'static [Row],
}

/// Runs the command line and gives its exit code.
///
/// `catalog` says which games there are, `extras` which subcommands besides those of the referee, `judges` what else
/// `check` can verify.
pub fn main(catalog: &Catalog, extras: &[Extra], judges: Judges) -> ExitCode {
    guard::this_is_a_referee();
    finish(obey(catalog, extras, judges), USAGE, complain)
}

fn obey(catalog: &Catalog, extras: &[Extra], judges: Judges) -> ExitCode {
    let matches = match grundy_engine::augment(Cli::command(), extras).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return refuse(&error),
    };
    let Some((extra, arguments)) = grundy_engine::chosen(&matches, extras) else {
        return match Cli::from_arg_matches(&matches) {
            Ok(cli) => run(catalog, judges, cli),
            Err(error) => refuse(&error.format(&mut Cli::command())),
        };
    };
    (extra.run)(arguments).unwrap_or_else(|error| {
        complain(&format!("{error:#}"));
        ExitCode::from(USAGE)
    })
}

fn run(catalog: &Catalog, judges: Judges, cli: Cli) -> ExitCode {
    // A file that may not grow is an error of the write, not the end.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let done = match cli.command {
        Command::Keep { parent, tag, fenced, megabytes, words } => {
            return ExitCode::from(guard::keep(parent, &tag, fenced, megabytes, &words));
        }
        Command::First { probe } => return ExitCode::from(guard::first(probe)),
        Command::Become { fenced, megabytes, words } => {
            let error = guard::become_engine(fenced, megabytes, &words);
            let _ = writeln!(std::io::stderr(), "{}", guard::no_start(&words, &format!(": {error}")));
            return ExitCode::from(guard::CANNOT_START);
        }
        Command::Match(args) => {
            start_logging();
            watch_signals();
            run_match(catalog, *args)
        }
        Command::Audit(args) => {
            start_logging();
            audit::run(catalog, &args, &mut Visible(stdout()))
        }
        Command::Compare(args) => {
            start_logging();
            compare::run(catalog, &args).and_then(|(text, gravity)| deliver(&text, None).map(|()| gravity))
        }
        Command::Conformance(args) => {
            start_logging();
            conformance::run(catalog, &args, &mut Visible(stdout()))
        }
        Command::Suite(args) => {
            start_logging();
            suite::run(catalog, &args).and_then(|(text, gravity)| deliver(&text, None).map(|()| gravity))
        }
        Command::Check { file, threads, rules_witness } => {
            let (catalog, by, spelling) = match rules_witness {
                true => (&Catalog::new(&[]).with(judges.witnesses), "the second interpreter", Spelling::Any),
                false => (catalog, "the rules", Spelling::Standard),
            };
            return check(catalog, judges.verifiers, (by, spelling), &file, threads);
        }
        Command::Prove(args) => {
            start_logging();
            watch_signals();
            prove::run(catalog, &args, &STOP, &mut Visible(stdout()))
        }
        Command::Export { record, format, output, repair } => {
            let format = match (format.pgn, format.csv) {
                (true, _) => export::Format::Pgn,
                (_, true) => export::Format::Csv,
                _ => export::Format::Junit,
            };
            read_record(catalog, &record, repair)
                .and_then(|contents| export::export(catalog, &contents, format))
                .and_then(|text| deliver(&text, output.as_deref()))
                .map(|()| Gravity::Clean)
        }
        Command::Report { record, output, repair } => read_record(catalog, &record, repair)
            .and_then(|contents| report::page(catalog, &contents))
            .and_then(|page| deliver(&page, Some(&output)))
            .map(|()| Gravity::Clean),
    };
    match done {
        Ok(gravity) => ExitCode::from(gravity.exit_code()),
        Err(message) => {
            complain(&message);
            ExitCode::from(USAGE)
        }
    }
}

/// Checks a certificate: code 0 where all of it is proved, 1 where it is not.
fn check(
    catalog: &Catalog,
    verifiers: &[Verifier],
    (by, spelling): (&str, Spelling),
    file: &std::path::Path,
    threads: Option<usize>,
) -> ExitCode {
    let out = &mut Visible(stdout());
    let all = || std::thread::available_parallelism().map_or(1, usize::from).min(256);
    let threads = match settings::at_once("--threads", threads.unwrap_or_else(all)) {
        Ok(threads) => threads,
        Err(why) => {
            complain(&why);
            return ExitCode::from(2);
        }
    };
    let text = match files::read_text(file, u64::MAX) {
        // Line ends prove nothing: those of another system are as good.
        Ok(text) if text.contains("\r\n") => text.replace("\r\n", "\n"),
        Ok(text) => text,
        Err(error) => {
            complain(&format!("refused: {}: {error}", file.display()));
            return ExitCode::from(1);
        }
    };
    let magic = text.split_whitespace().next().unwrap_or_default();
    if let Some(verifier) = verifiers.iter().find(|verifier| verifier.magic == magic) {
        return match (verifier.verify)(&text) {
            Ok(lines) => {
                for line in lines {
                    let _ = writeln!(out, "{line}");
                }
                ExitCode::SUCCESS
            }
            Err(why) => {
                complain(&format!("refused: {why}"));
                ExitCode::from(1)
            }
        };
    }
    match certificate::check_text(catalog, &text, threads, spelling) {
        Ok(sections) => {
            for proved in &sections {
                let (positions, moves) = (proved.positions, proved.moves);
                let _ = writeln!(
                    out,
                    "{}: proved by {by} alone, {positions} positions, {moves} moves",
                    proved.game
                );
                match (&proved.digest, proved.names_digest) {
                    (Some(digest), true) => {
                        let _ = writeln!(out, "  of the file with the digest {digest}");
                    }
                    (Some(digest), false) => {
                        let _ = writeln!(
                            out,
                            "  of the file as it is now, with the digest {digest}: the certificate is of an older version \
                             and names none"
                        );
                    }
                    (None, _) => {}
                }
                let _ = writeln!(out, "  {}: {}", proved.start, proved.words());
            }
            for line in certificate::conclusions(&sections) {
                let _ = writeln!(out, "{line}");
            }
            ExitCode::SUCCESS
        }
        Err(why) => {
            complain(&format!("refused: {why}"));
            ExitCode::from(1)
        }
    }
}

fn run_match(catalog: &Catalog, args: MatchArgs) -> Result<Gravity, String> {
    let MatchArgs { mut settings, mut record, mut log, resume, repair, .. } = args;
    if let Some(path) = &args.config {
        let file = ConfigFile::read(path)?;
        settings = settings.or(file.settings);
        record = record.or(file.record);
        log = log.or(file.log);
    }
    let resumed = resume.as_deref().map(|path| record::resume(catalog, path, repair)).transpose()?;
    if let Some((_, contents)) = &resumed {
        let recorded = contents.header.settings.clone();
        // Whoever has sent the record has chosen these programs.
        for engine in &recorded.engine {
            complain(&format!("starts the engine of the record: {engine}"));
        }
        settings = MatchSettings { concurrency: settings.concurrency.or(recorded.concurrency), ..recorded };
    }
    let log = TrafficLog::to(log.as_deref())?;
    let out = Mutex::new(Visible(stdout()));
    let around = tournament::Circumstances {
        catalog,
        record: resume.as_deref().or(record.as_deref()),
        log,
        stop: &STOP,
        rest: &REST,
        out: &out,
    };
    if keys::watch(&REST) {
        complain("press q to end the match after the running games");
    }
    let done = tournament::run(&settings, resumed, &around);
    keys::restore();
    done
}

/// Reads a record for a look at it.
fn read_record(catalog: &Catalog, path: &std::path::Path, repair: bool) -> Result<record::Contents, String> {
    let contents = record::read(catalog, path, repair)?;
    if contents.torn > 0 {
        complain(&format!("{}: half a line at its end is left out", path.display()));
    }
    Ok(contents)
}

/// SIGUSR1, or Ctrl-C once: no new game begins. Ctrl-C twice, or SIGTERM: the end; the keepers see to the engines.
fn watch_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGUSR1]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if signal == SIGUSR1 {
                REST.store(true, Ordering::SeqCst);
                continue;
            }
            if signal == SIGTERM || STOP.swap(true, Ordering::SeqCst) {
                keys::restore();
                std::process::exit(i32::from(Gravity::Interrupted.exit_code()));
            }
            complain("stopping after the running games; once more stops at once");
        }
    });
}

fn start_logging() {
    let environment = env_logger::Env::default().default_filter_or("warn");
    env_logger::Builder::from_env(environment).format_timestamp(None).init();
    clock::watch(complain);
}

fn complain(message: &str) {
    // With stderr closed there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "referee: {}", brief(&visible_lines(message)));
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
