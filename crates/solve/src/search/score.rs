//! Scores of the depth-limited search.
//!
//! In a game for points a score is in hundredths of a point, so that margins and estimates can be compared. Wins and
//! losses are scored by their raw values.

use grundy_core::game::Scored;
use grundy_core::value::{Step, Value};

/// The largest estimate; every win is above it.
pub(super) const MOST: i32 = 100_000_000;
/// Larger than every score.
pub(super) const INFINITE: i32 = i32::MAX - 1;

/// Which part of a score is proved: no depth limit, estimate or repetition had a part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proved {
    /// The value is not below the score.
    pub lo: bool,
    /// The value is not above the score.
    pub hi: bool,
    /// The score holds on this path only, because a repetition had a part in it.
    pub path: bool,
}

/// Nothing is proved.
pub(super) const NOTHING: Proved = Proved { lo: false, hi: false, path: false };
/// The score is the value.
pub(super) const EXACT: Proved = Proved { lo: true, hi: true, path: false };

/// A raw value as a score.
pub(super) fn scaled<G: Scored>(game: &G, raw: i32) -> i32 {
    let points = game.unit().is_points();
    match Value::from_raw(raw).margin() {
        Some(margin) if points => margin.saturating_mul(100).clamp(-MOST, MOST),
        _ => raw,
    }
}

/// The raw value of a proved score, rounded down where it is a lower bound (`lower`), else up.
pub(super) fn unscaled<G: Scored>(game: &G, score: i32, lower: bool) -> i32 {
    let points = game.unit().is_points();
    match Value::from_raw(score).margin() {
        Some(m) if points && m.abs() >= MOST => match (m > 0, lower) {
            (true, true) => MOST / 100,
            (false, false) => -MOST / 100,
            (true, false) => Value::MAX_POINTS,
            (false, true) => -Value::MAX_POINTS,
        },
        Some(m) if points => {
            if lower {
                m.div_euclid(100)
            } else {
                -(-m).div_euclid(100)
            }
        }
        _ => score,
    }
}

/// What a move means for a score.
pub(super) fn scaled_step<G: Scored>(game: &G, step: Step) -> Step {
    if game.unit().is_points() { Step { gain: step.gain.saturating_mul(100), ..step } } else { step }
}
