//! The players of a game: grundy, grundy with random moves, or another engine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use grundy::random::SplitMix64;
use grundy::session::{Level, Session};

use crate::app::App;
use crate::external::ExternalEngine;
use crate::games::PositionRef;

/// The percentage of random moves of a player with slips, unless a request names another one.
const SLIPS: u32 = 30;

/// A player.
#[derive(Clone, Debug)]
pub enum Player {
    /// Grundy at a level of strength.
    Level(Level),
    /// Grundy, with `slips` percent of its moves at random.
    Own { slips: u32 },
    /// An engine that was named when the board started.
    Other(ExternalEngine),
}

impl Player {
    /// Reads a player: `perfect`, `level 3`, `slips`, `slips 50`, or `engine NAME`.
    ///
    /// # Errors
    /// There is no such player; one line.
    pub fn of(app: &Arc<App>, name: &str) -> Result<Player, String> {
        let (kind, rest) = name.split_once(' ').unwrap_or((name, ""));
        match kind {
            "perfect" => Ok(Player::Level(Level::PERFECT)),
            "level" => {
                rest.parse().map(Player::Level).map_err(|why: String| format!("level {rest:?}: {why}"))
            }
            "slips" if rest.is_empty() => Ok(Player::Own { slips: SLIPS }),
            "slips" => rest
                .parse()
                .ok()
                .filter(|percent| *percent <= 100)
                .map(|slips| Player::Own { slips })
                .ok_or_else(|| format!("slips {rest:?}: expected a percentage from 0 to 100")),
            "engine" => {
                app.engines.iter().find(|engine| engine.name == rest).cloned().map(Player::Other).ok_or_else(
                    || format!("no engine {rest:?} here: expected one that the board was started with"),
                )
            }
            _ => Err(format!(
                "player {name:?}: expected perfect, level N, slips, slips PERCENT or engine NAME"
            )),
        }
    }

    /// Chooses a move in the position of a session, which is set up at `target`, within `time`.
    ///
    /// # Errors
    /// The engine gave no legal move, or the game is over; one line.
    pub fn choose(
        &self,
        session: &mut Session,
        target: &PositionRef,
        time: Duration,
        stop: &AtomicBool,
    ) -> Result<String, String> {
        let (random, over) = (&mut random(), || "the game is over".to_owned());
        match self {
            Player::Other(engine) => {
                let word = engine.choose(session, target, time)?;
                session.spelling(&word).ok_or_else(|| format!("{}: illegal move {word:?}", engine.name))
            }
            Player::Own { slips } => random_slip(session, *slips, random)
                .or_else(|| Level::PERFECT.choose(session, time, random, stop))
                .ok_or_else(over),
            Player::Level(level) => level.choose(session, time, random, stop).ok_or_else(over),
        }
    }
}

/// Returns a random generator, seeded by the clock.
fn random() -> SplitMix64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    SplitMix64(now as u64)
}

/// Returns a random move with a chance of `percent` percent; else `None`.
fn random_slip(session: &mut Session, percent: u32, random: &mut SplitMix64) -> Option<String> {
    if random.bits() % 100 >= u64::from(percent) {
        return None;
    }
    let words = session.legal_moves(2_000);
    let at = (random.bits() % words.len().max(1) as u64) as usize;
    words.into_iter().nth(at)
}
