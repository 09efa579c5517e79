//! Exports of a record: PGN, CSV, and JUnit for continuous integration.

use std::fmt::Write as _;

use grundy_core::game::Player;
use grundy_core::sorting;
use grundy_core::text::visible;

use crate::claim;
use crate::engine_spec::Limits;
use crate::notation;
use crate::output::escaped;
use crate::record::{Contents, Departure, Game, Move};
use crate::replay;
use crate::san;
use crate::setup::command;
use crate::verdict::{Ending, Outcome, Severity};
use grundy_session::Catalog;

/// A format to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation.
    Pgn,
    /// Comma-separated values.
    Csv,
    /// JUnit XML.
    Junit,
}

/// Tags of an export as PGN.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Tags {
    /// Tag Event of a PGN [grundy referee, GAME]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["csv", "junit"])]
    pub event: Option<String>,
    /// Tag Site of a PGN [?]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["csv", "junit"])]
    pub site: Option<String>,
}

/// Returns a whole record in a format; `tags` are those of a PGN.
///
/// # Errors
/// The record names a game that cannot be replayed; one line.
pub fn export(catalog: &Catalog, contents: &Contents, format: Format, tags: &Tags) -> Result<String, String> {
    let mut games = contents.games.clone();
    sorting::sort_by_key(&mut games, |game| game.id);
    match format {
        Format::Pgn => {
            let specs = contents.header.settings.recorded_specs()?;
            let controls: Vec<String> = specs.iter().map(|spec| time_control(&spec.limits)).collect();
            games.iter().map(|game| pgn(catalog, game, &controls, tags)).collect()
        }
        Format::Csv => Ok(csv(&games, &contents.departures)),
        Format::Junit => Ok(junit(&games, &contents.departures)),
    }
}

/// Returns a game; `controls` are the time controls of the engines.
fn pgn(catalog: &Catalog, game: &Game, controls: &[String], tags: &Tags) -> Result<String, String> {
    let chess = catalog.is_standard(&game.game);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(text, "[{name} \"{}\"]", visible(value).replace('\\', "\\\\").replace('"', "\\\""));
    };
    tag("Event", &tags.event.clone().unwrap_or_else(|| format!("grundy referee, {}", game.game)));
    tag("Site", tags.site.as_deref().unwrap_or("?"));
    tag("Date", &date(game.began));
    tag("Round", &game.id.to_string());
    tag("White", &game.players[0]);
    tag("Black", &game.players[1]);
    tag("Result", &game.result.to_string());
    if !chess {
        tag("Variant", &game.game);
    } else if notation::is_chess960(catalog, &game.game) {
        tag("Variant", "Chess960");
    }
    let start = match (&game.start, chess) {
        (Some(start), _) => Some(start.clone()),
        // An endgame starts from the position of its name, not from the initial one.
        (None, true) if catalog.row(&game.game).is_some_and(|row| row.name != game.game) => {
            Some(beginning(catalog, game)?)
        }
        _ => None,
    };
    if let Some(start) = &start {
        tag("SetUp", "1");
        tag("FEN", start);
    }
    tag("PlyCount", &(game.opening.len() + game.moves.len()).to_string());
    match game.engines.map(|engine| controls.get(engine).map_or("?", String::as_str)) {
        [white, black] if white == black => tag("TimeControl", white),
        [white, black] => {
            tag("WhiteTimeControl", white);
            tag("BlackTimeControl", black);
        }
    }
    tag("Termination", game.ending.termination());
    text.push('\n');
    let words = move_words(catalog, game, chess)?;
    let (mut number, mut white) = match start.as_deref().map(|fen| fen.split_whitespace().collect::<Vec<_>>())
    {
        Some(fields) if chess => {
            let number = fields.get(5).and_then(|n| n.parse::<u32>().ok()).unwrap_or(1);
            (u64::from(number), fields.get(1) != Some(&"b"))
        }
        Some(fields) => (1, fields.last() != Some(&"2")),
        None => (1, true),
    };
    let mut line = String::new();
    for (i, word) in words.iter().enumerate() {
        let count = match (white, i) {
            (true, _) => format!("{number}. "),
            (false, 0) => format!("{number}... "),
            (false, _) => String::new(),
        };
        let comment = i.checked_sub(game.opening.len()).map_or(" {book}".to_string(), |at| comment(game, at));
        let _ = write!(line, "{count}{word}{comment} ");
        number += u64::from(!white);
        white = !white;
    }
    let reason = visible(&game.reason).replace('{', "(").replace('}', ")");
    let _ = write!(line, "{{{reason}}} {}", game.result);
    text += &wrapped(&line);
    text.push('\n');
    Ok(text)
}

