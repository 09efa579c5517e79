//! The answer to a question about a position, for people: one sentence, then value, moves and the way it was found.

use std::io::{self, Write};

use grundy_core::game::Player;
use grundy_core::text::{counted, grouped};
use grundy_core::value::{Score, Unit, Value, Wdl};
use grundy_session::{Analysis, Annotation, Catalog, Entry, Go, NEVER, Picked, STOPPED, Session, Shape};

use super::shared::{bound_of, entry, readable, wrapped};

/// Maximum number of moves whose values are found.
pub const LISTED: usize = 2_000;
/// Maximum number of moves that are counted.
const COUNTED: usize = 10_000_000;
/// Maximum number of moves that a sentence names.
const NAMED: usize = 4;
/// Maximum number of moves in a line of moves.
const SHOWN: usize = 40;
/// Maximum number of moves of best play.
const PLIES: usize = 60;

/// Writes the answer: a sentence, then the value, what stands `beside` it, the best moves and those that keep the value.
pub fn write(
    out: &mut impl Write,
    catalog: &Catalog,
    session: &Session,
    found: &Analysis,
    beside: &[(&str, String)],
) -> io::Result<()> {
    let unit = session.unit();
    writeln!(out, "{}", wrapped("", &sentence(catalog, session, found), 2))?;
    entry(out, "value", &value_in_words(catalog, session, found))?;
    for (label, text) in beside {
        entry(out, label, text)?;
    }
    let source = found.source.as_ref().map_or_else(String::new, |source| format!("{source}; not proved now"));
    entry(out, "known by", &source)?;
    if found.value.is_some() && !found.list.moves.is_empty() && session.over().is_none() {
        let (best, keeping) = (found.best(unit), found.keeping(unit));
        let losing = found.value.is_some_and(|value| value.wdl() == Wdl::Loss && !unit.is_points());
        let measured = found.value.is_some_and(|value| value.plies().is_some());
        let named = |label: &'static str, picked: &Picked| {
            (!picked.words.is_empty()).then(|| (label, shortened(picked)))
        };
        let lines = match losing {
            true => [named("longest", &best).filter(|_| measured), None],
            false if best == keeping => [named("best", &best), None],
            false => [named("best", &best), named("keeping", &keeping)],
        };
        for (label, words) in lines.into_iter().flatten() {
            entry(out, label, &words)?;
        }
    }
    Ok(())
}

/// Returns the answer in one sentence: `tictactoe is a draw; all 9 first moves keep it`.
pub fn sentence(catalog: &Catalog, session: &Session, found: &Analysis) -> String {
    let name = session.name();
    // An ending has no position that the name alone tells.
    let start = is_start(session) && !has_many_starts(catalog, session);
    let subject = if start { name.to_owned() } else { format!("{} ({name})", session.position()) };
    let mover = session.turn();
    let call = |player: Player| player_name(catalog, session, player);
    if let Some(over) = session.over() {
        return match session.outcome(over) {
            Wdl::Draw => format!("{subject} is over: a draw"),
            Wdl::Win => format!("{subject} is over: {}", won(&call(mover))),
            Wdl::Loss => format!("{subject} is over: {}", won(&call(!mover))),
        };
    }
    let Some(value) = found.value else {
        let bound = found.bound.map_or_else(String::new, |bound| bound_in_words(catalog, session, bound));
        let but = if bound.is_empty() { "" } else { "; proved is " };
        let unsolved = unsolved(catalog, session);
        return format!("{subject} is {unsolved}{but}{bound}");
    };
    let (unit, outcome) = (session.unit(), session.outcome(value));
    let margin = margin(session, value);
    let winner = if outcome == Wdl::Win { mover } else { !mover };
    let chess = catalog.row(name).is_some_and(|row| row.shape == Shape::Chess);
    let mate = value.moves_to_mate().filter(|_| chess);
    let result = match (outcome, mate, value.plies()) {
        (Wdl::Draw, ..) if unit.is_points() => format!("{subject} is a draw: nobody gets more points"),
        (Wdl::Draw, ..) => format!("{subject} is a draw"),
        (_, Some(moves), _) => format!("{} mates in {moves} in {subject}", call(winner)),
        (_, None, Some(plies)) if !unit.is_points() => {
            format!("{} {subject} in {}", wins(&call(winner)), plies_in_words(plies))
        }
        _ if unit.is_points() => format!("{} {subject} by {}", wins(&call(winner)), margin),
        _ => format!("{} {subject}", wins(&call(winner))),
    };
    let first = if start { "first " } else { "" };
    match moves(session, found, outcome, first) {
        Some(moves) => format!("{result}; {moves}"),
        None => result,
    }
}

