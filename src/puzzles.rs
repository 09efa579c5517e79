//! `grundy puzzles GAME`: positions in which a single move keeps the value.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use grundy_core::value::Wdl;
use grundy_engine::{Extra, Meter, Usage, log_line, output::stdout, paths};
use grundy_session::{Catalog, NEVER, Progress, Puzzle, Session, Settings, Wanted, Work};
use serde_json::json;

/// The subcommand.
pub const PUZZLES: Extra = Extra { under: None, command: PuzzlesArgs::command, run };

/// Find positions in which a single move keeps the win, the draw or the margin, easy ones first.
///
/// They come from the game's table, which is opened or built, and may be positions that no game from the start
/// reaches; without a table, from random games whose values are known. Each has at least three moves. The difficulty is
/// the number of legal moves, and two for each ply to a win or loss; draws have no distance.
#[derive(clap::Parser, Debug)]
#[command(name = "puzzles", after_help = EXAMPLES)]
struct PuzzlesArgs {
    /// The game, with its parameters: dots 2x2
    #[arg(value_name = "GAME", required = true)]
    game: Vec<String>,
    /// Puzzles, at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Plies to the end with best play, first and last: 5..9
    #[arg(long, value_name = "A..B", value_parser = range)]
    plies: Option<RangeInclusive<u32>>,
    /// Other puzzles for each seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Folder of the tables
    #[arg(long, value_name = "DIR", value_parser = paths::tables())]
    tables: Option<PathBuf>,
    /// One JSON object a puzzle
    #[arg(long, group = "form")]
    json: bool,
    /// A PGN with a game of one move for each puzzle
    #[arg(long, group = "form")]
    pgn: bool,
    /// A line of EPD a puzzle, in chess
    #[arg(long, group = "form")]
    epd: bool,
}

const EXAMPLES: &str = "Examples:\n  grundy puzzles tictactoe\n  grundy puzzles chess:KPvK --count 20 --plies 15..99 --epd\n  \
                        grundy puzzles connect4:4x4 --pgn";

/// Reads `A..B`, both included.
fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let read = |word: &str| word.parse::<u32>().ok();
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (read(first), read(last.trim_start_matches('='))) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("expected two numbers of plies, as in 5..9".to_owned()),
    }
}

