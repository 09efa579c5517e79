//! All routes, with the limit of what a request may bring.

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use tower_http::limit::RequestBodyLimitLayer;

use crate::app::App;
use crate::{api, bring, lichess, matches, pages, parameters, uwapi, watch};

/// Bytes that a request may bring.
const LARGEST_BODY: usize = 4 << 20;
/// How long a request may take to bring it.
#[cfg(not(target_family = "wasm"))]
const BODY_TIME: std::time::Duration = std::time::Duration::from_secs(30);

/// All routes.
pub fn router(app: &Arc<App>) -> Router {
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
        .layer(tower_http::timeout::RequestBodyDeadlineLayer::new(BODY_TIME))
        .layer(tower_http::compression::CompressionLayer::new());
    routes.layer(RequestBodyLimitLayer::new(LARGEST_BODY)).with_state(app.clone())
}
