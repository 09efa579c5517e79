//! Values of positions for the player to move, and how a value is carried back over a move.

use std::fmt;
use std::num::NonZeroU32;
use std::ops::Neg;

/// The value of a position for the player to move: the larger, the better.
///
/// A value belongs to one of two kinds of game:
///
/// * In a game of **outcome** it is a win, a draw or a loss, with its distance in plies. A nearer win is larger than a
///   farther one, and a farther loss larger than a nearer one. A win of unknown distance ([`Value::WIN`]) is smaller
///   than every other win.
/// * In a game for **points** it is the margin still to come: what the player to move will gain, minus what the other
///   will.
///
/// A draw and an even margin are the same value. [`Unit`] says which of the two is written.
///
/// ```
/// use grundy_core::value::{Step, Value};
/// assert!(Value::win_in(3) > Value::win_in(5));
/// assert!(Value::loss_in(2) < Value::loss_in(8));
/// assert!(Value::WIN < Value::win_in(1_000_000) && Value::WIN > Value::DRAW);
/// assert_eq!(Value::loss_in(4).back(Step::PASSED), Value::win_in(5));
/// assert_eq!(Value::points(3).back(Step { turn_passed: false, gain: 2 }), Value::points(5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

/// A win in 0 plies; a win in `d` plies is this minus `d`.
const MATE: i32 = 1 << 30;
/// A win of unknown distance: below every win whose distance is known.
const SOME_WIN: i32 = 1 << 28;
/// Everything nearer to zero than this is a margin of points.
const POINTS_LIMIT: i32 = 1 << 27;

impl Value {
    /// A draw, or an even margin.
    pub const DRAW: Value = Value(0);
    /// The player to move wins, in an unknown number of plies.
    pub const WIN: Value = Value(SOME_WIN);
    /// The player to move loses, in an unknown number of plies.
    pub const LOSS: Value = Value(-SOME_WIN);
    /// The longest distance in plies. Longer ones are clamped to it.
    pub const MAX_PLIES: u32 = (MATE - SOME_WIN - 1) as u32;
    /// The largest margin. Larger ones are clamped to it, so a margin of this size is only a bound.
    pub const MAX_POINTS: i32 = POINTS_LIMIT - 1;

    /// Returns a win for the player to move in `plies`; in 0 plies he has already won.
    #[inline]
    pub const fn win_in(plies: u32) -> Value {
        let plies = if plies > Self::MAX_PLIES { Self::MAX_PLIES } else { plies };
        Value(MATE - plies as i32)
    }

    /// Returns a loss for the player to move in `plies`.
    #[inline]
    pub const fn loss_in(plies: u32) -> Value {
        Value(-Value::win_in(plies).0)
    }

    /// Returns a margin of points still to come, clamped to [`Value::MAX_POINTS`].
    #[inline]
    pub const fn points(margin: i32) -> Value {
        if margin > Self::MAX_POINTS {
            Value(Self::MAX_POINTS)
        } else if margin < -Self::MAX_POINTS {
            Value(-Self::MAX_POINTS)
        } else {
            Value(margin)
        }
    }

    /// Returns the outcome alone: win, draw or loss.
    #[inline]
    pub const fn wdl(self) -> Wdl {
        match self.0 {
            ..0 => Wdl::Loss,
            0 => Wdl::Draw,
            1.. => Wdl::Win,
        }
    }

    /// Reports whether this is a win or a loss of unknown distance.
    #[inline]
    pub const fn is_unmeasured(self) -> bool {
        self.0.abs() == SOME_WIN
    }

    /// Reports whether this is a win or a loss at [`Value::MAX_PLIES`], or a margin at [`Value::MAX_POINTS`].
    /// [`Value::back`] clamps there, so nothing may be concluded from such a value.
    #[inline]
    pub const fn at_ceiling(self) -> bool {
        let size = self.0.abs();
        size == MATE - Self::MAX_PLIES as i32 || size == POINTS_LIMIT - 1
    }

    /// Returns the distance to the end in plies, if the value is a win or a loss of known distance.
    #[inline]
    pub const fn plies(self) -> Option<u32> {
        let size = self.0.abs();
        if size > SOME_WIN { Some((MATE - size) as u32) } else { None }
    }

    /// Returns the number of moves that the winner makes until the end, if the value is a win or a loss of known distance and
    /// the players move alternately: the N of a mate in N.
    ///
    /// ```
    /// use grundy_core::value::Value;
    /// assert_eq!((Value::win_in(5).moves_to_mate(), Value::loss_in(4).moves_to_mate()), (Some(3), Some(2)));
    /// assert_eq!((Value::WIN.moves_to_mate(), Value::DRAW.moves_to_mate()), (None, None));
    /// ```
    #[inline]
    pub const fn moves_to_mate(self) -> Option<u32> {
        match self.plies() {
            Some(plies) => Some(plies.div_ceil(2)),
            None => None,
        }
    }