fn run(catalog: &Catalog, arguments: &ArgMatches) -> anyhow::Result<ExitCode> {
    let args = PuzzlesArgs::from_arg_matches(arguments)?;
    let settings = Settings { tables: args.tables.clone(), ..Settings::default() };
    let mut session = catalog.open(&args.game.join(" "), &settings).map_err(Usage)?;
    if args.epd && !catalog.is_standard(session.name()) {
        let why = "--epd: expected a game of chess; --json and --pgn write the puzzles of every game";
        return Err(Usage(why.to_owned()).into());
    }
    let wanted = Wanted { count: args.count as usize, plies: args.plies.clone(), seed: args.seed };
    let meter = Meter::new(false);
    let report = |progress: &Progress| meter.show(progress);
    let puzzles = session.puzzles(&wanted, &Work { report: &report, ..session.work(&NEVER) });
    meter.finish();
    if puzzles.is_empty() {
        let instead = match catalog.is_standard(session.name()) && session.tabled(None).is_none() {
            true => "try an ending, as grundy puzzles chess:KPvK",
            false => "try other --plies, or solve the game; a puzzle has at least three moves",
        };
        bail!("{}: no position with an only move was found whose value is known: {instead}", session.name());
    }
    if puzzles.len() < wanted.count {
        log_line(&format!(
            "found {} of {}: other --plies or another --seed may find more",
            puzzles.len(),
            wanted.count
        ));
    }
    let mut out = stdout();
    for (puzzle, number) in puzzles.iter().zip(1..) {
        let line = written(catalog, &mut session, puzzle, &args, number)?;
        writeln!(out, "{line}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a puzzle in the form that the arguments ask for.
fn written(
    catalog: &Catalog,
    session: &mut Session,
    puzzle: &Puzzle,
    args: &PuzzlesArgs,
    number: usize,
) -> anyhow::Result<String> {
    session.setup(Some(&puzzle.position)).map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
    let (value, rating) = (puzzle.value.show(session.unit()).to_string(), puzzle.rating());
    let note = session.note(&puzzle.only).unwrap_or_else(|| puzzle.only.clone());
    if args.json {
        let mut object = json!({
            "game": session.name(), "position": puzzle.position, "only": puzzle.only, "note": note, "value": value,
            "plies": puzzle.value.plies(), "choices": puzzle.choices, "rating": rating,
        });
        if let Some(moves) = &puzzle.moves {
            object["moves"] = json!(moves);
        }
        return Ok(object.to_string());
    }
    if args.epd {
        let board: Vec<&str> = puzzle.position.split(' ').take(4).collect();
        return Ok(format!(
            "{} bm {note}; c0 \"{value}\"; c1 \"rating {rating}\"; id \"{} {number}\";",
            board.join(" "),
            session.name()
        ));
    }
    if args.pgn {
        session.play(&puzzle.only).map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
        let event = format!("Puzzle {number}, rating {rating}");
        let tags = [("Event", event.as_str()), ("White", "?"), ("Black", "?")];
        let name = session.name().to_owned();
        let variant = (!catalog.is_standard(&name)).then_some(name.as_str());
        return Ok(grundy_review::write_pgn(session, Some(&puzzle.position), &tags, variant));
    }
    let keeps = match puzzle.value.wdl() {
        _ if session.unit().is_points() => "keeps",
        Wdl::Win => "wins",
        Wdl::Draw | Wdl::Loss => "draws",
    };
    Ok(format!("{rating}\t{value}\t{}\tonly {note} {keeps}, of {} moves", puzzle.position, puzzle.choices))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::catalog::CATALOG;

    #[test]
    fn a_range_of_plies_has_two_ends() {
        assert_eq!((range("5..9"), range("7")), (Ok(5..=9), Ok(7..=7)));
        assert!(range("9..5").is_err() && range("a..b").is_err() && range("..").is_err());
    }

    #[test]
    fn a_long_search_for_puzzles_tells_what_it_does() {
        for (game, what) in
            [("tictactoe", "positions of the table, 0 puzzles"), ("nim", "random games, 0 puzzles")]
        {
            let told = Mutex::new(Vec::new());
            let report = |progress: &Progress| {
                told.lock().expect("no panic").push(progress.what.to_string());
            };
            let session = CATALOG.open(game, &Settings::default()).expect("a game");
            let wanted = Wanted { count: 1, plies: None, seed: 0 };
            session.puzzles(&wanted, &Work { report: &report, ..session.work(&NEVER) });
            let told = told.into_inner().expect("no panic");
            assert!(told.iter().any(|line| line == what), "{game}: {told:?}");
        }
    }

    #[test]
    fn puzzles_are_written_in_every_form() {
        let find = |words: &[&str]| {
            let args = PuzzlesArgs::from_arg_matches(
                &PuzzlesArgs::command().get_matches_from([&["puzzles"], words].concat()),
            );
            let args = args.expect("arguments");
            let mut session = CATALOG.open(&args.game.join(" "), &Settings::default()).expect("a game");
            let wanted = Wanted { count: 1, plies: args.plies.clone(), seed: args.seed };
            let puzzle = session.puzzles(&wanted, &session.work(&NEVER)).pop().expect("a puzzle");
            (written(&CATALOG, &mut session, &puzzle, &args, 1).expect("a text"), puzzle)
        };
        let (text, puzzle) = find(&["tictactoe", "--plies", "3..3"]);
        assert_eq!((puzzle.value.plies(), text.ends_with("moves")), (Some(3), true), "{text}");
        let (pgn, puzzle) = find(&["hexapawn", "--pgn"]);
        assert!(
            pgn.contains(&format!("[FEN \"{}\"]", puzzle.position)) && pgn.contains("[Variant \"hexapawn"),
            "{pgn}"
        );
        let (epd, _) = find(&["chess:KRvK", "--epd"]);
        assert!(epd.contains(" bm ") && epd.ends_with("id \"chess:KRvK 1\";"), "{epd}");
        let (object, puzzle) = find(&["dots:2x2", "--json"]);
        assert!(object.contains(&format!("\"only\":\"{}\"", puzzle.only)), "{object}");
    }
}
