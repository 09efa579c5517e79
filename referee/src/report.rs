//! The report: one page with tables, boards, value graphs and every slip; it loads nothing.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use serde_json::json;

use crate::games;
use crate::output::escaped;
use crate::record::{Contents, Game, Move};
use crate::replay::{self, Replay};
use crate::setup::command;
use crate::summary::{self, percentile, time};
use grundy_core::sorting;
use grundy_core::text::json_in_script;
use grundy_draw as board;
use grundy_session::{Annotation, Catalog, Session, Shape, quiet_work};

/// The most pictures of boards in one page, given to games with slips first; further games are listed without boards.
const MOST_BOARDS: usize = 20_000;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Returns the page of a record.
///
/// # Errors
/// The record names a game that cannot be replayed; one line.
pub fn page(catalog: &Catalog, contents: &Contents) -> Result<String, String> {
    let header = &contents.header;
    let title = format!("{}: {}", header.settings.game.join(", "), header.names.join(" - "));
    let (games, variety) = (&contents.games, summary::variety(catalog, &contents.games));
    let mut summary = format!("<p>{} of {} games, {variety}</p>\n", games.len(), header.games);
    summary += &engines(contents);
    summary += &crosstable(contents);
    page_of(catalog, &title, &summary, games)
}

/// Returns a page of games: their title, a summary in HTML, then each game with its boards and slips.
///
/// # Errors
/// A game cannot be replayed; one line.
pub fn page_of(catalog: &Catalog, title: &str, summary: &str, games: &[Game]) -> Result<String, String> {
    let mut games: Vec<&Game> = games.iter().collect();
    sorting::sort_by_key(&mut games, |game| game.id);
    let mut boards = Boards::default();
    let mut order: Vec<usize> = (0..games.len()).collect();
    sorting::sort_by_key(&mut order, |&i| std::cmp::Reverse(games[i].severity()));
    let mut shown: Vec<Option<serde_json::Value>> = vec![None; games.len()];
    let mut slips = String::new();
    let mut states = LoonyStates::new();
    for i in order {
        let game = games[i];
        if boards.pictures.len() + game.moves.len() > MOST_BOARDS {
            continue;
        }
        let replay = replay::replay(catalog, game)?;
        slips += &findings(catalog, game, &replay, &mut states)?;
        shown[i] = Some(viewer_data(catalog, game, &replay, &mut boards, &mut states)?);
    }
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n{STYLE}{pictures}</style></head>\n\
         <body>\n<h1>{0}</h1>\n{summary}",
        escaped(title),
        pictures = board::STYLE,
    );
    page += "<h2>Games</h2>\n<p>Left and right step through a game, up and down choose another, Home and End go to its \
             ends.</p>\n";
    if !states.known.is_empty() {
        page += "<p>A free line bears who makes the next loony move after it is drawn: v the player who draws it, ^ the \
                 other, nothing where nobody does, ? where that was not found in time.</p>\n";
    }
    page += "<div id=\"viewer\"><div><div id=\"board\"></div><div id=\"where\"></div></div><div><div \
             id=\"graph\"></div><div id=\"moves\"></div></div></div>\n";
    page += "<div id=\"list\"><table id=\"games\"><tr><th>game</th><th>player 1</th><th>player 2</th><th>result</th><th>reason</th>\
             <th>plies</th><th>value slips</th></tr>\n";
    for (i, game) in games.iter().enumerate() {
        let slips = game.moves.iter().filter_map(Move::value_slip).count();
        let _ = writeln!(
            page,
            "<tr data-i=\"{i}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{slips}</td></tr>",
            game.id,
            escaped(&game.players[0]),
            escaped(&game.players[1]),
            game.result,
            escaped(&game.reason),
            game.opening.len() + game.moves.len(),
        );
    }
    page += "</table></div>\n";
    let _ = write!(page, "<h2>Findings</h2>\n{}", if slips.is_empty() { "<p>none</p>\n" } else { &slips });
    let data = json!({ "boards": boards.pictures, "games": shown });
    let data = json_in_script(&data.to_string());
    let _ = write!(
        page,
        "<script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body></html>\n"
    );
    Ok(page)
}

/// The time for the loony states of one position, and of all.
const LOONY_EACH: Duration = Duration::from_millis(200);
const LOONY_ALL: Duration = Duration::from_secs(10);

/// The loony states after each move, in games that have loony moves, as far as the time suffices.
struct LoonyStates {
    sessions: HashMap<String, Session>,
    known: FxHashMap<(String, String), Option<Annotation>>,
    left: Duration,
}

impl LoonyStates {
    fn new() -> LoonyStates {
        LoonyStates { sessions: HashMap::new(), known: FxHashMap::default(), left: LOONY_ALL }
    }

    /// Returns the loony states of a position; `None` if there are none.
    fn of(&mut self, catalog: &Catalog, game: &str, position: &str) -> Result<Option<&Annotation>, String> {
        // Only these have loony moves.
        if catalog.row(game).is_none_or(|row| row.shape != Shape::Dots) {
            return Ok(None);
        }
        let session = games::cached(&mut self.sessions, game, || games::rules(catalog, game))?;
        let found = self.known.entry((game.to_owned(), position.to_owned())).or_insert_with(|| {
            session.setup(Some(position)).ok()?;
            let began = Instant::now();
            let found = session.annotate(&quiet_work().within(LOONY_EACH.min(self.left)));
            self.left = self.left.saturating_sub(began.elapsed());
            found
        });
        Ok(found.as_ref())
    }

