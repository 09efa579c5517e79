//! Linear programs, solved exactly and proved by their duals.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::fraction::{Fraction, common_denominator, scaled};

/// Maximise `objective x` over all `x >= 0` with `rows x <= limits`, where no limit is negative, so that `x = 0` is
/// feasible.
///
/// ```
/// use grundy_information::{fraction::ratio, program::Program};
/// // At most 4 of x + 2y, at most 3 of 2x + y: what is the most of x + y?
/// let mut program = Program::new(vec![1.into(), 1.into()]);
/// program.limit(vec![(0, 1.into()), (1, 2.into())], 4.into());
/// program.limit(vec![(0, 2.into()), (1, 1.into())], 3.into());
/// let best = program.solve()?;
/// assert_eq!(best.value, ratio(7, 3));
/// assert_eq!(best.primal, [ratio(2, 3), ratio(5, 3)]);
/// assert_eq!(best.dual, [ratio(1, 3), ratio(1, 3)]);
/// # Ok::<(), grundy_information::program::Unbounded>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// For each constraint its entries `(variable, coefficient)`.
    pub rows: Vec<Vec<(usize, BigInt)>>,
    /// For each constraint its right-hand side; never negative.
    pub limits: Vec<BigInt>,
    /// For each variable its coefficient in the objective.
    pub objective: Vec<BigInt>,
}

/// An optimal point of a program with its proof: a dual point of the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The greatest value of the objective.
    pub value: Fraction,
    /// The variables.
    pub primal: Vec<Fraction>,
    /// The dual variable of each constraint.
    pub dual: Vec<Fraction>,
}

/// The objective of a program is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbounded;

impl std::fmt::Display for Unbounded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the linear program is unbounded")
    }
}

impl std::error::Error for Unbounded {}

impl Program {
    /// Returns a program without constraints.
    pub fn new(objective: Vec<BigInt>) -> Program {
        Program { objective, ..Program::default() }
    }

    /// Adds the constraint `entries x <= limit`.
    ///
    /// # Panics
    /// The limit is negative.
    pub fn limit(&mut self, entries: Vec<(usize, BigInt)>, limit: BigInt) {
        assert!(!limit.is_negative(), "a limit is at least 0");
        self.rows.push(entries);
        self.limits.push(limit);
    }

    pub(crate) fn worth(&self, primal: &[Fraction]) -> Fraction {
        let gains = self.objective.iter().zip(primal).filter(|(gain, x)| !gain.is_zero() && !x.is_zero());
        gains.map(|(gain, x)| x * gain).sum()
    }

    /// Reports whether a solution proves itself: both points are feasible and have its value. Multiplies and adds only.
    pub fn proves(&self, solution: &Solution) -> bool {
        let Solution { value, primal, dual } = solution;
        if primal.len() != self.objective.len() || dual.len() != self.rows.len() {
            return false;
        }
        let (below, above) = (common_denominator(primal), common_denominator(dual));
        let primal: Vec<BigInt> = primal.iter().map(|x| scaled(x, &below)).collect();
        let dual: Vec<BigInt> = dual.iter().map(|x| scaled(x, &above)).collect();
        if primal.iter().chain(&dual).any(Signed::is_negative) {
            return false;
        }
        let mut prices = vec![BigInt::zero(); primal.len()];
        for ((row, limit), price) in self.rows.iter().zip(&self.limits).zip(&dual) {
            let mut sum = BigInt::zero();
            for (variable, entry) in row {
                if !primal[*variable].is_zero() {
                    sum += entry * &primal[*variable];
                }
                if !price.is_zero() {
                    prices[*variable] += entry * price;
                }
            }
            if sum > limit * &below {
                return false;
            }
        }
        let gains = self.objective.iter().zip(&primal).map(|(gain, x)| gain * x).sum::<BigInt>();
        let costs = self.limits.iter().zip(&dual).map(|(limit, y)| limit * y).sum::<BigInt>();
        self.objective.iter().zip(&prices).all(|(gain, price)| price >= &(gain * &above))
            && Fraction::new(gains, below) == *value
            && Fraction::new(costs, above) == *value
    }
}
