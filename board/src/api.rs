//! The API in JSON: games, positions, main lines, moves to play.

use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use grundy::session::{Annotation, Catalog, Go, Limits, Session, Settings, Work, quiet_work};
use grundy_review::Unread;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::{Answer, REMARKING, loony_states, notes};
use crate::app::{Effort, State};
use crate::cache::Lifetime;
use crate::error::ApiError;
use crate::games::PositionRef;
use crate::players::Player;
use crate::uploads::LONGEST_RULES;

/// The description of the API by OpenAPI. `x-example` is an address, and for POST the body behind a blank.
pub const OPENAPI: &str = include_str!("../assets/openapi.json");

/// The most moves of a line of play that are sent.
const LONGEST_LINE: usize = 400;
/// The lifetime of an answer whose values are all known while loony states are open in it.
const OPEN_STATES: Duration = Duration::from_millis(500);

/// The query of a request about a position.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The position to begin from; the game's start without it.
    pub fen: Option<String>,
    /// Moves from there, split by blanks.
    pub moves: Option<String>,
    /// Milliseconds that a search may take.
    pub ms: Option<u64>,
    /// Percentage of moves that are made at random.
    pub slips: Option<u32>,
    /// Grundy's strength: `1` to `8`, or `perfect`.
    pub level: Option<String>,
    /// The name of another engine.
    pub engine: Option<String>,
}

impl Asked {
    /// Returns the position that is asked about.
    pub fn target(&self, game: &str) -> PositionRef {
        PositionRef::new(game, self.fen.as_deref(), self.moves.as_deref())
    }

    /// Returns the time for a search, one second by default.
    pub fn time(&self) -> Duration {
        Duration::from_millis(self.ms.unwrap_or(1_000))
    }
}

/// `GET /api/games`.
pub async fn games(app: State) -> Response {
    let families: Vec<_> = app
        .catalog
        .families()
        .map(|family| {
            let games: Vec<_> = family
                .rows
                .iter()
                .map(|row| {
                    let described = row.describe(row.name);
                    json!({ "name": row.name, "default": row.default, "parameters": row.parameters,
                            "title": described.title, "about": described.about, "rules": described.rules,
                            "players": described.players, "method": row.method })
                })
                .collect();
            json!({ "title": family.title, "games": games })
        })
        .collect();
    Json(json!({ "families": families })).into_response()
}

/// `GET /api/{game}/position`.
pub async fn position(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let (target, time) = (asked.target(&game), asked.time().min(app.limit));
    let find =
        |time: Duration| move |session: &mut Session, work: &Work<'_>| Answer::find(session, time, work);
    let mut answer = app.with(&target, Effort::Known, find(Duration::ZERO)).await?;
    if !answer.complete {
        answer = app.with(&target, Effort::Search(app.limit), find(time)).await?;
    }
    answer.game = app.games.shown(&answer.game);
    let lifetime = if answer.has_open_states() { Lifetime::For(OPEN_STATES) } else { Lifetime::Forever };
    // The contents of a file may change.
    let cached = answer.complete && !target.game.contains("file=");
    let mut response = Json(answer).into_response();
    if cached {
        response.extensions_mut().insert(lifetime);
    }
    Ok(response)
}

/// `GET /api/{game}/remarks`: comments on a position beside its values, by a search if they need one.
pub async fn remarks(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let (target, time) = (asked.target(&game), asked.time().min(app.limit));
    let (said, open) = app
        .with(&target, Effort::Search(app.limit), move |session, work| {
            let begun = Instant::now();
            // Most of the time: a table of the states then serves all clients.
            let loony = session.annotate(&work.within(time - time / 10));
            let open = loony.as_ref().is_some_and(|found| found.position == Annotation::UNKNOWN);
            let rest = time.saturating_sub(begun.elapsed()).min(REMARKING);
            let loony = loony.as_ref().map(loony_states);
            (json!({ "remarks": session.remarks(&work.within(rest)), "loony": loony }), open)
        })
        .await?;
    if open {
        app.build(&target);
    }
    Ok(Json(said).into_response())
}

#[derive(Serialize)]
struct MainLine {
    position: String,
    value: String,
    exact: bool,
    moves: Vec<String>,
    /// The moves in the notation of people.
    notes: Vec<String>,
}

