//! Levels of assurance: what a check has shown of values, and the single judge of what may be called proved, for
//! tables, books, audits, certificates and records.

use std::fmt;
use std::time::Duration;

use grundy_core::text::grouped;
use grundy_core::value::{Unit, Value};

/// The assurance given by a check of a table without a fault, weakest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assurance {
    /// Every checksum is right: the file is as it was written. Nothing is known of its values.
    Read,
    /// Every value that was compared follows from the rules and the values of its children. The text says why that is no
    /// proof.
    Consistent(String),
    /// Proved if the named tables are correct: every value follows from the rules and from their values, and each value
    /// depends only on values nearer to the end of the game or in those tables.
    Given(String),
    /// Every value follows from the rules: the table is consistent, and each value depends only on values nearer to the
    /// end of the game, by their distances, their ranks or the order of their numbers.
    Proved,
}

impl Assurance {
    /// Returns the assurance of a game's tables together, each part proved given those that its moves lead to: the
    /// weakest. Every table that a part names must be among the parts.
    pub fn together(parts: impl IntoIterator<Item = Assurance>) -> Assurance {
        let given = |part| if let Assurance::Given(_) = part { Assurance::Proved } else { part };
        parts.into_iter().map(given).min().unwrap_or(Assurance::Read)
    }

    /// Returns the word for it: `read`, `consistent`, `proved-given` or `proved`.
    pub const fn word(&self) -> &'static str {
        match self {
            Assurance::Read => "read",
            Assurance::Consistent(_) => "consistent",
            Assurance::Given(_) => "proved-given",
            Assurance::Proved => "proved",
        }
    }

    /// Returns the line that reports the check of a game's table of `count` values, which took `time`.
    pub fn report(&self, count: u64, time: Duration) -> String {
        let (count, seconds) = (grouped(count), time.as_secs_f64());
        match self {
            Assurance::Proved => {
                format!("proved: all {count} values follow from the rules, {seconds:.1} s")
            }
            assurance => format!("{assurance}; {count} values, {seconds:.1} s"),
        }
    }
}

impl fmt::Display for Assurance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assurance::Consistent(why) => write!(f, "consistent, not proved: {why}"),
            Assurance::Given(which) => write!(f, "proved, given {which}"),
            other => f.write_str(other.word()),
        }
    }
}

/// The argument that rules out values which justify each other in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// Distances in plies: a win or a loss is one ply further than the child it rests on.
    Distances,
    /// Ranks (a progress measure) beside the values: they fall along every move that a value rests on.
    Ranks,
    /// An order of the positions: every move leads to an earlier one.
    Order,
    /// A second computation from the rules, which gives the same values.
    SolvedAgain,
    /// Nothing, for this reason.
    Nothing(&'static str),
}

/// Decides whether values may be called proved. Nothing else in the program does: only [`Judge::assurance`] returns
/// [`Assurance::Proved`] for the values of one table, and audits, certificates and records ask [`Judge::admits`].
///
/// ```
/// use grundy_core::value::{Unit, Value};
/// use grundy_session::{Assurance, Judge, Support, Unproved};
/// let judge = Judge::new(Unit::Points, Support::Order);
/// assert_eq!(judge.value(Some(Value::points(3)), Some(Value::points(3))), Ok(()));
/// assert_eq!(judge.value(Some(Value::points(3)), Some(Value::points(4))), Err(Unproved::Differs));
/// let most = Value::points(Value::MAX_POINTS);
/// assert_eq!(judge.value(Some(most), Some(most)), Err(Unproved::Ceiling(most)));
/// assert_eq!(judge.assurance(), Assurance::Proved);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    unit: Unit,
    support: Support,
    given: Option<String>,
}

impl Judge {
    /// Returns a judge of values that count `unit` and have this support.
    pub const fn new(unit: Unit, support: Support) -> Judge {
        Judge { unit, support, given: None }
    }

    /// Names other tables that the values rest on as well.
    #[must_use]
    pub fn given(self, given: Option<String>) -> Judge {
        Judge { given, ..self }
    }

