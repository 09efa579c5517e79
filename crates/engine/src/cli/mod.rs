//! The command line of the engine: one file a subcommand.

mod analyze;
mod bench;
mod count;
mod division;
mod estimate;
mod extra;
mod games;
pub mod given;
mod making;
mod methods;
mod next;
mod numbers;
pub mod output;
mod parts;
pub mod paths;
mod perft;
mod play;
mod progress;
mod search;
mod shared;
mod solve;
mod solved;
mod stopping;
mod strategy;
mod tables;
mod textbook;
mod thermograph;
mod tiers;
mod tree;
mod verdict;
mod worth;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use crate::engine;
use crate::engine::{Config, Protocol};
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use grundy_core::text::{brief, visible_lines};
use grundy_session::{Catalog, Settings, closest};
use output::{Output, closed, stdout};
pub use progress::Meter;
use shared::{FAILED, Means, USAGE, open};
pub use shared::{Usage, log_line};

pub use extra::{Extra, augment, chosen};
pub use stopping::at_interrupt;

/// Hint at a terminal for the engine without a subcommand.
const UGI: &str = "grundy waits for commands of UGI or UCI: help lists them, quit ends; see also --help";
/// The same for GTP.
const GTP: &str = "grundy waits for GTP commands: type list_commands for a list, quit to end";
/// The same for the protocols of other programs.
const GOMOCUP: &str = "grundy waits for lines of the Gomocup protocol: START 15, BEGIN, TURN 7,7, END";
const HUB: &str =
    "grundy waits for lines of the Hub protocol: hub, init, pos pos=W.., level move-time=1, go think, quit";
const NBOARD: &str = "grundy waits for lines of NBoard's protocol: nboard 2, set depth 8, move F5, go, quit";
const XBOARD: &str = "grundy waits for lines of XBoard's protocol: new, st 1, usermove e2e4, quit";

/// Plays two-player games perfectly. `grundy games` lists the games, `grundy GAME` plays one, `grundy solve GAME` says
/// who wins it. Without a subcommand it speaks UGI and UCI on stdin and stdout (see protocol.md).
#[derive(Parser)]
#[command(name = "grundy", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done, 1 the work failed, 2 wrong usage or an unreadable file, 130 interrupted.\n\
    Examples:\n  \
    grundy tictactoe\n  \
    grundy solve nim:3,5,7\n  \
    grundy analyze connect4 moves d d\n  \
    printf 'ugi\\nposition startpos\\ngo\\n' | grundy --game nim:3,5,7"
)]
struct Cli {
    #[command(flatten)]
    engine: EngineArgs,
    /// Log to stderr: off, error, warn, info, debug or trace (RUST_LOG does the same)
    #[arg(long, value_name = "LEVEL", global = true, value_parser = levels())]
    log: Option<log::LevelFilter>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

/// Parses the level of a log.
fn levels() -> impl TypedValueParser<Value = log::LevelFilter> {
    PossibleValuesParser::new(["off", "error", "warn", "info", "debug", "trace"])
        .try_map(|word| word.parse::<log::LevelFilter>())
}

#[derive(Subcommand)]
enum Subcommands {
    /// Speak the Go Text Protocol instead of UGI and UCI; Black is player one; --game chooses the game
    Gtp,
    /// Speak the protocol of Piskvork and Gomocup: five in a row on boards to 20x20
    Gomocup,
    /// Speak the Hub protocol, version 2: English draughts
    Hub,
    /// Speak the protocol of NBoard: Othello on 8x8
    Nboard,
    /// Speak the protocol of XBoard and WinBoard: chess (a client that begins with xboard gets it without this)
    Xboard,
    /// List the games, or show one in full: grundy games connect4
    Games(games::GamesArgs),
    /// Winner, value and best moves of a position, or of positions on stdin, one a line
    Analyze(analyze::AnalyzeArgs),
    /// Play against the engine in the terminal
    Play(play::PlayArgs),
    /// Count the lines of play of each length
    Perft(perft::PerftArgs),
    /// Winner of a game and winning moves, by a table of all positions, a formula or a search; or by a textbook method
    /// with its counts
    Solve(solve::SolveArgs),
    /// Count lines of play, positions, their classes up to symmetry and finished positions, ply by ply
    Count(count::CountArgs),
    /// The game tree with the value of every position, the best moves marked
    Tree(tree::TreeArgs),
    /// List, verify, convert and count tables
    Tables(tables::TablesArgs),
    /// Search fixed positions; print a checksum of the results and the speed
    Bench(bench::BenchArgs),
}

/// The subcommands that speak a protocol: options of the engine may stand before and behind them.
const PROTOCOLS: [&str; 5] = ["gtp", "gomocup", "hub", "nboard", "xboard"];

/// Options of the engine.
#[derive(Args)]
struct EngineArgs {
    /// The game, with its parameters: nim:3,5,7:misere
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    means: Means,
    /// Choose among equally good moves at random with this seed, instead of always the same one
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Percentage of moves played at random, for testing referees
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    weaken: u32,
}

impl EngineArgs {
    fn settings(&self) -> Settings {
        self.means.over(&Settings { seed: self.seed, ..Settings::default() })
    }

