//! The board without a server: requests on stdin, answers on stdout, for a module that runs in a browser.
//!
//! Everything is done in place: there are no threads, so no future ever waits.

use std::future::Future;
use std::io::{Read as _, Write as _};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use clap::Parser as _;
use grundy::catalog::CATALOG;
use tower::ServiceExt as _;

use crate::app::{App, Args};
use crate::routes::router;

/// Megabytes of transposition table for a search.
const HASH: &str = "--hash=16";

/// Reads a request from stdin, its first line a method and an address, the rest its body. Writes its answer to stdout:
/// a line with the status, a line with the kind of content, a line with the address that it leads to, and the body.
/// Before it may stand what was [told](tell).
pub fn answer() {
    let mut request = String::new();
    let read = std::io::stdin().read_to_string(&mut request);
    let (head, body) = request.split_once('\n').unwrap_or((&request, ""));
    let (method, address) = head.split_once(' ').unwrap_or(("", ""));
    let asked = Request::builder()
        .method(method)
        .uri(address)
        .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .body(Body::from(body.to_owned()));
    let (status, kind, location, body) = match (read, asked) {
        (Ok(_), Ok(asked)) => at_once(respond(asked)),
        _ => (
            StatusCode::BAD_REQUEST,
            String::new(),
            String::new(),
            b"this is no address of a page\n".to_vec(),
        ),
    };
    let mut out = std::io::stdout().lock();
    // Who does not read gets nothing.
    let _ = write!(out, "answer {}\n{kind}\n{location}\n", status.as_u16());
    let _ = out.write_all(&body).and_then(|()| out.flush());
}

/// Says something while an answer is on its way: one line.
pub fn tell(name: &str, data: &serde_json::Value) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "event {name} {data}").and_then(|()| out.flush());
}

async fn respond(asked: Request<Body>) -> (StatusCode, String, String, Vec<u8>) {
    static ROUTES: OnceLock<Router> = OnceLock::new();
    let routes = ROUTES.get_or_init(|| {
        let app = App::new(CATALOG, &Args::parse_from(["grundy-board", HASH])).expect("no folder is made");
        router(&Arc::new(app))
    });
    let Ok(response): Result<Response<Body>, _> = routes.clone().oneshot(asked).await;
    let (parts, body) = response.into_parts();
    let field = |name| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("").to_owned();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default().to_vec();
    (parts.status, field(header::CONTENT_TYPE), field(header::LOCATION), body)
}

/// Runs a future that has nothing to wait for.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(found) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return found;
        }
    }
}
