//! Puzzles: positions in which a single move keeps the win or the draw.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Response};
use grundy::random::SplitMix64;
use grundy::session::{Session, Work};
use grundy::value::Wdl;
use serde::{Deserialize, Serialize};

use crate::app::{Effort, State};
use crate::error::ApiError;
use crate::games::PositionRef;

/// The time for a puzzle.
const TIME: Duration = Duration::from_secs(3);
/// The puzzles that are found before the hardest of them is taken.
const FOUND: usize = 8;
/// The most random games, and the most moves of one.
const GAMES: usize = 400;
const LONGEST: usize = 60;
/// The most moves of a position that is looked at.
const LISTED: usize = 400;
/// The least moves of a puzzle.
const CHOICES: usize = 3;

/// The query of a puzzle.
#[derive(Deserialize)]
pub struct Seeded {
    /// The seed of the random games.
    #[serde(default)]
    seed: u64,
}

/// A position in which a single move keeps the win or the draw.
#[derive(Debug, Serialize)]
pub struct Puzzle {
    /// The moves that lead to it from the game's start.
    moves: Vec<String>,
    /// The only move.
    only: String,
    /// The value that it keeps, for the player to move: `win` or `draw`.
    result: String,
    /// The number of legal moves.
    choices: usize,
    /// Plies to the end after the only move, if they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
}

impl Puzzle {
    /// Returns the puzzle of a session's position, if all values are known and only one move keeps the value.
    fn of(session: &mut Session, work: &Work<'_>) -> Option<Puzzle> {
        let list = session.values_within(LISTED, work);
        let values: Vec<_> = list.moves.iter().map(|m| m.value).collect::<Option<_>>()?;
        let outcomes: Vec<Wdl> = values.iter().map(|&value| session.outcome(value)).collect();
        let best = *outcomes.iter().max()?;
        let mut keeping = (0..outcomes.len()).filter(|&at| outcomes[at] == best);
        let (only, more) = (keeping.next()?, keeping.next());
        let is_puzzle = more.is_none() && best != Wdl::Loss && outcomes.len() >= CHOICES && !list.truncated;
        is_puzzle.then(|| Puzzle {
            moves: session.history().to_vec(),
            only: list.moves[only].word.clone(),
            result: best.to_string(),
            choices: outcomes.len(),
            plies: values[only].plies(),
        })
    }

    /// Rates a puzzle by its moves and by its distance from the end.
    fn rating(&self) -> usize {
        self.choices + 2 * self.plies.unwrap_or(0) as usize
    }
}

/// Finds a puzzle of a game from its start: the hardest of the first ones in random games.
fn find(session: &mut Session, seed: u64, work: &Work<'_>) -> Option<Puzzle> {
    let mut random = SplitMix64(seed);
    let (mut hardest, mut found): (Option<Puzzle>, usize) = (None, 0);
    for _ in 0..GAMES {
        while session.undo() {}
        for _ in 0..LONGEST {
            if work.stopped() || session.over().is_some() {
                break;
            }
            if let Some(puzzle) = Puzzle::of(session, work) {
                found += 1;
                if hardest.as_ref().is_none_or(|other| puzzle.rating() > other.rating()) {
                    hardest = Some(puzzle);
                }
            }
            let moves = session.legal_moves(LISTED);
            let at = (random.bits() % moves.len().max(1) as u64) as usize;
            if moves.get(at).is_none_or(|word| session.play(word).is_err()) {
                break;
            }
        }
        if found >= FOUND || work.stopped() {
            break;
        }
    }
    hardest
}

/// `GET /api/{game}/puzzle`: a position in which a single move keeps the win or the draw; another one for each seed.
pub async fn puzzle(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Seeded>,
) -> Result<Response, ApiError> {
    let target = PositionRef::new(&game, None, None);
    let found = app
        .with(&target, Effort::Search(TIME.min(app.limit)), move |session, work| {
            find(session, asked.seed, work)
        })
        .await?;
    let puzzle =
        found.ok_or_else(|| ApiError::NotFound("a position of this game with an only move".to_owned()))?;
    Ok(Json(puzzle).into_response())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should fail
    use super::*;
    use grundy::catalog;
    use grundy::session::{Settings, quiet_work};

    #[test]
    fn a_puzzle_has_one_move_that_keeps_its_value() {
        for game in ["tictactoe", "nim:3,5,7", "dots:2x2"] {
            for seed in 0..3 {
                let mut session = catalog::open(game, &Settings::default()).unwrap();
                let puzzle = find(&mut session, seed, &quiet_work()).unwrap();
                while session.undo() {}
                for word in &puzzle.moves {
                    session.play(word).unwrap();
                }
                let list = session.values(LISTED).moves;
                let keeps = |value| session.outcome(value).to_string() == puzzle.result;
                let keeping: Vec<_> =
                    list.iter().filter(|m| keeps(m.value.unwrap())).map(|m| &m.word).collect();
                assert_eq!((keeping, list.len()), (vec![&puzzle.only], puzzle.choices), "{game} {seed}");
                assert_ne!(puzzle.result, "loss");
            }
        }
    }
}
