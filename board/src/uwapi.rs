//! All games in the Universal Web API of the GamesCrafters group, which the site GamesmanUni reads.
//!
//! A variant is the part of a game's name behind its first colon; `regular` is the game's default.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Response};
use grundy::game::Player;
use grundy::session::{Catalog, Row, Session, Shape, Work};
use grundy::table::Maker;
use grundy::value::{Unit, Value, Wdl};
use grundy_draw::autogui::Gui;
use serde::Deserialize;
use serde_json::{Value as Json_, json};

use crate::answer::successors_of;
use crate::app::{App, Effort, State};
use crate::error::ApiError;
use crate::games::PositionRef;

/// The remoteness of a game that never ends.
const INFINITE: i64 = -200;
/// The remoteness of a game whose length is not known.
const UNKNOWN: i64 = -100;
/// The ways in which the pages of that site show a game: as text, or with pictures.
const TEXT: &str = "v0";
const PICTURES: &str = "v2";
/// The most moves that are listed.
const LISTED: usize = 2_000;

fn full_name(row: &Row, variant: &str) -> String {
    if variant == "regular" { row.default.to_owned() } else { format!("{}:{variant}", row.name) }
}

/// Returns the name of a row's games among people.
fn title(row: &Row) -> &'static str {
    if row.title.is_empty() { row.name } else { row.title }
}

/// Returns the way in which a row's games are shown.
fn gui(row: &Row) -> &'static str {
    match row.shape {
        Shape::Pits
        | Shape::Numbers
        | Shape::Node
        | Shape::Spots
        | Shape::Sum
        | Shape::Map
        | Shape::Stalks => TEXT,
        _ => PICTURES,
    }
}

/// Returns a position as a picture's data; `None` if the game is shown as text.
fn picture(catalog: &Catalog, game: &str, position: &str) -> Option<Gui> {
    catalog.row(game).filter(|row| gui(row) == PICTURES)?;
    Gui::of(&grundy_draw::svg_with_places(catalog, game, position, None))
}

/// Writes a position for that site's pictures.
fn drawn(catalog: &Catalog, game: &str, position: &str, turn: Player) -> String {
    let turn = if turn == Player::One { 1 } else { 2 };
    picture(catalog, game, position).map_or_else(|| position.to_owned(), |gui| gui.position(turn))
}

/// Writes what that site needs to draw a game's positions.
fn theme(gui: &Gui) -> Json_ {
    let images: serde_json::Map<String, Json_> = gui
        .images
        .iter()
        .map(|(letter, image, scale)| (letter.to_string(), json!({ "image": image, "scale": scale })))
        .collect();
    let mut theme = json!({
        "space": gui.space, "centers": gui.centers, "charImages": images, "circleButtonRadius": 0.14,
        "arrowWidth": 0.12, "lineWidth": 0.12, "entitiesOverArrows": false, "sounds": {},
        "animationType": "entityFade",
    });
    for (key, image) in [("background", gui.background), ("foreground", gui.foreground)] {
        if let Some(image) = image {
            theme[key] = json!(image);
        }
    }
    json!({ "defaultTheme": "regular", "themes": { "regular": theme } })
}

/// Finds the row of a game by its bare name.
fn row(app: &App, game: &str) -> Result<&'static Row, ApiError> {
    let row = app.catalog.row(game).filter(|row| row.name == game);
    row.ok_or_else(|| ApiError::NotFound(format!("game {game:?}")))
}

/// `GET /uwapi/`.
pub async fn games(app: State) -> Response {
    let games: Vec<_> = app
        .catalog
        .rows()
        .map(|row| json!({ "id": row.name, "name": title(row), "type": "twoPlayer", "gui": gui(row) }))
        .collect();
    Json(games).into_response()
}

/// `GET /uwapi/{game}/`.
pub async fn game(app: State, Path(game): Path<String>) -> Result<Response, ApiError> {
    let row = row(&app, &game)?;
    let start = PositionRef::new(row.name, None, None);
    let points = app.with(&start, Effort::Rules, |session, _| session.unit().is_points()).await?;
    Ok(Json(json!({
        "id": row.name,
        "name": title(row),
        "allowCustomVariantCreation": !row.parameters.is_empty(),
        "supportsWinBy": points,
        "instructions": row.describe(row.name).rules,
        "variants": [{ "id": "regular", "name": row.describe(row.name).title, "gui": gui(row) }],
    }))
    .into_response())
}

