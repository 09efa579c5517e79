//! Strengths of play below perfect: levels 1 to 8, from many weighted slips to the full time.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::random::SplitMix64;

use crate::{Go, Limits, Session};

/// The most moves among which a slip chooses.
const LISTED: usize = 1_000;
/// The percentage of slips at each level from 1 on.
const SLIPS: [u32; 8] = [60, 45, 33, 24, 16, 9, 4, 1];

/// A strength of play: levels 1 to 8, or perfect.
///
/// ```
/// use grundy_session::Level;
/// assert_eq!("perfect".parse(), Ok(Level::PERFECT));
/// assert!("1".parse::<Level>().is_ok_and(|level| level < Level::PERFECT));
/// assert!("9".parse::<Level>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(usize);

impl Level {
    /// Always the best move that is found in the full time.
    pub const PERFECT: Level = Level(SLIPS.len() + 1);

    /// Returns the percentage of moves that are slips.
    pub fn slips(self) -> u32 {
        SLIPS.get(self.0 - 1).copied().unwrap_or(0)
    }

    /// Returns the time of a search: half of it for each level below 8.
    pub fn time(self, full: Duration) -> Duration {
        full / (1 << SLIPS.len().saturating_sub(self.0))
    }

    /// Chooses a move within `time` for the full strength; `None` if the game is over. Slips follow `random`.
    pub fn choose(
        self,
        session: &mut Session,
        time: Duration,
        random: &mut SplitMix64,
        stop: &AtomicBool,
    ) -> Option<String> {
        let time = self.time(time);
        if self.slips() > 0 && random.below(100) < self.slips() as usize {
            return slip(session, time, random, stop);
        }
        let limits = Limits { hard: Some(Instant::now() + time), ..Limits::default() };
        session.think(&Go { limits, ..Go::default() }, stop, &mut |_| {})
    }
}

/// Chooses a move other than the first of the list, each half as often as the one before it; any legal move where no value
/// is known. A forced move is played.
fn slip(session: &mut Session, time: Duration, random: &mut SplitMix64, stop: &AtomicBool) -> Option<String> {
    let list = session.values_within(LISTED, &session.work(stop).within(time));
    let mut words: Vec<String> = list.moves.iter().map(|valued| valued.word.clone()).collect();
    let mut at = 1;
    match list.moves.iter().any(|valued| valued.value.is_some()) {
        true => {
            while at < words.len() && random.below(2) == 1 {
                at += 1;
            }
        }
        false => {
            words = session.legal_moves(LISTED);
            at = random.below(words.len().max(1));
        }
    }
    let last = words.len().checked_sub(1)?;
    Some(words.swap_remove(at.min(last)))
}

impl std::str::FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Level, String> {
        match word.parse() {
            Ok(level @ 1..=8) => Ok(Level(level)),
            _ if "perfect".starts_with(word) && !word.is_empty() => Ok(Level::PERFECT),
            _ => Err("expected 1 to 8, or perfect".to_owned()),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Level::PERFECT => f.write_str("perfect"),
            Level(level) => write!(f, "{level}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_slips_less_and_takes_longer() {
        let levels: Vec<Level> = (1..=9).map(Level).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].slips() > pair[1].slips() && pair[0] < pair[1]);
            assert!(pair[0].time(Duration::from_secs(1)) <= pair[1].time(Duration::from_secs(1)));
        }
        assert_eq!(Level::PERFECT.time(Duration::from_secs(1)), Duration::from_secs(1));
        let shown: Vec<String> = levels.iter().map(Level::to_string).collect();
        assert!(shown.iter().zip(&levels).all(|(word, level)| word.parse() == Ok(*level)));
    }
}
