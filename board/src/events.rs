//! Server-sent events: answers that come piece by piece, for as long as the client listens.

use std::convert::Infallible;
use std::future::Future;

use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// Events that wait for a slow client.
const WAITING: usize = 16;

/// Takes the name of an event and its data.
#[cfg(target_family = "wasm")]
pub type OnEvent = fn(&str, &Value);

/// Takes the events of answers as they come, since nobody can read an answer before its end.
#[cfg(target_family = "wasm")]
static ON_EVENT: std::sync::OnceLock<OnEvent> = std::sync::OnceLock::new();

/// Has `on_event` take the events of all answers, unless another function takes them already.
#[cfg(target_family = "wasm")]
pub fn tell_to(on_event: OnEvent) {
    ON_EVENT.get_or_init(|| on_event);
}

/// Passes an event on.
#[cfg(target_family = "wasm")]
fn tell(name: &str, data: &Value) {
    if let Some(on_event) = ON_EVENT.get() {
        on_event(name, data);
    }
}

/// The sender of the events of one answer.
#[derive(Clone)]
pub struct Events(#[cfg_attr(target_family = "wasm", allow(dead_code))] Sender<Event>);

impl Events {
    /// Sends an event, once the client has room for it.
    pub async fn send(&self, name: &str, data: &Value) {
        #[cfg(target_family = "wasm")]
        tell(name, data);
        #[cfg(not(target_family = "wasm"))]
        let _ = self.0.send(event(name, data)).await;
    }

    /// Sends an event; a client that is slow to read misses it.
    pub fn try_send(&self, name: &str, data: &Value) {
        #[cfg(target_family = "wasm")]
        tell(name, data);
        #[cfg(not(target_family = "wasm"))]
        let _ = self.0.try_send(event(name, data));
    }
}

#[cfg(not(target_family = "wasm"))]
fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}

/// Answers with the events that `work` sends. The work is dropped when the client leaves.
pub async fn stream<F: Future<Output = ()> + Send + 'static>(work: impl FnOnce(Events) -> F) -> Response {
    let (sender, receiver) = channel(WAITING);
    let events = Sse::new(ReceiverStream::new(receiver).map(Ok::<_, Infallible>));
    let working = work(Events(sender.clone()));
    #[cfg(not(target_family = "wasm"))]
    let events = {
        let client = crate::client::current();
        drop(tokio::spawn(crate::client::CLIENT.scope(client, async move {
            tokio::select! {
                () = working => {}
                () = sender.closed() => {}
            }
        })));
        events.keep_alive(axum::response::sse::KeepAlive::default())
    };
    // Without threads all is done before the answer, and the events have been told.
    #[cfg(target_family = "wasm")]
    {
        drop(sender);
        working.await;
    }
    events.into_response()
}
