//! `grundy equilibrium`: values and equilibria of games from files.

use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use grundy_core::files;
use grundy_core::text::counted;
use grundy_engine::output::stdout;
use grundy_engine::{Extra, Usage, paths};

use super::answer::{self, Answer, AnswerOptions};
use super::show;
use crate::bimatrix::Bimatrix;
use crate::certificate;
use crate::examples;
use crate::fraction::has_decimals;
use crate::read::{self, Contents, MOST_BYTES, Names, table::Lines};

/// The subcommand.
pub const EXTRA: Extra = Extra { under: None, command, run: |_, matches| run(matches) };

/// Values, optimal strategies and equilibria in exact fractions: of matrix games (rows by line or by `/`, payoffs to
/// the row player), bimatrix games (two such tables with an empty line or `|` between them, pairs on one line as in
/// `3,3 0,5 / 5,0 1,1`, or Gambit's .nfg) and trees with hidden information (Gambit's .efg); of .nfg games of more players
/// the pure equilibria
#[derive(Args)]
struct EquilibriumArgs {
    /// The file; without it, or with -, stdin
    file: Option<PathBuf>,
    /// A game with a name instead of a file: kuhn:4, rock-paper-scissors; see --examples
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    example: Option<String>,
    /// List the examples
    #[arg(long)]
    examples: bool,
    /// All extreme optimal strategies, or all extreme equilibria
    #[arg(long)]
    all: bool,
    /// Also dominated strategies; of bimatrix games best replies, maximin and minimax, the Pareto front, and the
    /// correlated equilibrium with the greatest sum
    #[arg(long)]
    analysis: bool,
    /// JSON with the same names, one line a game
    #[arg(long)]
    json: bool,
    /// How to read several lines of payoffs
    #[arg(long, value_enum, default_value_t = LinesArg::Guess)]
    lines: LinesArg,
    /// Write a proof to this file, which `referee check` verifies by multiplication
    #[arg(long, value_name = "FILE", value_parser = paths::certificate())]
    certificate: Option<PathBuf>,
    /// Write the tree as an .efg file instead of solving it
    #[arg(long)]
    efg: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LinesArg {
    /// Games if each line has strokes between its rows, else the rows of one table
    Guess,
    /// The rows of one table, also with semicolons between single cells
    Rows,
    /// Games, one a line
    Games,
}

fn command() -> Command {
    EquilibriumArgs::augment_args(Command::new("equilibrium"))
}

fn run(matches: &ArgMatches) -> Result<ExitCode> {
    let args = EquilibriumArgs::from_arg_matches(matches)?;
    let out = &mut stdout();
    if args.examples {
        for (name, about) in examples::names() {
            writeln!(out, "{name}\t{about}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let (contents, names, decimals) = match &args.example {
        Some(name) => (named(name)?, None, false),
        None => from_file(&args)?,
    };
    if args.efg {
        let Contents::Tree(tree) = &contents else {
            return Err(Usage(format!(
                "--efg writes trees, not {}: expected an .efg file or an example that is a tree, as --example kuhn:3",
                kind(&contents)
            ))
            .into());
        };
        out.write_all(read::write_efg(tree).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = AnswerOptions { all: args.all, analysis: args.analysis, decimals };
    let answered = |answer: Result<Answer, String>| answer.map_err(|reason| anyhow!(reason));
    let answer = match &contents {
        Contents::Matrices(games) => {
            if args.certificate.is_some() {
                let why = format!("a certificate is about one game: expected one, found {}", games.len());
                return Err(Usage(why).into());
            }
            for game in games {
                show::in_a_line(out, &answered(answer::matrix(game, options))?, args.json)?;
                out.flush()?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        Contents::Matrix(game) => answer::matrix(game, options),
        Contents::Bimatrix(game) => answer::bimatrix(game, names.as_ref(), options),
        Contents::Several(_) if args.certificate.is_some() => {
            let why = "no certificate for a game of more than two players: expected one of two";
            return Err(Usage(why.to_owned()).into());
        }
        Contents::Several(_) if args.all => {
            let why = "--all lists mixed equilibria, of two players only: expected no --all for pure ones";
            return Err(Usage(why.to_owned()).into());
        }
        Contents::Several(game) => answer::several(game, names.as_ref(), options),
        Contents::Tree(game) => {
            let _done = note_later(format!("solving a tree of {} nodes", game.nodes().len()));
            answer::tree(game, options)
        }
    };
    let answer = answered(answer)?;
    if let (Some(path), Some(claim)) = (&args.certificate, &answer.claim) {
        let text = certificate::write(claim);
        certificate::bounded(&text).map_err(|why| anyhow!("no certificate: {why}"))?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    show::one(out, &answer, args.json)?;
    out.flush()?;
    if let Some(hint) = answer.hint.filter(|_| !args.json) {
        let _ = writeln!(io::stderr(), "{hint}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Names the kind of a game, with its size.
fn kind(contents: &Contents) -> String {
    match contents {
        Contents::Matrix(game) => format!("a matrix game of {} x {}", game.height(), game.width()),
        Contents::Matrices(games) => counted(games.len(), "matrix game"),
        Contents::Bimatrix(game) => {
            format!("a bimatrix game of {} x {}", game.row().height(), game.row().width())
        }
        Contents::Several(game) => format!("a table of {} players", game.sizes().len()),
        Contents::Tree(_) => "a tree".to_owned(),
    }
}

/// Returns the example with this name; a zero-sum one as a matrix game.
fn named(name: &str) -> Result<Contents> {
    if let Some(game) = examples::bimatrix(name) {
        let zero_sum = |game: &Bimatrix| {
            let cells = game.row().cells().iter().flatten().zip(game.column().cells().iter().flatten());
            cells.into_iter().all(|(one, two)| *one == -two)
        };
        return Ok(if zero_sum(&game) {
            Contents::Matrix(game.row().clone())
        } else {
            Contents::Bimatrix(game)
        });
    }
    Ok(examples::tree(name).map(Contents::Tree).map_err(Usage)?)
}

/// Returns the message about a file that cannot be read, with what its name may have been meant to be.
fn unreadable(name: &str) -> String {
    let hint = match () {
        () if examples::has(name) => format!("; the example of this name is --example {name}"),
        () if name.contains(['/', ' ']) && name.contains(|c: char| c.is_ascii_digit()) => {
            "; a game itself is read from stdin: echo '1 -1 / -1 1' | grundy equilibrium".to_owned()
        }
        () => String::new(),
    };
    format!("cannot read {name}{hint}")
}

/// Returns the game of a file, the names in it, and whether its numbers are decimals.
fn from_file(args: &EquilibriumArgs) -> Result<(Contents, Option<Names>, bool)> {
    let path = args.file.as_ref().filter(|path| path.as_os_str() != "-");
    let name = path.map_or("stdin".to_string(), |path| path.display().to_string());
    let mut bytes = Vec::new();
    let heard = match path {
        None if io::stdin().is_terminal() => {
            writeln!(io::stderr(), "type the payoffs to the row player, a line a row; Ctrl-D ends them")?;
            None
        }
        Some(path) if path.is_file() => None,
        _ => {
            let note = "waiting for the end of the game: is something writing to this pipe?";
            Some(note_later(format!("{name}: {note}")))
        }
    };
    let read = match path {
        Some(path) => {
            let file =
                std::fs::File::open(path).map_err(|why| Usage(format!("{}: {why}", unreadable(&name))))?;
            file.take(MOST_BYTES + 1).read_to_end(&mut bytes)
        }
        None => io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes),
    };
    drop(heard);
    read.map_err(|why| Usage(format!("cannot read {name}: {why}")))?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(Usage(format!("{name}: longer than {most} MiB: expected a game of at most that")).into());
    }
    let text = files::text(bytes).map_err(|why| Usage(format!("{name}: {why}")))?;
    let lines = match args.lines {
        LinesArg::Guess => Lines::Guess,
        LinesArg::Rows => Lines::Rows,
        LinesArg::Games => Lines::Games,
    };
    let (contents, names) =
        read::read_named(&text, lines).map_err(|refusal| Usage(format!("{name}: {refusal}")))?;
    Ok((contents, names, has_decimals(&text)))
}

/// Delay after which a line on stderr says what the program waits for.
const SILENCE: Duration = Duration::from_secs(2);

/// Says on stderr after a delay what the program waits for, unless the returned sender was dropped before.
fn note_later(note: String) -> mpsc::Sender<()> {
    let (done, waiting) = mpsc::channel();
    thread::spawn(move || {
        if waiting.recv_timeout(SILENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = writeln!(io::stderr(), "{note}");
        }
    });
    done
}
