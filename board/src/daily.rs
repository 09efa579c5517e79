//! Pages of puzzles: by game and number, and one for each day.

use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use crate::address::address;
use crate::app::State;
use crate::error::ApiError;
use crate::games::PositionRef;
use crate::pages::refused;
use crate::puzzles::{DAILY, found, today};
use crate::texts::Texts;

/// The query of a puzzle for people.
#[derive(Deserialize)]
pub struct Numbered {
    /// The game; that of the day without it.
    game: Option<String>,
    /// The puzzle's number; that of the day without it.
    number: Option<u64>,
}

/// `GET /puzzle?game=..&number=..`: redirects to the page of a puzzle.
pub async fn open(app: State, texts: Texts, Query(asked): Query<Numbered>) -> Response {
    let number = asked.number.unwrap_or_else(today);
    let game = asked.game.unwrap_or_else(|| DAILY[(today() % DAILY.len() as u64) as usize].to_owned());
    match found(&app, &game, number, |_, puzzle| puzzle).await {
        Ok(puzzle) => {
            let rating = puzzle.rating();
            let fen = if puzzle.moves.is_none() { Some(puzzle.position) } else { None };
            let target = PositionRef { game, fen, moves: puzzle.moves.unwrap_or_default() };
            let page = address(&target);
            let sign = if page.contains('?') { '&' } else { '?' };
            Redirect::to(&format!("{page}{sign}rating={rating}&puzzle={number}")).into_response()
        }
        Err(ApiError::NotFound(_)) => {
            let target = PositionRef::new(&game, None, None);
            refused(&app, texts, &target, texts.get("puzzle-none"))
        }
        Err(error) => refused(&app, texts, &PositionRef::new(&game, None, None), &error.to_string()),
    }
}
