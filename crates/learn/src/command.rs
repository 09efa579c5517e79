//! `grundy learn GAME`: an evaluation by self-play.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use grundy_core::text::{counted, grouped, wrapped};
use grundy_core::words;
use grundy_engine::output::stdout;
use grundy_engine::{Usage, paths};
use grundy_session::{Catalog, Settings, WeightsChoice};

use crate::training::{Kind, NEURONS, Plan, Progress, Training};

/// Interval between two lines of progress.
const LINE: Duration = Duration::from_secs(10);

/// Minutes of learning by games, by default.
const MINUTES: f64 = 20.0;

/// Learn an evaluation of a game by playing it against itself.
///
/// The engine then uses it in searches with limits. What is learned is a guess: exact values do not depend on it. The file
/// is continued if it exists. Ctrl-C ends early and writes it, unless no batch of games is
/// finished.
#[derive(clap::Parser, Debug)]
#[command(name = "learn", after_help = EXAMPLES)]
struct LearnArgs {
    /// The game, with its parameters
    game: String,
    /// Minutes to learn; not with --games [20; none with --positions]
    #[arg(long, value_name = "M", value_parser = words::time)]
    minutes: Option<f64>,
    /// The same in seconds
    #[arg(long, value_name = "SECONDS", value_parser = words::time, conflicts_with_all = ["minutes", "games"])]
    seconds: Option<f64>,
    /// End after this many games of the file in all, however long that takes
    #[arg(long, value_name = "N", conflicts_with = "minutes")]
    games: Option<u64>,
    /// Learn from positions that were judged in place of games: lines POSITION;RESULT or POSITION;RESULT;SCORE, seen by the
    /// player to move, with 1, 0.5 or 0 as the result and the score of a search in hundredths
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "threads"])]
    positions: Option<PathBuf>,
    /// Times to learn from each of these positions
    #[arg(long, value_name = "N", default_value_t = 20, requires = "positions", value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Threads; one seed gives the same weights after the same number of games with any
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Model: a small network, or tables of the fillings of lines, blocks and walks [that of the file, or network]
    #[arg(long, value_name = "MODEL")]
    model: Option<ModelChoice>,
    /// Neurons of a network, for each player's view
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(8..=256))]
    neurons: Option<u16>,
    /// Weights file [GAME.weights in the folder of tables, where the engine finds it]
    #[arg(short, long, value_name = "FILE", value_parser = paths::written())]
    output: Option<PathBuf>,
    /// Folder of tables
    #[arg(long, value_name = "DIR", value_parser = paths::tables())]
    tables: Option<PathBuf>,
}

/// The models by name.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ModelChoice {
    /// A network with one hidden layer
    Network,
    /// Tables over tuples of cells
    Tuples,
}

const EXAMPLES: &str = "Examples:\n  grundy learn breakthrough:6x6 --minutes 5\n  \
                        grundy learn rules:file=mine.rbg --games 2000 --threads 2 -o mine.weights";

/// Returns the subcommand's name, help and arguments.
pub fn command() -> Command {
    LearnArgs::command()
}

