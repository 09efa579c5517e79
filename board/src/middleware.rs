//! The layer in front of all routes: refuses requests of foreign pages, answers from the cache, writes the log, counts
//! requests, and adds the headers that every answer has.

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
use crate::cache::{CachedResponse, Lifetime};
use crate::client::{self, CLIENT};
use crate::error::is_api;
use crate::origin::Origins;

/// The content security policy of pages: they load nothing but what comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors";
/// The headers of every answer that does not set them itself, beside the policy.
const HEADERS: [(HeaderName, &str); 2] =
    [(header::X_CONTENT_TYPE_OPTIONS, "nosniff"), (header::REFERRER_POLICY, "same-origin")];
/// Characters of an address that the log shows.
const LOGGED: usize = 300;

/// The routes behind this layer, for one client.
#[derive(Clone)]
pub struct Middleware {
    app: Arc<App>,
    routes: Router,
    origins: Origins,
    policy: HeaderValue,
    client: IpAddr,
}

/// An answer that is ready, or pending.
pub enum Answering {
    Ready(Option<Response<Body>>),
    Pending(Pin<Box<dyn Future<Output = Response<Body>> + Send>>),
}

impl Future for Answering {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Answering::Ready(answer) => Poll::Ready(Ok(answer.take().unwrap_or_default())),
            Answering::Pending(answer) => answer.as_mut().poll(context).map(Ok),
        }
    }
}

impl Middleware {
    /// Puts the layer in front of the routes of a board, whose pages the sites `embed` may show in frames.
    pub fn new(app: &Arc<App>, routes: Router, origins: Origins, embed: &[String]) -> Middleware {
        let framing = if embed.is_empty() { "'none'".to_owned() } else { embed.join(" ") };
        let policy = HeaderValue::try_from(format!("{POLICY} {framing}"));
        Middleware {
            app: app.clone(),
            routes,
            origins,
            policy: policy.unwrap_or(HeaderValue::from_static(POLICY)),
            client: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        }
    }

    /// Answers a request that is refused.
    fn refuse(&self, request: &Request<Incoming>, why: String, begun: Instant) -> Response<Body> {
        let mut response = (StatusCode::FORBIDDEN, Json(json!({ "error": why }))).into_response();
        add_headers(&self.app, &self.policy, request.uri(), response.headers_mut());
        record(&self.app, request.method(), request.uri(), StatusCode::FORBIDDEN, begun);
        response
    }

    /// Returns this layer for the client at an address.
    pub fn for_client(&self, address: IpAddr) -> Middleware {
        Middleware { client: client::of(address), ..self.clone() }
    }
}

impl Service<Request<Incoming>> for Middleware {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        let begun = Instant::now();
        if let Err(why) = self.origins.admit(request.method(), request.uri(), request.headers()) {
            return Answering::Ready(Some(self.refuse(&request, why, begun)));
        }
        let key = (request.method() == Method::GET).then(|| cache_key(&request));
        if let Some(cached) = key.as_ref().and_then(|key| self.app.cache.get(key)) {
            record(&self.app, request.method(), request.uri(), StatusCode::OK, begun);
            let mut response = Response::new(Body::from(cached.body));
            *response.headers_mut() = cached.headers;
            return Answering::Ready(Some(response));
        }
        let (app, mut routes) = (self.app.clone(), self.routes.clone());
        let (client, policy) = (self.client, self.policy.clone());
        let (method, uri) = (request.method().clone(), request.uri().clone());
        Answering::Pending(Box::pin(async move {
            let Ok(mut response) = CLIENT.scope(client, routes.call(request)).await;
            add_headers(&app, &policy, &uri, response.headers_mut());
            record(&app, &method, &uri, response.status(), begun);
            match (key, response.extensions().get().copied()) {
                (Some(key), Some(lifetime)) => cache(&app, key, response, lifetime).await,
                _ => response,
            }
        }))
    }
}

/// Returns what the answer to a request depends on: the address, and how the answer may be compressed.
fn cache_key(request: &Request<Incoming>) -> String {
    let address = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    let mut key = address.to_owned();
    for encoding in request.headers().get_all(header::ACCEPT_ENCODING) {
        key.push(' ');
        key.push_str(encoding.to_str().unwrap_or("?"));
    }
    key
}

/// Caches an answer as it is sent, compressed or not.
async fn cache(app: &App, key: String, response: Response<Body>, lifetime: Lifetime) -> Response<Body> {
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if parts.status == StatusCode::OK {
        app.cache.put(key, CachedResponse::new(parts.headers.clone(), body.clone(), lifetime));
    }
    Response::from_parts(parts, Body::from(body))
}

/// Adds the headers of every answer, and lets other sites read the API if the board allows it.
fn add_headers(app: &App, policy: &HeaderValue, uri: &Uri, headers: &mut HeaderMap) {
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        // A page is in the language that these ask for.
        headers.append(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    }
    if app.cors && is_api(uri.path()) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
}

/// Counts and logs a request.
fn record(app: &App, method: &Method, uri: &Uri, status: StatusCode, begun: Instant) {
    let time = begun.elapsed();
    app.metrics.count(status.as_u16(), time);
    if log::log_enabled!(log::Level::Info) {
        let address = uri.path_and_query().map_or("", PathAndQuery::as_str);
        let shown = address.char_indices().nth(LOGGED).map_or(address, |(end, _)| &address[..end]);
        log::info!("{} {method} {shown} {:.1} ms", status.as_u16(), time.as_secs_f64() * 1e3);
    }
}
