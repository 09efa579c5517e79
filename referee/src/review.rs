//! `grundy review`: each move of a game judged by exact values, from the end of the game backwards.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use grundy_core::files;
use grundy_core::text::{brief, counted, excerpt, visible, visible_lines};
use grundy_core::value::{Unit, Value, Wdl};
use grundy_core::words;
use grundy_engine::{paths, recognized};
use grundy_review::{self as reading, Unread};
use grundy_session::{Catalog, Files, Picked, REPETITIONS, Session, Settings, Work, quiet_work};
use serde_json::json;

use crate::USAGE;
use crate::games;
use crate::output::{WIDTH, deliver, escaped, wrapped};
use crate::prover::{Prover, ranges};
use crate::record::{Game, Move, SlipRecord};
use crate::report;
use crate::settings::worker_count;
use crate::verdict::{Ending, Outcome, Severity, Slip};

/// Judge each move of a game by exact values, from its end backwards.
///
/// Reads moves (44444432, F5D6C3, e2e4 e7e5, 1. e4 e5), a position and moves from it, a PGN, or a record of `referee
/// match`. Exit code 1 if a move lost value, 2 if the game cannot be read.
#[derive(clap::Parser, Debug)]
#[command(name = "review", after_help = EXAMPLES)]
struct ReviewArgs {
    /// A file with a game, its moves, or - for stdin; in front of them the game, if the moves can be of more than one
    #[arg(value_name = "FILE|MOVES|-", required = true)]
    words: Vec<String>,
    /// The game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The position before the first move [the game's start]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Seconds for all proofs together [8]
    #[arg(long, value_name = "N", default_value_t = 8.0, hide_default_value = true, value_parser = words::time)]
    seconds: f64,
    /// Threads [all]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Folder of the tables that exact values come from
    #[arg(long, value_name = "DIR", value_parser = paths::tables())]
    tables: Option<PathBuf>,
    /// Refuse games from files, which a record may name: for records of strangers
    #[arg(long)]
    no_files: bool,
    /// One JSON object a game
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// One page with boards, a graph of the values and the slips
    #[arg(long)]
    html: bool,
    /// Output file [stdout]
    #[arg(short, long, value_name = "FILE", value_parser = paths::written())]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:\n  grundy review 44444432\n  grundy review game.pgn --html -o review.html\n  \
                        grundy review tictactoe b2 a1 c3";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;
/// The time to read a game.
const READING: Duration = Duration::from_secs(60);
/// The shortest time for distances and for the moves that kept a value, after who wins is proved.
const REFINING: Duration = Duration::from_secs(2);
/// The longest name of a player in the table, in characters.
const LONGEST_PLAYER: usize = 12;
/// The most moves that the first line names.
const HEADLINE_MOVES: usize = 6;

/// Returns the subcommand's name, help and arguments.
pub fn command() -> Command {
    ReviewArgs::command()
}

/// Runs the subcommand on its arguments.
///
/// # Errors
/// None: what is wrong is said on stderr, with exit code 2.
pub fn run(catalog: &Catalog, arguments: &ArgMatches) -> anyhow::Result<ExitCode> {
    let args = ReviewArgs::from_arg_matches(arguments)?;
    Ok(review(catalog, &args).unwrap_or_else(|why| {
        say(&format!("error: {why}"));
        ExitCode::from(USAGE)
    }))
}

fn review(catalog: &Catalog, args: &ReviewArgs) -> Result<ExitCode, String> {
    let time = Duration::from_secs_f64(args.seconds);
    let all = || std::thread::available_parallelism().map_or(1, usize::from).min(256);
    let threads = worker_count("--threads", args.threads.unwrap_or_else(all))?;
    let games = read(catalog, args)?;
    let stop = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, stop.clone());
    if std::io::stderr().is_terminal() {
        let all: usize = games.iter().map(|game| game.moves.len()).sum();
        let moves = counted(all, "move");
        say(&format!("proving {moves}, at most {} s; Ctrl-C shows what is proved", args.seconds));
    }
    let begun = Instant::now();
    let end = begun + time;
    let mut provers: HashMap<String, Prover> = HashMap::new();
    let mut reviews = Vec::new();
    for (done, game) in games.iter().enumerate() {
        let open = || Prover::new(catalog, &game.game, args.tables.clone(), threads);
        let prover = games::cached(&mut provers, &game.game, open)?;
        let share = end.saturating_duration_since(Instant::now()) / (games.len() - done) as u32;
        let mut review = Review::new(catalog, game, done + 1)?;
        review.judge(prover, Instant::now() + share, &stop)?;
        reviews.push(review);
    }
    let interrupted = stop.load(Ordering::SeqCst).then(|| begun.elapsed());
    let text = match (args.json, args.html) {
        (true, _) => reviews.iter().map(|review| format!("{}\n", review.json())).collect(),
        (_, true) => page(catalog, &reviews)?,
        _ => reviews.iter().map(|review| review.table(args, interrupted)).collect::<Vec<_>>().join("\n"),
    };
    deliver(&text, args.output.as_deref())?;
    if interrupted.is_some() {
        return Ok(ExitCode::from(Severity::Interrupted.exit_code()));
    }
    let slipped = reviews.iter().any(|review| review.slips().next().is_some());
    Ok(ExitCode::from(u8::from(slipped)))
}