/// `GET /uwapi/{game}/{variant}/`.
pub async fn variant(
    app: State,
    Path((game, variant)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let row = row(&app, &game)?;
    let name = full_name(row, &variant);
    let start = PositionRef::new(&name, None, None);
    let catalog = app.catalog;
    let shown = app.with(&start, Effort::Rules, move |session, _| {
        let (position, name) = (session.position(), session.name());
        let data = picture(&catalog, name, &position).map(|gui| theme(&gui));
        let drawn = drawn(&catalog, name, &position, session.turn());
        (row.describe(name).title, position, drawn, data)
    });
    let (title, position, drawn, data) = shown.await?;
    Ok(Json(json!({
        "id": variant,
        "name": title,
        "gui": if data.is_some() { PICTURES } else { TEXT },
        "startPosition": position,
        "autoguiStartPosition": drawn,
        "imageAutoGUIData": data,
    }))
    .into_response())
}

/// The query of a position.
#[derive(Deserialize)]
pub struct Asked {
    p: String,
}

/// Returns by how many points the player to move wins, in a game for points; whole ones as integers.
fn points(unit: Unit, value: Option<Value>) -> Option<Json_> {
    let (margin, parts) = (value?.margin().filter(|_| unit.is_points())?, unit.denominator().get());
    Some(if parts == 1 { json!(margin) } else { json!(f64::from(margin) / f64::from(parts)) })
}

/// Names a value in that API, with its remoteness. A draw of a cyclic game is a `draw`, of one that always ends a `tie`.
fn say(value: Option<Value>, wdl: Option<Wdl>, unit: Unit, cyclic: bool) -> (&'static str, i64) {
    let plies = value.filter(|_| unit == Unit::Outcome).and_then(Value::plies).map_or(UNKNOWN, i64::from);
    match wdl {
        None => ("unsolved", UNKNOWN),
        Some(Wdl::Win) => ("win", plies),
        Some(Wdl::Loss) => ("lose", plies),
        Some(Wdl::Draw) if cyclic => ("draw", INFINITE),
        Some(Wdl::Draw) => ("tie", UNKNOWN),
    }
}

/// `GET /uwapi/{game}/{variant}/positions/?p=..`.
pub async fn position(
    app: State,
    Path((game, variant)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let target = PositionRef::new(&full_name(row(&app, &game)?, &variant), Some(&asked.p), None);
    let (catalog, effort) = (app.catalog, app.effort(&target).await?);
    let answer = app.with(&target, effort, move |session, work| describe(&catalog, session, work)).await?;
    Ok(Json(answer).into_response())
}

/// Describes a position with its moves, best first.
fn describe(catalog: &Catalog, session: &mut Session, work: &Work<'_>) -> Json_ {
    let (position, turn) = (session.position(), session.turn());
    let here_drawn = picture(catalog, session.name(), &position);
    let unit = session.unit();
    let cyclic = session.tabled(None).is_some_and(|table| table.maker() == Maker::Retrograde)
        || session.repetitions() > 1;
    let found = session.analyze(LISTED, Duration::MAX, work);
    let here = session.over().or(found.value);
    let (value, remoteness) = say(here, here.map(|value| session.outcome(value)), unit, cyclic);
    let mut successors = successors_of(session, &found.list.moves);
    let mut moves: Vec<(Json_, &'static str, i64)> = Vec::new();
    for m in found.list.moves {
        let Some(next) = successors.remove(&m.word) else { continue };
        let worth = m.value.or(next.over.map(|over| over.back(next.step)));
        let outcome = worth.map(|value| session.outcome(value));
        let (move_value, _) = say(m.value, outcome.filter(|_| m.value.is_some()), unit, cyclic);
        let after = next.over.or(m.value.map(|value| value.forth(next.step)));
        let outcome = if next.step.turn_passed { outcome.map(|outcome| -outcome) } else { outcome };
        let (position_value, remoteness) = say(after, outcome, unit, cyclic);
        let after_turn = if next.step.turn_passed { !turn } else { turn };
        let mut answer = json!({
            "position": next.position,
            "autoguiPosition": drawn(catalog, session.name(), &next.position, after_turn),
            "positionValue": position_value,
            "remoteness": remoteness,
            "move": m.word,
            "autoguiMove": here_drawn.as_ref().and_then(|gui| gui.move_of(&m.word)).unwrap_or_else(|| m.word.clone()),
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
    let mut answer = json!({
        "position": position,
        "autoguiPosition": drawn(catalog, session.name(), &position, turn),
        "positionValue": value,
        "remoteness": remoteness,
        "moves": moves,
    });
    if let Some(points) = points(unit, here) {
        answer["winby"] = points;
    }
    if let Some(source) = found.source {
        answer["source"] = json!(source);
    }
    answer
}
