//! The simplex method on an integer tableau with one common denominator.
//!
//! Every division of a pivot leaves no remainder (J. Edmonds, J.-F. Maurras, "Note sur les Q-matrices d'Edmonds", 1997;
//! the same as Bareiss's elimination), so no fraction is ever reduced. It begins with all slack variables in the basis,
//! needs no guess, and terminates by Bland's rule.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::fraction::Fraction;
use crate::program::{Program, Solution, Unbounded};

/// After this many degenerate pivots, Bland's rule chooses until one makes progress.
const PATIENCE: usize = 10;

/// Solves a program by pivots on integers alone.
///
/// # Errors
/// The objective is unbounded.
pub fn solve(program: &Program) -> Result<Solution, Unbounded> {
    let mut table = Tableau::new(program);
    let mut stalled = 0;
    while let Some(column) = table.entering(stalled > PATIENCE) {
        let row = table.leaving(column).ok_or(Unbounded)?;
        stalled = if table.rows[row][table.width].is_zero() { stalled + 1 } else { 0 };
        table.pivot(row, column);
    }
    Ok(table.solution())
}

struct Tableau {
    /// The rows of the constraints, then the objective's; the last column is the right-hand side.
    rows: Vec<Vec<BigInt>>,
    /// The variable of each row: variables of the program first, slack variables after them.
    basic: Vec<usize>,
    /// The variable of each column.
    others: Vec<usize>,
    denominator: BigInt,
    width: usize,
}

impl Tableau {
    fn new(program: &Program) -> Tableau {
        let width = program.objective.len();
        let height = program.rows.len();
        let mut rows = vec![vec![BigInt::zero(); width + 1]; height + 1];
        for (row, (entries, limit)) in rows.iter_mut().zip(program.rows.iter().zip(&program.limits)) {
            for (column, entry) in entries {
                row[*column] += entry;
            }
            row[width] = limit.clone();
        }
        for (cell, gain) in rows[height].iter_mut().zip(&program.objective) {
            *cell = -gain;
        }
        let (basic, others) = ((width..width + height).collect(), (0..width).collect());
        Tableau { rows, basic, others, denominator: BigInt::one(), width }
    }

    /// Returns the column that enters the basis: the steepest, or by Bland's rule the first variable that improves.
    fn entering(&self, bland: bool) -> Option<usize> {
        let objective = &self.rows[self.basic.len()];
        let gains = (0..self.width).filter(|&j| objective[j].is_negative());
        if bland { gains.min_by_key(|&j| self.others[j]) } else { gains.min_by_key(|&j| &objective[j]) }
    }

    /// Returns the row that leaves the basis: the first to reach zero; among equals the first variable.
    fn leaving(&self, column: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in (0..self.basic.len()).filter(|&i| self.rows[i][column].is_positive()) {
            let better = best.is_none_or(|b| {
                let (mine, other) = (
                    &self.rows[i][self.width] * &self.rows[b][column],
                    &self.rows[b][self.width] * &self.rows[i][column],
                );
                mine < other || mine == other && self.basic[i] < self.basic[b]
            });
            if better {
                best = Some(i);
            }
        }
        best
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot_row = std::mem::take(&mut self.rows[row]);
        let pivot = pivot_row[column].clone();
        for (_, other) in self.rows.iter_mut().enumerate().filter(|(i, _)| *i != row) {
            let factor = other[column].clone();
            for (j, cell) in other.iter_mut().enumerate() {
                if j == column {
                    *cell = -&factor;
                } else if factor.is_zero() || pivot_row[j].is_zero() {
                    if !cell.is_zero() && pivot != self.denominator {
                        *cell = &*cell * &pivot / &self.denominator;
                    }
                } else {
                    *cell = (&*cell * &pivot - &factor * &pivot_row[j]) / &self.denominator;
                }
            }
        }
        self.rows[row] = pivot_row;
        self.rows[row][column] = std::mem::replace(&mut self.denominator, pivot);
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }

    fn solution(&self) -> Solution {
        let height = self.basic.len();
        let fraction = |number: &BigInt| Fraction::new(number.clone(), self.denominator.clone());
        let mut primal = vec![Fraction::zero(); self.width];
        let mut dual = vec![Fraction::zero(); height];
        for (row, &variable) in self.rows.iter().zip(&self.basic) {
            if variable < self.width {
                primal[variable] = fraction(&row[self.width]);
            }
        }
        for (number, &variable) in self.rows[height].iter().zip(&self.others) {
            if variable >= self.width {
                dual[variable - self.width] = fraction(number);
            }
        }
        Solution { value: fraction(&self.rows[height][self.width]), primal, dual }
    }
}
