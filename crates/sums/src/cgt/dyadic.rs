//! Dyadic rationals: integers over powers of two, exact.

use std::cmp::Ordering;
use std::fmt;

/// An integer over a power of two, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    top: i128,
    /// The denominator is 2 to this.
    halvings: u32,
}

/// Denominators are at most 2 to this, and numerators stay below 2 to the 120th.
const MOST_HALVINGS: u32 = 100;
const MOST_TOP: u128 = 1 << 120;

impl Dyadic {
    /// 0.
    pub const ZERO: Dyadic = Dyadic { top: 0, halvings: 0 };

    /// Returns `top` over 2 to the `halvings`; `None` if that is out of range.
    pub fn new(mut top: i128, mut halvings: u32) -> Option<Dyadic> {
        let shared = if top == 0 { halvings } else { top.trailing_zeros().min(halvings) };
        top >>= shared.min(127);
        halvings -= shared;
        (halvings <= MOST_HALVINGS && top.unsigned_abs() < MOST_TOP).then_some(Dyadic { top, halvings })
    }

    /// Returns an integer.
    pub const fn whole(n: i64) -> Dyadic {
        Dyadic { top: n as i128, halvings: 0 }
    }

    /// Returns both numerators over the common denominator; `None` if one is out of range.
    fn common(self, other: Dyadic) -> Option<(i128, i128, u32)> {
        let halvings = self.halvings.max(other.halvings);
        let top = |n: Dyadic| {
            let factor = 1i128.checked_shl(halvings - n.halvings)?;
            n.top.checked_mul(factor).filter(|top| top.unsigned_abs() < 1 << 126)
        };
        Some((top(self)?, top(other)?, halvings))
    }

    /// Returns the sum; `None` if it is out of range.
    pub fn plus(self, other: Dyadic) -> Option<Dyadic> {
        let (a, b, halvings) = self.common(other)?;
        Dyadic::new(a.checked_add(b)?, halvings)
    }

    /// Returns the difference; `None` if it is out of range.
    pub fn minus(self, other: Dyadic) -> Option<Dyadic> {
        self.plus(other.negative())
    }

    /// Returns half the number; `None` if it is out of range.
    pub fn half(self) -> Option<Dyadic> {
        Dyadic::new(self.top, self.halvings + 1)
    }

    /// Returns the temperature of the number as a game: -1 over its denominator.
    #[must_use]
    pub fn temperature(self) -> Dyadic {
        Dyadic { top: -1, ..self }
    }

    /// Returns the negated number.
    #[must_use]
    pub fn negative(self) -> Dyadic {
        Dyadic { top: -self.top, ..self }
    }

    /// Returns -1, 0 or 1.
    pub fn sign(self) -> i32 {
        self.top.signum() as i32
    }

    /// Returns the left and the right option of its canonical form `{left|right}`.
    pub fn options(self) -> (Option<Dyadic>, Option<Dyadic>) {
        let one = |top| Some(Dyadic { top, halvings: 0 });
        if self.halvings == 0 {
            return match self.top.cmp(&0) {
                Ordering::Less => (None, one(self.top + 1)),
                Ordering::Equal => (None, None),
                Ordering::Greater => (one(self.top - 1), None),
            };
        }
        (Dyadic::new(self.top - 1, self.halvings), Dyadic::new(self.top + 1, self.halvings))
    }

    /// Returns the number whose canonical form has these options, if there is one.
    pub fn with_options(left: Option<Dyadic>, right: Option<Dyadic>) -> Option<Dyadic> {
        let found = match (left, right) {
            (None, None) => Dyadic::ZERO,
            (Some(left), None) => left.plus(Dyadic::whole(1))?,
            (None, Some(right)) => right.plus(Dyadic::whole(-1))?,
            (Some(left), Some(right)) => {
                let sum = left.plus(right)?;
                Dyadic::new(sum.top, sum.halvings + 1)?
            }
        };
        (found.options() == (left, right)).then_some(found)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        match self.common(*other) {
            Some((a, b, _)) => a.cmp(&b),
            // One of them is so large that the other's fraction cannot matter.
            None => (self.top >> self.halvings).cmp(&(other.top >> other.halvings)),
        }
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.halvings {
            0 => write!(f, "{}", self.top),
            halvings => write!(f, "{}/{}", self.top, 1u128 << halvings),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_in_lowest_terms_and_ordered() {
        let half = Dyadic::new(2, 2).unwrap();
        assert_eq!(half.to_string(), "1/2");
        assert_eq!(half.plus(half), Some(Dyadic::whole(1)));
        assert_eq!(Dyadic::new(-6, 3).unwrap().to_string(), "-3/4");
        assert!(Dyadic::new(-3, 2).unwrap() < Dyadic::ZERO && Dyadic::ZERO < half);
        assert!(Dyadic::new(1, 100).unwrap() < Dyadic::new(1 << 60, 0).unwrap());
    }

    #[test]
    fn a_number_has_the_options_it_is_made_of() {
        for (top, halvings) in [(0, 0), (5, 0), (-3, 0), (1, 1), (3, 2), (-7, 5), (9, 100)] {
            let number = Dyadic::new(top, halvings).unwrap();
            let (left, right) = number.options();
            assert_eq!(Dyadic::with_options(left, right), Some(number), "{number}");
        }
        let (zero, two) = (Dyadic::ZERO, Dyadic::whole(2));
        assert_eq!(
            Dyadic::with_options(Some(zero), Some(two)),
            None,
            "1 is simpler without its right option"
        );
    }
}