    /// Compares the value claimed for a position with the one that follows from the rules and the values of its
    /// children, then [judges it alone](Judge::admits).
    ///
    /// # Errors
    /// The value is missing, does not follow, or [is not admitted](Judge::admits).
    pub fn value(&self, claimed: Option<Value>, follows: Option<Value>) -> Result<(), Unproved> {
        // A position without a value is not proved, whatever its children say.
        match claimed.filter(|_| claimed == follows) {
            Some(value) => self.admits(value),
            None => Err(Unproved::Differs),
        }
    }

    /// Judges a value alone, without its position.
    ///
    /// # Errors
    /// The value has another unit, is at a ceiling, or lacks the distance that would support it.
    pub fn admits(&self, value: Value) -> Result<(), Unproved> {
        let counts = match self.unit {
            Unit::Outcome => value.margin().is_none_or(|margin| margin == 0),
            Unit::Points | Unit::Fractions(_) => value.margin().is_some(),
        };
        if !counts {
            return Err(Unproved::Unit(value));
        }
        if value.at_ceiling() {
            return Err(Unproved::Ceiling(value));
        }
        if self.support == Support::Distances && value.is_unmeasured() {
            return Err(Unproved::Unmeasured(value));
        }
        Ok(())
    }

    /// Returns the assurance of values that were all admitted.
    pub fn assurance(&self) -> Assurance {
        match (&self.support, &self.given) {
            (Support::Nothing(why), _) => Assurance::Consistent((*why).to_owned()),
            (_, Some(given)) => Assurance::Given(given.clone()),
            (_, None) => Assurance::Proved,
        }
    }
}

/// The reason why a value may not be called proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// It is missing, or does not follow from the rules and the children's values.
    Differs,
    /// It is at a ceiling, beyond which [`Value::back`] does not count.
    Ceiling(Value),
    /// It is a margin in a game of outcomes, or an outcome in a game for points.
    Unit(Value),
    /// It is a win or a loss without a distance, though distances are its only support.
    Unmeasured(Value),
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unproved::Differs => f.write_str("it does not follow from the rules"),
            Unproved::Ceiling(value) => {
                write!(f, "{value:?} is as far as values are told apart, it proves nothing")
            }
            Unproved::Unit(value) => write!(f, "{value:?} is no value of this game"),
            Unproved::Unmeasured(value) => write!(f, "{value:?} without a distance proves nothing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_together_are_believed_as_far_as_the_least() {
        let given = || Assurance::Given("the others".to_owned());
        let consistent = || Assurance::Consistent("why".to_owned());
        assert_eq!(Assurance::together([given(), Assurance::Proved]), Assurance::Proved);
        assert_eq!(Assurance::together([given(), consistent()]), consistent());
        assert_eq!(Assurance::together([]), Assurance::Read);
    }

    #[test]
    fn a_judge_admits_no_ceiling_no_other_unit_and_no_bare_outcome() {
        let by_distance = Judge::new(Unit::Outcome, Support::Distances);
        assert_eq!(by_distance.admits(Value::win_in(7)), Ok(()));
        assert_eq!(by_distance.admits(Value::WIN), Err(Unproved::Unmeasured(Value::WIN)));
        assert_eq!(Judge::new(Unit::Outcome, Support::Ranks).admits(Value::WIN), Ok(()));
        for (unit, value) in [(Unit::Outcome, Value::points(1)), (Unit::Points, Value::win_in(1))] {
            assert_eq!(Judge::new(unit, Support::Ranks).admits(value), Err(Unproved::Unit(value)));
        }
        let far = [Value::win_in(Value::MAX_PLIES), Value::loss_in(u32::MAX)].map(|v| (Unit::Outcome, v));
        let much = [i32::MAX, i32::MIN].map(|points| (Unit::Points, Value::points(points)));
        for (unit, value) in far.into_iter().chain(much) {
            for support in [Support::Distances, Support::Ranks, Support::Order, Support::SolvedAgain] {
                assert_eq!(Judge::new(unit, support).admits(value), Err(Unproved::Ceiling(value)));
            }
        }
    }

    #[test]
    fn without_support_nothing_is_proved() {
        let judge = Judge::new(Unit::Points, Support::Nothing("why"));
        assert_eq!(
            judge.given(Some("others".to_owned())).assurance(),
            Assurance::Consistent("why".to_owned())
        );
        let judge = Judge::new(Unit::Outcome, Support::Distances);
        assert_eq!(judge.given(Some("others".to_owned())).assurance(), Assurance::Given("others".to_owned()));
    }
}
