//! `grundy analyze`: positions on stdin, one a line; a line of answers each, in the same order.

use std::io::{self, BufReader, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::protocol::{clean, read_line, value_word};
use anyhow::Result;
use clap::Args;
use grundy_core::game::Player;
use grundy_core::value::{Score, Unit, Value, Wdl};
use grundy_session::Limits;
use grundy_session::{Catalog, Go, MoveList, MoveValue, Session, Settings};
use serde::Serialize;

use super::{FAILED, Means, Usage, open};

/// A list of moves is cut here.
const LISTED: usize = 10_000;

/// Reads positions from stdin and writes for each: position, value, best moves, value-keeping moves,
/// separated by tabs. A line is a position, or `startpos`, and may go on with `moves ..`.
#[derive(Args)]
pub struct AnalyzeArgs {
    /// The game
    #[arg(long, value_name = "GAME")]
    game: String,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// How to write answers; san is for chess: who mates in how many moves, and the best moves in SAN
    #[arg(long, value_enum, default_value_t = Format::Words, conflicts_with = "json")]
    format: Format,
    /// Milliseconds for a position that has to be searched; a win or loss whose distance is not found by then is said
    /// without one
    #[arg(long, value_name = "MS", default_value_t = 5000)]
    movetime: u64,
    /// Draw each position above its line
    #[arg(long, conflicts_with = "json")]
    draw: bool,
    #[command(flatten)]
    means: Means,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Position, value, best moves, value-keeping moves.
    Words,
    /// `White mates in 24`, a tab, all best moves in standard algebraic notation, sorted.
    San,
}

/// What is found out of one position.
struct Found {
    value: Option<Value>,
    list: MoveList,
    /// On an assumption that is not proved: every value is written with `~`.
    assumed: bool,
}

impl Found {
    fn word(&self, value: Option<Value>, unit: Unit) -> String {
        let mark = if self.assumed && value.is_some() { "~" } else { "" };
        format!("{mark}{}", value_word(value, unit))
    }
}

#[derive(Serialize)]
struct Answer {
    position: String,
    value: String,
    /// What the position would be worth without a rule that changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_rule: Option<String>,
    result: String,
    /// False where values rest on an assumption; left out where they are proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<u64>,
    moves: Vec<Move>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

#[derive(Serialize)]
struct Move {
    r#move: String,
    value: String,
}

#[derive(Serialize)]
struct Refused {
    error: String,
}

pub fn run(catalog: &Catalog, args: &AnalyzeArgs, settings: &Settings) -> Result<ExitCode> {
    let mut session = open(catalog, &args.game, &args.means.over(settings))?;
    if args.format == Format::San && !catalog.is_standard(session.name()) {
        return Err(Usage(format!("--format san is for chess, not for {}", session.name())).into());
    }
    let mut input = BufReader::new(io::stdin());
    let mut out = BufWriter::new(io::stdout());
    let mut bytes = Vec::new();
    let mut refused = false;
    while let Some(too_long) = read_line(&mut input, &mut bytes) {
        let set = if too_long {
            Err("line longer than 16 MiB".to_owned())
        } else {
            set_up(&mut session, &String::from_utf8_lossy(&bytes))
        };
        match set {
            Ok(()) => answer(args, &mut session, &mut out)?,
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

/// Sets up the position of one line.
fn set_up(session: &mut Session, line: &str) -> Result<(), String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let (position, moves) = match line.split_once(" moves") {
        Some((position, moves)) if moves.is_empty() || moves.starts_with(' ') => (position.trim_end(), moves),
        _ => (line, ""),
    };
    let position = (position != "startpos").then_some(position);
    session.setup(position).map_err(|refusal| refusal.to_string())?;
    for word in moves.split_whitespace() {
        session.play(word).map_err(|refusal| refusal.to_string())?;
    }
    Ok(())
}

fn answer(args: &AnalyzeArgs, session: &mut Session, out: &mut impl Write) -> Result<()> {
    let known = session.value().map(|value| Found {
        value: Some(value),
        list: session.values(LISTED),
        assumed: false,
    });
    // Where an opening book ends it knows a position, but not all of its moves.
    let open = |found: &Found| found.list.moves.iter().any(|m| m.value.is_none());
    let searches = session.searches();
    let found = match known.filter(|found| !(searches && open(found))) {
        Some(found) => found,
        None => search(session, Duration::from_millis(args.movetime)),
    };
    let unit = session.unit();
    let position = session.position();
    let value = found.word(found.value, unit);
    if args.json {
        let sure = found.value.filter(|_| !found.assumed);
        let result = sure.map_or_else(|| "?".to_owned(), |v| session.outcome(v).to_string());
        let word = |m: &MoveValue| Move { value: found.word(m.value, unit), r#move: m.word.clone() };
        let moves = found.list.moves.iter().map(word).collect();
        let exact = found.assumed.then_some(false);
        let grundy = session.grundy();
        let truncated = found.list.truncated;
        let without_rule = session.without_rule().map(|(value, _)| value_word(Some(value), unit));
        let answer = Answer { position, value, without_rule, result, exact, grundy, moves, truncated };
        return Ok(writeln!(out, "{}", serde_json::to_string(&answer)?)?);
    }
    if args.draw && found.assumed {
        // A drawing has no room for the mark of what is not proved.
        writeln!(out, "{}", session.draw())?;
    } else if args.draw {
        writeln!(out, "{}", session.draw_values(&found.list))?;
        for remark in session.remarks() {
            writeln!(out, "   {remark}")?;
        }
    }
    if args.format == Format::San {
        return Ok(writeln!(out, "{}", mates(session, &found))?);
    }
    // Of wins whose distances are not known none is better than another.
    let best = kept(&found, |value, best| {
        value == best || best.plies().is_none() && value.wdl() == best.wdl() && unit == Unit::Outcome
    });
    let keeping = kept(
        &found,
        |value, best| if unit == Unit::Points { value == best } else { value.wdl() == best.wdl() },
    );
    Ok(writeln!(out, "{position}\t{value}\t{best}\t{keeping}")?)
}

/// A chess position as problems are answered: who mates in how many of his moves, and the best moves in SAN.
fn mates(session: &mut Session, found: &Found) -> String {
    let mover = session.turn();
    let name = |player| if player == Player::One { "White" } else { "Black" };
    let outcome = match found.value.map(|value| (value.wdl(), value.plies())) {
        None => "?".to_owned(),
        Some((Wdl::Draw, _)) => "Draw".to_owned(),
        Some((wdl, plies)) => {
            let winner = name(if wdl == Wdl::Win { mover } else { !mover });
            let moves = plies.map_or("?".to_owned(), |plies| plies.div_ceil(2).to_string());
            format!("{winner} mates in {moves}")
        }
    };
    let best = found.list.moves.iter().filter(|m| m.value.is_some() && m.value == found.value);
    let mut notes: Vec<String> = best.filter_map(|m| session.note(&m.word)).collect();
    notes.sort();
    format!("{outcome}\t{}", if notes.is_empty() { "-".to_owned() } else { notes.join(" ") })
}

/// The moves that a test passes against the position's value, split by blanks; `-` where there are none.
fn kept(found: &Found, test: impl Fn(Value, Value) -> bool) -> String {
    let Some(best) = found.value else { return "-".to_owned() };
    let passes = |m: &&MoveValue| m.value.is_some_and(|value| test(value, best));
    let words: Vec<&str> = found.list.moves.iter().filter(passes).map(|m| m.word.as_str()).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}

/// Searches a position that no table covers, for half of the time or until who wins is proved, then each of its moves,
/// and says `?` of those whose outcome it cannot prove in time.
fn search(session: &mut Session, time: Duration) -> Found {
    let end = Instant::now() + time;
    let (mut value, mut shown) = prove(session, time / 2);
    if value.is_none() {
        (value, shown) = prove(session, end.saturating_duration_since(Instant::now()));
    }
    let words = session.legal_moves(LISTED + 1);
    let truncated = words.len() > LISTED;
    // The proof of a win has shown a move that wins.
    let won = |word: &String| value.filter(|value| value.wdl() == Wdl::Win && shown.as_ref() == Some(word));
    let mut moves: Vec<MoveValue> =
        words.into_iter().take(LISTED).map(|word| MoveValue { value: won(&word), word }).collect();
    // What one move leaves of its time is for those that need more, first to say who wins and then how soon.
    ask(session, &mut moves, end, 2, |_| true);
    ask(session, &mut moves, end, 1, |value| value.is_none());
    ask(session, &mut moves, end, 1, |value| value.is_some_and(Value::is_unmeasured));
    // What the search of the whole left open, all the moves together may settle.
    let value = value.filter(|value| !value.is_unmeasured()).or_else(|| best_of(&moves)).or(value);
    moves.sort_by_key(|m| std::cmp::Reverse(m.value));
    Found { value, list: MoveList { moves, truncated }, assumed: session.assumes() }
}

/// The value of the best move, where all are known well enough to say which it is.
fn best_of(moves: &[MoveValue]) -> Option<Value> {
    let values: Vec<Value> = moves.iter().map(|m| m.value).collect::<Option<_>>()?;
    let best = values.iter().copied().max()?;
    let rivals = if best.wdl() == Wdl::Win { Value::WIN } else { Value::LOSS };
    Some(if best.wdl() != Wdl::Draw && values.contains(&rivals) { rivals } else { best })
}

/// Searches the moves whose values are open, each for one part in so many of its share of the time that is left.
fn ask(
    session: &mut Session,
    moves: &mut [MoveValue],
    end: Instant,
    part: u32,
    open: impl Fn(Option<Value>) -> bool,
) {
    let waiting: Vec<usize> = (0..moves.len()).filter(|&at| open(moves[at].value)).collect();
    for (done, &at) in waiting.iter().enumerate() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        let share = left / u32::try_from(waiting.len() - done).unwrap_or(1) / part;
        let MoveValue { word, value } = &mut moves[at];
        *value = value_of_move(session, word, share).or(*value);
    }
}

/// What a score says for certain, or on the game's assumption.
fn told(score: Score, assumes: bool) -> Option<Value> {
    match score {
        Score::Guess(hundredths) if assumes => Some(Value::points(hundredths / 100)),
        _ => score.settled(),
    }
}

/// What a search of at most this long proves, or finds on the game's assumption, the outcome alone where it knows no
/// more; and the best move that it shows.
fn prove(session: &mut Session, time: Duration) -> (Option<Value>, Option<String>) {
    if let Some(value) = session.value() {
        return (Some(value), None);
    }
    let now = Instant::now();
    let limits = Limits { hard: Some(now + time), ..Limits::default() };
    let (mut found, assumes) = ((None, None), session.assumes());
    session.think(&Go { limits, ..Go::default() }, &AtomicBool::new(false), &mut |info| {
        if info.rank == 1 {
            found = (told(info.score, assumes), info.pv.first().cloned());
        }
    });
    found
}

/// A move's value for its mover: what stands after it, turned back.
fn value_of_move(session: &mut Session, word: &str, time: Duration) -> Option<Value> {
    let now = Instant::now();
    let limits = Limits { hard: Some(now + time), ..Limits::default() };
    let go = Go { limits, search_moves: vec![word.to_owned()], alone: false };
    let (mut value, assumes) = (None, session.assumes());
    session.think(&go, &AtomicBool::new(false), &mut |info| {
        if info.rank == 1 {
            value = told(info.score, assumes);
        }
    });
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_settle_a_position_as_far_as_all_are_known() {
        let of = |values: &[Option<Value>]| {
            let named = |&value| MoveValue { word: String::new(), value };
            best_of(&values.iter().map(named).collect::<Vec<_>>())
        };
        let (win, loss) = (Value::win_in, Value::loss_in);
        assert_eq!(of(&[Some(win(9)), None]), None);
        assert_eq!(of(&[Some(win(9)), Some(win(3)), Some(Value::LOSS)]), Some(win(3)));
        // The win that nobody has measured may be shorter.
        assert_eq!(of(&[Some(win(9)), Some(Value::WIN)]), Some(Value::WIN));
        assert_eq!(of(&[Some(loss(8)), Some(Value::LOSS)]), Some(Value::LOSS));
        assert_eq!(of(&[Some(loss(8)), Some(loss(10))]), Some(loss(10)));
        assert_eq!(of(&[Some(Value::LOSS), Some(Value::DRAW)]), Some(Value::DRAW));
    }
}
