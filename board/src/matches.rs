//! Engine against engine: server-sent events, one for each move as it is made, judged as the referee judges it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Response};
use grundy::game;
use grundy::session::{Session, Work};
use grundy::value;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::result_of;
use crate::app::{App, Effort, State};
use crate::audit::{self, Judged};
use crate::error::ApiError;
use crate::events::{self, Events};
use crate::games::PositionRef;
use crate::occupants;
use crate::pages;
use crate::players::Player;
use crate::texts::Texts;
use crate::words::names;

/// The time for which a move can be looked at before the next one is asked for.
#[cfg(not(target_family = "wasm"))]
const PAUSE: Duration = Duration::from_millis(700);
/// The longest time for the proof of the value before or after a move.
const PROVING: Duration = Duration::from_millis(300);
/// The longest game, in plies.
const LONGEST: usize = 1_000;

/// The query of a match.
#[derive(Debug, Deserialize)]
pub struct Asked {
    fen: Option<String>,
    moves: Option<String>,
    /// Milliseconds for a move.
    ms: Option<u64>,
    /// The first player: `perfect`, `level N`, `slips`, `slips PERCENT`, `engine NAME`.
    one: String,
    /// The second player.
    two: String,
}

/// `GET /api/{game}/match`: events `move`, then one event `end`.
pub async fn watch(
    app: State,
    texts: Texts,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    let app = app.0;
    let target = PositionRef::new(&game, asked.fen.as_deref(), asked.moves.as_deref());
    let players = Player::of(&app, &asked.one).and_then(|one| Ok([one, Player::of(&app, &asked.two)?]));
    let players = match app.games.admit(&target).and(players) {
        Ok(players) => players,
        Err(why) => return ApiError::from(why).into_response(),
    };
    if let Err(error) = app.with(&target, Effort::Rules, |_, _| ()).await {
        return error.into_response();
    }
    let time = Duration::from_millis(asked.ms.unwrap_or(1_000)).min(app.limit);
    events::stream(move |events| play(app, target, players, time, texts, events)).await
}

/// Plays to the end.
async fn play(
    app: Arc<App>,
    mut target: PositionRef,
    players: [Player; 2],
    time: Duration,
    texts: Texts,
    events: Events,
) {
    // Moves that were made before are not judged here.
    let mut judged = vec![Judged::Open; target.moves.len()];
    // The value of the position, where the move before was judged by it.
    let mut proved = None;
    let end = loop {
        let (players, here, catalog) = (players.clone(), target.clone(), app.catalog);
        let earlier = judged.clone();
        let made = app
            .with(&target, Effort::Move(app.limit), move |session, work| {
                if here.moves.len() >= LONGEST {
                    let why = texts.fill("match-long", &[("count", &LONGEST.to_string())]);
                    return Ok(Made::End(json!({ "error": why })));
                }
                if let Some(result) = result_of(session) {
                    return Ok(Made::End(json!({ "over": result })));
                }
                let row = catalog.row(&here.game);
                let names = names(row.map(|row| row.describe(session.name()).players), texts);
                let mover = &names[usize::from(session.turn() == game::Player::Two)];
                let made = one_move(session, &here, &players, time, texts, proved, work);
                made.map_err(|why| format!("{mover}: {why}")).map(|(made, mut event)| {
                    event["text"] = session.draw_game().into();
                    event["said"] = said(&event, &names, made.judged, texts).into();
                    event["tally"] = pages::tally(row, &session.position(), session.score(), texts).into();
                    event["audit"] = audit::summary(&[&earlier[..], &[made.judged]].concat(), texts).into();
                    let all = PositionRef {
                        moves: [here.moves.as_slice(), std::slice::from_ref(&made.word)].concat(),
                        ..here.clone()
                    };
                    let course = audit::course(session, &all, 0, None);
                    let svg = grundy_draw::svg_of_game(&catalog, session.name(), &course.positions());
                    event["svg"] = occupants::captioned(grundy_draw::without_places(&svg), texts).into();
                    Made::Move(made, event)
                })
            })
            .await;
        match made {
            Ok(Ok(Made::Move(made, event))) => {
                target.moves.push(made.word);
                judged.push(made.judged);
                proved = made.after;
                events.send("move", &event).await;
                #[cfg(not(target_family = "wasm"))]
                tokio::time::sleep(PAUSE).await;
            }
            Ok(Ok(Made::End(event))) => break event,
            Ok(Err(why)) => break json!({ "error": why }),
            Err(error) => break json!({ "error": error.to_string() }),
        }
    };
    events.send("end", &end).await;
}

enum Made {
    Move(JudgedMove, Value),
    End(Value),
}

/// A move with its judgement.
struct JudgedMove {
    word: String,
    judged: Judged,
    /// The value after it for the player to move there, if it is proved.
    after: Option<value::Value>,
}

/// Returns the value of the position if it is known, or proved within [`PROVING`].
fn prove(session: &mut Session, work: &Work<'_>) -> Option<value::Value> {
    session.over().or_else(|| {
        let found = session.evaluate(PROVING, work);
        // What others have proved is no judge.
        found.value.filter(|_| found.source.is_none())
    })
}

/// Says who played what, and how good it was.
fn said(event: &Value, names: &[String; 2], judged: Judged, texts: Texts) -> String {
    let word = event["note"].as_str().or(event["move"].as_str()).unwrap_or("");
    let words = judged.words(texts).unwrap_or_else(|| {
        texts.get(if judged == Judged::Open { "not-compared" } else { "best-move" }).to_owned()
    });
    let player = &names[usize::from(event["by"] == 2)];
    texts.fill("played", &[("player", player), ("move", word), ("words", &words)])
}

/// Makes a move in a position whose value is `proved`, or not known yet; returns it with what it cost and the event that
/// describes it.
///
/// # Errors
/// The player has no move, or an illegal one.
fn one_move(
    session: &mut Session,
    target: &PositionRef,
    players: &[Player; 2],
    time: Duration,
    texts: Texts,
    proved: Option<value::Value>,
    work: &Work<'_>,
) -> Result<(JudgedMove, Value), String> {
    let before = proved.or_else(|| prove(session, work));
    let unit = session.unit();
    let side = session.turn();
    let (number, player) = if side == game::Player::One { (1, &players[0]) } else { (2, &players[1]) };
    let word = player.choose(session, target, time, work.stop)?;
    let note = session.note(&word);
    let played = session.play(&word).map_err(|refusal| refusal.to_string())?;
    let after = prove(session, work);
    let judged = Judged::of(unit, before, after, played.step);
    let seen = after.map(|after| after.back(played.step));
    let say = |value: Option<value::Value>| value.map(|value| value.show(unit).to_string());
    let event = json!({
        "move": played.word, "note": note, "by": number, "before": say(before), "after": say(seen),
        "proved": judged != Judged::Open, "slip": judged.words(texts), "loses": judged.loses_value(),
        "position": session.position(), "score": session.score(),
    });
    Ok((JudgedMove { word: played.word, judged, after }, event))
}