    /// Returns a picture of a position with the loony state of each move: `v`, `^`, or `?` if it was not found in
    /// time.
    fn picture(
        &mut self,
        catalog: &Catalog,
        game: &str,
        position: &str,
        before: Option<&str>,
    ) -> Result<String, String> {
        let found = self.of(catalog, game, position)?;
        let mark = |word: &str| {
            let mark = found?.of(word);
            (mark != Annotation::NONE).then(|| mark.to_string())
        };
        Ok(board::svg_with_marks(catalog, game, position, before, &mark))
    }
}

/// Pictures, each once.
#[derive(Default)]
struct Boards {
    pictures: Vec<String>,
    known: FxHashMap<String, usize>,
}

impl Boards {
    fn place(&mut self, picture: String) -> usize {
        let next = self.pictures.len();
        let place = *self.known.entry(picture.clone()).or_insert(next);
        if place == next {
            self.pictures.push(picture);
        }
        place
    }
}

fn viewer_data(
    catalog: &Catalog,
    game: &Game,
    replay: &Replay,
    boards: &mut Boards,
    states: &mut LoonyStates,
) -> Result<serde_json::Value, String> {
    let mut pictures = Vec::with_capacity(replay.positions.len());
    let mut before = None;
    for position in &replay.positions {
        pictures.push(boards.place(states.picture(catalog, &game.game, position, before)?));
        before = Some(position.as_str());
    }
    let moves: Vec<serde_json::Value> = game
        .moves
        .iter()
        .map(|m| {
            let slip = m.slip.as_ref().map(|record| format!("{}; kept by {}", record.slip, record.kept_by()));
            let (by, hard) = (m.by.index() + 1, m.value_slip().is_some());
            json!({ "by": by, "word": m.word, "us": m.us, "value": m.after, "slip": slip, "hard": hard })
        })
        .collect();
    Ok(json!({
        "id": game.id,
        "game": game.game,
        "players": game.players,
        "result": game.result.to_string(),
        "reason": game.reason,
        "opening": game.opening,
        "boards": pictures,
        "positions": replay.positions,
        "course": replay.values_for_one,
        "moves": moves,
    }))
}

/// Returns every slip of a game with the boards before and after it, and its disputes.
fn findings(
    catalog: &Catalog,
    game: &Game,
    replay: &Replay,
    states: &mut LoonyStates,
) -> Result<String, String> {
    let mut text = String::new();
    for (i, m) in game.moves.iter().enumerate() {
        let Some(record) = m.value_slip() else { continue };
        let (before, after) = (&replay.positions[i], &replay.positions[i + 1]);
        let _ = writeln!(
            text,
            "<div class=\"slip\"><h3>Game {}, ply {}: {} played {}, {}</h3><div class=\"pair\">{}<span>&rarr;</span>{}</div>\
             <p>kept by <b>{}</b></p><pre>{}</pre></div>",
            game.id,
            game.opening.len() + i + 1,
            escaped(&game.players[m.by.index()]),
            escaped(&m.word),
            escaped(&record.slip.to_string()),
            states.picture(catalog, &game.game, before, None)?,
            states.picture(catalog, &game.game, after, Some(before))?,
            escaped(&record.kept_by()),
            escaped(&command::of(&record.position)),
        );
    }
    for dispute in &game.disputes {
        let _ = writeln!(
            text,
            "<div class=\"slip\"><h3>Game {}: {}</h3></div>",
            game.id,
            escaped(&dispute.to_string())
        );
    }
    Ok(text)
}

fn engines(contents: &Contents) -> String {
    let names = &contents.header.names;
    let mut text = "<table><tr><th>engine</th><th>wins</th><th>draws</th><th>losses</th><th>value slips</th>\
                    <th>distance slips</th><th>faults</th><th>median</th><th>p99</th><th>worst</th></tr>\n"
        .to_string();
    for (name, tally) in names.iter().zip(summary::tallies(&contents.games, &contents.departures, names)) {
        let [wins, draws, losses] = tally.all();
        let [value_slips, distance_slips] = tally.slips();
        let [median, p99, worst] = [50, 99, 100].map(|percent| time(percentile(&tally.times, percent)));
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{wins}</td><td>{draws}</td><td>{losses}</td><td>{value_slips}</td>\
             <td>{distance_slips}</td><td>{}</td><td>{median}</td><td>{p99}</td><td>{worst}</td></tr>",
            escaped(name),
            tally.faults
        );
    }
    text + "</table>\n"
}

fn crosstable(contents: &Contents) -> String {
    let names = &contents.header.names;
    let mut text = "<table><tr><th>points of</th>".to_string();
    for name in names {
        let _ = write!(text, "<th>{}</th>", escaped(name));
    }
    text += "</tr>\n";
    for (a, name) in names.iter().enumerate() {
        let _ = write!(text, "<tr><td>{}</td>", escaped(name));
        for b in 0..names.len() {
            let counts = summary::scores(&contents.games, a, b).0.counts;
            let points = summary::halves(counts[1] + 2 * counts[2]);
            let total: u64 = counts.iter().sum();
            let _ =
                if a == b { write!(text, "<td></td>") } else { write!(text, "<td>{points}/{total}</td>") };
        }
        text += "</tr>\n";
    }
    text + "</table>\n"
}