/// `GET /api/{game}/mainline`.
pub async fn mainline(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let time = asked.time().min(app.limit);
    let line = app
        .with(&asked.target(&game), Effort::Search(app.limit), move |session, work| {
            let mut line = MainLine {
                position: session.position(),
                value: "?".to_owned(),
                exact: false,
                moves: Vec::new(),
                notes: Vec::new(),
            };
            if let Some(value) = session.over() {
                (line.value, line.exact) = (value.show(session.unit()).to_string(), true);
                return line;
            }
            let limits = Limits { hard: Some(Instant::now() + time), ..Limits::default() };
            session.think(&Go { limits, ..Go::default() }, work.stop, &mut |info| {
                if info.rank == 1 {
                    let exact = info.score.exact();
                    line.exact = exact.is_some();
                    line.value =
                        exact.map_or_else(|| "?".to_owned(), |value| value.show(info.unit).to_string());
                    line.moves = info.pv.iter().take(LONGEST_LINE).cloned().collect();
                }
            });
            line.notes = notes(session, &line.moves);
            line
        })
        .await?;
    Ok(Json(line).into_response())
}

/// `GET /api/{game}/move`: the move that the engine plays, or another engine that was named when the board started.
pub async fn best_move(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let (target, time) = (asked.target(&game), asked.time().min(app.limit));
    let name = match (&asked.engine, &asked.level, asked.slips) {
        (Some(engine), _, _) => format!("engine {engine}"),
        (None, Some(level), _) => format!("level {level}"),
        (None, None, percent) => format!("slips {}", percent.unwrap_or(0).min(100)),
    };
    let player = Player::of(&app, &name)?;
    let played = target.clone();
    let word = app
        .with(&target, Effort::Move(app.limit), move |session, work| {
            player.choose(session, &played, time, work.stop)
        })
        .await??;
    Ok(Json(json!({ "move": word })).into_response())
}

/// `GET /api/{game}/pgn`: the moves so far as a PGN, in the notation of people where the game has one.
pub async fn pgn(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let target = asked.target(&game);
    // Another start or other rules than the usual ones are in the game's name.
    let variant =
        Some(target.game.clone()).filter(|game| game.contains(':') || !app.catalog.is_standard(game));
    let fen = target.fen.clone();
    let text = app
        .with(&target, Effort::Rules, move |session, _| {
            let tags = [("Event", "grundy"), ("White", "?"), ("Black", "?")];
            grundy_review::write_pgn(session, fen.as_deref(), &tags, variant.as_deref())
        })
        .await?;
    Ok(Json(json!({ "pgn": text })).into_response())
}

/// The answer to a text that is neither a game nor moves.
const NO_GAME: &str = "no game, record or moves were found in the text: expected a PGN, a record of the referee, or, on a \
                       game's page, moves";

/// `POST /api/read`: the games in a text: moves of the game that the query names, a PGN, or a record of the referee.
pub async fn read(app: State, Query(named): Query<Named>, text: Bytes) -> Result<Response, ApiError> {
    let app = app.0;
    let reader = app.clone();
    let games = app
        .readings
        .run(move |stop| {
            let until = Some(Instant::now() + reader.limit);
            let settings = Settings { hash_mb: 1, ..reader.settings.clone() };
            let open = |name: &str| {
                let name = reader.games.full_name(name);
                reader.games.admit_name(&name)?;
                reader.catalog.open(&name, &settings)
            };
            let (text, work) = (grundy_review::text_of(&text), Work { stop, until, ..quiet_work() });
            let read = |game: &str| grundy_review::read(&reader.catalog, &open, game, None, &text, &work);
            // What is not of the page's game may be a game of chess, or moves that only one game has.
            let games = read(&named.game).or_else(|why| match named.game.is_empty() {
                true => Err(why),
                false => read("").map_err(|_| why),
            });
            games.map_err(|why| match (without_moves(&reader.catalog, &open, &named.game, &text), why) {
                (Some(why), _) => reader.games.shown(&why),
                (None, Unread::WhichGame) if !may_be_moves(&text) => NO_GAME.to_owned(),
                (None, why @ Unread::WhichGame) => {
                    format!("{why}: paste them on that game's page, or open a PGN or a record")
                }
                (None, Unread::Move(why) | Unread::Text(why)) => reader.games.shown(&why),
            })
        })
        .await??;
    Ok(Json(json!({ "games": games })).into_response())
}

/// The answer to a graph in place of a game, moves or rules.
const GRAPH: &str = "a graph in DOT is read from a file only: expected a board that was started with --rules-dir DIR; the game \
                     is then graph:file=NAME, for a file of DIR";

/// Reports whether a text is a graph in DOT.
fn is_graph(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut words = text.split(|c: char| c.is_whitespace() || c == '{').filter(|word| !word.is_empty());
    let kind = words.find(|&word| word != "strict");
    kind.is_some_and(|word| ["graph", "digraph"].contains(&word)) && text.contains('{')
}