/// Returns a time control as PGN has it (section 9.6): `40/60+0.5`, a time for each move as `1/0.1`, `-` for none.
fn time_control(limits: &Limits) -> String {
    match (limits.clock, limits.movetime) {
        (Some(clock), _) => {
            let moves = if clock.moves > 0 { format!("{}/", clock.moves) } else { String::new() };
            let [time, increment] = [clock.time, clock.increment].map(|time| time.as_secs_f64());
            let increment = if clock.increment.is_zero() { String::new() } else { format!("+{increment}") };
            format!("{moves}{time}{increment}")
        }
        (None, Some(ms)) => format!("1/{}", ms as f64 / 1000.0),
        (None, None) => "-".to_owned(),
    }
}

/// Returns the comment on a move: its value or else the engine's own score in pawns, its time, and its cost.
fn comment(game: &Game, at: usize) -> String {
    let m = &game.moves[at];
    let value = match (&m.after, m.score) {
        (Some(recorded), _) => recorded.text.clone(),
        (None, Some(score)) if score.unsigned_abs() >= claim::MATE.unsigned_abs() => {
            if score > 0 { "+M" } else { "-M" }.to_owned()
        }
        (None, Some(score)) => format!("{:+.2}", score as f64 / 100.0),
        (None, None) => "?".to_owned(),
    };
    let slip = m.slip.as_ref().map_or_else(String::new, |record| format!(", {}", record.slip));
    let value = visible(&value).replace(['{', '}'], "");
    format!(" {{{value} {:.3}s{slip}}}", m.us as f64 / 1e6)
}

fn move_words(catalog: &Catalog, game: &Game, chess: bool) -> Result<Vec<String>, String> {
    let words = game.opening.iter().chain(game.moves.iter().map(|m| &m.word));
    if !chess {
        return Ok(words.cloned().collect());
    }
    san::line(catalog, &game.game, &beginning(catalog, game)?, words)
}

/// Returns the position before the first move, that of the opening included.
fn beginning(catalog: &Catalog, game: &Game) -> Result<String, String> {
    let bare = Game { moves: Vec::new(), opening: Vec::new(), ..game.clone() };
    Ok(replay::replay(catalog, &bare)?.positions.remove(0))
}

/// Lines of at most 80 characters, as PGN wants them.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let size = word.chars().count();
        if length > 0 && length + 1 + size > 80 {
            out.push('\n');
            length = 0;
        } else if length > 0 {
            out.push(' ');
            length += 1;
        }
        out += word;
        length += size;
    }
    out.push('\n');
    out
}

/// Returns the date as PGN writes it, from milliseconds since 1970 (Hinnant's civil-from-days).
fn date(ms: u64) -> String {
    let days = (ms / 86_400_000) as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Returns a line a game, then a line for each engine that ended badly, without a game.
fn csv(games: &[Game], departures: &[Departure]) -> String {
    let mut text =
        "id,game,pair,player1,player2,result,termination,reason,plies,value_slips_1,value_slips_2,\
                    distance_slips_1,distance_slips_2,disputes,took_ms\n"
            .to_string();
    for game in games {
        let slips = |side: Player, value: bool| {
            let found = |m: &&Move| {
                m.by == side && m.slip.as_ref().is_some_and(|record| record.slip.loses_value() == value)
            };
            game.moves.iter().filter(found).count()
        };
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            game.id,
            quoted(&game.game),
            game.pair,
            quoted(&game.players[0]),
            quoted(&game.players[1]),
            game.result,
            game.ending.termination(),
            quoted(&game.reason),
            game.opening.len() + game.moves.len(),
            slips(Player::One, true),
            slips(Player::Two, true),
            slips(Player::One, false),
            slips(Player::Two, false),
            game.disputes.len(),
            game.took_ms
        );
    }
    for Departure { name, fault, words } in departures {
        let _ = writeln!(text, ",,,{},,,{},{},,,,,,,", quoted(name), fault.termination(), quoted(words));
    }
    text
}