    /// Refuses options before a subcommand that does not use them.
    fn only_before(&self, extras: &[Extra], subcommand: &str) -> Result<()> {
        const MEANS: [&str; 6] = ["threads", "hash", "tables", "weights", "seed", "weaken"];
        let used = match subcommand {
            "analyze" | "tree" => &MEANS[..4],
            "play" => &MEANS[..],
            name if PROTOCOLS.contains(&name) => return Ok(()),
            _ => &[],
        };
        let given = [
            ("game", self.game.is_some()),
            ("threads", self.means.threads.is_some()),
            ("hash", self.means.hash.is_some()),
            ("tables", self.means.tables.is_some()),
            ("weights", self.means.weights.is_some()),
            ("seed", self.seed.is_some()),
            ("weaken", self.weaken > 0),
        ];
        let Some((option, _)) = given.iter().find(|(option, given)| *given && !used.contains(option)) else {
            return Ok(());
        };
        let command = command(extras);
        let arguments = command.find_subcommand(subcommand).into_iter().flat_map(Command::get_arguments);
        let behind = arguments.into_iter().any(|argument| argument.get_long() == Some(option));
        let expected = if behind { "expected behind it" } else { "it has no such option" };
        let help = format!("grundy {subcommand} --help");
        Err(Usage(format!("--{option} before {subcommand} would do nothing: {expected} ({help})")).into())
    }
}

/// Returns the description of the command line, with the subcommands `extras` besides those of the engine.
pub fn command(extras: &[Extra]) -> Command {
    augment(Cli::command(), extras)
}

/// Runs the command line and returns its exit code.
///
/// `catalog` has the games, `extras` the subcommands besides those of the engine.
pub fn main(catalog: &Catalog, extras: &[Extra]) -> ExitCode {
    output::finish(run(catalog, extras), FAILED, |why| log_line(&format!("error: {why}")))
}

fn run(catalog: &Catalog, extras: &[Extra]) -> ExitCode {
    let command = command(extras);
    let words = in_order(&command, std::env::args_os().collect());
    let words = match short_for_play(catalog, &command, words) {
        Ok(words) => words,
        Err(why) => {
            log_line(&format!("error: {why}"));
            return ExitCode::from(USAGE);
        }
    };
    let matches = match command.try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) => return output::refuse(&error),
    };
    let extra = chosen(&matches, extras);
    let cli = match extra {
        Some(_) => EngineArgs::from_arg_matches(&matches).map(|engine| Cli {
            engine,
            log: matches.get_one("log").copied(),
            command: None,
        }),
        None => Cli::from_arg_matches(&matches),
    };
    let cli = match cli {
        Ok(cli) => cli,
        Err(error) => return output::refuse(&error.format(&mut Cli::command())),
    };
    let mut logger = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"));
    if let Some(level) = cli.log {
        logger.filter_level(level);
    }
    // Without a request for a log each line is a sentence.
    let asked = cli.log.is_some() || std::env::var_os("RUST_LOG").is_some();
    // Times are seconds since the start: a date would need a library for calendars.
    let start = Instant::now();
    logger.format(move |out, record| {
        let style = out.default_level_style(record.level());
        if !asked {
            let level = record.level().as_str().to_lowercase();
            return writeln!(out, "{style}{level}{style:#}: {}", record.args());
        }
        let (seconds, level) = (start.elapsed().as_secs_f64(), record.level());
        writeln!(out, "[{seconds:.3} {style}{level}{style:#} {}] {}", record.target(), record.args())
    });
    // Lines of the log are written above a bar of progress.
    if io::stderr().is_terminal() {
        logger.target(env_logger::Target::Pipe(Box::new(progress::AboveBar)));
        if std::env::var_os("NO_COLOR").is_none() {
            logger.write_style(env_logger::WriteStyle::Always);
        }
    }
    logger.init();
    output::survive_file_size_limit();
    let settings = cli.engine.settings();
    if let Err(why) = matches.subcommand_name().map_or(Ok(()), |name| cli.engine.only_before(extras, name)) {
        log_line(&format!("error: {why}"));
        return ExitCode::from(USAGE);
    }
    let done = match cli.command {
        None => match extra {
            None => speak(catalog, cli.engine, settings, None, engine::run, UGI),
            Some((extra, arguments)) => (extra.run)(catalog, arguments),
        },
        Some(Subcommands::Gtp) => speak(catalog, cli.engine, settings, None, engine::gtp::run, GTP),
        Some(Subcommands::Gomocup) => {
            speak(catalog, cli.engine, settings, Some(Protocol::Gomocup), engine::run, GOMOCUP)
        }
        Some(Subcommands::Hub) => speak(catalog, cli.engine, settings, Some(Protocol::Hub), engine::run, HUB),
        Some(Subcommands::Nboard) => {
            speak(catalog, cli.engine, settings, Some(Protocol::NBoard), engine::run, NBOARD)
        }
        Some(Subcommands::Xboard) => {
            speak(catalog, cli.engine, settings, Some(Protocol::XBoard), engine::run, XBOARD)
        }
        Some(Subcommands::Games(args)) => games::run(catalog, &args),
        Some(Subcommands::Analyze(args)) => analyze::run(catalog, &args, &settings),
        Some(Subcommands::Play(args)) => play::run(catalog, &args, &settings, cli.engine.weaken),
        Some(Subcommands::Perft(args)) => perft::run(catalog, args, &settings),
        Some(Subcommands::Solve(args)) => solve::run(catalog, &args),
        Some(Subcommands::Count(args)) => count::run(catalog, args),
        Some(Subcommands::Tree(args)) => tree::run(catalog, &args, &settings),
        Some(Subcommands::Tables(args)) => tables::run(catalog, &args),
        Some(Subcommands::Bench(args)) => bench::run(catalog, &args),
    };
    done.unwrap_or_else(|error| {
        if closed(&error) {
            return ExitCode::SUCCESS;
        }
        log_line(&format!("error: {error:#}"));
        ExitCode::from(if error.is::<Usage>() { USAGE } else { FAILED })
    })
}

