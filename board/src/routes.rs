//! All routes, with the limits of what a request may bring.

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use tower_http::limit::RequestBodyLimitLayer;

use crate::analysis;
use crate::api;
use crate::app::App;
use crate::assets;
use crate::daily;
use crate::docs;
use crate::error;
use crate::home;
use crate::lichess;
use crate::matches;
use crate::pages;
use crate::parameters;
use crate::puzzles;
use crate::texts;
use crate::uwapi;

/// The largest body of a request, in bytes.
const LARGEST_BODY: usize = 4 << 20;
/// The longest time in which a body may arrive.
#[cfg(not(target_family = "wasm"))]
const BODY_TIME: std::time::Duration = std::time::Duration::from_secs(30);

/// Makes the router of a board.
pub fn router(app: &Arc<App>) -> Router {
    let mut routes = Router::new()
        .route("/", get(home::index))
        .route("/game/{game}", get(pages::game))
        .route("/open", get(parameters::open))
        .route("/assets/{name}", get(assets::asset))
        .route("/language", get(texts::switch))
        .route("/puzzle", get(daily::open))
        .route("/docs", get(docs::docs))
        .route("/picture", get(home::picture))
        .route("/api/games", get(api::games))
        .route("/api/openapi.json", get(api::description))
        .route("/api/rules", post(api::upload))
        .route("/api/qr", get(api::qr))
        .route("/api/read", post(api::read))
        .route("/api/{game}/position", get(api::position))
        .route("/api/{game}/mainline", get(api::mainline))
        .route("/api/{game}/remarks", get(api::remarks))
        .route("/api/{game}/review", get(pages::review))
        .route("/api/{game}/rounds", get(pages::rounds))
        .route("/api/{game}/puzzle", get(puzzles::puzzle))
        .route("/api/{game}/pgn", get(api::pgn))
        .route("/api/{game}/rules", get(api::rules))
        .route("/api/{game}/move", get(api::best_move))
        .route("/api/{game}/watch", get(analysis::watch))
        .route("/api/{game}/match", get(matches::watch))
        .route("/standard", get(lichess::standard))
        .route("/standard/mainline", get(lichess::mainline))
        .route("/health", get(api::health))
        .route("/metrics", get(api::metrics))
        .fallback(assets::missing);
    // With and without a slash at the end.
    for slash in ["", "/"] {
        routes = routes
            .route(&format!("/uwapi{slash}"), get(uwapi::games))
            .route(&format!("/uwapi/{{game}}{slash}"), get(uwapi::game))
            .route(&format!("/uwapi/{{game}}/{{variant}}{slash}"), get(uwapi::variant))
            .route(&format!("/uwapi/{{game}}/{{variant}}/positions{slash}"), get(uwapi::position));
    }
    #[cfg(not(target_family = "wasm"))]
    let routes = routes
        .route("/ugi", get(crate::ugi::socket))
        .layer(tower_http::timeout::RequestBodyDeadlineLayer::new(BODY_TIME));
    let routes = routes
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .layer(axum::middleware::from_fn(error::in_json));
    #[cfg(not(target_family = "wasm"))]
    let routes = routes.layer(tower_http::compression::CompressionLayer::new());
    routes.with_state(app.clone())
}
