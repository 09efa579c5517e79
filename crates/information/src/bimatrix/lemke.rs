//! One equilibrium of a bimatrix game: C. E. Lemke and J. T. Howson, "Equilibrium points of bimatrix games", 1964, on
//! integer tableaux, with the lexicographic rule so that ties cannot make it cycle.

use std::ops::Range;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::{Bimatrix, Equilibrium, positive, transposed};
use crate::fraction::Fraction;

impl Bimatrix {
    /// Returns one equilibrium by the method of Lemke and Howson.
    pub fn one(&self) -> Equilibrium {
        equilibrium(self)
    }
}

/// Follows the path that begins by dropping the first row's label.
pub fn equilibrium(game: &Bimatrix) -> Equilibrium {
    from_label(game, 0)
}

/// Follows the path that begins by dropping a label: a row's, or a column's, which are counted on after the rows.
pub fn from_label(game: &Bimatrix, label: usize) -> Equilibrium {
    let (height, width) = (game.row().height(), game.row().width());
    // Variables are identified by their labels: a row's weight and its slack have the row's label.
    let mut rows = Tableau::new(&positive(&transposed(game.column())), 0..height, height);
    let mut columns = Tableau::new(&positive(game.row()), height..height + width, 0);
    let mut entering = label;
    let mut on_rows = label < height;
    loop {
        let table = if on_rows { &mut rows } else { &mut columns };
        let left = table.enter(entering);
        if left == label {
            break;
        }
        entering = left;
        on_rows = !on_rows;
    }
    game.expected(rows.weights(0, height), columns.weights(height, width))
}

/// One player's tableau: `payoffs weights + slacks = 1`, all numbers over one denominator.
struct Tableau {
    rows: Vec<Vec<BigInt>>,
    /// The label of the variable in the basis of each row, and whether it is a weight.
    basic: Vec<(usize, bool)>,
    /// The first label of the weights.
    first_weight: usize,
    /// Number of weights.
    weights: usize,
    /// The first label of the slack variables.
    first_slack: usize,
    denominator: BigInt,
}

impl Tableau {
    fn new(payoffs: &[Vec<BigInt>], weights: Range<usize>, first_slack: usize) -> Tableau {
        let count = payoffs.len();
        let rows = payoffs
            .iter()
            .enumerate()
            .map(|(i, row)| {
                let slacks = (0..count).map(|k| BigInt::from(u8::from(i == k)));
                row.iter().cloned().chain(slacks).chain([BigInt::one()]).collect()
            })
            .collect();
        let basic = (0..count).map(|i| (first_slack + i, false)).collect();
        let (first_weight, weights) = (weights.start, weights.len());
        Tableau { rows, basic, first_weight, weights, first_slack, denominator: BigInt::one() }
    }

    /// Brings the nonbasic variable with this label into the basis; returns the label of the one that leaves.
    fn enter(&mut self, label: usize) -> usize {
        let is_weight = (self.first_weight..self.first_weight + self.weights).contains(&label);
        let column =
            if is_weight { label - self.first_weight } else { self.weights + label - self.first_slack };
        let row = self.leaving(column);
        self.pivot(row, column);
        std::mem::replace(&mut self.basic[row], (label, is_weight)).0
    }

    /// Returns the row whose ratios, right-hand side first and then the slack variables, are lexicographically least.
    fn leaving(&self, column: usize) -> usize {
        let right = self.rows[0].len() - 1;
        let order = || std::iter::once(right).chain(self.weights..right);
        let mut able = (0..self.rows.len()).filter(|&i| self.rows[i][column].is_positive());
        let first = able.next().expect("positive payoffs limit every weight");
        able.fold(first, |best, i| {
            let compared = order().map(|k| {
                let mine = &self.rows[i][k] * &self.rows[best][column];
                mine.cmp(&(&self.rows[best][k] * &self.rows[i][column]))
            });
            if compared.into_iter().find(|c| c.is_ne()).is_some_and(|c| c.is_lt()) { i } else { best }
        })
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot_row = std::mem::take(&mut self.rows[row]);
        let pivot = pivot_row[column].clone();
        for (_, other) in self.rows.iter_mut().enumerate().filter(|(i, _)| *i != row) {
            let factor = other[column].clone();
            for (cell, base) in other.iter_mut().zip(&pivot_row) {
                if factor.is_zero() || base.is_zero() {
                    if !cell.is_zero() {
                        *cell = &*cell * &pivot / &self.denominator;
                    }
                } else {
                    *cell = (&*cell * &pivot - &factor * base) / &self.denominator;
                }
            }
        }
        self.rows[row] = pivot_row;
        self.denominator = pivot;
    }

    /// Returns the weights as a strategy.
    fn weights(&self, first: usize, count: usize) -> Vec<Fraction> {
        let right = self.rows[0].len() - 1;
        let mut weights = vec![BigInt::zero(); count];
        for (row, &(label, is_weight)) in self.rows.iter().zip(&self.basic) {
            if is_weight {
                weights[label - first] = row[right].clone();
            }
        }
        let sum: BigInt = weights.iter().sum();
        weights.into_iter().map(|weight| Fraction::new(weight, sum.clone())).collect()
    }
}