/// Returns a number of plies with its noun.
pub fn plies_in_words(plies: u32) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// Reports whether the start of the session's game is one of many positions.
pub fn has_many_starts(catalog: &Catalog, session: &Session) -> bool {
    catalog.row(session.name()).is_some_and(|row| row.has_many_starts(session.name()))
}

/// Returns the entry of the atlas that says why the start position cannot be proved here; `None` if it can, if that is not
/// known, and for other positions.
pub fn infeasible(catalog: &Catalog, session: &Session) -> Option<Entry> {
    catalog.infeasible(session.name()).filter(|_| is_start(session))
}

/// Returns `not solved yet`, or `not solved here yet` of a start position whose value is published and out of reach here, or
/// `not proved again` where an earlier proof is known.
pub fn unsolved(catalog: &Catalog, session: &Session) -> &'static str {
    match infeasible(catalog, session).is_some_and(|entry| entry.published().is_some()) {
        true => "not solved here yet",
        false if session.known_result().is_some() => "not proved again",
        false => "not solved yet",
    }
}

/// Writes what is published of a start position that is not solved, else what is known of games like it.
pub fn write_published(out: &mut impl Write, catalog: &Catalog, session: &Session) -> io::Result<()> {
    match catalog.published(session.name()).filter(|_| is_start(session)) {
        Some(published) => entry(out, "published", &published),
        None => entry(out, "see also", catalog.row(session.name()).map_or("", |row| row.known)),
    }
}

/// Reports whether a player's name is a plural, such as Toads and unlike Cross.
fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss")
}

/// Returns `Red wins` or `Toads win`.
pub fn wins(name: &str) -> String {
    format!("{name} {}", if is_plural(name) { "win" } else { "wins" })
}

/// Returns `Red has won` or `Toads have won`.
fn won(name: &str) -> String {
    format!("{name} {} won", if is_plural(name) { "have" } else { "has" })
}

/// Writes the values of the moves, best first.
pub fn write_values(out: &mut impl Write, session: &Session, found: &Analysis) -> io::Result<()> {
    let (moves, unit) = (&found.list.moves, session.unit());
    if !moves.is_empty() && moves.iter().all(|m| m.value.is_none() && m.bound.is_none()) {
        return entry(out, "moves", &format!("{}, none of a known value", counted(moves.len(), "move")));
    }
    let shown: Vec<(&str, String)> =
        moves.iter().take(SHOWN).map(|m| (m.word.as_str(), m.show(unit))).collect();
    let is_bound = |value: &str| bound_of(value).is_some();
    let word = |(word, value): &(&str, String)| match is_bound(value) {
        true => format!("{word} {}", readable(value, str::to_owned)),
        false => format!("{word}={value}"),
    };
    let mut words: Vec<String> = shown.iter().map(word).collect();
    if moves.len() > SHOWN {
        words.push(format!("and {} more", moves.len() - SHOWN));
    }
    // The words of a bound have blanks between them.
    let gap = if shown.iter().any(|(_, value)| is_bound(value)) { ", " } else { " " };
    entry(out, "moves", &words.join(gap))
}

/// Returns the moves with their marks, best first.
pub fn marked(found: &Analysis, marks: &Annotation) -> String {
    let moves = &found.list.moves;
    let mut words: Vec<String> =
        moves.iter().take(SHOWN).map(|m| format!("{}={}", m.word, marks.of(&m.word))).collect();
    if moves.len() > SHOWN {
        words.push(format!("and {} more", moves.len() - SHOWN));
    }
    words.join(" ")
}

/// Returns the moves of best play to the end, if a method knows a win or a loss and its distance without a search; empty if
/// not, or if that is one move.
pub fn best_play(session: &mut Session) -> String {
    let value = session.value_within(&session.work(&STOPPED));
    let plies = value.and_then(Value::plies).filter(|&plies| plies > 1 && session.over().is_none());
    let Some(plies) = plies else { return String::new() };
    let mut words = Vec::new();
    session.think(&Go::default(), &NEVER, &mut |info| words = info.pv);
    // A book knows the first moves only.
    words.truncate(PLIES);
    let more = if words.len() < plies as usize { " .." } else { "" };
    format!("{}{more}", words.join(" "))
}

/// Reports whether the position is the start of the game.
pub fn is_start(session: &Session) -> bool {
    session.at_start().position() == session.position()
}

