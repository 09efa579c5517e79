//! Where visitors bring rules files.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::answer::Refused;
use crate::app::State;
use crate::games::Place;

/// No rules file is longer.
const LONGEST_RULES: usize = 64 << 10;

/// `POST /api/rules`: the text of a rules file; answers with the name of its game.
pub async fn rules(app: State, text: String) -> Response {
    let Some(uploads) = &app.uploads else {
        let why = "rules are not taken here: start the board with --uploads";
        return (StatusCode::FORBIDDEN, Json(json!({ "error": why }))).into_response();
    };
    if text.len() > LONGEST_RULES {
        return Refused::Wrong(format!("rules of {} bytes, expected at most {LONGEST_RULES}", text.len()))
            .into_response();
    }
    let game = match uploads.keep(&text) {
        Ok(game) => game,
        Err(error) => {
            log::error!("an upload was not kept: {error}");
            return Refused::Broken.into_response();
        }
    };
    // Rules that do not compile are said to be wrong here, by line and column.
    match app.with_session(&Place::new(&game, None, None), |session, _| session.position()).await {
        Ok(_) => Json(json!({ "game": game })).into_response(),
        Err(refused) => {
            uploads.forget(&game);
            refused.into_response()
        }
    }
}
