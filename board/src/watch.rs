//! A search as it goes on: server-sent events, one for each report, the last with all that was found.

use std::convert::Infallible;
use std::time::Instant;

use axum::extract::{Path, Query};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use grundy::session::{Go, Limits};
use grundy::value::Score;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::answer::Refused;
use crate::api::Asked;
use crate::app::State;

/// Reports that wait for a slow reader; more are left out.
const WAITING: usize = 16;

/// `GET /api/{game}/watch`: events `info` with `value`, `bound` (`at least`, `at most`, `exact`, `guess`), `depth`,
/// `nodes` and `moves`, then one event `done`.
pub async fn watch(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let place = asked.place(&game);
    if let Err(why) = app.games.admit(&place) {
        return Refused::Wrong(why).into_response();
    }
    let (events, seen) = mpsc::channel::<Event>(WAITING);
    let (time, shared) = (asked.time().min(app.limit), app.0.clone());
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    // Dropped when the work is done.
    #[cfg_attr(target_family = "wasm", allow(unused))]
    let (working, worked) = tokio::sync::oneshot::channel::<()>();
    #[cfg(not(target_family = "wasm"))]
    {
        // Also while nothing is reported: work ends when the page has gone.
        let (stop, gone) = (stop.clone(), events.clone());
        drop(tokio::spawn(async move {
            tokio::select! {
                () = gone.closed() => stop.store(true, std::sync::atomic::Ordering::Relaxed),
                _ = worked => {}
            }
        }));
    }
    let submitted = app.slow.submit(move || {
        let _working = working;
        let say = |name: &str, data: serde_json::Value| {
            if let Some(tell) = shared.tell {
                tell(name, &data);
            }
            // Who has gone wants no more; who reads slowly misses some.
            if matches!(
                events.try_send(Event::default().event(name).data(data.to_string())),
                Err(mpsc::error::TrySendError::Closed(_))
            ) {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        if events.is_closed() {
            return;
        }
        let mut session = match shared.games.session_at(&place) {
            Ok(session) => session,
            Err(why) => return say("done", json!({ "error": why })),
        };
        let limits = Limits { hard: Some(Instant::now() + time), ..Limits::default() };
        let best = session.think(&Go { limits, ..Go::default() }, &stop, &mut |info| {
            if info.rank == 1 {
                let (bound, value) = match info.score {
                    Score::Exact(value) => ("exact", value.show(info.unit).to_string()),
                    Score::AtLeast(value) => ("at least", value.show(info.unit).to_string()),
                    Score::AtMost(value) => ("at most", value.show(info.unit).to_string()),
                    Score::Guess(hundredths) => ("guess", format!("{:+.2}", f64::from(hundredths) / 100.0)),
                };
                say(
                    "info",
                    json!({ "bound": bound, "value": value, "depth": info.depth, "nodes": info.nodes,
                            "moves": info.pv.iter().take(40).collect::<Vec<_>>() }),
                );
            }
        });
        say("done", json!({ "move": best }));
    });
    match submitted {
        Ok(()) => {
            let events = Sse::new(ReceiverStream::new(seen).map(Ok::<_, Infallible>));
            #[cfg(not(target_family = "wasm"))]
            let events = events.keep_alive(axum::response::sse::KeepAlive::default());
            events.into_response()
        }
        Err(missed) => Refused::from(missed).into_response(),
    }
}