/// Returns the words of a command line with the options of the engine where they are read: in front of a protocol, and the game
/// behind a subcommand that takes one.
fn in_order(command: &clap::Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let is = |at: usize, other: &str| words.get(at).is_some_and(|word| word == other);
    let helped = words.iter().any(|word| word == "--help" || word == "-h");
    if !helped && PROTOCOLS.into_iter().any(|protocol| is(1, protocol)) {
        words[1..].rotate_left(1);
    } else if is(1, "--game")
        && let Some(name) = words.get(3).and_then(|word| word.to_str())
        && let Some(found) = command.find_subcommand(name)
        && found.get_arguments().any(|argument| argument.get_long() == Some("game"))
    {
        words[1..4].rotate_left(2);
    }
    words
}

/// Returns the words of a command line with `play` in front of a game, a position or the file of a game in the place of a
/// subcommand.
///
/// # Errors
/// The first word is neither a subcommand nor a game: the closest of both, in one line.
fn short_for_play(
    catalog: &Catalog,
    command: &clap::Command,
    mut words: Vec<OsString>,
) -> Result<Vec<OsString>, String> {
    let names = |command: &clap::Command| -> Vec<String> {
        // Clap adds `help` when it reads the words.
        command.get_subcommands().map(clap::Command::get_name).chain(["help"]).map(str::to_owned).collect()
    };
    let word = |at: usize| words.get(at).and_then(|word| word.to_str()).unwrap_or_default();
    // Options of the engine may stand before; each has a value.
    let mut at = 1;
    while word(at).starts_with("--") {
        at += if word(at).contains('=') { 1 } else { 2 };
    }
    let first = word(at);
    let subcommands = names(command);
    if first.is_empty() || first.starts_with('-') || subcommands.iter().any(|name| name == first) {
        return Ok(words);
    }
    let played = command.find_subcommand("play").map_or_else(Vec::new, names);
    // Short words and paths are no positions.
    let position = first.len() > 3 && !first.starts_with('/') && given::recognized(catalog, first).is_some();
    // A file of rules or of a graph has a row.
    let file = first.contains(['.', '/']) && Path::new(first).is_file();
    if catalog.row(first).is_some() || position || file || played.iter().any(|name| name == first) {
        words.insert(at, "play".into());
        return Ok(words);
    }
    // A name of several words: connect four.
    let joined = (2..=1 + given::MOST_SECTIONS).rev().find_map(|count| {
        let name: Option<Vec<&str>> = words.get(at..at + count)?.iter().map(|word| word.to_str()).collect();
        let name = name?.join(" ");
        catalog.row(&name).is_some().then_some((count, name))
    });
    if let Some((count, name)) = joined {
        words.splice(at..at + count, ["play".into(), name.into()]);
        return Ok(words);
    }
    if at > 1 {
        let Some(game) = game_before(&words[1..at]).filter(|game| catalog.row(game).is_some()) else {
            return Ok(words);
        };
        let rest = words[at..].iter().filter_map(|word| word.to_str());
        let command: Vec<String> = ["grundy", game].into_iter().chain(rest).map(next::quoted).collect();
        let command = command.join(" ");
        let (first, command) = (brief(first), brief(&command));
        return Err(format!("unknown command {first:?}: to play from a position or moves, write {command}"));
    }
    if let Some(why) = given::missing_file(first) {
        return Err(why);
    }
    let shown = visible_lines(first);
    let shown = brief(&shown);
    let close = closest(first, subcommands.iter().map(String::as_str)).or_else(|| catalog.close(first));
    Err(match (catalog.elsewhere(first), close) {
        (Some(line), _) => line,
        (None, Some(close)) => format!("unknown command or game {shown:?}: did you mean {close}?"),
        (None, None) => format!(
            "unknown command or game {shown:?}: expected a command of grundy --help or a game of grundy games"
        ),
    })
}

/// Returns the value of `--game` among options of the engine.
fn game_before(options: &[OsString]) -> Option<&str> {
    let mut options = options.iter().filter_map(|word| word.to_str());
    while let Some(word) = options.next() {
        if word == "--game" {
            return options.next();
        }
        if let Some(game) = word.strip_prefix("--game=") {
            return Some(game);
        }
    }
    None
}

/// Runs one of the front ends on stdin and stdout.
fn speak(
    catalog: &Catalog,
    args: EngineArgs,
    settings: Settings,
    protocol: Option<Protocol>,
    front: fn(io::Stdin, Output, Config) -> io::Result<()>,
    waits: &str,
) -> Result<ExitCode> {
    if let Some(name) = &args.game {
        open(catalog, name, &settings)?;
    }
    if io::stdin().is_terminal() {
        log_line(waits);
    }
    if let Some(protocol) = protocol {
        protocol.check(catalog, args.game.as_deref()).map_err(Usage)?;
    }
    let config = Config { game: args.game, settings, weaken: args.weaken, protocol, ..Config::new(catalog) };
    front(io::stdin(), stdout(), config).context("cannot write the answers")?;
    Ok(ExitCode::SUCCESS)
}
