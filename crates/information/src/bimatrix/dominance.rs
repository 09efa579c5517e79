//! Dominated strategies: another strategy, possibly mixed, is never worse, or always better.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, common_denominator, scaled};
use crate::matrix::Matrix;
use crate::program::Program;

/// A dominated row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominated {
    /// The row, counted from 0.
    pub row: usize,
    /// `true` if it is worse against every column; else it is worse against some and never better.
    pub strictly: bool,
    /// The strategy that dominates it.
    pub by: Vec<Fraction>,
}

impl Matrix {
    /// Returns the dominated rows and columns; counted from 0.
    pub fn dominated(&self) -> (Vec<Dominated>, Vec<Dominated>) {
        (rows(self), rows(&self.turned()))
    }
}

/// Returns the dominated rows of a matrix of payoffs to the row player.
pub fn rows(payoffs: &Matrix) -> Vec<Dominated> {
    (0..payoffs.height()).filter_map(|row| strictly(payoffs, row).or_else(|| weakly(payoffs, row))).collect()
}

/// Returns the row if it is strictly dominated: the matrix game of all gains over it has a value above 0.
fn strictly(payoffs: &Matrix, row: usize) -> Option<Dominated> {
    let base = &payoffs.cells()[row];
    let gains = payoffs.cells().iter().map(|line| line.iter().zip(base).map(|(x, y)| x - y).collect());
    let best = Matrix::new(gains.collect()).ok()?.solve();
    best.value.is_positive().then_some(Dominated { row, strictly: true, by: best.row })
}

/// Returns the row if it is weakly dominated: the gains over it, none negative, can have a sum above 0.
fn weakly(payoffs: &Matrix, row: usize) -> Option<Dominated> {
    let scale = common_denominator(payoffs.cells().iter().flatten());
    let base: Vec<BigInt> = payoffs.cells()[row].iter().map(|x| scaled(x, &scale)).collect();
    let gain = |i: usize, j: usize| scaled(&payoffs.cells()[i][j], &scale) - &base[j];
    let (height, width) = (payoffs.height(), payoffs.width());
    let mut program = Program::new((0..height).map(|i| (0..width).map(|j| gain(i, j)).sum()).collect());
    for j in 0..width {
        program.limit((0..height).map(|i| (i, -gain(i, j))).collect(), BigInt::zero());
    }
    program.limit((0..height).map(|i| (i, BigInt::one())).collect(), BigInt::one());
    let best = program.solve().ok().filter(|best| best.value.is_positive())?;
    // The remaining probability goes to the row itself.
    let mut by = best.primal;
    let rest = Fraction::one() - by.iter().sum::<Fraction>();
    by[row] += rest;
    Some(Dominated { row, strictly: false, by })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fraction::ratio;

    #[test]
    fn a_mixture_dominates_what_no_pure_strategy_does() {
        let row = |cells: [i64; 2]| cells.map(|x| ratio(x, 1)).to_vec();
        let payoffs = Matrix::new(vec![row([4, 0]), row([0, 4]), row([1, 1])]).expect("a rectangle");
        let found = rows(&payoffs);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].row, found[0].strictly), (2, true));
        let weak = Matrix::new(vec![row([1, 1]), row([1, 0])]).expect("a rectangle");
        assert_eq!(rows(&weak).iter().map(|d| (d.row, d.strictly)).collect::<Vec<_>>(), [(1, false)]);
        let equal = Matrix::new(vec![row([1, 1]), row([1, 1])]).expect("a rectangle");
        assert_eq!(rows(&equal), []);
    }
}