/// Returns the name of a player for a sentence: `White`, or `player one` in a game without names.
pub fn player_name(catalog: &Catalog, session: &Session, player: Player) -> String {
    let (at, usual) = match player {
        Player::One => (0, "player one"),
        Player::Two => (1, "player two"),
    };
    let name = catalog.row(session.name()).map(|row| row.describe(session.name()).players[at].clone());
    name.filter(|name| !name.starts_with("Player ")).unwrap_or_else(|| usual.to_owned())
}

/// Returns the final margin in words, the score so far included: `3 points`.
fn margin(session: &Session, value: Value) -> String {
    let (unit, (one, two)) = (session.unit(), session.score().unwrap_or_default());
    let lead = if session.turn() == Player::One { one - two } else { two - one };
    let total = Value::points(value.margin().unwrap_or(0).saturating_add(lead).saturating_abs());
    let word = total.show(unit).to_string();
    let word = word.trim_start_matches('+');
    format!("{word} point{}", if word == "1" { "" } else { "s" })
}

/// Returns what a bound says about the player to move; empty if nothing is proved.
pub fn bound_in_words(catalog: &Catalog, session: &Session, score: Score) -> String {
    let mover = player_name(catalog, session, session.turn());
    let word = |value: Value| value.show(session.unit()).to_string();
    match score {
        Score::AtLeast(value) => format!("at least {} for {mover}", word(value)),
        Score::AtMost(value) => format!("at most {} for {mover}", word(value)),
        Score::Exact(value) => word(value),
        Score::Guess(_) => String::new(),
    }
}

/// Returns a value with what it means, where the word alone does not say it.
fn value_in_words(catalog: &Catalog, session: &Session, found: &Analysis) -> String {
    let word = readable(&found.show(session.unit()), str::to_owned);
    match found.value {
        Some(value) if session.unit().is_points() => {
            let (one, two) = session.score().unwrap_or_default();
            let so_far = if (one, two) == (0, 0) { String::new() } else { format!("; {one}-{two} so far") };
            let mover = player_name(catalog, session, session.turn());
            let margin = value.show(session.unit());
            let points = match session.over() {
                Some(_) => format!("the points that the end brings {mover}"),
                None => format!("the points that {mover} will gain"),
            };
            format!("{margin}, {points} less the other's{so_far}")
        }
        _ => word,
    }
}

/// Returns what is known of the moves in words; `None` if there is nothing to say.
fn moves(session: &Session, found: &Analysis, outcome: Wdl, first: &str) -> Option<String> {
    let unit = session.unit();
    let keeping = found.keeping(unit);
    let count = if found.list.truncated { session.count_moves(COUNTED) } else { found.list.moves.len() };
    let loses = outcome == Wdl::Loss && unit == Unit::Outcome;
    if let ([only], true, false) = (&found.list.moves[..], loses, found.list.truncated) {
        return Some(format!("{} is the only move", only.word));
    }
    if loses {
        return Some("every move loses".to_owned()).filter(|_| count > 1);
    }
    let verb =
        if outcome == Wdl::Win && unit == Unit::Outcome { ["wins", "win"] } else { ["keeps it", "keep it"] };
    let words = &keeping.words;
    match (words.as_slice(), keeping.complete) {
        ([], _) => None,
        ([only], true) if count == 1 => Some(format!("{only} is the only move")),
        ([_, _], true) if count == 2 => Some(format!("both {first}moves {}", verb[1])),
        (all, true) if all.len() == count && !found.list.truncated => {
            Some(format!("all {} {}", counted(count, &format!("{first}move")), verb[1]))
        }
        (few, complete) if few.len() <= NAMED => {
            let (last, others) = few.split_last()?;
            let (named, verb) = match others {
                [] => (last.clone(), verb[0]),
                _ => (format!("{} and {last}", others.join(", ")), verb[1]),
            };
            Some(match complete {
                true => format!("only {named} {verb}"),
                false => format!("{named} {verb}, others are open"),
            })
        }
        (many, complete) => {
            let least = if complete { "" } else { "at least " };
            let of = counted(count, &format!("{first}move"));
            Some(format!("{least}{} of {of} {}", grouped(many.len() as u64), verb[1]))
        }
    }
}

/// Returns a list of moves, cut after some with the number of those left out.
fn shortened(picked: &Picked) -> String {
    if picked.words.len() <= SHOWN {
        return picked.to_string();
    }
    let words = picked.words[..SHOWN].to_vec();
    format!("{} and {} more", words.join(" "), picked.words.len() - SHOWN)
}