/// Returns a test a game, and a failed one for each engine that ended badly.
fn junit(games: &[Game], departures: &[Departure]) -> String {
    let failed = |game: &&Game| game.severity() == Severity::Slipped;
    let broken = |game: &&Game| game.severity() > Severity::Slipped;
    let seconds = games.iter().map(|game| game.took_ms as f64).sum::<f64>() / 1000.0;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"grundy referee\" tests=\"{}\" failures=\"{}\" \
         errors=\"{}\" time=\"{seconds:.3}\">\n",
        games.len() + departures.len(),
        games.iter().filter(failed).count(),
        games.iter().filter(broken).count() + departures.len()
    );
    for game in games {
        let _ = write!(
            text,
            "  <testcase classname=\"{}\" name=\"game {} ({} vs {}): {}\" time=\"{:.3}\"",
            escaped(&game.game),
            game.id,
            escaped(&game.players[0]),
            escaped(&game.players[1]),
            game.result,
            game.took_ms as f64 / 1000.0
        );
        let mut inner = String::new();
        let faulty = match &game.ending {
            Ending::Fault { fault, .. } => fault.severity() != Severity::Clean,
            ending => *ending == Ending::Interrupted,
        };
        if faulty || game.result == Outcome::None {
            let _ = writeln!(inner, "    <error message=\"{}\"/>", escaped(&game.reason));
        }
        for dispute in &game.disputes {
            let _ = writeln!(inner, "    <error message=\"{}\"/>", escaped(&dispute.to_string()));
        }
        for m in &game.moves {
            if let Some(record) = m.value_slip() {
                let message = format!("{} played {}: {}", game.players[m.by.index()], m.word, record.slip);
                let _ = writeln!(
                    inner,
                    "    <failure message=\"{}\">{}&#10;kept by: {}</failure>",
                    escaped(&message),
                    escaped(&command::of(&record.position)),
                    escaped(&record.kept_by())
                );
            }
        }
        if inner.is_empty() {
            text += "/>\n";
        } else {
            let _ = writeln!(text, ">\n{inner}  </testcase>");
        }
    }
    for Departure { name, words, .. } in departures {
        let (name, words) = (escaped(name), escaped(words));
        let _ = writeln!(
            text,
            "  <testcase classname=\"{name}\" name=\"after its games\">\n    <error message=\"{words}\"/>\n  </testcase>"
        );
    }
    text + "</testsuite>\n"
}

/// Returns a cell of a table: invisible characters are written out, and an apostrophe precedes what a spreadsheet
/// would take for a formula.
fn quoted(text: &str) -> String {
    let text = visible(text).replace('"', "\"\"");
    let formula = text.starts_with(['=', '+', '-', '@']);
    format!("\"{}{text}\"", if formula { "'" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_spec::TimeControl;
    use crate::tests::CATALOG;

    #[test]
    fn a_game_of_chess960_names_its_rules_and_its_castling() {
        let game = Game {
            id: 1,
            game: "chess:960".to_owned(),
            pair: 1,
            engines: [0, 1],
            players: ["a", "b"].map(str::to_owned),
            start: Some("4k3/8/8/8/8/8/8/5K1R w H - 0 1".to_owned()),
            opening: vec!["f1h1".to_owned()],
            result: Outcome::None,
            ending: Ending::Interrupted,
            reason: "not finished".to_owned(),
            began: 0,
            took_ms: 0,
            moves: vec![Move { score: Some(-35), ..Move::new(Player::Two, "e8e7".to_owned(), 0) }],
            disputes: Vec::new(),
            stderr: Vec::new(),
        };
        let tags = Tags { event: Some("A \"cup\"".to_owned()), site: None };
        let text = pgn(&CATALOG, &game, &[], &tags).unwrap();
        for part in [
            "[Event \"A \\\"cup\\\"\"]\n[Site \"?\"]",
            "[Variant \"Chess960\"]",
            "[FEN \"4k3/8/8/8/8/8/8/5K1R w H - 0 1\"]",
            "1. O-O {book} Ke7 {-0.35 0.000s}",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn no_cell_is_a_formula_and_none_steers_a_terminal() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        for formula in ["=1+1", "+1", "-1", "@x"] {
            assert_eq!(quoted(formula), format!("\"'{formula}\""));
        }
        assert_eq!(quoted("\t=1\u{1b}[2J\u{202e}"), "\"\\x09=1\\x1b[2J\\u{202e}\"");
        assert_eq!(escaped("<\u{1b}>"), "&lt;\\x1b&gt;");
    }

    #[test]
    fn time_controls_are_those_of_pgn() {
        let clock = |text: &str| Limits { clock: TimeControl::read(text).ok(), ..Limits::default() };
        let movetime = Limits { movetime: Some(100), ..Limits::default() };
        let all = [clock("40/60+0.5"), clock("1:30"), clock("3+2"), movetime, Limits::default()];
        assert_eq!(all.map(|limits| time_control(&limits)), ["40/60+0.5", "90", "3+2", "1/0.1", "-"]);
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(951_782_400_000), "2000.02.29");
        assert_eq!(date(1_795_168_800_000), "2026.11.20");
    }

    #[test]
    fn lines_are_not_longer_than_pgn_allows() {
        let long = "abc ".repeat(100);
        assert!(wrapped(&long).lines().all(|line| line.len() <= 80));
    }
}
