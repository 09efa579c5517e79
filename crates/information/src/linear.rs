//! Square systems of linear equations over the integers, solved exactly.
//!
//! The solution is lifted from its residue modulo one prime, digit by digit (J. D. Dixon, "Exact solution of linear
//! equations using p-adic expansions", 1982), and converted to fractions. It is returned only if it satisfies the
//! equations exactly.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::factors::Factors;
use crate::fraction::Fraction;
use crate::prime::{self, PRIME};

/// The largest absolute value of an entry.
pub const LARGEST: i64 = 1 << 48;
/// Maximum number of digits that are lifted before the attempt is given up.
const MOST_DIGITS: usize = 4096;

/// A regular sparse square matrix of integers, with its factors modulo a prime.
pub struct Regular {
    rows: Vec<Vec<(usize, i64)>>,
    columns: Vec<Vec<(usize, i64)>>,
    factors: Factors,
}

impl Regular {
    /// Returns the matrix with these entries by row, `(column, entry)`, at most one for each column; `None` if it is
    /// singular modulo the prime or an entry is too large.
    pub fn new(rows: Vec<Vec<(usize, i64)>>) -> Option<Regular> {
        let mut columns = vec![Vec::new(); rows.len()];
        for (i, row) in rows.iter().enumerate() {
            for &(j, entry) in row {
                if entry.abs() > LARGEST {
                    return None;
                }
                columns[j].push((i, entry));
            }
        }
        let residues = rows.iter().map(|row| {
            let entries = row.iter().map(|&(j, entry)| (j, prime::residue(i128::from(entry))));
            entries.filter(|(_, entry)| *entry != 0).collect()
        });
        Some(Regular { factors: Factors::new(residues.collect())?, rows, columns })
    }

    /// Returns the solution x of `matrix x = right`; `None` if its numbers are too long.
    pub fn solve(&self, right: &[i64]) -> Option<Vec<Fraction>> {
        lift(&self.rows, right, |residue| self.factors.solve(residue))
    }

    /// Returns the solution y of `y matrix = right`; `None` if its numbers are too long.
    pub fn solve_left(&self, right: &[i64]) -> Option<Vec<Fraction>> {
        lift(&self.columns, right, |residue| self.factors.solve_left(residue))
    }
}

/// Lifts the solution of `rows x = right`; `apply` solves it modulo the prime.
fn lift(
    rows: &[Vec<(usize, i64)>],
    right: &[i64],
    apply: impl Fn(Vec<u64>) -> Vec<u64>,
) -> Option<Vec<Fraction>> {
    if right.iter().any(|b| b.abs() > LARGEST) {
        return None;
    }
    let mut rest: Vec<i128> = right.iter().map(|&b| i128::from(b)).collect();
    let mut digits: Vec<Vec<u64>> = Vec::new();
    let mut next_try = 4;
    while digits.len() < MOST_DIGITS {
        let digit = apply(rest.iter().map(|&r| prime::residue(r)).collect());
        for (r, row) in rest.iter_mut().zip(rows) {
            let product: i128 = row.iter().map(|&(j, a)| i128::from(a) * i128::from(digit[j])).sum();
            *r = (*r - product) / i128::from(PRIME);
        }
        digits.push(digit);
        if digits.len() == next_try || rest.iter().all(|&r| r == 0) {
            if let Some(solution) = reconstruct(&digits).filter(|x| satisfies(rows, right, x)) {
                return Some(solution);
            }
            next_try += next_try / 2;
        }
    }
    None
}

/// Returns the fractions with small numerators and one small denominator that have these digits.
fn reconstruct(digits: &[Vec<u64>]) -> Option<Vec<Fraction>> {
    let n = digits[0].len();
    let modulus = num_traits::pow(BigInt::from(PRIME), digits.len());
    let bound = (&modulus >> 1u32).sqrt();
    let half = &modulus >> 1u32;
    let mut denominator = BigInt::one();
    let mut numerators: Vec<(BigInt, BigInt)> = Vec::with_capacity(n);
    for at in 0..n {
        let mut number = BigInt::zero();
        for digit in digits.iter().rev() {
            number = number * PRIME + digit[at];
        }
        let mut scaled = (number * &denominator).mod_floor(&modulus);
        if scaled > half {
            scaled -= &modulus;
        }
        if scaled.abs() > bound {
            let (above, below) = small_fraction(scaled.mod_floor(&modulus), &modulus, &bound)?;
            denominator *= &below;
            if denominator > bound {
                return None;
            }
            scaled = above;
        }
        numerators.push((scaled, denominator.clone()));
    }
    Some(numerators.into_iter().map(|(above, below)| BigRational::new(above, below)).collect())
}

/// Returns the fraction `a/b` with `|a|, b <= bound` that equals `number` modulo `modulus`, by Euclid's algorithm.
fn small_fraction(number: BigInt, modulus: &BigInt, bound: &BigInt) -> Option<(BigInt, BigInt)> {
    let (mut r0, mut r1) = (modulus.clone(), number);
    let (mut t0, mut t1) = (BigInt::zero(), BigInt::one());
    while &r1 > bound {
        let (quotient, remainder) = r0.div_rem(&r1);
        r0 = std::mem::replace(&mut r1, remainder);
        let t2 = t0 - quotient * &t1;
        t0 = std::mem::replace(&mut t1, t2);
    }
    if t1.is_zero() || t1.abs() > *bound {
        return None;
    }
    Some(if t1.is_negative() { (-r1, -t1) } else { (r1, t1) })
}

/// Reports whether a candidate satisfies the equations.
fn satisfies(rows: &[Vec<(usize, i64)>], right: &[i64], x: &[Fraction]) -> bool {
    let scale = crate::fraction::common_denominator(x);
    let x: Vec<BigInt> = x.iter().map(|f| crate::fraction::scaled(f, &scale)).collect();
    rows.iter().zip(right).all(|(row, &b)| {
        let sum = row.iter().fold(BigInt::zero(), |sum, &(j, a)| sum + &x[j] * a);
        sum == &scale * b
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::random::SplitMix64;

    #[test]
    fn both_systems_of_a_random_matrix_are_solved_exactly() {
        let mut random = SplitMix64(5);
        for n in [1, 2, 5, 20] {
            let mut entry = || random.below(201) as i64 - 100;
            let rows: Vec<Vec<(usize, i64)>> =
                (0..n).map(|_| (0..n).map(|j| (j, entry())).collect()).collect();
            let right: Vec<i64> = (0..n).map(|_| entry()).collect();
            let matrix = Regular::new(rows.clone()).expect("random matrices are regular");
            let x = matrix.solve(&right).expect("short numbers");
            assert!(satisfies(&rows, &right, &x));
            let y = matrix.solve_left(&right).expect("short numbers");
            assert!(satisfies(&matrix.columns, &right, &y));
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        assert!(Regular::new(vec![vec![(0, 1), (1, 2)], vec![(0, 2), (1, 4)]]).is_none());
        assert!(Regular::new(vec![vec![(0, LARGEST + 1)]]).is_none());
    }
}
