//! An analysis as it goes on: server-sent events for a table that is being built and for each line of a search, the last with
//! all that was found.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Response};
use grundy::session::{Go, Info, Limits, Progress, Session, Work};
use grundy::value::Score;
use serde_json::{Value, json};

use crate::answer::{Answer, is_known, notes};
use crate::api::Asked;
use crate::app::{Effort, State, is_unfinished};
use crate::events::{self, Events};

/// The least time between two reports on a table that is being built.
const REPORTING: Duration = Duration::from_millis(200);
/// The most moves of a line that are sent.
const LONGEST_LINE: usize = 40;

/// `GET /api/{game}/watch`: events `progress` while a table is built, events `info` with `value`, `bound` (`at least`,
/// `at most`, `exact`, `guess`), `depth`, `nodes` and `moves` while a search runs, then one event `done` with the `answer`,
/// as `/position` gives it, the last `line` of the search, and whether a table is still `building` in the background, with its
/// `progress`.
pub async fn watch(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let (app, target) = (app.0, asked.target(&game));
    if let Err(error) = app.with(&target, Effort::Known, |_, _| ()).await {
        return error.into_response();
    }
    let time = asked.time().min(app.limit);
    events::stream(move |events| async move {
        let said = events.clone();
        let found = app
            .with(&target, Effort::Search(app.limit), move |session, work| {
                let unfinished = make_ready(session, &said, &work.within(time));
                let line = search(session, time / 2, work, &said);
                (Answer::find(session, time / 2, work), unfinished, line)
            })
            .await;
        let done = match found {
            Ok((mut answer, unfinished, line)) => {
                answer.game = app.games.shown(&answer.game);
                let building = !answer.complete && unfinished && app.build(&target);
                let progress = app.built(&target.game).as_ref().filter(|_| building).map(told);
                json!({ "move": answer.moves.first().map(|best| &best.r#move), "answer": answer, "building": building,
                        "progress": progress, "line": line })
            }
            Err(error) => json!({ "error": error.to_string() }),
        };
        events.send("done", &done).await;
    })
    .await
}

/// Builds the tables of a position as far as the work allows, and reports how far they are. Says whether one was left
/// unfinished.
fn make_ready(session: &mut Session, events: &Events, work: &Work<'_>) -> bool {
    let last: Mutex<Option<Instant>> = Mutex::new(None);
    let report = |progress: &Progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= REPORTING) {
            *last = Some(Instant::now());
            events.try_send("progress", &told(progress));
        }
    };
    is_unfinished(session.ready(&Work { report: &report, ..*work }, None).refused.as_ref())
}

fn told(progress: &Progress) -> Value {
    json!({ "what": progress.what.to_string(), "done": progress.done, "total": progress.total })
}

/// Searches a position whose value is not known, and reports each line. Returns the last one, with its moves as people write
/// them.
fn search(session: &mut Session, time: Duration, work: &Work<'_>, events: &Events) -> Option<Value> {
    if is_known(session, work) || !session.searches() {
        return None;
    }
    let limits = Limits { hard: Some(Instant::now() + time), ..Limits::default() };
    let mut last = None;
    session.think(&Go { limits, ..Go::default() }, work.stop, &mut |info| {
        if info.rank == 1 {
            let told = line(&info);
            events.try_send("info", &told);
            last = Some(told);
        }
    });
    let mut last = last?;
    let words: Vec<String> = serde_json::from_value(last["moves"].clone()).unwrap_or_default();
    last["notes"] = json!(notes(session, &words));
    Some(last)
}

fn line(info: &Info) -> Value {
    let (bound, value) = match info.score {
        Score::Exact(value) => ("exact", value.show(info.unit).to_string()),
        Score::AtLeast(value) => ("at least", value.show(info.unit).to_string()),
        Score::AtMost(value) => ("at most", value.show(info.unit).to_string()),
        Score::Guess(hundredths) => ("guess", format!("{:+.2}", f64::from(hundredths) / 100.0)),
    };
    json!({ "bound": bound, "value": value, "depth": info.depth, "nodes": info.nodes,
            "moves": info.pv.iter().take(LONGEST_LINE).collect::<Vec<_>>() })
}
