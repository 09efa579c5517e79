//! Arithmetic modulo the prime 2^61 - 1.

/// The modulus, a Mersenne prime.
pub const PRIME: u64 = (1 << 61) - 1;

/// The product.
#[inline]
pub fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// The difference.
#[inline]
pub fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// The sum.
#[inline]
pub fn plus(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// The inverse of a number that is not 0.
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

/// The residue of an integer.
#[inline]
pub fn residue(a: i128) -> u64 {
    a.rem_euclid(i128::from(PRIME)) as u64
}

/// The inverse of a square matrix, row by row; `None` where it has none modulo the prime.
pub fn invert(mut rows: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
    let n = rows.len();
    let mut order: Vec<usize> = (0..n).collect();
    for at in 0..n {
        let pivot = (at..n).find(|&i| rows[i][at] != 0)?;
        rows.swap(at, pivot);
        order.swap(at, pivot);
        let scale = inverse(rows[at][at]);
        rows[at][at] = 1;
        rows[at].iter_mut().for_each(|x| *x = times(*x, scale));
        let row = std::mem::take(&mut rows[at]);
        for (i, other) in rows.iter_mut().enumerate().filter(|(i, _)| *i != at) {
            let factor = std::mem::take(&mut other[at]);
            debug_assert_ne!(i, at);
            if factor != 0 {
                for (x, &y) in other.iter_mut().zip(&row) {
                    *x = minus(*x, times(factor, y));
                }
            }
        }
        rows[at] = row;
    }
    // The swaps of rows come back as swaps of columns.
    let mut result = vec![vec![0; n]; n];
    for (into, from) in result.iter_mut().zip(&rows) {
        for (column, &home) in order.iter().enumerate() {
            into[home] = from[column];
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_unit_matrix() {
        let mut random = grundy_core::random::SplitMix64(3);
        let n = 7;
        let mut rows: Vec<Vec<u64>> =
            (0..n).map(|_| (0..n).map(|_| random.bits() % PRIME).collect()).collect();
        rows[0][0] = 0;
        let inverse = invert(rows.clone()).expect("random matrices are regular");
        for (i, row) in rows.iter().enumerate() {
            for j in 0..n {
                let pairs = row.iter().zip(&inverse);
                let sum = pairs.fold(0, |sum, (&a, other)| plus(sum, times(a, other[j])));
                assert_eq!(sum, u64::from(i == j));
            }
        }
        assert!(invert(vec![vec![1, 2], vec![2, 4]]).is_none());
    }
}