/// Writes a line to stderr.
fn say(line: &str) {
    // A closed stderr is no error.
    let _ = writeln!(std::io::stderr(), "{}", brief(&visible_lines(line)));
}

/// Reads the games that the command line names.
fn read(catalog: &Catalog, args: &ReviewArgs) -> Result<Vec<reading::Game>, String> {
    let is_ending = |end: &str| end.len() > 1 && end.chars().all(|c| c.is_ascii_alphanumeric());
    let named = |path: &str| {
        path.contains('/') || Path::new(path).extension().and_then(OsStr::to_str).is_some_and(is_ending)
    };
    // As in other commands the game may be the first word.
    let (named_game, words) = match (&args.game, &args.words[..]) {
        (None, [game, rest @ ..]) if !rest.is_empty() && catalog.row(game).is_some() => {
            (Some(catalog.full_name(game)), rest)
        }
        (game, words) => (game.as_deref().map(Cow::Borrowed), words),
    };
    let mut typed = false;
    let text = match words {
        [dash] if dash == "-" => {
            let bytes =
                files::read_from(std::io::stdin(), LARGEST).map_err(|error| format!("stdin: {error}"))?;
            reading::text_of(&bytes).into_owned()
        }
        [path] if Path::new(path).exists() || named(path) && !path.contains(char::is_whitespace) => {
            let bytes = files::read(Path::new(path), LARGEST).map_err(|error| format!("{path}: {error}"))?;
            reading::text_of(&bytes).into_owned()
        }
        words => {
            typed = args.position.is_none();
            words.join(" ")
        }
    };
    let files = if args.no_files { Files::Within(Vec::new()) } else { Files::Any };
    let settings = Settings { hash_mb: 1, files, ..Settings::default() };
    let open = |name: &str| catalog.open(name, &settings);
    let work = quiet_work().within(READING);
    let game = named_game.unwrap_or_default();
    let read = reading::read_or_lines(catalog, &open, &game, args.position.as_deref(), &text, &work);
    let read = match read {
        Err(why) if typed => from_position(catalog, &open, &game, &text, &work).unwrap_or(Err(why)),
        read => read,
    };
    read.map_err(|why| {
        if why != Unread::WhichGame {
            return why.to_string();
        }
        match (words, words.first().and_then(|word| catalog.close(word))) {
            ([game], _) if catalog.row(game).is_some() => {
                format!(
                    "no moves of {game}: expected moves behind it, as in grundy review tictactoe b2 a1 c3"
                )
            }
            ([path], _) if Path::new(path).exists() => {
                format!("{path}: no game is found in it: expected a PGN, a record or moves")
            }
            ([word, ..], Some(close)) => format!("unknown game {word:?}: did you mean {close}?"),
            _ => format!("{why}: name the game, as in grundy review tictactoe b2 a1 c3"),
        }
    })
}

