//! Linear programs, solved exactly and proved by their duals.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::fraction::{Fraction, common_denominator, scaled};
use crate::guess;
use crate::linear::Regular;
use crate::simplex;

/// How strongly the limits are shifted for a guess, one attempt after the other.
const SHIFTS: [f64; 4] = [1e-5, 1e-7, 1e-3, 0.0];
/// The most cells of a table in floating point (8 bytes each).
const MOST_CELLS: usize = 400_000_000;

/// Maximise `objective x` over all `x >= 0` with `rows x <= limits`, where no limit is negative: then `x = 0` is a
/// point to begin with.
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
    /// For each constraint its entries `(variable, factor)`.
    pub rows: Vec<Vec<(usize, BigInt)>>,
    /// For each constraint its right side; never negative.
    pub limits: Vec<BigInt>,
    /// For each variable what it gains.
    pub objective: Vec<BigInt>,
}

/// An optimal point of a program with its proof: a dual point of the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The greatest value of the objective.
    pub value: Fraction,
    /// The variables.
    pub primal: Vec<Fraction>,
    /// The price of each constraint.
    pub dual: Vec<Fraction>,
}

/// The objective of a program has no greatest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbounded;

impl std::fmt::Display for Unbounded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the linear program is unbounded")
    }
}

impl std::error::Error for Unbounded {}

impl Program {
    /// A program without constraints.
    pub fn new(objective: Vec<BigInt>) -> Program {
        Program { objective, ..Program::default() }
    }

    /// Adds the constraint `entries x <= limit`.
    ///
    /// # Panics
    /// If the limit is negative.
    pub fn limit(&mut self, entries: Vec<(usize, BigInt)>, limit: BigInt) {
        assert!(!limit.is_negative(), "a limit is at least 0");
        self.rows.push(entries);
        self.limits.push(limit);
    }

    /// Solves it: by a basis guessed in floating point where that proves to be optimal, else by exact pivots.
    ///
    /// # Errors
    /// The objective has no greatest value.
    pub fn solve(&self) -> Result<Solution, Unbounded> {
        match self.solve_by_guess() {
            Some(solution) => Ok(solution),
            None => simplex::solve(self),
        }
    }

    /// Solves it by a basis guessed in floating point; `None` where no guess proves to be optimal.
    pub fn solve_by_guess(&self) -> Option<Solution> {
        if (self.rows.len() + 1).checked_mul(self.objective.len() + 2)? > MOST_CELLS {
            return None;
        }
        let small = |number: &BigInt| number.to_i64();
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            rows.push(row.iter().map(|(j, entry)| Some((*j, small(entry)?))).collect::<Option<Vec<_>>>()?);
        }
        let limits = self.limits.iter().map(small).collect::<Option<Vec<_>>>()?;
        let objective = self.objective.iter().map(small).collect::<Option<Vec<_>>>()?;
        let float = |number: &i64| *number as f64;
        let float_rows: Vec<Vec<(usize, f64)>> =
            rows.iter().map(|row| row.iter().map(|(j, entry)| (*j, float(entry))).collect()).collect();
        let float_limits: Vec<f64> = limits.iter().map(float).collect();
        let float_objective: Vec<f64> = objective.iter().map(float).collect();
        SHIFTS.iter().find_map(|&shift| {
            let basis = guess::basis(&float_rows, &float_limits, &float_objective, shift)?;
            self.at_basis(&basis, &rows, &limits, &objective)
        })
    }

    /// The exact point of a basis with its prices, where they prove each other optimal.
    fn at_basis(
        &self,
        basis: &guess::Basis,
        rows: &[Vec<(usize, i64)>],
        limits: &[i64],
        objective: &[i64],
    ) -> Option<Solution> {
        let place = |variable: &usize| basis.variables.binary_search(variable).ok();
        let square = basis.tight.iter().map(|&row| {
            rows[row].iter().filter_map(|(variable, entry)| Some((place(variable)?, *entry))).collect()
        });
        let square = Regular::new(square.collect())?;
        let point = square.solve(&basis.tight.iter().map(|&row| limits[row]).collect::<Vec<_>>())?;
        let prices = square.solve_left(&basis.variables.iter().map(|&v| objective[v]).collect::<Vec<_>>())?;
        let mut primal = vec![Fraction::zero(); self.objective.len()];
        let mut dual = vec![Fraction::zero(); self.rows.len()];
        basis.variables.iter().zip(point).for_each(|(&v, x)| primal[v] = x);
        basis.tight.iter().zip(prices).for_each(|(&row, x)| dual[row] = x);
        let value = Fraction::zero();
        let mut solution = Solution { value, primal, dual };
        solution.value = self.worth(&solution.primal);
        self.proves(&solution).then_some(solution)
    }

    fn worth(&self, primal: &[Fraction]) -> Fraction {
        let gains = self.objective.iter().zip(primal).filter(|(gain, x)| !gain.is_zero() && !x.is_zero());
        gains.map(|(gain, x)| x * gain).sum()
    }

    /// Whether a solution proves itself: both points are feasible and have its value. Multiplies and adds only.
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

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::random::SplitMix64;

    #[test]
    fn guesses_and_integer_pivots_agree_on_degenerate_programs() {
        let mut random = SplitMix64(9);
        let mut guessed = 0;
        for round in 0..300 {
            let (width, height) = (1 + random.below(7), 1 + random.below(7));
            let mut program = Program::new((0..width).map(|_| random.below(5).into()).collect());
            for _ in 0..height {
                let row = (0..width).map(|j| (j, BigInt::from(1 + random.below(4)))).collect();
                program.limit(row, random.below(3).into());
            }
            let exact = simplex::solve(&program).expect("every variable is limited");
            assert!(program.proves(&exact), "round {round}");
            if let Some(solution) = program.solve_by_guess() {
                assert_eq!(solution.value, exact.value, "round {round}");
                guessed += 1;
            }
        }
        assert!(guessed > 290, "only {guessed} of 300 were guessed");
    }

    #[test]
    fn a_program_without_limits_is_unbounded() {
        let mut program = Program::new(vec![1.into(), 1.into()]);
        program.limit(vec![(0, 1.into()), (1, (-1).into())], 1.into());
        assert_eq!(program.solve(), Err(Unbounded));
    }

    #[test]
    fn a_changed_solution_proves_nothing() {
        let mut program = Program::new(vec![2.into(), 1.into()]);
        program.limit(vec![(0, 1.into()), (1, 1.into())], 3.into());
        let solution = program.solve().expect("limited");
        assert!(program.proves(&solution));
        let changed = Solution { value: &solution.value + Fraction::from_integer(1.into()), ..solution };
        assert!(!program.proves(&changed));
    }
}
