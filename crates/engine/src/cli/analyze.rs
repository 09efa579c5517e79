//! `grundy analyze`: one position of the command line, answered in words, or positions on stdin, one a line; a line of
//! answers each, in the same order.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use crate::protocol::{clean, read_line, value_word};
use anyhow::{Context, Result, bail};
use clap::Args;
use grundy_core::files;
use grundy_core::game::Player;
use grundy_core::sorting;
use grundy_core::table::{Disk, write_whole};
use grundy_core::text::with_blanks;
use grundy_core::value::Wdl;
use grundy_core::words;
use grundy_session::{
    Activity, Analysis, Annotation, Canonical, Catalog, Corner, MoveValue, NEVER, Picked, Progress, Session,
    Settings, Thermograph, Work, quiet_work,
};
use serde::Serialize;

use super::given::{Given, set_up_line};
use super::output::stdout;
use super::paths;
use super::shared::{FAILED, Means, Usage, check_loony, entry, log_line, wrapped};
use super::solve::all_threads;
use super::{next, numbers, progress, shared, thermograph, verdict, worth};

/// Maximum number of moves in a list.
const LISTED: usize = 10_000;
/// Time limit of the Grundy number and of the canonical form of each of many positions.
const BRIEF: Duration = Duration::from_millis(300);
/// Time limit of the Grundy number and of the canonical form of a single position that is answered in words.
const SINGLE: Duration = Duration::from_secs(2);
/// Time limit of a thermograph that is drawn.
const THERMOGRAPH: Duration = Duration::from_secs(10);
/// Time limit of the search for the remarks under a drawing.
const REMARKING: Duration = Duration::from_secs(2);

/// Answers who wins a position and by which moves.
///
/// With `--game` or a pipe it reads positions from stdin and writes for each: position, value, best moves,
/// value-preserving moves, separated by tabs. A list of moves that ends in `..` may lack some whose values were not found
/// in time; a value that was proved earlier has its source in one more field. A line is a position or `startpos`,
/// optionally followed by `moves ..`, or moves from the start alone.
#[derive(Args)]
#[command(after_help = "Examples:\n  grundy analyze connect4\n  grundy analyze connect4 d d c\n  \
    grundy analyze tictactoe X../.O./... 1\n  grundy analyze domineering:2x3 --thermograph heat.svg\n  \
    echo startpos | grundy analyze --game nim:3,5,7 --json")]
pub struct AnalyzeArgs {
    #[command(flatten)]
    given: Given,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Output format; san is for chess: who mates in how many moves, and the best moves in SAN
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<Format>,
    /// Milliseconds for a position that has to be searched; a win or loss whose distance is not found by then is
    /// written without it
    #[arg(long, value_name = "MS", default_value_t = 5000)]
    movetime: u64,
    /// The same in seconds
    #[arg(long, value_name = "SECONDS", conflicts_with = "movetime", value_parser = words::time)]
    seconds: Option<f64>,
    /// Draw each position above its line
    #[arg(long, conflicts_with = "json")]
    draw: bool,
    /// List only the first of moves that are symmetric to each other
    #[arg(long)]
    classes: bool,
    /// In Dots-and-Boxes also who makes the next loony move, here and after each move, in a line of fields as one more
    /// field and in a drawing behind the values: v the player to move, ^ the opponent, - nobody, ? not known in time
    #[arg(long)]
    loony: bool,
    /// Draw the thermograph of the position's canonical form into this file, as SVG
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    thermograph: Option<PathBuf>,
    #[command(flatten)]
    means: Means,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Position, value, best moves, value-preserving moves.
    Words,
    /// `White mates in 24`, a tab, all best moves in standard algebraic notation, sorted.
    San,
}

