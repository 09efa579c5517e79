//! The first page: all games with pictures, by kind.

use std::sync::OnceLock;
use std::time::Duration;

use axum::extract::Query;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use grundy::session::{Catalog, MoveValue, Row, Session, Work, quiet_work};
use maud::html;
use serde::Deserialize;

use crate::address::{address, encoded};
use crate::app::{App, Effort, State};
use crate::assets::DARK;
use crate::audit::course;
use crate::error::ApiError;
use crate::games::PositionRef;
use crate::pages::{LISTED, page};
use crate::texts::Texts;
use crate::words::short;

/// Games by their kind, for those who look for one: the key of its text, and the names of its rows, split by blanks.
const KINDS: [(&str, &str); 9] = [
    (
        "kind-lines",
        "tictactoe connect4 mnk qubic hex y morris teeko infinite-tictactoe wild-tictactoe notakto numerical-tictactoe \
         tsoro-yematatu dao neutreeko gobblers quantik quarto",
    ),
    ("kind-chess", "chess chess-3x3 dobutsu"),
    (
        "kind-captures",
        "othello breakthrough hexapawn draughts fanorona konane clobber atari-go three-musketeers \
         hare-and-hounds bagh-chal kaooa dodgem police northcott",
    ),
    (
        "kind-blocking",
        "domineering cram amazons nogo lgame col snort queens kings knights pentominoes joust lewthwaite \
         collapsi toads-and-frogs hackenbush euler",
    ),
    ("kind-dots", "dots sim sprouts"),
    ("kind-sowing", "kalah awari"),
    (
        "kind-taking",
        "nim chomp wythoff fibonacci-nim matches subtract count row nimble silver-dollar staircase-nim \
         moore-nim nim-increase turning-turtles twins stones heaps tac-tix subset-takeaway chopsticks",
    ),
    ("kind-graphs", "graph sum"),
    ("kind-rules", "rules"),
];

/// The longest time for the values on a picture of the first page, and on one that is saved.
const VALUING: Duration = Duration::from_millis(30);
const SAVING: Duration = Duration::from_secs(2);

/// Returns the rows of a catalog by kind; rows of no kind come last.
fn by_kind(catalog: &Catalog) -> Vec<(&'static str, Vec<&'static Row>)> {
    let rows: Vec<&'static Row> = catalog.families().flat_map(|family| family.rows).collect();
    let named = |name: &str| rows.iter().copied().find(|row| row.name == name);
    let mut kinds: Vec<_> = KINDS
        .iter()
        .map(|&(title, names)| (title, names.split(' ').filter_map(named).collect::<Vec<_>>()))
        .collect();
    let known = |row: &Row| KINDS.iter().any(|(_, names)| names.split(' ').any(|name| name == row.name));
    kinds.push(("kind-further", rows.iter().copied().filter(|row| !known(row)).collect()));
    kinds.retain(|(_, rows)| !rows.is_empty());
    kinds
}

/// A game on the first page.
struct Entry {
    game: String,
    title: String,
    about: String,
}

/// Returns the games of a row: the one that the row's name is short for, and those with names of their own. Their files are
/// read once.
fn entries(catalog: &Catalog, row: &Row) -> &'static [Entry] {
    static READ: OnceLock<Vec<(&'static str, Vec<Entry>)>> = OnceLock::new();
    let all = READ.get_or_init(|| catalog.rows().map(|row| (row.name, described(row))).collect());
    all.iter().find(|(name, _)| *name == row.name).map_or(&[], |(_, entries)| entries)
}

/// Describes the games of a row.
fn described(row: &Row) -> Vec<Entry> {
    let mut games = vec![row.default];
    let others = row.other_names.iter().map(|&(_, game)| game);
    for game in others.chain(row.variants.iter().map(|variant| variant.game)) {
        if game != row.name && !games.contains(&game) {
            games.push(game);
        }
    }
    let entry = |game: &'static str| {
        let described = row.describe(game);
        Entry { game: game.to_owned(), title: described.title, about: described.about }
    };
    games.into_iter().map(entry).collect()
}

