//! The layer in front of all routes: it refuses what foreign pages send, repeats recent answers from memory, writes the log,
//! counts requests, and adds the headers that every answer has.

use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use axum::response::IntoResponse as _;
use axum::{Json, Router};
use hyper::body::Incoming;
use hyper::service::Service;
use serde_json::json;
use tower::Service as _;

use crate::app::App;
use crate::origin::Origins;
use crate::recent::{Lasting, Sent};
use crate::visitor::{self, VISITOR};

/// What pages may load: nothing but what comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// What every answer says unless it says so itself.
const SAID: [(HeaderName, &str); 3] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];
/// Letters of an address that the log shows.
const LOGGED: usize = 300;

/// All routes, with what stands before them.
#[derive(Clone)]
pub struct Front {
    app: Arc<App>,
    routes: Router,
    origins: Origins,
    visitor: IpAddr,
}

/// An answer that is here, or on its way.
pub enum Answering {
    Here(Option<Response<Body>>),
    Coming(Pin<Box<dyn Future<Output = Response<Body>> + Send>>),
}

impl Future for Answering {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Answering::Here(answer) => Poll::Ready(Ok(answer.take().unwrap_or_default())),
            Answering::Coming(answer) => answer.as_mut().poll(context).map(Ok),
        }
    }
}

impl Front {
    /// The routes of a board, for the requests that it may serve.
    pub fn new(app: &Arc<App>, routes: Router, origins: Origins) -> Front {
        Front { app: app.clone(), routes, origins, visitor: IpAddr::V4(Ipv4Addr::UNSPECIFIED) }
    }

    /// The answer to a request that is not served.
    fn refuse(&self, request: &Request<Incoming>, why: String, begun: Instant) -> Response<Body> {
        let mut response = (StatusCode::FORBIDDEN, Json(json!({ "error": why }))).into_response();
        dress(&self.app, request.uri(), response.headers_mut());
        account(&self.app, request.method(), request.uri(), StatusCode::FORBIDDEN, begun);
        response
    }

    /// The same for who comes from an address.
    pub fn before(&self, address: IpAddr) -> Front {
        Front { visitor: visitor::behind(address), ..self.clone() }
    }
}

impl Service<Request<Incoming>> for Front {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        let begun = Instant::now();
        if let Err(why) = self.origins.admit(request.method(), request.uri(), request.headers()) {
            return Answering::Here(Some(self.refuse(&request, why, begun)));
        }
        let asked = (request.method() == Method::GET).then(|| asked(&request));
        if let Some(sent) = asked.as_ref().and_then(|asked| self.app.recent.get(asked)) {
            account(&self.app, request.method(), request.uri(), StatusCode::OK, begun);
            let mut response = Response::new(Body::from(sent.body));
            *response.headers_mut() = sent.headers;
            return Answering::Here(Some(response));
        }
        let (app, mut routes) = (self.app.clone(), self.routes.clone());
        let visitor = self.visitor;
        let (method, uri) = (request.method().clone(), request.uri().clone());
        Answering::Coming(Box::pin(async move {
            let Ok(mut response) = VISITOR.scope(visitor, routes.call(request)).await;
            dress(&app, &uri, response.headers_mut());
            account(&app, &method, &uri, response.status(), begun);
            match (asked, response.extensions().get().copied()) {
                (Some(asked), Some(lasting)) => keep(&app, asked, response, lasting).await,
                _ => response,
            }
        }))
    }
}

/// What was asked for, as far as the answer depends on it: the address, and how the answer may be packed.
fn asked(request: &Request<Incoming>) -> String {
    let address = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    let mut asked = address.to_owned();
    for packing in request.headers().get_all(header::ACCEPT_ENCODING) {
        asked.push(' ');
        asked.push_str(packing.to_str().unwrap_or("?"));
    }
    asked
}

/// Keeps an answer that lasts as it is sent, packed or not.
async fn keep(app: &App, asked: String, response: Response<Body>, lasting: Lasting) -> Response<Body> {
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if parts.status == StatusCode::OK {
        app.recent.put(asked, Sent::new(parts.headers.clone(), body.clone(), lasting));
    }
    Response::from_parts(parts, Body::from(body))
}

/// Says what every answer says, and lets other sites read the API where that was asked for.
fn dress(app: &App, uri: &Uri, headers: &mut HeaderMap) {
    for (name, value) in SAID {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    let api = || ["/api/", "/standard", "/uwapi/"].iter().any(|path| uri.path().starts_with(path));
    if app.cors && api() {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
}

/// Counts and logs a request.
fn account(app: &App, method: &Method, uri: &Uri, status: StatusCode, begun: Instant) {
    let time = begun.elapsed();
    app.metrics.count(status.as_u16(), time);
    if log::log_enabled!(log::Level::Info) {
        let address = uri.path_and_query().map_or("", PathAndQuery::as_str);
        let shown = address.char_indices().nth(LOGGED).map_or(address, |(end, _)| &address[..end]);
        log::info!("{} {method} {shown} {:.1} ms", status.as_u16(), time.as_secs_f64() * 1e3);
    }
}
