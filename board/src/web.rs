//! The board without a server: requests and answers as texts, for a module that runs in a browser.
//!
//! There are no threads: every future is ready when it is first polled.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use clap::Parser as _;
use grundy::catalog::CATALOG;
use grundy::games::othello::read_weights_by;
use tower::ServiceExt as _;

use crate::app::App;
use crate::cli::Args;
use crate::events::{self, OnEvent};
use crate::routes::router;

/// The option for the megabytes of a search's transposition table.
const HASH: &str = "--hash=16";

/// Answers a request: its first line is a method and an address, the rest its body. The answer is a line with the status, a
/// line with the content type, a line with the address of a redirection, and the body. `on_event` takes the events of an
/// answer that comes piece by piece; that of the first request serves all.
pub fn answer(request: &str, on_event: OnEvent) -> Vec<u8> {
    events::tell_to(on_event);
    let (head, body) = request.split_once('\n').unwrap_or((request, ""));
    let (method, address) = head.split_once(' ').unwrap_or(("", ""));
    let asked = Request::builder()
        .method(method)
        .uri(address)
        .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .body(Body::from(body.to_owned()));
    let (status, kind, location, body) = match asked {
        Ok(asked) => at_once(respond(asked)),
        Err(error) => {
            let refusal = format!("{address:?} is no address of a page: {error}\n");
            (StatusCode::BAD_REQUEST, String::new(), String::new(), refusal.into_bytes())
        }
    };
    let mut answer = format!("answer {}\n{kind}\n{location}\n", status.as_u16()).into_bytes();
    answer.extend(body);
    answer
}

async fn respond(asked: Request<Body>) -> (StatusCode, String, String, Vec<u8>) {
    static ROUTES: OnceLock<Router> = OnceLock::new();
    let routes = ROUTES.get_or_init(|| {
        read_weights_by(|| std::fs::read("/weights8.bin").unwrap_or_default());
        let app = App::new(CATALOG, &Args::parse_from(["grundy-board", HASH])).expect("no folder is made");
        router(&Arc::new(app))
    });
    let Ok(response): Result<Response<Body>, _> = routes.clone().oneshot(asked).await;
    let (parts, body) = response.into_parts();
    let field = |name| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("").to_owned();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default().to_vec();
    (parts.status, field(header::CONTENT_TYPE), field(header::LOCATION), body)
}

/// Runs a future that waits for nothing.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(found) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return found;
        }
    }
}
