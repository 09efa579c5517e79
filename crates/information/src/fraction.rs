//! Exact fractions: read from integers, fractions and decimals, written reduced.

use std::ops::RangeInclusive;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// An exact fraction of integers of any length, always reduced.
pub type Fraction = BigRational;

/// Maximum number of characters of a number.
pub const LONGEST: usize = 400;

/// Exponents that are allowed in a decimal.
const EXPONENTS: RangeInclusive<i32> = -(LONGEST as i32)..=LONGEST as i32;

/// Reads an integer (`-3`), a fraction (`3/7`) or a decimal (`0.25`, `1e-3`).
///
/// # Errors
/// A description of what is wrong with the word.
///
/// ```
/// use grundy_information::fraction::read;
/// assert_eq!(read("-0.50")?, read("-1/2")?);
/// assert_eq!(read("6/4")?.to_string(), "3/2");
/// assert!(read("1/0").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn read(word: &str) -> Result<Fraction, String> {
    if word.len() > LONGEST {
        return Err(format!("a number of {} characters: expected at most {LONGEST}", word.len()));
    }
    let wrong = || format!("{word:?} is no number: expected an integer, a fraction like 3/7 or a decimal");
    match word.split_once('/') {
        Some((above, below)) => {
            let (above, below) = (decimal(above).ok_or_else(wrong)?, decimal(below).ok_or_else(wrong)?);
            if below.is_zero() {
                return Err(format!("{word:?} divides by zero"));
            }
            Ok(above / below)
        }
        None => decimal(word).ok_or_else(wrong),
    }
}

fn decimal(word: &str) -> Option<Fraction> {
    let (digits, exponent) = match word.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok().filter(|e| EXPONENTS.contains(e))?),
        None => (word, 0),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if unsigned.len() + part.len() == 0 || !plain(unsigned) || !plain(part) {
        return None;
    }
    let number: BigInt = format!("{unsigned}{part}").parse().ok()?;
    let number = if whole.starts_with('-') { -number } else { number };
    let places = exponent - i32::try_from(part.len()).ok()?;
    let scale = Pow::pow(BigInt::from(10), places.unsigned_abs());
    Some(if places < 0 { Fraction::new(number, scale) } else { Fraction::from_integer(number * scale) })
}

/// Writes a number as a decimal if it is a finite one, else as a fraction.
///
/// ```
/// use grundy_information::fraction::{decimal_word, ratio};
/// assert_eq!(decimal_word(&ratio(-5, 8)), "-0.625");
/// assert_eq!(decimal_word(&ratio(3, 1)), "3");
/// assert_eq!(decimal_word(&ratio(1, 3)), "1/3");
/// ```
pub fn decimal_word(number: &Fraction) -> String {
    let (mut rest, mut places) = (number.denom().clone(), 0_usize);
    for prime in [2_u8, 5] {
        let mut power = 0;
        while (&rest % prime).is_zero() {
            rest /= prime;
            power += 1;
        }
        places = places.max(power);
    }
    if places == 0 || !rest.is_one() || places > LONGEST {
        return number.to_string();
    }
    let digits = scaled(&number.abs(), &Pow::pow(BigInt::from(10), places)).to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    let sign = if number.is_negative() { "-" } else { "" };
    format!("{sign}{whole}.{part}")
}

/// Reports whether a text has a number with a decimal point or an exponent, outside comments and quotes.
pub fn has_decimals(text: &str) -> bool {
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | '/' | ';' | '|' | '{' | '}');
    let plain = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut words = plain.flat_map(|line| line.split('"').step_by(2)).flat_map(|part| part.split(between));
    words.any(|word| word.contains(['.', 'e', 'E']) && decimal(word).is_some())
}

/// Returns a fraction of small integers; `below` must not be 0.
pub fn ratio(above: i64, below: i64) -> Fraction {
    Fraction::new(above.into(), below.into())
}

/// Returns the least common multiple of the denominators.
pub fn common_denominator<'a>(numbers: impl IntoIterator<Item = &'a Fraction>) -> BigInt {
    numbers.into_iter().fold(BigInt::one(), |all, number| multiple(all, number.denom()))
}

/// Returns the least common multiple of a long number and a short one.
fn multiple(all: BigInt, number: &BigInt) -> BigInt {
    let rest = &all % number;
    if rest.is_zero() { all } else { all * (number / rest.gcd(number)) }
}

/// Reports whether the least common multiple of the denominators has at most `most_bits` bits.
pub fn share_denominator<'a>(numbers: impl IntoIterator<Item = &'a Fraction>, most_bits: u64) -> bool {
    let mut all = BigInt::one();
    numbers.into_iter().filter(|number| !number.denom().is_one()).all(|number| {
        all = multiple(std::mem::take(&mut all), number.denom());
        all.bits() <= most_bits
    })
}

/// Returns `number * scale` as an integer; `scale` must be a multiple of the denominator.
pub fn scaled(number: &Fraction, scale: &BigInt) -> BigInt {
    number.numer() * (scale / number.denom())
}

/// Returns the nearest floating-point number, for display only; infinite if it is too large.
pub fn approximate(number: &Fraction) -> f64 {
    number.to_f64().unwrap_or(f64::NAN)
}

/// Returns the number of bits of numerator and denominator together.
pub fn bits(number: &Fraction) -> u64 {
    number.numer().bits() + number.denom().bits()
}

/// Returns the sum of products of two lists of the same length.
pub fn dot(one: &[Fraction], two: &[Fraction]) -> Fraction {
    let pairs = one.iter().zip(two).filter(|(a, b)| !a.is_zero() && !b.is_zero());
    pairs.fold(Fraction::zero(), |sum, (a, b)| sum + a * b)
}

/// Reports whether these numbers are probabilities that add up to 1.
pub fn is_mixed(strategy: &[Fraction]) -> bool {
    strategy.iter().all(|p| !p.is_negative()) && strategy.iter().sum::<Fraction>().is_one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbers_or_refused() {
        let good =
            [("1", "1"), ("+.5", "1/2"), ("-2.", "-2"), ("1e3", "1000"), ("25e-2", "1/4"), ("-3/-6", "1/2")];
        for (word, shown) in good {
            assert_eq!(read(word).map(|n| n.to_string()).as_deref(), Ok(shown), "{word}");
        }
        for word in
            ["", "-", ".", "1/0", "0/0", "x", "1/2/3", "1e", "1e999", "--1", "0x10", "nan", "1 2", "1_0"]
        {
            assert!(read(word).is_err(), "{word}");
        }
        // The least integer has no absolute value of its own type.
        for exponent in ["-2147483648", "2147483647", "-401", "401", "-9223372036854775808"] {
            assert!(read(&format!("1e{exponent}")).is_err(), "1e{exponent}");
        }
        assert!(read("1e-400").is_ok() && read("1e400").is_ok());
        assert!(read(&"9".repeat(LONGEST + 1)).is_err());
    }
}
