//! All games in the Universal Web API of the GamesCrafters group, which the site GamesmanUni reads.
//!
//! A variant is what stands behind the first colon of a game's name; `regular` is the game's default.

use axum::Json;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use grundy::table::Maker;
use grundy::value::{Unit, Value, Wdl};
use serde::Deserialize;
use serde_json::{Value as Json_, json};

use crate::answer::{Refused, knows};
use crate::app::State;
use crate::games::Place;

/// The remoteness of a game that never ends.
const INFINITE: i64 = -200;
/// The remoteness of a game that ends nobody knows when.
const UNKNOWN: i64 = -100;
/// How the pages of that site are to show a game: as text.
const GUI: &str = "v0";

fn full_name(row: &grundy::session::Row, variant: &str) -> String {
    if variant == "regular" { row.default.to_owned() } else { format!("{}:{variant}", row.name) }
}

/// `GET /uwapi/`.
pub async fn games(app: State) -> Response {
    let games: Vec<_> = app
        .catalog
        .rows()
        .map(|row| json!({ "id": row.name, "name": row.name, "type": "twoPlayer", "gui": GUI }))
        .collect();
    Json(games).into_response()
}

/// `GET /uwapi/{game}/`.
pub async fn game(app: State, Path(game): Path<String>) -> Response {
    let Some(row) = app.catalog.row(&game).filter(|row| row.name == game) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let points = app
        .ask(&Place::new(row.name, None, None), |session, _| Some(session.unit().is_points()))
        .await
        .is_ok_and(|points| points == Some(true));
    Json(json!({
        "id": row.name,
        "name": row.name,
        "allowCustomVariantCreation": !row.parameters.is_empty(),
        "supportsWinBy": points,
        "variants": [{ "id": "regular", "name": row.default, "gui": GUI }],
    }))
    .into_response()
}

/// `GET /uwapi/{game}/{variant}/`.
pub async fn variant(app: State, Path((game, variant)): Path<(String, String)>) -> Response {
    let Some(row) = app.catalog.row(&game).filter(|row| row.name == game) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let name = full_name(row, &variant);
    let start = app.ask(&Place::new(&name, None, None), |session, _| Some(session.position())).await;
    match start {
        Ok(start) => Json(json!({
            "id": variant,
            "name": name,
            "gui": GUI,
            "startPosition": start,
            "autoguiStartPosition": start,
            "imageAutoGUIData": null,
        }))
        .into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// The position that is asked about.
#[derive(Deserialize)]
pub struct Asked {
    p: String,
}

/// By how many points the player to move wins, in a game for points: whole ones as integers.
fn points(unit: Unit, value: Option<Value>) -> Option<Json_> {
    let (margin, parts) = (value?.margin().filter(|_| unit.is_points())?, unit.parts().get());
    Some(if parts == 1 { json!(margin) } else { json!(f64::from(margin) / f64::from(parts)) })
}

/// What a value is called there, with its remoteness. A draw of a game that can go round for ever is a `draw`, of
/// one that ends a `tie`.
fn say(value: Option<Value>, wdl: Option<Wdl>, unit: Unit, endless: bool) -> (&'static str, i64) {
    let plies = value.filter(|_| unit == Unit::Outcome).and_then(Value::plies).map_or(UNKNOWN, i64::from);
    match wdl {
        None => ("unsolved", UNKNOWN),
        Some(Wdl::Win) => ("win", plies),
        Some(Wdl::Loss) => ("lose", plies),
        Some(Wdl::Draw) if endless => ("draw", INFINITE),
        Some(Wdl::Draw) => ("tie", UNKNOWN),
    }
}

/// `GET /uwapi/{game}/{variant}/positions/?p=..`.
pub async fn position(
    app: State,
    Path((game, variant)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    let Some(row) = app.catalog.row(&game).filter(|row| row.name == game) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let place = Place::new(&full_name(row, &variant), Some(&asked.p), None);
    let limit = app.limit;
    let found = app
        .ask(&place, move |session, work| {
            if work.stopped() && !knows(session, work) {
                return None;
            }
            let unit = session.unit();
            let endless = session.tabled(None).is_some_and(|door| door.maker() == Maker::Retrograde)
                || session.repetitions() > 1;
            let found = session.analyze(2_000, limit, work);
            let here = session.over().or(found.value);
            let wdl = here.map(|value| session.outcome(value));
            let (value, remoteness) = say(here, wdl, unit, endless);
            let mut moves: Vec<(Json_, &'static str, i64)> = Vec::new();
            for m in found.list.moves {
                let worth = m.value.map(|value| session.outcome(value));
                let (move_value, _) = say(m.value, worth, unit, endless);
                let Ok(played) = session.play(&m.word) else { continue };
                let after = session.over().or(m.value.map(|value| value.forth(played.step)));
                let wdl = after.map(|value| session.outcome(value));
                let (position_value, remoteness) = say(after, wdl, unit, endless);
                let position = session.position();
                session.undo();
                let mut answer = json!({
                    "position": position,
                    "autoguiPosition": position,
                    "positionValue": position_value,
                    "remoteness": remoteness,
                    "move": m.word,
                    "autoguiMove": m.word,
                    "moveName": m.word,
                    "moveValue": move_value,
                });
                if let Some(points) = points(unit, after) {
                    answer["winby"] = points;
                }
                moves.push((answer, move_value, remoteness));
            }
            // How much sooner or later than with the best move of the same value the game ends.
            let best = |value: &str| moves.iter().find(|(_, other, _)| *other == value).map(|found| found.2);
            let deltas: Vec<i64> = moves
                .iter()
                .map(|&(_, value, remoteness)| match best(value) {
                    Some(best) if remoteness >= 0 && best >= 0 => (remoteness - best).abs(),
                    _ => 0,
                })
                .collect();
            let moves: Vec<Json_> = moves
                .into_iter()
                .zip(deltas)
                .map(|((mut answer, _, _), delta)| {
                    answer["deltaRemoteness"] = json!(delta);
                    answer
                })
                .collect();
            let position = session.position();
            let mut answer = json!({
                "position": position,
                "autoguiPosition": position,
                "positionValue": value,
                "remoteness": remoteness,
                "moves": moves,
            });
            if let Some(points) = points(unit, here) {
                answer["winby"] = points;
            }
            Some(answer)
        })
        .await;
    match found {
        Ok(answer) => Json(answer).into_response(),
        Err(Refused::Wrong(why)) => (StatusCode::BAD_REQUEST, Json(json!({ "error": why }))).into_response(),
        Err(refused) => refused.into_response(),
    }
}