/// Reads words as a position and the moves from it; `None` if they do not begin with a position.
fn from_position(
    catalog: &Catalog,
    open: &dyn Fn(&str) -> Result<Session, String>,
    game: &str,
    text: &str,
    work: &Work<'_>,
) -> Option<Result<Vec<reading::Game>, Unread>> {
    /// The most words of a position.
    const WORDS: usize = 8;
    let game = if game.is_empty() { recognized(catalog, text)? } else { game };
    let mut session = open(game).ok()?;
    let ends: Vec<usize> = text.match_indices(' ').map(|(end, _)| end).take(WORDS).collect();
    let mut refused = None;
    for end in ends.into_iter().rev() {
        let (position, moves) = (&text[..end], text[end..].trim_start());
        if session.setup_typed(Some(position)).is_err() {
            continue;
        }
        let moves = moves.strip_prefix("moves ").unwrap_or(moves);
        match reading::read_or_lines(catalog, open, game, Some(&session.position()), moves, work) {
            Ok(read) => return Some(Ok(read)),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    refused.map(Err)
}

/// A game and the judgement of its moves.
struct Review {
    game: Game,
    /// The game's name for people.
    title: String,
    /// One line on the rules that the game is read by.
    note: Option<String>,
    unit: Unit,
    /// The moves as people write them.
    notes: Vec<String>,
    /// The positions, one more than the moves.
    positions: Vec<String>,
    /// The values of the positions, as far as they are known.
    before: Vec<Option<Value>>,
    /// The values of the moves for the players who made them.
    after: Vec<Option<Value>>,
    /// For each slip the moves that would have kept the value, or been best, as people write them.
    better: Vec<String>,
    rules: Session,
}

impl Review {
    /// Returns a game without values.
    fn new(catalog: &Catalog, read: &reading::Game, id: usize) -> Result<Review, String> {
        let mut rules = games::rules(catalog, &read.game)?;
        rules.setup(read.fen.as_deref()).map_err(|refusal| refusal.to_string())?;
        let (mut moves, mut notes) = (Vec::new(), Vec::new());
        for word in &read.moves {
            notes.push(rules.note(word).unwrap_or_else(|| word.clone()));
            moves.push(Move::new(rules.turn(), word.clone(), 0));
            rules.play(word).map_err(|refusal| refusal.to_string())?;
        }
        let ((result, ending), unit) = (end(&rules), rules.unit());
        let reason = match ending {
            Ending::Interrupted => "not finished".to_owned(),
            _ => ending.words(result),
        };
        let described = catalog.row(rules.name()).map(|row| row.describe(rules.name()));
        let (title, players) = match described {
            Some(described) => (described.title, described.players),
            None => (rules.name().to_owned(), ["Player 1", "Player 2"].map(str::to_owned)),
        };
        let players = read.players.clone().unwrap_or(players);
        let game = Game {
            id,
            game: rules.name().to_owned(),
            pair: id,
            engines: [0, 1],
            players,
            start: read.fen.clone(),
            opening: Vec::new(),
            result,
            ending,
            reason,
            began: 0,
            took_ms: 0,
            moves,
            disputes: Vec::new(),
            stderr: Vec::new(),
        };
        let (note, open) = (read.note.clone(), vec![None; notes.len()]);
        let better = vec![String::new(); notes.len()];
        let (before, after) = (open.clone(), open);
        Ok(Review { game, title, note, unit, notes, positions: Vec::new(), before, after, better, rules })
    }

    /// Judges the moves, from the last to the first, until `until`.
    fn judge(&mut self, prover: &mut Prover, until: Instant, stop: &AtomicBool) -> Result<(), String> {
        let begun = Instant::now();
        // Who wins comes first; the rest has a quarter of the time, or more if less is needed for that.
        let first = until - until.saturating_duration_since(begun) / 4;
        let (mut line, _) = prover.prove_line(&mut self.game, first, stop)?;
        let rest = REFINING.max(2 * begun.elapsed());
        prover.refine(&mut self.game, &mut line, until.min(Instant::now() + rest), stop);
        self.after =
            line.steps.iter().enumerate().map(|(i, &step)| Some(line.values[i + 1]?.back(step))).collect();
        self.before = line.values;
        self.positions = line.positions;
        for (i, m) in self.game.moves.iter().enumerate() {
            let Some(record) = &m.slip else { continue };
            let hard = record.slip.loses_value();
            let words = if hard { &record.keeping } else { &record.best };
            self.rules.setup(Some(&self.positions[i])).map_err(|refusal| refusal.to_string())?;
            let noted = words.iter().map(|word| self.rules.note(word).unwrap_or_else(|| word.clone()));
            let picked = Picked { words: noted.collect(), complete: !record.more };
            self.better[i] = match picked.words.is_empty() {
                true => String::new(),
                false if hard => format!("; kept by {picked}"),
                false => format!("; best {picked}"),
            };
        }
        Ok(())
    }

    /// Returns the moves that lost value, with their indices.
    fn slips(&self) -> impl Iterator<Item = (usize, &SlipRecord)> {
        self.game.moves.iter().enumerate().filter_map(|(i, m)| Some((i, m.value_slip()?)))
    }

    /// Reports whether the values before and after a move are known, or make no difference.
    fn is_judged(&self, i: usize) -> bool {
        // In a lost position every move loses.
        let lost = |value: Value| self.unit == Unit::Outcome && value.wdl() == Wdl::Loss;
        self.before[i].is_some_and(|before| self.after[i].is_some() || lost(before))
    }

    /// Returns the words for the values before and after a move; a bound where only the other one is known.
    fn values(&self, i: usize) -> [String; 2] {
        let words = |value: Value| in_words(value, self.unit);
        match (self.before[i], self.after[i]) {
            (Some(before), Some(after)) => [words(before), words(after)],
            (Some(before), None) if self.is_judged(i) => [words(before), "loss".to_owned()],
            (Some(before), None) => [words(before), format!("<= {}", words(before))],
            // Every value is at least a loss.
            (None, Some(after)) if after.is_unmeasured() && after.wdl() == Wdl::Loss => {
                ["?".to_owned(), words(after)]
            }
            (None, Some(after)) => [format!(">= {}", words(after)), words(after)],
            (None, None) => ["?".to_owned(), "?".to_owned()],
        }
    }

    /// Returns the plies whose moves are not judged.
    fn open(&self) -> Vec<usize> {
        (0..self.notes.len()).filter(|&i| !self.is_judged(i)).map(|i| i + 1).collect()
    }

    /// Returns the name of the player who made a move.
    fn player(&self, i: usize) -> &str {
        &self.game.players[self.game.moves[i].by.index()]
    }

    /// Returns the answer in a line or two: the first slip, what it threw away and what kept it.
    fn headline(&self) -> String {
        let Some((i, record)) = self.slips().next() else {
            return match self.open().len() {
                0 if self.notes.is_empty() => "no moves".to_owned(),
                0 => "no slip: every move kept the value of its position".to_owned(),
                open => {
                    format!(
                        "no slip among {} of {}",
                        self.notes.len() - open,
                        counted(self.notes.len(), "move")
                    )
                }
            };
        };
        let threw = match record.slip {
            Slip::WinToDraw | Slip::WinToLoss => "threw away the win".to_owned(),
            Slip::DrawToLoss => "threw away the draw".to_owned(),
            Slip::Points { .. } | Slip::Slower { .. } | Slip::Shorter { .. } => {
                record.slip.to_string().replace(" lost", " given away")
            }
        };
        let [before, after] = self.values(i);
        let kept = match self.better[i].match_indices(' ').nth(HEADLINE_MOVES + 2) {
            Some((at, _)) => format!("{} {}", &self.better[i][..at], Picked::MORE),
            None => self.better[i].clone(),
        };
        let (ply, move_) = (i + 1, &self.notes[i]);
        let verb = if matches!(record.slip, Slip::Points { .. }) { ":" } else { "" };
        format!(
            "first slip: move {ply}, {move_}, {}{verb} {threw}: {before} -> {after}{kept}",
            self.player(i)
        )
    }

    /// Returns the review as text for a terminal.
    fn table(&self, args: &ReviewArgs, interrupted: Option<Duration>) -> String {
        let mut text = wrapped(&format!("{}, {}: {}", self.title, self.size(), self.headline()), 0, 2);
        text += &self.note.iter().map(|note| wrapped(note, 0, 2)).collect::<String>();
        if self.notes.is_empty() {
            return text;
        }
        let head = ["ply", "player", "move", "value", "with the move"].map(str::to_owned).to_vec();
        let mut rows = vec![head];
        for i in 0..self.notes.len() {
            let [before, after] = self.values(i);
            let by = excerpt(self.player(i), LONGEST_PLAYER);
            rows.push(vec![
                (i + 1).to_string(),
                visible(&by).into_owned(),
                self.notes[i].clone(),
                before,
                after,
            ]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
        let margin = widths.iter().map(|width| width + 2).sum::<usize>();
        text.push('\n');
        for (at, row) in rows.iter().enumerate() {
            let mut line = format!("{:>1$}", row[0], widths[0]);
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                let _ = write!(line, "  {cell:<width$}");
            }
            let remark = at.checked_sub(1).and_then(|i| self.remark(i)).unwrap_or_default();
            // A remark that has no room beside the row stands below it.
            text += &match remark.is_empty() {
                true => format!("{}\n", line.trim_end()),
                false if margin + 24 <= WIDTH => wrapped(&format!("{line}  {remark}"), 0, margin),
                false => format!("{}\n{}", line.trim_end(), wrapped(&remark, 8, 8)),
            };
        }
        let open = self.open();
        let (slips, all) = (self.slips().count(), self.notes.len());
        let slower = self.game.moves.iter().filter(|m| m.slip.is_some()).count() - slips;
        let mut end = format!("{} of {} proved, {slips} lost value", all - open.len(), counted(all, "move"));
        if slower > 0 {
            let _ = write!(end, ", {slower} took longer to win or lost sooner");
        }
        text += &format!("\n{end}\n");
        for dispute in &self.game.disputes {
            text += &wrapped(&format!("dispute: {dispute}"), 0, 2);
        }
        if !open.is_empty() {
            let (plies, more) = (ranges(&open), args.seconds * 10.0);
            let next = match interrupted {
                Some(after) => {
                    format!("interrupted after {:.1} s: plies {plies} are not proved", after.as_secs_f64())
                }
                None => format!(
                    "not proved in {} s: plies {plies}; --seconds {more} gives them more time",
                    args.seconds
                ),
            };
            text += &wrapped(&next, 0, 2);
        }
        text
    }

    fn size(&self) -> String {
        let moves = counted(self.notes.len(), "move");
        match self.game.result {
            Outcome::None => format!("{moves}, not finished"),
            result => format!("{moves}, {result}"),
        }
    }

    /// Returns what a move cost, and what would not have; `None` if it was not a slip.
    fn remark(&self, i: usize) -> Option<String> {
        let record = self.game.moves[i].slip.as_ref()?;
        let (mark, better) = (if record.slip.loses_value() { "SLIP: " } else { "" }, &self.better[i]);
        Some(format!("{mark}{}{better}", record.slip))
    }

    fn json(&self) -> serde_json::Value {
        let unit = self.unit;
        let show = |value: Option<Value>| value.map(|value| value.show(unit).to_string());
        let moves: Vec<serde_json::Value> = (0..self.notes.len())
            .map(|i| {
                let m = &self.game.moves[i];
                let slip = m.slip.as_ref().map(|record| {
                    json!({
                        "words": record.slip.to_string(), "loses_value": record.slip.loses_value(),
                        "kept_by": record.keeping, "best": record.best, "complete": !record.more,
                    })
                });
                json!({
                    "ply": i + 1, "player": m.by.digit().to_string(), "move": m.word, "note": self.notes[i],
                    "position": self.positions.get(i), "value": show(self.before[i]), "after": show(self.after[i]),
                    "slip": slip,
                })
            })
            .collect();
        let first = self.slips().next().map(|(i, _)| i + 1);
        json!({
            "game": self.game.game, "players": self.game.players, "start": self.game.start,
            "result": self.game.result.to_string(), "summary": self.headline(), "first_slip": first,
            "slips": self.slips().count(), "not_proved": self.open(), "moves": moves,
        })
    }

    /// Returns the table of moves in HTML.
    fn rows(&self) -> String {
        let mut text = format!(
            "<p>{}</p>\n<table class=\"review\"><tr><th>ply</th><th>player</th><th>move</th><th>value</th>\
             <th>with the move</th><th></th></tr>\n",
            escaped(&format!("{}, {}: {}", self.title, self.size(), self.headline()))
        );
        for (i, note) in self.notes.iter().enumerate() {
            let [before, after] = self.values(i);
            let lost = self.game.moves[i].value_slip().is_some();
            let _ = writeln!(
                text,
                "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                if lost { " class=\"lost\"" } else { "" },
                i + 1,
                escaped(self.player(i)),
                escaped(note),
                escaped(&before),
                escaped(&after),
                escaped(&self.remark(i).unwrap_or_default()),
            );
        }
        text + "</table>\n"
    }
}

/// Returns the result of a game and how it ended.
fn end(rules: &Session) -> (Outcome, Ending) {
    match rules.result() {
        Some(result) => (result.into(), Ending::Rules),
        None if rules.repetitions() >= REPETITIONS => (Outcome::Draw, Ending::Repetition),
        None => (Outcome::None, Ending::Interrupted),
    }
}

/// Returns a value in words: `win in 5`, plies counted.
fn in_words(value: Value, unit: Unit) -> String {
    value.show(unit).to_string().replace(':', " in ")
}

/// Returns the page of these games.
fn page(catalog: &Catalog, reviews: &[Review]) -> Result<String, String> {
    let games: Vec<Game> = reviews.iter().map(|review| review.game.clone()).collect();
    let title = match reviews {
        [one] => format!("{}: {}", one.title, one.game.players.join(" - ")),
        all => format!("{} games reviewed", all.len()),
    };
    let summary: String = reviews.iter().map(Review::rows).collect();
    report::page_of(catalog, &title, &summary, &games)
}
