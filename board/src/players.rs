//! Who chooses a move: grundy, grundy with slips, or an engine of others.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grundy::random::SplitMix64;
use grundy::session::{Go, Limits, Session};

use crate::app::App;
use crate::games::Place;
use crate::opponent::Opponent;

/// How often a player with slips plays a move at random, in percent, unless a request says otherwise.
const SLIPS: u32 = 30;

/// Who plays.
#[derive(Clone, Debug)]
pub enum Player {
    /// Grundy, with so many percent of moves at random.
    Own { slips: u32 },
    /// An engine that was named when the board started.
    Other(Opponent),
}

impl Player {
    /// The player of a name: `perfect`, `slips`, `slips 50`, or `engine NAME`.
    ///
    /// # Errors
    /// There is none of this name; one line.
    pub fn of(app: &Arc<App>, name: &str) -> Result<Player, String> {
        let (kind, rest) = name.split_once(' ').unwrap_or((name, ""));
        match kind {
            "perfect" => Ok(Player::Own { slips: 0 }),
            "slips" if rest.is_empty() => Ok(Player::Own { slips: SLIPS }),
            "slips" => rest
                .parse()
                .ok()
                .filter(|percent| *percent <= 100)
                .map(|slips| Player::Own { slips })
                .ok_or_else(|| format!("slips {rest:?}: expected a percentage from 0 to 100")),
            "engine" => app
                .engines
                .iter()
                .find(|engine| engine.name == rest)
                .map(|engine| Player::Other(engine.clone()))
                .ok_or_else(|| format!("no engine {rest:?} stands ready here")),
            _ => Err(format!("player {name:?}: expected perfect, slips, slips PERCENT or engine NAME")),
        }
    }

    /// The move of this player in the position of a session, which stands at `place`; it may take so long.
    ///
    /// # Errors
    /// The engine gave none that is legal, or the game is over; one line.
    pub fn choose(
        &self,
        session: &mut Session,
        place: &Place,
        time: Duration,
        stop: &AtomicBool,
    ) -> Result<String, String> {
        match self {
            Player::Other(opponent) => {
                let word = opponent.choose(session, place, time)?;
                session.spelling(&word).ok_or_else(|| format!("{}: illegal move {word:?}", opponent.name))
            }
            Player::Own { slips } => match random_slip(session, *slips) {
                Some(word) => Ok(word),
                None => {
                    let limits = Limits { hard: Some(Instant::now() + time), ..Limits::default() };
                    session
                        .think(&Go { limits, ..Go::default() }, stop, &mut |_| {})
                        .ok_or_else(|| "the game is over".to_owned())
                }
            },
        }
    }
}

/// So many percent of the time a move at random.
fn random_slip(session: &mut Session, percent: u32) -> Option<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let mut lots = SplitMix64(now as u64);
    if lots.bits() % 100 >= u64::from(percent) {
        return None;
    }
    let words = session.legal_moves(2_000);
    let at = (lots.bits() % words.len().max(1) as u64) as usize;
    words.into_iter().nth(at)
}
