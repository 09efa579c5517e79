//! Chess endings in the API of lichess.org's tablebase server, so that its clients work here too.

use axum::Json;
use axum::extract::Query;
use axum::response::{IntoResponse, Response};
use grundy::session::{Session, Work};
use grundy::value::{Value, Wdl};
use serde::Deserialize;
use serde_json::{Value as Json_, json};

use crate::app::State;
use crate::error::ApiError;
use crate::games::PositionRef;

/// The query of both routes.
#[derive(Deserialize)]
pub struct Asked {
    fen: String,
}

impl Asked {
    /// Returns the position that is asked about; underscores stand for blanks.
    fn target(&self, game: &str) -> PositionRef {
        PositionRef::new(game, Some(&self.fen.replace('_', " ")), None)
    }
}

/// Builds the tables that the position needs and returns its value; `None` if no table has it.
fn value(session: &mut Session, work: &Work<'_>) -> Option<Value> {
    session.ready(work, None).value
}

fn category(value: Option<Value>) -> &'static str {
    match value.map(Value::wdl) {
        None => "unknown",
        Some(Wdl::Win) => "win",
        Some(Wdl::Draw) => "draw",
        Some(Wdl::Loss) => "loss",
    }
}

/// Returns the plies to mate, positive if the player to move wins; null if nobody does.
fn dtm(value: Option<Value>) -> Json_ {
    match value.and_then(|value| Some((value.wdl(), value.plies()?))) {
        Some((Wdl::Win, plies)) => json!(plies),
        Some((Wdl::Loss, plies)) => json!(-i64::from(plies)),
        _ => Json_::Null,
    }
}

/// Describes a position: the fields that the position and those after its moves have in common. `rules` is a session for
/// questions about the position without its history.
fn facts(session: &mut Session, rules: &mut Session, value: Option<Value>) -> serde_json::Map<String, Json_> {
    let fen = session.position();
    let ended = ended(rules, &fen);
    let mut facts = serde_json::Map::new();
    let mut say = |name: &str, fact: Json_| drop(facts.insert(name.to_owned(), fact));
    say("dtz", Json_::Null);
    say("precise_dtz", Json_::Null);
    say("dtm", dtm(value));
    say("dtw", Json_::Null);
    say("dtc", Json_::Null);
    say("checkmate", json!(ended == Some(Wdl::Loss)));
    say("stalemate", json!(ended == Some(Wdl::Draw)));
    say("variant_win", json!(false));
    say("variant_loss", json!(false));
    say("insufficient_material", json!(neither_can_mate(&fen)));
    say("category", json!(category(value)));
    facts
}

/// Returns how a position without a legal move has ended for its player to move, its clocks left out; else `None`.
fn ended(rules: &mut Session, fen: &str) -> Option<Wdl> {
    let fields: Vec<&str> = fen.split_whitespace().take(4).collect();
    rules.setup(Some(&fields.join(" "))).ok()?;
    rules.over().map(Value::wdl)
}

/// Reports whether neither side can mate, as lichess judges it by the men alone.
fn neither_can_mate(fen: &str) -> bool {
    let mut men: Vec<(char, bool)> = Vec::new();
    for (rank, row) in fen.split_whitespace().next().unwrap_or("").split('/').enumerate() {
        let mut file = 0;
        for c in row.chars() {
            match c.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    men.push((c, (rank + file) % 2 == 0));
                    file += 1;
                }
            }
        }
    }
    let any = |kinds: &str| men.iter().any(|(man, _)| kinds.contains(*man));
    let bishops = |light: bool| men.iter().any(|&(man, on_light)| "Bb".contains(man) && on_light == light);
    let cannot_mate = |white: bool| {
        let side = |kinds: &str| if white { kinds.to_uppercase() } else { kinds.to_lowercase() };
        let other = |kinds: &str| if white { kinds.to_lowercase() } else { kinds.to_uppercase() };
        if any(&side("prq")) {
            return false;
        }
        if any(&side("n")) {
            // One knight mates only a king that is blocked by its own men other than queens.
            let own = men.iter().filter(|(man, _)| man.is_uppercase() == white).count();
            return own <= 2 && !any(&other("prnb"));
        }
        // Bishops of one colour mate only if a man on the other colour blocks the king.
        !(any(&side("b")) && (any("PpNn") || bishops(true) && bishops(false)))
    };
    cannot_mate(true) && cannot_mate(false)
}

