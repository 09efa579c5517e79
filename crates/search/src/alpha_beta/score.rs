//! Scores of the depth-limited search.
//!
//! In a game for points a score is in hundredths of a point, so that margins and estimates can be compared. Wins and
//! losses are scored by their raw values.

use grundy_core::game::Scored;
use grundy_core::value::{Step, Value};

/// Maximum estimate; every win is above it.
pub(super) const MOST: i32 = 100_000_000;
/// Larger than every score.
pub(super) const INFINITE: i32 = i32::MAX - 1;

/// The proved part of a score, on which no depth limit, estimate or repetition had influence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proved {
    /// The value is not below the score.
    pub lo: bool,
    /// The value is not above the score.
    pub hi: bool,
    /// The score holds on this path only, because of a repetition.
    pub path: bool,
}

/// Nothing is proved.
pub(super) const NOTHING: Proved = Proved { lo: false, hi: false, path: false };
/// The score is the value.
pub(super) const EXACT: Proved = Proved { lo: true, hi: true, path: false };

/// Converts a raw value to a score.
pub(super) fn scaled<G: Scored>(game: &G, raw: i32) -> i32 {
    let points = game.unit().is_points();
    match Value::from_raw(raw).margin() {
        Some(margin) if points => margin.saturating_mul(100).clamp(-MOST, MOST),
        _ => raw,
    }
}

/// Converts a proved score to a raw value, rounded down if it is a lower bound (`lower`), else up.
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

/// Returns the step of a move in units of scores.
pub(super) fn scaled_step<G: Scored>(game: &G, step: Step) -> Step {
    if game.unit().is_points() { Step { gain: step.gain.saturating_mul(100), ..step } } else { step }
}

/// Returns the window of the child that a move leads to, for the player to move there; `step` is in units of scores.
pub(super) fn window_after(step: Step, (alpha, beta): (i32, i32)) -> (i32, i32) {
    let forth = |v: i32| {
        if v.abs() >= INFINITE {
            if step.turn_passed { -v } else { v }
        } else {
            Value::from_raw(v).forth(step).raw()
        }
    };
    let (a, b) = (forth(alpha), forth(beta));
    if step.turn_passed { (b, a) } else { (a, b) }
}
