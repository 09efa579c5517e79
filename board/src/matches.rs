//! Engine against engine: server-sent events, one for each move as it is made, judged as the referee judges it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use grundy::game;
use grundy::session::{Session, Work};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::answer::{Refused, result_of};
use crate::app::{App, State};
use crate::audit::{self, Judged};
use crate::games::Place;
use crate::players::Player;
#[cfg(not(target_family = "wasm"))]
use crate::visitor::{self, VISITOR};

/// Moves that wait for a slow reader; the players wait with them.
const WAITING: usize = 2;
/// How long a move can be looked at before the next one is asked for.
#[cfg(not(target_family = "wasm"))]
const PAUSE: Duration = Duration::from_millis(700);
/// No game goes on for longer, in plies.
const LONGEST: usize = 1_000;

/// What a request says of a match.
#[derive(Debug, Deserialize)]
pub struct Asked {
    fen: Option<String>,
    moves: Option<String>,
    /// Milliseconds for a move.
    ms: Option<u64>,
    /// Who plays first: `perfect`, `slips`, `slips PERCENT`, `engine NAME`.
    one: String,
    /// Who plays second.
    two: String,
}

/// `GET /api/{game}/match`: events `move`, then one event `end`.
pub async fn watch(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let app = app.0;
    let place = Place::new(&game, asked.fen.as_deref(), asked.moves.as_deref());
    let players = Player::of(&app, &asked.one).and_then(|one| Ok([one, Player::of(&app, &asked.two)?]));
    let players = match app.games.admit(&place).and(players) {
        Ok(players) => players,
        Err(why) => return Refused::Wrong(why).into_response(),
    };
    let time = Duration::from_millis(asked.ms.unwrap_or(1_000)).min(app.limit);
    let (events, seen) = channel(WAITING);
    let course = play(app, place, players, time, events);
    #[cfg(not(target_family = "wasm"))]
    drop(tokio::spawn(VISITOR.scope(visitor::current(), course)));
    #[cfg(target_family = "wasm")]
    course.await;
    Sse::new(ReceiverStream::new(seen).map(Ok::<_, Infallible>)).into_response()
}

/// Says something to who watches; false where nobody does any more.
async fn say(app: &App, events: &Sender<Event>, name: &str, data: Value) -> bool {
    if let Some(tell) = app.tell {
        tell(name, &data);
        return true;
    }
    events.send(Event::default().event(name).data(data.to_string())).await.is_ok()
}

/// Plays to the end, or until nobody watches.
async fn play(app: Arc<App>, mut place: Place, players: [Player; 2], time: Duration, events: Sender<Event>) {
    loop {
        let (players, here) = (players.clone(), place.clone());
        let catalog = app.catalog;
        let making = app.with_session(&place, move |session, work| {
            if here.moves.len() >= LONGEST {
                return Ok(Made::End(
                    json!({ "error": format!("the game is stopped after {LONGEST} moves") }),
                ));
            }
            if let Some(result) = result_of(session) {
                return Ok(Made::End(json!({ "over": result })));
            }
            one_move(session, &here, &players, time, work).map(|(word, mut event)| {
                let (now, before) = (session.position(), session.undo().then(|| session.position()));
                event["svg"] = grundy_draw::svg(&catalog, &here.game, &now, before.as_deref()).into();
                Made::Move(word, event)
            })
        });
        // What is thought about for nobody is stopped.
        #[cfg(not(target_family = "wasm"))]
        let made = tokio::select! {
            made = making => made,
            () = events.closed() => return,
        };
        #[cfg(target_family = "wasm")]
        let made = making.await;
        let end = match made {
            Ok(Ok(Made::Move(word, event))) => {
                place.moves.push(word);
                if !say(&app, &events, "move", event).await {
                    return;
                }
                #[cfg(not(target_family = "wasm"))]
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            Ok(Ok(Made::End(event))) => event,
            Ok(Err(why)) => json!({ "error": why }),
            Err(refused) => json!({ "error": refused.to_string() }),
        };
        say(&app, &events, "end", end).await;
        return;
    }
}

enum Made {
    Move(String, Value),
    End(Value),
}

/// Makes a move and says what it is and what it cost.
fn one_move(
    session: &mut Session,
    place: &Place,
    players: &[Player; 2],
    time: Duration,
    work: &Work<'_>,
) -> Result<(String, Value), String> {
    let before = audit::value(session, work);
    let unit = session.unit();
    let side = session.turn();
    let (number, player) = if side == game::Player::One { (1, &players[0]) } else { (2, &players[1]) };
    let word =
        player.choose(session, place, time, work.stop).map_err(|why| format!("Player {number}: {why}"))?;
    let note = session.note(&word);
    let played = session.play(&word).map_err(|refusal| format!("Player {number}: {refusal}"))?;
    let after = audit::value(session, work);
    let judged = Judged::of(unit, before, after, played.step);
    let seen = after.map(|after| after.back(played.step));
    let say = |value: Option<grundy::value::Value>| value.map(|value| value.show(unit).to_string());
    let event = json!({
        "move": played.word, "note": note, "by": number, "before": say(before), "after": say(seen),
        "proved": judged != Judged::Open, "slip": judged.words(), "loses": judged.loses_value(),
        "position": session.position(), "score": session.score(),
    });
    Ok((played.word, event))
}
