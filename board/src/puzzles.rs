//! Puzzles on the board: positions in which a single move keeps the value, each at an address of its own.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Response};
use grundy::session::{Puzzle, Session, Wanted, Work};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use crate::address::encoded;
use crate::answer::Answer;
use crate::app::{App, Effort, State};
use crate::error::ApiError;
use crate::games::PositionRef;
use crate::texts::Texts;

/// The puzzles that are found before the hardest of them is taken.
const FOUND: usize = 8;
/// The games of the puzzles of the day, in turn.
pub const DAILY: [&str; 7] =
    ["tictactoe", "hexapawn", "chess:KRvK", "morris:3", "dots:2x2", "connect4:4x4", "rules:dodgem"];
/// The seconds of a day.
const DAY: u64 = 86_400;

/// Returns the hardest of some puzzles of a session's game; others for each number.
fn find(session: &Session, number: u64, work: &Work<'_>) -> Option<Puzzle> {
    session.puzzles(&Wanted { count: FOUND, plies: None, seed: number }, work).pop()
}

/// Finds a puzzle of a game and describes it, or says that there is none.
pub async fn found<T: Send + 'static>(
    app: &std::sync::Arc<App>,
    game: &str,
    number: u64,
    describe: impl FnOnce(&mut Session, Puzzle) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let target = PositionRef::new(game, None, None);
    let found = app.with(&target, Effort::Search(app.limit), move |session, work| {
        find(session, number, work).map(|puzzle| describe(session, puzzle))
    });
    let found = found.await?;
    // The next question may find the table that this one was too short for.
    if found.is_none() {
        app.build(&target);
    }
    found.ok_or_else(|| {
        ApiError::NotFound("a position with an only move and a known value; try another seed".to_owned())
    })
}

/// The query of a puzzle for programs.
#[derive(Deserialize)]
pub struct Seeded {
    /// Another puzzle for each.
    #[serde(default)]
    seed: u64,
}

/// `GET /api/{game}/puzzle`: a position in which a single move keeps the value; another one for each seed.
pub async fn puzzle(
    app: State,
    Path(game): Path<String>,
    Query(Seeded { seed }): Query<Seeded>,
) -> Result<Response, ApiError> {
    let puzzle = found(&app, &game, seed, |session, puzzle| {
        let fen = puzzle.moves.is_none().then_some(&puzzle.position);
        json!({
            "fen": fen, "moves": puzzle.moves.clone().unwrap_or_default(), "position": puzzle.position,
            "only": puzzle.only, "choices": puzzle.choices, "rating": puzzle.rating(), "plies": puzzle.value.plies(),
            "value": puzzle.value.show(session.unit()).to_string(), "result": puzzle.value.wdl().to_string(),
        })
    });
    Ok(Json(puzzle.await?).into_response())
}

/// Returns the address of a puzzle of a game.
pub fn link(game: &str, number: u64) -> String {
    format!("/puzzle?game={}&number={number}", encoded(game))
}

/// Returns the game that poses the puzzles of a game: endings stand for chess, whose positions are not known.
pub fn posable(game: &str) -> &str {
    if matches!(game, "chess" | "chess:960" | "chess:32men") { "chess:KPvK" } else { game }
}

/// Returns the number of today's puzzle.
pub fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / DAY)
}

/// Poses a puzzle beside its board.
pub fn posed(game: &str, number: u64, rating: Option<u32>, answer: &Answer, texts: Texts) -> Markup {
    html! {
        section id="puzzle-box" aria-labelledby="puzzle-title" {
            h2 id="puzzle-title" { (texts.fill("puzzle-number", &[("number", &number.to_string())])) }
            p {
                strong id="question" { @if answer.complete { (question(answer, texts)) } }
                @if let Some(rating) = rating {
                    " " (texts.fill("puzzle-rating", &[("rating", &rating.to_string()), ("choices", &answer.moves.len().to_string())]))
                }
            }
            nav class="controls" aria-labelledby="puzzle-title" {
                a href=(link(game, number.wrapping_sub(1))) { (texts.get("puzzle-previous")) }
                a id="next-puzzle" href=(link(game, number.wrapping_add(1))) { (texts.get("puzzle-next")) }
            }
        }
    }
}

/// Asks for the move that keeps the value of a position.
fn question(answer: &Answer, texts: Texts) -> &'static str {
    match answer.result.as_str() {
        _ if answer.unit == "points" => texts.get("puzzle-points"),
        "draw" => texts.get("puzzle-draw"),
        _ => texts.get("puzzle-win"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should fail
    use std::time::Duration;

    use super::*;
    use grundy::catalog;
    use grundy::session::{Settings, quiet_work};

    #[test]
    fn a_puzzle_has_one_move_that_keeps_its_value() {
        for game in ["nim:3,5,7"].iter().chain(&DAILY) {
            for number in 0..3 {
                let mut session = catalog::open(game, &Settings::default()).unwrap();
                let puzzle = find(&session, number, &quiet_work()).unwrap_or_else(|| panic!("{game}"));
                if let Some(moves) = &puzzle.moves {
                    moves.iter().for_each(|word| drop(session.play(word).unwrap()));
                } else {
                    session.setup(Some(&puzzle.position)).unwrap();
                }
                let list = session.analyze(400, Duration::from_secs(20), &quiet_work()).list.moves;
                let points = session.unit().is_points();
                let keeps = |value: grundy::value::Value| match points {
                    true => value == puzzle.value,
                    false => value.wdl() == puzzle.value.wdl(),
                };
                let keeping: Vec<_> =
                    list.iter().filter(|m| keeps(m.value.unwrap())).map(|m| &m.word).collect();
                assert_eq!((keeping, list.len()), (vec![&puzzle.only], puzzle.choices), "{game} {number}");
                assert!(points || puzzle.value.wdl() != grundy::value::Wdl::Loss, "{game}");
                assert_eq!(session.position(), puzzle.position);
            }
        }
    }
}
