//! Chess endings in the API of lichess.org's tablebase server, so that its clients work here too.

use axum::Json;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use grundy::session::{Session, Work, quiet_work};
use grundy::value::{Value, Wdl};
use serde::Deserialize;
use serde_json::{Value as Json_, json};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::answer::Refused;
use crate::app::State;
use crate::games::Place;

/// The query of both routes.
#[derive(Deserialize)]
pub struct Asked {
    fen: String,
}

impl Asked {
    /// Underscores stand for blanks there.
    fn place(&self, game: &str) -> Place {
        Place::new(game, Some(&self.fen.replace('_', " ")), None)
    }
}

/// Makes what the position needs and gives its value, where tables have it.
fn value(session: &mut Session, stop: &AtomicBool) -> Option<Value> {
    session.ready(&Work { stop, ..quiet_work() }, None).value
}

fn category(value: Option<Value>) -> &'static str {
    match value.map(Value::wdl) {
        None => "unknown",
        Some(Wdl::Win) => "win",
        Some(Wdl::Draw) => "draw",
        Some(Wdl::Loss) => "loss",
    }
}

/// Plies to mate: positive where the player to move wins.
fn dtm(value: Option<Value>) -> Json_ {
    match value.and_then(|value| Some((value.wdl(), value.plies()?))) {
        Some((Wdl::Win, plies)) => json!(plies),
        Some((Wdl::Loss, plies)) => json!(-i64::from(plies)),
        _ => Json_::Null,
    }
}

/// What is said of a position and of the position after each move alike.
fn facts(session: &mut Session, value: Option<Value>) -> serde_json::Map<String, Json_> {
    let over = session.over();
    let lost = over.is_some_and(|value| value.wdl() == Wdl::Loss);
    let moves = session.legal_moves(1).len();
    let bare = bare(&session.position());
    let mut facts = serde_json::Map::new();
    let mut say = |name: &str, fact: Json_| drop(facts.insert(name.to_owned(), fact));
    say("dtz", Json_::Null);
    say("precise_dtz", Json_::Null);
    say("dtm", dtm(value));
    say("dtw", Json_::Null);
    say("dtc", Json_::Null);
    say("checkmate", json!(lost && moves == 0));
    say("stalemate", json!(over.is_some() && !lost && !bare));
    say("variant_win", json!(false));
    say("variant_loss", json!(false));
    say("insufficient_material", json!(bare));
    say("category", json!(category(value)));
    facts
}

/// Neither side can mate: kings alone, with one knight or bishop at most.
fn bare(fen: &str) -> bool {
    let board = fen.split_whitespace().next().unwrap_or("");
    let men: Vec<char> =
        board.chars().filter(|c| c.is_ascii_alphabetic()).map(|c| c.to_ascii_lowercase()).collect();
    let minors = men.iter().filter(|c| matches!(c, 'n' | 'b')).count();
    men.len() <= 3 && minors + 2 == men.len()
}

/// `GET /standard?fen=..`.
pub async fn standard(app: State, Query(asked): Query<Asked>) -> Response {
    let Some(row) = app.catalog.standard() else { return StatusCode::NOT_FOUND.into_response() };
    let found = app
        .ask(&asked.place(row.name), |session, stop| {
            let here = value(session, stop);
            // Tables that are not made yet are work for later.
            if here.is_none() && stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut answer = facts(session, here);
            let mut moves = Vec::new();
            for m in session.values(1_000).moves {
                let san = session.note(&m.word).unwrap_or_default();
                let zeroing = san.contains('x') || san.starts_with(|c: char| c.is_ascii_lowercase());
                if session.play(&m.word).is_err() {
                    continue;
                }
                let after = value(session, stop);
                let mut facts = facts(session, after);
                session.undo();
                facts.insert("uci".to_owned(), json!(m.word));
                facts.insert("san".to_owned(), json!(san));
                facts.insert("zeroing".to_owned(), json!(zeroing));
                moves.push(Json_::Object(facts));
            }
            answer.insert("moves".to_owned(), Json_::Array(moves));
            Some(Json_::Object(answer))
        })
        .await;
    found.map_or_else(IntoResponse::into_response, |answer| Json(answer).into_response())
}

/// `GET /standard/mainline?fen=..`: best play for both to the mate; 404 where no table has the position.
pub async fn mainline(app: State, Query(asked): Query<Asked>) -> Response {
    let Some(row) = app.catalog.standard() else { return StatusCode::NOT_FOUND.into_response() };
    let found = app
        .ask(&asked.place(row.name), |session, stop| {
            let here = value(session, stop)?;
            let white = session.turn() == grundy::game::Player::One;
            let mut line = Vec::new();
            let mut now = here;
            while session.over().is_none() && now.wdl() != Wdl::Draw && line.len() < 600 {
                let best = session.values(1_000).moves.into_iter().next()?;
                let san = session.note(&best.word).unwrap_or_default();
                session.play(&best.word).ok()?;
                now = value(session, stop)?;
                line.push(json!({ "uci": best.word, "san": san, "dtz": null, "dtm": dtm(Some(now)) }));
            }
            let winner = match here.wdl() {
                Wdl::Draw => Json_::Null,
                wdl => json!(if (wdl == Wdl::Win) == white { "w" } else { "b" }),
            };
            Some(json!({ "dtz": null, "dtm": dtm(Some(here)), "mainline": line, "winner": winner }))
        })
        .await;
    match found {
        Ok(Some(answer)) => Json(answer).into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, "not a tablebase position\n").into_response(),
        Err(Refused::Wrong(why)) => (StatusCode::BAD_REQUEST, why).into_response(),
        Err(refused) => refused.into_response(),
    }
}
