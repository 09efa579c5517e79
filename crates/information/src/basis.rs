//! Solution of linear programs: a basis guessed in floating point and proved, else pivots on integers.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use crate::fraction::Fraction;
use crate::linear::Regular;
use crate::program::{Program, Solution, Unbounded};
use crate::{guess, simplex};

/// Sizes of the perturbation of the limits for a guess, one attempt after the other.
const SHIFTS: [f64; 4] = [1e-5, 1e-7, 1e-3, 0.0];
/// Maximum number of cells of a table in floating point (8 bytes each).
const MOST_CELLS: usize = 400_000_000;

impl Program {
    /// Solves the program: by a basis guessed in floating point if that proves optimal, else by exact pivots.
    ///
    /// # Errors
    /// The objective is unbounded.
    pub fn solve(&self) -> Result<Solution, Unbounded> {
        match self.solve_by_guess() {
            Some(solution) => Ok(solution),
            None => simplex::solve(self),
        }
    }

    /// Solves the program by a basis guessed in floating point; `None` if no guess proves optimal.
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

    /// Returns the exact point of a basis with its dual, if they prove each other optimal.
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