/// Runs the subcommand on its arguments.
///
/// # Errors
/// There is no such game, it cannot be learned, or the file cannot be read or written.
pub fn run(catalog: &Catalog, arguments: &ArgMatches) -> Result<ExitCode> {
    let args = LearnArgs::from_arg_matches(arguments)?;
    let settings =
        Settings { tables: args.tables.clone(), weights: WeightsChoice::Off, ..Settings::default() };
    let session = catalog.open(&args.game, &settings).map_err(Usage)?;
    if let Some(path) = &args.positions {
        std::fs::metadata(path).map_err(|why| Usage(format!("{}: {why}", path.display())))?;
    }
    let folder = session.folder();
    let name = session.name();
    let next = match &args.output {
        Some(file) => format!("grundy play {name} --weights {} plays by them", file.display()),
        None => format!("searches with limits use them: grundy play {name}, referee match --game {name}"),
    };
    let file = match args.output {
        Some(file) => file,
        None => {
            folder.make()?;
            folder.weights(session.name())
        }
    };
    let stop = Arc::new(AtomicBool::new(false));
    // The second one ends the process.
    let _ = signal_hook::flag::register_conditional_default(signal_hook::consts::SIGINT, stop.clone());
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, stop.clone());
    let unlimited = args.games.is_some() || args.positions.is_some();
    let minutes = args.minutes.or(if unlimited { None } else { Some(MINUTES) });
    let seconds = args.seconds.or(minutes.map(|minutes| 60.0 * minutes));
    let until = seconds.and_then(|s| Instant::now().checked_add(Duration::from_secs_f64(s)));
    let threads = usize::from(args.threads);
    let model = match (args.model, args.neurons) {
        (Some(ModelChoice::Tuples), None) => Some(Kind::Tuples),
        (Some(ModelChoice::Tuples), Some(_)) => {
            let why = "--neurons is for a network: leave it out, or write --model network";
            return Err(Usage(why.to_owned()).into());
        }
        (_, Some(neurons)) => Some(Kind::Network(neurons)),
        (Some(ModelChoice::Network), None) => Some(Kind::Network(NEURONS)),
        (None, None) => None,
    };
    let plan =
        Plan { until, games: args.games, threads, seed: args.seed, model, file: Some(&file), stop: &stop };
    let begun = Instant::now();
    let mut training = Training::new(&session, plan).map_err(|why| match plan.over() {
        true => anyhow::Error::msg(why),
        false => Usage(why).into(),
    })?;
    let facts = training.facts();
    let players = if facts.alike { "the same game for both" } else { "own weights for each player" };
    let model = match facts.kind {
        Kind::Tuples => "tables over tuples of cells".to_owned(),
        Kind::Network(neurons) => format!("a network of {neurons} neurons for each view"),
    };
    let symmetries = match facts.symmetries {
        1 => "1 symmetry".to_owned(),
        count => format!("{count} symmetries"),
    };
    let (cells, kinds) = (counted(facts.cells, "cell"), counted(facts.kinds, "kind"));
    let game = wrapped("", &format!("{name}: {cells} of {kinds}, {symmetries}, {players};"), 2);
    say(&format!("{game}\n  {model}, {} weights", grouped(facts.weights as u64)));
    let points = session.unit().is_points();
    if let Some(positions) = args.positions {
        let unit = if points { " points" } else { "" };
        let learned = |epoch: u32, error: f32| {
            let seconds = begun.elapsed().as_secs_f64();
            say(&format!("epoch {epoch} in {seconds:.0} s: positions held out are off by {error:.4}{unit}"));
        };
        let positions = training.positions(&positions).map_err(Usage)?;
        training.study(&positions, args.epochs, &mut { learned }).map_err(anyhow::Error::msg)?;
        writeln!(stdout(), "{}: written\n{}", file.display(), wrapped("", &next, 2))?;
        return Ok(ExitCode::SUCCESS);
    }
    say(&line(&training.progress(), points, begun));
    let mut told = Instant::now();
    training
        .run(&mut |progress| {
            if told.elapsed() >= LINE {
                told = Instant::now();
                say(&line(progress, points, begun));
            }
        })
        .map_err(anyhow::Error::msg)?;
    let line = line(&training.progress(), points, begun);
    writeln!(stdout(), "{}:\n  {line}\n{}", file.display(), wrapped("", &next, 2))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the state of learning, in lines for a terminal.
fn line(progress: &Progress, points: bool, begun: Instant) -> String {
    let Progress { games, positions, depth, held_out, points: won } = progress;
    let unit = if points { " points" } else { "" };
    format!(
        "{}, {} of this run in {:.0} s, depth {depth};\n  {} of known value: off by {:.3}{unit}, {:.1} % with the wrong winner;\n  \
         {:.0} % of points against the game's own evaluation",
        counted(*games, "game"),
        counted(*positions, "position"),
        begun.elapsed().as_secs_f64(),
        counted(held_out.positions, "position"),
        held_out.error,
        100.0 * held_out.wrong,
        100.0 * won
    )
}

/// Writes a line to stderr, if anybody reads it.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