    /// Returns the margin, if the value is one (a draw is an even margin).
    #[inline]
    pub const fn margin(self) -> Option<i32> {
        if self.0.abs() < POINTS_LIMIT { Some(self.0) } else { None }
    }

    /// Returns the integer behind the value, for transposition tables and windows; [`Value::from_raw`] reverses it.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Returns the value of an integer from [`Value::raw`].
    #[inline]
    pub const fn from_raw(raw: i32) -> Value {
        Value(raw)
    }

    /// Returns the value one move earlier, for the player who makes the move: negated if the turn passes, one ply
    /// farther away, and increased by the move's gain. This is the only place where values are carried over a move.
    #[inline]
    pub const fn back(self, step: Step) -> Value {
        let seen = if step.turn_passed { -self.0 } else { self.0 };
        if seen.abs() < POINTS_LIMIT {
            return Value::points(seen.saturating_add(step.gain));
        }
        match seen.abs() - SOME_WIN {
            0 | 1 => Value(seen),
            _ if seen > 0 => Value(seen - 1),
            _ => Value(seen + 1),
        }
    }

    /// Reverses [`Value::back`]: returns the value that the child must have for the move to be worth `self`. Carries
    /// the bounds of a search window to a child.
    #[inline]
    pub const fn forth(self, step: Step) -> Value {
        let seen = if self.0.abs() < POINTS_LIMIT {
            self.0.saturating_sub(step.gain)
        } else {
            match self.0.abs() - SOME_WIN {
                // No distance, or the bound of a window beside a win or a loss without one.
                ..=0 => self.0,
                _ if self.0.abs() >= MATE => self.0,
                _ if self.0 > 0 => self.0 + 1,
                _ => self.0 - 1,
            }
        };
        Value(if step.turn_passed { -seen } else { seen })
    }

    /// Formats the value: `win:12`, `loss:7`, `draw`, `win`, `loss`, or `+3`, `-2`, `+0` for points.
    ///
    /// ```
    /// use grundy_core::value::{Denominator, Unit, Value};
    /// assert_eq!(Value::win_in(12).show(Unit::Outcome).to_string(), "win:12");
    /// assert_eq!(Value::points(0).show(Unit::Points).to_string(), "+0");
    /// let halves = Unit::Fractions(Denominator::of(2.try_into().unwrap()));
    /// assert_eq!(Value::points(-5).show(halves).to_string(), "-5/2");
    /// let hundredths = Unit::Fractions(Denominator::decimals(2).unwrap());
    /// assert_eq!(Value::points(-205).show(hundredths).to_string(), "-2.05");
    /// ```
    pub const fn show(self, unit: Unit) -> ShowValue {
        ShowValue { value: self, unit }
    }

    /// Reads the form written by [`Value::show`]; `None` for anything else. Denominators and decimal places are
    /// dropped: the unit has them.
    pub fn read(word: &str) -> Option<Value> {
        fn number(digits: &str) -> Option<u32> {
            digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
        }
        match word {
            "win" => return Some(Value::WIN),
            "loss" => return Some(Value::LOSS),
            "draw" => return Some(Value::DRAW),
            _ => {}
        }
        if let Some(plies) = word.strip_prefix("win:") {
            return number(plies).filter(|&n| n <= Self::MAX_PLIES).map(Value::win_in);
        }
        if let Some(plies) = word.strip_prefix("loss:") {
            return number(plies).filter(|&n| n <= Self::MAX_PLIES).map(Value::loss_in);
        }
        let joined;
        let word = match (word.split_once('/'), word.split_once('.')) {
            (Some((margin, parts)), _) => number(parts).filter(|&parts| parts > 0).map(|_| margin)?,
            (None, Some((whole, decimals))) if whole.len() > 1 && !decimals.is_empty() => {
                joined = format!("{whole}{decimals}");
                &joined
            }
            (None, Some(_)) => return None,
            (None, None) => word,
        };
        let margin = match (word.strip_prefix('+'), word.strip_prefix('-')) {
            (Some(digits), _) => i32::try_from(number(digits)?).ok()?,
            (_, Some(digits)) => -i32::try_from(number(digits)?).ok()?,
            _ => return None,
        };
        (margin.abs() <= Self::MAX_POINTS).then_some(Value(margin))
    }
}