/// Returns the games of the files of `--rules-dir`, sorted by the names of the files, each with the name of its row.
fn served(app: &App) -> Vec<(&'static str, Entry)> {
    let folder = app.rules_dir.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let mut names: Vec<String> =
        folder.filter_map(|file| file.ok()?.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let entry = |name: String| {
        let row = app.catalog.game_of_file(&name)?;
        let game = format!("{row}:file={name}");
        app.games.admit(&PositionRef::new(&game, None, None)).ok()?;
        Some((row, Entry { game, title: name, about: String::new() }))
    };
    names.into_iter().filter_map(entry).collect()
}

/// Reads the files of all games, so that the first page need not.
#[cfg(not(target_family = "wasm"))]
pub fn prepare(catalog: &Catalog) {
    for row in catalog.rows() {
        entries(catalog, row);
    }
}

/// `GET /`: all games with pictures.
pub async fn index(app: State, texts: Texts) -> Response {
    let entry = |row: &Row, entry: &Entry| {
        html! {
            li {
                a href=(address(&PositionRef::new(&entry.game, None, None))) {
                    img src={ "/picture?game=" (encoded(&entry.game)) "&middle=true" } alt="" loading="lazy";
                    strong { (texts.title(row.name, row.title, &entry.title, &entry.game)) }
                }
                p lang=[(texts.code != "en").then_some("en")] { (entry.about) }
                code { (entry.game) }
            }
        }
    };
    let served = served(&app);
    let own =
        |row: &'static Row| served.iter().filter(move |(name, _)| *name == row.name).map(|(_, entry)| entry);
    let body = html! {
        main id="main" {
            h1 { (texts.get("games")) " " a class="daily" href="/puzzle" { (texts.get("daily")) } }
            label class="search" hidden { (texts.get("find")) " " input type="search" id="wanted" autocomplete="off" placeholder=(texts.get("find-hint")); }
            p id="none-found" hidden { (texts.get("none-found")) }
            @for (title, rows) in by_kind(&app.catalog) {
                h2 { (texts.get(title)) }
                ul class="games" {
                    @for row in rows {
                        @for game in own(row).chain(entries(&app.catalog, row)) { (entry(row, game)) }
                    }
                }
            }
            h2 { (texts.get("own-games")) }
            form class="read" id="read" {
                label for="text" { (texts.get("drop-file")) " " code { "referee match" } }
                textarea id="text" name="text" rows="4" {}
                div class="found" {}
                button type="submit" { (texts.get("open")) }
            }
            @if app.uploads.is_some() {
                form class="rules" id="rules" {
                    label for="rules-text" { (texts.get("rules-label")) }
                    textarea id="rules-text" rows="4" spellcheck="false" {}
                    div class="found" {}
                    button type="submit" { (texts.get("rules-play")) }
                }
            }
            p { a href="/docs" { (texts.get("for-programs")) } }
        }
    };
    page(&format!("grundy: {}", texts.get("games")), texts, &body).into_response()
}

/// The query of a picture.
#[derive(Deserialize)]
pub struct Pictured {
    game: String,
    fen: Option<String>,
    /// Moves from there.
    moves: Option<String>,
    /// True for a position some moves further on, with its values.
    #[serde(default)]
    middle: bool,
    /// True for the values that are found within two seconds.
    #[serde(default)]
    values: bool,
    /// True for a picture that is light in the dark, too.
    #[serde(default)]
    light: bool,
}

/// `GET /picture?game=..`: the start of a game, or a position, as an SVG file.
pub async fn picture(app: State, Query(asked): Query<Pictured>) -> Result<Response, ApiError> {
    let Pictured { game, fen, moves, middle, values, light } = asked;
    let target = PositionRef::new(&game, fen.as_deref(), moves.as_deref());
    let (catalog, wanted) = (app.catalog, target.clone());
    let cached = if values || game.contains("file=") { "no-cache" } else { "max-age=3600" };
    let draw = move |session: &mut Session, work: &Work<'_>| {
        let picture = if middle {
            play_some(session);
            grundy_draw::svg_with_places(&catalog, session.name(), &session.position(), None)
        } else {
            let course = course(session, &wanted, 0, None);
            grundy_draw::svg_of_game(&catalog, session.name(), &course.positions())
        };
        let values = match (values, middle) {
            (true, _) => values_of(session, &work.within(SAVING)),
            (false, true) => values_of(session, &quiet_work().within(VALUING)),
            (false, false) => Vec::new(),
        };
        grundy_draw::with_values(&picture, &values)
    };
    let effort = if values { Effort::Search(app.limit) } else { Effort::Rules };
    let svg = app.with(&target, effort, draw).await?;
    let svg = grundy_draw::compact(&svg);
    let dark = if light { "" } else { DARK };
    let style = format!("{}{}{dark}", grundy_draw::STYLE, include_str!("../assets/hints.css"));
    let style = format!("<style>{}</style>", grundy_draw::style_of(&svg, &style));
    let file = svg.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
    let file = file.replacen('>', &format!(">{style}"), 1);
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, cached),
        // The picture has its own colours.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    ];
    Ok((headers, file).into_response())
}

/// Returns the moves whose values the work finds, best first: the value as a sign, `win`, `draw` or `loss`, and the word.
fn values_of(session: &mut Session, work: &Work<'_>) -> Vec<[String; 3]> {
    // Without threads the pictures come one after another, after the page.
    let work = &if cfg!(target_family = "wasm") { work.within(Duration::ZERO) } else { *work };
    let unit = session.unit();
    let list = session.values_within(LISTED, work).moves;
    let said = |found: MoveValue| {
        let result = session.outcome(found.value?).to_string();
        Some([short(&found.show(unit)), result, found.word])
    };
    list.into_iter().filter_map(said).collect()
}

/// Plays moves from all over the list, always the same, as far as the game goes on.
fn play_some(session: &mut Session) {
    const MOVES: usize = 10;
    const STEP: usize = 7;
    for ply in 1..=MOVES {
        let moves = session.legal_moves(LISTED);
        let Some(word) = moves.get(ply * STEP % moves.len().max(1)).cloned() else { break };
        if session.play(&word).is_err() {
            break;
        }
        if session.over().is_some() {
            session.undo();
            break;
        }
    }
    // A game that is nearly over has little left to see.
    for _ in 0..session.history().len() / 3 {
        session.undo();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_of_one_kind() {
        let catalog = grundy::catalog::CATALOG;
        let kinds = by_kind(&catalog);
        assert_eq!(kinds.len(), KINDS.len(), "no further games");
        let listed: usize = kinds.iter().map(|(_, rows)| rows.len()).sum();
        assert_eq!(listed, catalog.families().map(|family| family.rows.len()).sum::<usize>());
        assert_eq!(
            listed,
            KINDS.iter().map(|(_, names)| names.split(' ').count()).sum::<usize>(),
            "no name is stale"
        );
    }
}