/// Returns the refusal of a text that has no moves: a graph, or a position that is none of the page's game, without a page of
/// the game that FEN was made for. `None` for other texts.
fn without_moves(
    catalog: &Catalog,
    open: &dyn Fn(&str) -> Result<Session, String>,
    game: &str,
    text: &str,
) -> Option<String> {
    let text = text.trim();
    if is_graph(text) {
        return Some(GRAPH.to_owned());
    }
    let first = text.split_whitespace().next().unwrap_or("");
    if text.contains('\n') || first.matches('/').count() < 2 {
        return None;
    }
    let game = if game.is_empty() { catalog.standard()?.name } else { game };
    let Err(why) = open(game).ok()?.setup_typed(Some(text)) else {
        return Some(format!("this is a position of {game}, and no game: expected moves, a PGN or a record"));
    };
    let row = |name: &str| catalog.row(name).map(|row| row.name);
    Some(match catalog.recognize(text).filter(|other| row(other) != row(game)) {
        Some(other) => {
            format!("this is a position of {other}, not of {game}: paste it on the page of {other}")
        }
        None => format!("{why}; paste a position of another game on the page of that game"),
    })
}

/// Reports whether the words of a text may be moves: at least half of them are single letters or have a digit.
fn may_be_moves(text: &str) -> bool {
    let like_a_move = |word: &&str| word.chars().count() == 1 || word.contains(|c: char| c.is_ascii_digit());
    2 * text.split_whitespace().filter(like_a_move).count() >= text.split_whitespace().count()
}

/// The query of `/api/read`.
#[derive(Debug, Deserialize)]
pub struct Named {
    /// The game of the text if the text does not name it, by its full or bare name.
    #[serde(default)]
    pub game: String,
}

/// `GET /health`.
pub async fn health() -> &'static str {
    "ok\n"
}

/// `GET /metrics`.
pub async fn metrics(app: State) -> Response {
    let text = app.metrics.text(app.analyses.waiting());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// `GET /api/openapi.json`.
pub async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// The query of a QR code.
#[derive(Debug, Deserialize)]
pub struct Coded {
    text: String,
}

/// `GET /api/qr?text=..`: a QR code as a picture.
pub async fn qr(app: State, Query(Coded { text }): Query<Coded>) -> Result<Response, ApiError> {
    let drawn = move |_: &_| {
        let code = qrcode::QrCode::with_error_correction_level(&text, qrcode::EcLevel::L)
            .map_err(|why| format!("a text of {} bytes for a QR code: {why}", text.len()))?;
        Ok::<_, String>(code.render::<qrcode::render::svg::Color<'_>>().min_dimensions(300, 300).build())
    };
    let svg = app.readings.run(drawn).await??;
    Ok(Json(json!({ "svg": svg })).into_response())
}

/// `GET /api/{game}/rules`: the text of an uploaded rules file, so that a link can carry it to another board.
pub async fn rules(app: State, Path(game): Path<String>) -> Result<Response, ApiError> {
    let text = app.uploads.as_ref().and_then(|uploads| uploads.text_of(&game));
    let text = text.ok_or_else(|| ApiError::NotFound(format!("an uploaded rules file of {game:?}")))?;
    Ok(Json(json!({ "rules": text })).into_response())
}

/// `POST /api/rules`: stores the text of a rules file; answers with the name of its game.
pub async fn upload(app: State, text: String) -> Response {
    let Some(uploads) = &app.uploads else {
        let why = "rules files are not accepted here: start the board with --uploads";
        return (StatusCode::FORBIDDEN, Json(json!({ "error": why }))).into_response();
    };
    if text.len() > LONGEST_RULES {
        let why = format!("rules of {} bytes, expected at most {LONGEST_RULES}", text.len());
        return ApiError::BadRequest(why).into_response();
    }
    if is_graph(&text) {
        return ApiError::BadRequest(GRAPH.to_owned()).into_response();
    }
    let (file, new) = match uploads.store(&text) {
        Ok(stored) => stored,
        Err(error) => {
            log::error!("an upload was not stored: {error}");
            return ApiError::Internal.into_response();
        }
    };
    // Opening the game compiles the rules: errors name line and column.
    let game = format!("rules:file={file}");
    match app.with(&PositionRef::new(&game, None, None), Effort::Rules, |session, _| session.position()).await
    {
        Ok(_) => Json(json!({ "game": game })).into_response(),
        Err(error) => {
            // Others may have the file, and a busy board says nothing of it.
            if new && matches!(error, ApiError::BadRequest(_)) {
                uploads.delete(&file);
            }
            error.into_response()
        }
    }
}
