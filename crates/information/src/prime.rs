//! Arithmetic modulo the prime 2^61 - 1.

/// The modulus, a Mersenne prime.
pub const PRIME: u64 = (1 << 61) - 1;

/// Returns the product.
#[inline]
pub fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// Returns the difference.
#[inline]
pub fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// Returns the inverse of a number that is not 0.
pub fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut left) = (a, 1, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        left >>= 1;
    }
    result
}

/// Returns the residue of an integer.
#[inline]
pub fn residue(a: i128) -> u64 {
    a.rem_euclid(i128::from(PRIME)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_times_its_inverse_is_one() {
        for a in [1, 2, 3, PRIME - 1, 1 << 40] {
            assert_eq!(times(a, inverse(a)), 1);
            assert_eq!(minus(a, a), 0);
            assert_eq!(residue(i128::from(a) - i128::from(PRIME)), a);
        }
    }
}