#[derive(Serialize)]
struct Analyzed {
    position: String,
    value: String,
    /// How the value was proved, if that was earlier: by a known result.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The loony state: who makes the next loony move.
    #[serde(skip_serializing_if = "Option::is_none")]
    loony: Option<char>,
    /// The value without a rule that changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_rule: Option<String>,
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<u64>,
    /// The canonical form, `?` if it was not found in time; omitted if the game has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    cgt: Option<String>,
    /// The letter of the form's outcome class.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_class: Option<String>,
    /// The form's temperature, if it was found in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<String>,
    /// The form's mean, if it was found in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<String>,
    /// The walls of the form's thermograph, if it was found in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    walls: Option<Walls>,
    moves: Vec<Move>,
    /// True if the values of the position and of all moves are known, so that the best moves are.
    complete: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    /// The next step, if the value was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// The corners of each wall: temperature and value.
#[derive(Serialize)]
struct Walls {
    left: Vec<[String; 2]>,
    right: Vec<[String; 2]>,
}

impl Walls {
    fn of(thermograph: &Thermograph) -> Walls {
        let corners = |wall: &[Corner]| {
            wall.iter().map(|corner| [corner.temperature.clone(), corner.value.clone()]).collect()
        };
        Walls { left: corners(&thermograph.left), right: corners(&thermograph.right) }
    }
}

#[derive(Serialize)]
struct Move {
    r#move: String,
    value: String,
    /// The loony state after it, this move included.
    #[serde(skip_serializing_if = "Option::is_none")]
    loony: Option<char>,
}

#[derive(Serialize)]
struct Refused {
    error: String,
}

pub fn run(catalog: &Catalog, args: &AnalyzeArgs, settings: &Settings) -> Result<ExitCode> {
    let settings = &args.means.over(settings);
    let mut session = args.given.open(catalog, settings)?;
    shared::refuse_unvalued(&session)?;
    if args.format == Some(Format::San) && !catalog.is_standard(session.name()) {
        return Err(Usage(format!("--format san is for chess, not for {}", session.name())).into());
    }
    if args.loony {
        check_loony(&session)?;
    }
    let mut out = BufWriter::new(stdout());
    if args.given.has_position() || args.given.file(catalog).is_some() {
        return one(catalog, args, settings, &mut session, &mut out);
    }
    let mut input = BufReader::new(io::stdin());
    // Behind `--game` an empty pipe is an empty list of positions.
    if io::stdin().is_terminal() || args.given.game.is_none() && input.fill_buf()?.is_empty() {
        return one(catalog, args, settings, &mut session, &mut out);
    }
    if args.thermograph.is_some() {
        let why = "--thermograph draws one position: expected it behind the game, not on stdin";
        return Err(Usage(why.to_owned()).into());
    }
    let mut bytes = Vec::new();
    let (mut refused, mut told) = (false, false);
    while let Some(too_long) = read_line(&mut input, &mut bytes) {
        let set = if too_long {
            Err("line longer than 16 MiB".to_owned())
        } else {
            whole(&session, &mut input, &mut bytes)
                .and_then(|()| set_up_line(&mut session, &String::from_utf8_lossy(&bytes)))
        };
        match set {
            Ok(()) => {
                let next = answer(catalog, args, &mut session, &mut out)?;
                // One hint serves for all positions of a pipe.
                if let Some(next) = next.filter(|_| !std::mem::replace(&mut told, true)) {
                    log_line(&format!("{}: {next}", session.position()));
                }
            }
            Err(error) => {
                refused = true;
                let error = clean(&error);
                if args.json {
                    writeln!(out, "{}", serde_json::to_string(&Refused { error })?)?;
                } else {
                    writeln!(out, "error {error}")?;
                }
            }
        }
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(if refused { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// Answers the session's position in words, unless a format for programs was asked for. Somebody waits for it: it is searched
/// on all processors, unless `--threads` says otherwise.
fn one(
    catalog: &Catalog,
    args: &AnalyzeArgs,
    settings: &Settings,
    session: &mut Session,
    out: &mut impl Write,
) -> Result<ExitCode> {
    if let Some(path) = &args.thermograph {
        draw_thermograph(session, path)?;
    }
    if args.json || args.format.is_some() {
        if let Some(next) = answer(catalog, args, session, out)? {
            log_line(&next);
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.means.threads.is_none() {
        session.configure(&Settings { threads: settings.threads.max(all_threads()), ..settings.clone() });
    }
    let time = shared::time(args.movetime, args.seconds);
    progress::tell(&format!("working; a search ends after {}", numbers::time(time.as_secs_f64())));
    let mut found = analyzed(args, session, time);
    progress::clear();
    if args.classes {
        essentially_different(session, &mut found);
    }
    let marks = args.loony.then(|| session.annotate(&quiet_work().within(time))).flatten();
    if args.draw {
        draw(session, &found, marks.as_ref(), out)?;
    }
    let loony = marks.as_ref().map_or_else(String::new, |marks| loony_in_words(marks.position));
    let mut beside = worth::lines(catalog, session, SINGLE);
    beside.push(("loony", loony));
    verdict::write(out, catalog, session, &found, &beside)?;
    verdict::write_values(out, session, &found)?;
    if let Some(marks) = &marks {
        entry(out, "loony moves", &verdict::marked(&found, marks))?;
    }
    entry(out, "best play", &verdict::best_play(session))?;
    entry(out, "likely play", &found.likely.join(" "))?;
    if found.value.is_none() && verdict::is_start(session) {
        verdict::write_published(out, catalog, session)?;
    }
    entry(out, "next", &next_step(catalog, session, &found, time).unwrap_or_default())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Draws the thermograph of the position into a file.
///
/// # Errors
/// The position has no canonical form, none is found in time, or the file cannot be written.
fn draw_thermograph(session: &mut Session, path: &Path) -> Result<()> {
    let work = quiet_work().within(THERMOGRAPH);
    match session.canonical_form_within(&work) {
        Canonical::Form { thermograph: Some(thermograph), .. } => {
            let picture = thermograph::svg(&thermograph);
            write_whole(&Disk, path, |file| file.write_all(picture.as_bytes()))
                .with_context(|| path.display().to_string())
        }
        Canonical::Unknown => {
            let name = session.name();
            let why = format!("{name} has no canonical forms: --thermograph is for games such as clobber");
            Err(Usage(why).into())
        }
        _ => {
            let time = numbers::time(THERMOGRAPH.as_secs_f64());
            bail!(
                "no thermograph was found within {time} and the limits of its size: expected a smaller position"
            )
        }
    }
}

/// Returns who makes the next loony move, with its mark.
fn loony_in_words(mark: char) -> String {
    let who = match mark {
        'v' => "the player to move makes the next loony move",
        '^' => "the opponent makes the next loony move",
        '-' => "nobody makes a loony move",
        _ => "not known in time",
    };
    format!("{mark}: {who}")
}

/// Tells on stderr what long work begins, and what it costs.
fn announce(progress: &Progress) {
    if let Activity::Beginning(what) = &progress.what {
        log_line(&format!("makes a table first: {what}"));
    }
}

/// Returns the values found in `time`. Tables that are built first take no part of it; they are announced, and built on
/// all processors unless `--threads` says otherwise.
fn analyzed(args: &AnalyzeArgs, session: &mut Session, time: Duration) -> Analysis {
    let threads = args.means.threads.map_or_else(all_threads, usize::from);
    let work = Work { threads, report: &announce, ..session.work(&NEVER) };
    session.analyze(LISTED, time, &work)
}

/// Returns the next step for a position whose value was not found in `time`.
fn next_step(catalog: &Catalog, session: &Session, found: &Analysis, time: Duration) -> Option<String> {
    found.value.is_none().then(|| next::after_search(catalog, session, time))
}

/// Draws the position with the values of its moves, and remarks below.
fn draw(
    session: &mut Session,
    found: &Analysis,
    marks: Option<&Annotation>,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{}", session.draw_values(&found.list, marks))?;
    for remark in session.remarks(&quiet_work().within(REMARKING)) {
        writeln!(out, "{}", wrapped("   ", &remark, 3))?;
    }
    Ok(())
}

/// Reads the following lines of a position of several lines.
fn whole(session: &Session, input: &mut impl BufRead, bytes: &mut Vec<u8>) -> Result<(), String> {
    const LONGEST: usize = 1 << 24;
    let mut next = Vec::new();
    while session.is_incomplete(files::without_mark(&String::from_utf8_lossy(bytes))) {
        // Even the end of the input ends the first line: what stands there is no whole position.
        bytes.push(b'\n');
        let more = read_line(input, &mut next);
        if more == Some(true) || bytes.len() + next.len() > LONGEST {
            return Err("position longer than 16 MiB".to_owned());
        }
        if more.is_none() {
            break;
        }
        bytes.extend_from_slice(&next);
    }
    Ok(())
}

/// Writes the answer for programs. Returns the next step, if the value was not found and the answer does not say it.
fn answer(
    catalog: &Catalog,
    args: &AnalyzeArgs,
    session: &mut Session,
    out: &mut impl Write,
) -> Result<Option<String>> {
    let time = shared::time(args.movetime, args.seconds);
    let mut found = analyzed(args, session, time);
    if args.classes {
        essentially_different(session, &mut found);
    }
    let unit = session.unit();
    let position = session.position();
    let value = found.show(unit);
    let next = next_step(catalog, session, &found, time);
    let marks = (args.json || args.loony).then(|| session.annotate(&quiet_work().within(time))).flatten();
    if args.json {
        let result = found.value.map_or_else(|| "?".to_owned(), |v| session.outcome(v).to_string());
        let of = |m: &MoveValue| Move {
            value: m.show(unit),
            loony: marks.as_ref().map(|marks| marks.of(&m.word)),
            r#move: m.word.clone(),
        };
        let moves = found.list.moves.iter().map(of).collect();
        let grundy = session.grundy_within(&quiet_work().within(BRIEF)).number();
        let (cgt, class, thermograph) = match session.canonical_form_within(&quiet_work().within(BRIEF)) {
            Canonical::Form { word, class, thermograph } => {
                (Some(word), Some(class.to_string()), thermograph)
            }
            Canonical::NotInTime => (Some("?".to_owned()), None, None),
            Canonical::Unknown => (None, None, None),
        };
        let walls = thermograph.as_ref().map(Walls::of);
        let (temperature, mean) = thermograph.map(|t| (t.mast.temperature, t.mast.mean)).unzip();
        let truncated = found.list.truncated;
        let without_rule = session.without_rule().map(|(value, _)| value_word(Some(value), unit));
        let loony = marks.as_ref().map(|marks| marks.position);
        let complete = found.value.is_some() && found.best(unit).complete && found.keeping(unit).complete;
        let answer = Analyzed {
            position,
            value,
            source: found.source.clone(),
            loony,
            without_rule,
            result,
            grundy,
            cgt,
            outcome_class: class,
            temperature,
            mean,
            walls,
            moves,
            complete,
            truncated,
            next: next.as_deref().map(with_blanks),
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        return Ok(None);
    }
    if args.draw {
        draw(session, &found, marks.as_ref(), out)?;
    }
    if args.format == Some(Format::San) {
        writeln!(out, "{}", mates(session, &found))?;
        return Ok(next);
    }
    let (best, keeping) = (found.best(unit), found.keeping(unit));
    let loony = marks.map_or(String::new(), |marks| {
        let moves = marks.moves.iter().map(|(word, mark)| format!(" {word}={mark}"));
        format!("\t{}{}", marks.position, moves.collect::<String>())
    });
    let source = found.source.as_ref().map_or(String::new(), |source| format!("\tknown by {source}"));
    writeln!(out, "{position}\t{value}\t{best}\t{keeping}{loony}{source}")?;
    Ok(next)
}

/// Removes moves that are symmetric to an earlier one in the list.
fn essentially_different(session: &mut Session, found: &mut Analysis) {
    let mut classes = HashSet::new();
    found.list.moves.retain(|m| {
        if session.play(&m.word).is_err() {
            return true;
        }
        let new = classes.insert(session.canonical());
        session.undo();
        new
    });
}

/// Returns the answer to a chess problem: who mates in how many moves, and the best moves in SAN.
fn mates(session: &mut Session, found: &Analysis) -> String {
    let mover = session.turn();
    let name = |player| if player == Player::One { "White" } else { "Black" };
    let outcome = match found.value.map(|value| (value.wdl(), value.moves_to_mate())) {
        None => "?".to_owned(),
        Some((Wdl::Draw, _)) => "Draw".to_owned(),
        Some((wdl, moves)) => {
            let winner = name(if wdl == Wdl::Win { mover } else { !mover });
            let moves = moves.map_or("?".to_owned(), |moves| moves.to_string());
            format!("{winner} mates in {moves}")
        }
    };
    let best = found.best(session.unit());
    let mut words: Vec<String> = best.words.iter().filter_map(|word| session.note(word)).collect();
    sorting::sort(&mut words);
    format!("{outcome}\t{}", Picked { words, ..best })
}