impl Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.margin().is_some_and(|m| m != 0) { Unit::Points } else { Unit::Outcome };
        write!(f, "{}", self.show(unit))
    }
}

/// A value to be formatted; made by [`Value::show`].
#[derive(Clone, Copy, Debug)]
pub struct ShowValue {
    value: Value,
    unit: Unit,
}

impl fmt::Display for ShowValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.value.margin(), self.value.plies(), self.value.wdl()) {
            (Some(margin), _, _) if self.unit.is_points() || margin != 0 => match self.unit {
                Unit::Fractions(Denominator { of, decimals: 0 }) => write!(f, "{margin:+}/{of}"),
                Unit::Fractions(Denominator { of, decimals }) => {
                    let (sign, size, of) =
                        (if margin < 0 { '-' } else { '+' }, margin.unsigned_abs(), of.get());
                    write!(f, "{sign}{}.{:0width$}", size / of, size % of, width = usize::from(decimals))
                }
                Unit::Points | Unit::Outcome => write!(f, "{margin:+}"),
            },
            (_, Some(plies), wdl) => write!(f, "{wdl}:{plies}"),
            (_, None, wdl) => write!(f, "{wdl}"),
        }
    }
}

/// The effect of a move on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// `true` if the other player moves next.
    pub turn_passed: bool,
    /// Points that the move gains its mover; 0 in games of outcome.
    pub gain: i32,
}

impl Step {
    /// A plain move: the turn passes and nothing is gained.
    pub const PASSED: Step = Step { turn_passed: true, gain: 0 };
}

/// The unit of a game's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Wins, draws and losses, with distances in plies.
    Outcome,
    /// Points still to be gained by the player to move, minus those of the other.
    Points,
    /// The same in fractions of a point: in quarters, 3 means 3/4.
    Fractions(Denominator),
}

/// A fraction of a point as a unit of values, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denominator {
    /// The denominator.
    of: NonZeroU32,
    /// Digits behind the decimal point; 0 if values are written with the denominator.
    decimals: u8,
}

impl Denominator {
    /// Returns the unit of fractions with this denominator, written with it: `-5/2`.
    pub const fn of(denominator: NonZeroU32) -> Denominator {
        Denominator { of: denominator, decimals: 0 }
    }

    /// Returns the unit of values written with `digits` decimals, at least one: `-2.5`. `None` if the denominator does
    /// not fit.
    pub const fn decimals(digits: u8) -> Option<Denominator> {
        match (digits, 10_u32.checked_pow(digits as u32)) {
            (1.., Some(of)) => match NonZeroU32::new(of) {
                Some(of) => Some(Denominator { of, decimals: digits }),
                None => None,
            },
            _ => None,
        }
    }
}

impl Unit {
    /// Reports whether values are points, or fractions of them.
    pub const fn is_points(self) -> bool {
        !matches!(self, Unit::Outcome)
    }

    /// Returns the number of units in a point.
    pub const fn denominator(self) -> NonZeroU32 {
        match self {
            Unit::Outcome | Unit::Points => NonZeroU32::MIN,
            Unit::Fractions(parts) => parts.of,
        }
    }
}

/// Win, draw or loss for the player to move, in order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The player to move loses.
    Loss,
    /// Neither wins.
    Draw,
    /// The player to move wins.
    Win,
}

impl Neg for Wdl {
    type Output = Wdl;
    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        })
    }
}

/// Knowledge of a position's value: exact, bounded, or estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Proved: the value itself.
    Exact(Value),
    /// Proved: the value is this or better.
    AtLeast(Value),
    /// Proved: the value is this or worse.
    AtMost(Value),
    /// Not proved: an estimate in hundredths of a point, for the player to move.
    Guess(i32),
}

impl Score {
    /// Returns the value, if it is proved exactly.
    pub const fn exact(self) -> Option<Value> {
        match self {
            Score::Exact(value) => Some(value),
            _ => None,
        }
    }

