//! All routes, with the headers and limits that hold for each of them.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::{App, State};
use crate::{api, bring, lichess, matches, pages, parameters, uwapi, watch};

/// Bytes that a request may bring.
const LARGEST_BODY: usize = 4 << 20;
/// What pages may load: nothing but what comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// All routes.
pub fn router(app: &Arc<App>) -> Router {
    let set = |name: header::HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let routes = Router::new()
        .route("/", get(pages::index))
        .route("/game/{game}", get(pages::game))
        .route("/open", get(parameters::open))
        .route("/assets/{name}", get(pages::asset))
        .route("/picture", get(pages::picture))
        .route("/api/games", get(api::games))
        .route("/api/openapi.json", get(api::description))
        .route("/api/rules", post(bring::rules))
        .route("/api/read", post(api::read))
        .route("/api/{game}/position", get(api::position))
        .route("/api/{game}/mainline", get(api::mainline))
        .route("/api/{game}/remarks", get(api::remarks))
        .route("/api/{game}/move", get(api::best_move))
        .route("/api/{game}/watch", get(watch::watch))
        .route("/api/{game}/match", get(matches::watch))
        .route("/standard", get(lichess::standard))
        .route("/standard/mainline", get(lichess::mainline))
        .route("/uwapi/", get(uwapi::games))
        .route("/uwapi/{game}/", get(uwapi::game))
        .route("/uwapi/{game}/{variant}/", get(uwapi::variant))
        .route("/uwapi/{game}/{variant}/positions/", get(uwapi::position))
        .route("/health", get(api::health))
        .route("/metrics", get(api::metrics))
        .fallback(pages::missing);
    #[cfg(not(target_family = "wasm"))]
    let routes = routes
        .route("/ugi", get(crate::door::socket))
        .layer(tower_http::compression::CompressionLayer::new());
    routes
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .layer(set(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(set(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(set(header::REFERRER_POLICY, "no-referrer"))
        .layer(from_fn_with_state(app.clone(), account))
        .with_state(app.clone())
}

/// Logs and counts a request, and lets other sites read the API where that was asked for.
async fn account(app: State, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let what = format!("{} {}", request.method(), request.uri());
    let api = ["/api/", "/standard", "/uwapi/"].iter().any(|path| request.uri().path().starts_with(path));
    let mut response = next.run(request).await;
    if app.cors && api {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    let (status, time) = (response.status(), begun.elapsed());
    app.metrics.count(status.as_u16(), time);
    let what: String = what.chars().take(300).collect();
    log::info!("{} {what} {:.1} ms", status.as_u16(), time.as_secs_f64() * 1e3);
    response
}