/// `GET /standard?fen=..`.
pub async fn standard(app: State, Query(asked): Query<Asked>) -> Result<Response, ApiError> {
    let row = app.catalog.standard().ok_or_else(|| ApiError::NotFound("chess".to_owned()))?;
    let target = asked.target(row.name);
    let answer = app
        .with(&target, app.effort(&target).await?, |session, work| {
            let here = value(session, work);
            let mut rules = session.at_start();
            let mut answer = facts(session, &mut rules, here);
            let mut moves = Vec::new();
            for m in session.values_within(1_000, work).moves {
                let san = session.note(&m.word).unwrap_or_default();
                let zeroing = san.contains('x') || san.starts_with(|c: char| c.is_ascii_lowercase());
                if session.play(&m.word).is_err() {
                    continue;
                }
                let after = value(session, work);
                let mut facts = facts(session, &mut rules, after);
                session.undo();
                facts.insert("uci".to_owned(), json!(m.word));
                facts.insert("san".to_owned(), json!(san));
                facts.insert("zeroing".to_owned(), json!(zeroing));
                moves.push(Json_::Object(facts));
            }
            answer.insert("moves".to_owned(), Json_::Array(moves));
            Json_::Object(answer)
        })
        .await?;
    Ok(Json(answer).into_response())
}

/// `GET /standard/mainline?fen=..`: best play of both players to the mate; 404 if no table has the position.
pub async fn mainline(app: State, Query(asked): Query<Asked>) -> Result<Response, ApiError> {
    let row = app.catalog.standard().ok_or_else(|| ApiError::NotFound("chess".to_owned()))?;
    let target = asked.target(row.name);
    let found = app
        .with(&target, app.effort(&target).await?, |session, work| {
            let here = value(session, work)?;
            let white = session.turn() == grundy::game::Player::One;
            let mut line = Vec::new();
            let mut now = here;
            while session.over().is_none() && now.wdl() != Wdl::Draw && line.len() < 600 {
                let best = session.values_within(1_000, work).moves.into_iter().next()?;
                let san = session.note(&best.word).unwrap_or_default();
                session.play(&best.word).ok()?;
                now = value(session, work)?;
                line.push(json!({ "uci": best.word, "san": san, "dtz": null, "dtm": dtm(Some(now)) }));
            }
            let winner = match here.wdl() {
                Wdl::Draw => Json_::Null,
                wdl => json!(if (wdl == Wdl::Win) == white { "w" } else { "b" }),
            };
            Some(json!({ "dtz": null, "dtm": dtm(Some(here)), "mainline": line, "winner": winner }))
        })
        .await?;
    match found {
        Some(answer) => Ok(Json(answer).into_response()),
        None => Err(ApiError::NotFound("a table with this position".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Judged by shakmaty's `is_insufficient_material`, which lichess uses.
    #[test]
    fn material_is_insufficient_where_lichess_says_so() {
        for fen in [
            "8/8/4k3/8/8/3K4/8/8 w - -",
            "8/8/4k3/8/8/3K1N2/8/8 w - -",
            "8/8/4k1b1/8/8/3K4/8/8 w - -",
            "5b2/8/8/3k4/8/8/8/2B1K3 w - -",
            "8/2B5/1B6/3k4/8/8/8/2B1K3 w - -",
            "5bb1/8/8/3k4/8/8/8/2B1K3 w - -",
        ] {
            // The last has bishops on both colours.
            assert_eq!(neither_can_mate(fen), fen != "5bb1/8/8/3k4/8/8/8/2B1K3 w - -", "{fen}");
        }
        for fen in [
            "8/8/4k3/8/8/3KNN2/8/8 w - -",
            "8/8/4k1n1/8/8/3K1N2/8/8 w - -",
            "8/8/4k1b1/8/8/3K1N2/8/8 w - -",
            "6b1/8/8/3k4/8/8/8/2B1K3 w - -",
            "8/8/4k3/8/8/3K1N1q/8/8 w - -",
            "8/8/4k3/8/8/3K3P/8/8 w - -",
        ] {
            assert!(!neither_can_mate(fen), "{fen}");
        }
    }
}