    /// Returns what is proved of the outcome: the value, or a win or loss of unknown distance if a bound shows that
    /// much.
    ///
    /// ```
    /// use grundy_core::value::{Score, Value};
    /// assert_eq!(Score::AtLeast(Value::win_in(25)).settled(), Some(Value::WIN));
    /// assert_eq!(Score::AtMost(Value::win_in(25)).settled(), None);
    /// ```
    pub const fn settled(self) -> Option<Value> {
        match self {
            Score::Exact(value) => Some(value),
            Score::AtLeast(value) if value.margin().is_none() && value.0 > 0 => Some(Value::WIN),
            Score::AtMost(value) if value.margin().is_none() && value.0 < 0 => Some(Value::LOSS),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_by_preference() {
        let worst_first = [
            Value::loss_in(0),
            Value::loss_in(1),
            Value::loss_in(10_000_000),
            Value::LOSS,
            Value::points(-10_000_000),
            Value::DRAW,
            Value::points(10_000_000),
            Value::WIN,
            Value::win_in(10_000_000),
            Value::win_in(1),
            Value::win_in(0),
        ];
        assert!(worst_first.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for value in [Value::win_in(12), Value::loss_in(0), Value::WIN, Value::LOSS, Value::DRAW] {
            assert_eq!(Value::read(&value.show(Unit::Outcome).to_string()), Some(value));
        }
        for margin in [-10_000_000, -2, 0, 3, 10_000_000] {
            let value = Value::points(margin);
            assert_eq!(Value::read(&value.show(Unit::Points).to_string()), Some(value));
            let halves = Unit::Fractions(Denominator::of(NonZeroU32::new(2).unwrap()));
            assert_eq!(Value::read(&value.show(halves).to_string()), Some(value));
            let thousandths = Unit::Fractions(Denominator::decimals(3).unwrap());
            assert_eq!(Value::read(&value.show(thousandths).to_string()), Some(value));
        }
        for word in [
            "",
            "win:",
            "win:-1",
            "+",
            "+-1",
            "loss:99999999999",
            "3",
            "+1/0",
            "+1/",
            "+/2",
            "+.5",
            "+2.",
            "+2.5.1",
            "2.5",
            "wins",
            "-+2",
            "+999999999999",
        ] {
            assert_eq!(Value::read(word), None, "{word}");
        }
    }

    #[test]
    fn an_unknown_distance_stays_unknown() {
        assert_eq!(Value::WIN.back(Step::PASSED), Value::LOSS);
        assert_eq!(Value::LOSS.back(Step::PASSED), Value::WIN);
    }

    #[test]
    fn the_longest_distance_does_not_become_unknown() {
        let far = Value::win_in(Value::MAX_PLIES);
        assert_eq!(far.back(Step { turn_passed: false, gain: 0 }), far);
    }

    #[test]
    fn the_ceilings_are_known_as_such() {
        let at = [Value::win_in(u32::MAX), Value::loss_in(Value::MAX_PLIES), Value::points(i32::MAX)];
        assert!(at.iter().all(|value| value.at_ceiling() && (-*value).at_ceiling()));
        let below = [Value::win_in(Value::MAX_PLIES - 1), Value::WIN, Value::DRAW, Value::points(1 << 26)];
        assert!(!below.iter().any(|value| value.at_ceiling() || (-*value).at_ceiling()));
        // A gain beyond all integers ends at the ceiling, on its own side.
        for (margin, gain) in [(Value::MAX_POINTS, i32::MAX), (-Value::MAX_POINTS, i32::MIN), (1, i32::MAX)] {
            let back = Value::points(margin).back(Step { turn_passed: false, gain });
            assert!(back.at_ceiling() && (back > Value::DRAW) == (gain > 0), "{margin} and {gain}");
        }
    }

    #[test]
    fn a_move_reaches_a_target_if_its_child_reaches_the_target_carried_forth() {
        let values: Vec<Value> = (0..9)
            .flat_map(|plies| [Value::win_in(plies), Value::loss_in(plies)])
            .chain([Value::WIN, Value::LOSS, Value::DRAW, Value::points(3), Value::points(-3)])
            .collect();
        // Targets lie at values and just beside them: "better than any loss" is one above a loss without distance.
        let beside = values.iter().flat_map(|value| [value.0 - 1, value.0, value.0 + 1]);
        for target in beside.filter(|raw| raw.abs() < MATE && raw.abs() != SOME_WIN + 1).map(Value) {
            for &child in &values {
                let step = Step::PASSED;
                assert_eq!(child.back(step) >= target, child <= target.forth(step), "{child:?} {target:?}");
                let step = Step { turn_passed: false, gain: 0 };
                assert_eq!(child.back(step) >= target, child >= target.forth(step), "{child:?} {target:?}");
            }
        }
    }

    #[test]
    fn forth_undoes_back() {
        for value in [Value::win_in(7), Value::loss_in(8), Value::DRAW, Value::WIN, Value::LOSS] {
            assert_eq!(value.back(Step::PASSED).forth(Step::PASSED), value);
        }
        let step = Step { turn_passed: false, gain: 4 };
        assert_eq!(Value::points(-9).back(step).forth(step), Value::points(-9));
    }
}
