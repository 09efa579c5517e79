//! The API in JSON: games, positions, main lines, moves to play.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use grundy::session::{Go, Limits, Settings};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Instant;

use crate::answer::{REMARKING, Refused, loony_states};
use crate::app::State;
use crate::games::Place;
use crate::notation;
use crate::players::Player;
use crate::recent::Lasting;

/// The longest line of play that is shown.
const LONGEST_LINE: usize = 400;
/// How long an answer whose values are all known is sent again while loony states are open in it.
const OPEN_STATES: Duration = Duration::from_millis(500);

/// What a request may say of a position.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The position to begin from; the game's start without it.
    pub fen: Option<String>,
    /// Moves from there, split by blanks.
    pub moves: Option<String>,
    /// Milliseconds that a search may take.
    pub ms: Option<u64>,
    /// Percent of moves that are made at random.
    pub slips: Option<u32>,
    /// The name of another engine.
    pub engine: Option<String>,
}

impl Asked {
    /// The place that is meant.
    pub fn place(&self, game: &str) -> Place {
        Place::new(game, self.fen.as_deref(), self.moves.as_deref())
    }

    /// The time for a search, a second unless asked otherwise.
    pub fn time(&self) -> Duration {
        Duration::from_millis(self.ms.unwrap_or(1_000))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.to_string() }));
        match self {
            Refused::Wrong(_) => (StatusCode::BAD_REQUEST, body).into_response(),
            Refused::Full => {
                (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "2")], body).into_response()
            }
            Refused::Broken => (StatusCode::INTERNAL_SERVER_ERROR, body).into_response(),
        }
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
                    json!({ "name": row.name, "default": row.default, "parameters": row.parameters,
                            "about": row.about, "method": row.method })
                })
                .collect();
            json!({ "title": family.title, "games": games })
        })
        .collect();
    Json(json!({ "families": families })).into_response()
}

/// `GET /api/{game}/position`.
pub async fn position(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let place = asked.place(&game);
    match app.answer(&place, Some(asked.time())).await {
        Ok(answer) => {
            let open = |mark: &Option<String>| mark.as_deref() == Some("?");
            let states = open(&answer.loony) || answer.moves.iter().any(|m| open(&m.loony));
            let lasting = if states { Lasting::For(OPEN_STATES) } else { Lasting::Ever };
            let complete = answer.complete;
            let mut response = Json(answer).into_response();
            // What a file says may change.
            if complete && !place.game.contains("file=") {
                response.extensions_mut().insert(lasting);
            }
            response
        }
        Err(refused) => refused.into_response(),
    }
}

/// `GET /api/{game}/remarks`: what there is to say of a position beside values, by a search where it takes one.
pub async fn remarks(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let (place, time) = (asked.place(&game), asked.time().min(app.limit));
    let said = app
        .with_session(&place, move |session, work| {
            let begun = Instant::now();
            // Most of it: a table of the states serves all visitors afterwards.
            let loony = session.loony(&work.within(time - time / 10));
            let open = loony.as_ref().is_some_and(|found| found.state.is_none());
            let rest = time.saturating_sub(begun.elapsed()).min(REMARKING);
            let loony = loony.as_ref().map(loony_states);
            (json!({ "remarks": session.remarks(&work.within(rest)), "loony": loony }), open)
        })
        .await;
    match said {
        Ok((said, open)) => {
            if open {
                app.make_states(&place.game);
            }
            Json(said).into_response()
        }
        Err(refused) => refused.into_response(),
    }
}

#[derive(Serialize)]
struct MainLine {
    position: String,
    value: String,
    exact: bool,
    moves: Vec<String>,
}

/// `GET /api/{game}/mainline`.
pub async fn mainline(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let time = asked.time().min(app.limit);
    let found = app
        .with_session(&asked.place(&game), move |session, work| {
            let mut line = MainLine {
                position: session.position(),
                value: "?".to_owned(),
                exact: false,
                moves: Vec::new(),
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
            line
        })
        .await;
    match found {
        Ok(line) => Json(line).into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// `GET /api/{game}/move`: the move that the engine plays, or another engine that was named when the board started.
pub async fn best_move(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let (place, time) = (asked.place(&game), asked.time().min(app.limit));
    let name = match (&asked.engine, asked.slips) {
        (Some(engine), _) => format!("engine {engine}"),
        (None, percent) => format!("slips {}", percent.unwrap_or(0).min(100)),
    };
    let player = match Player::of(&app, &name) {
        Ok(player) => player,
        Err(why) => return Refused::Wrong(why).into_response(),
    };
    let found = app
        .with_session(&place.clone(), move |session, work| player.choose(session, &place, time, work.stop))
        .await;
    match found {
        Ok(Ok(word)) => Json(json!({ "move": word })).into_response(),
        Ok(Err(why)) | Err(Refused::Wrong(why)) => Refused::Wrong(why).into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// `POST /api/read`: games out of a text: moves of the game that the query names, a PGN, or a record of the referee.
pub async fn read(app: State, Query(named): Query<Named>, text: Bytes) -> Response {
    let (catalog, folders, bounds) = (app.catalog, app.folders.clone(), app.bounds());
    let settings = Settings { hash_mb: 1, ..app.settings.clone() };
    let read = app
        .slow
        .run(move |stop| {
            let text = notation::text_of(&text);
            notation::read(&catalog, &settings, &folders, &named.game, &text, &bounds.work(stop))
        })
        .await;
    match read.map_err(Refused::from) {
        Ok(Ok(games)) => Json(json!({ "games": games })).into_response(),
        Ok(Err(why)) => Refused::Wrong(why).into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// The game that a text is of, where it does not say so itself.
#[derive(Debug, Deserialize)]
pub struct Named {
    /// The game's full or bare name.
    #[serde(default)]
    pub game: String,
}

/// `GET /health`.
pub async fn health() -> &'static str {
    "ok\n"
}

/// `GET /metrics`.
pub async fn metrics(app: State) -> Response {
    let text = app.metrics.text(app.slow.waiting());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// `GET /api/openapi.json`.
pub async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("../assets/openapi.json")).into_response()
}
