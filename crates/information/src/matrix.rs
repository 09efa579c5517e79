//! Matrix games: two players with finitely many strategies, whose payoffs sum to zero.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, common_denominator, dot, is_mixed, scaled, share_denominator};
use crate::polytope::{Polytope, TooMany};
use crate::program::{Program, Solution};
use crate::simplex;

/// Maximum number of rows and of columns.
pub const MOST: usize = 2000;
/// Maximum number of bits of all payoffs over a common denominator.
const MOST_BITS: u64 = 1 << 33;

/// Mixed strategies of one player.
pub type Strategies = Vec<Vec<Fraction>>;

/// Payoffs to the row player; the column player pays them.
///
/// ```
/// use grundy_information::{fraction::ratio, matrix::Matrix};
/// let game = Matrix::new(vec![vec![ratio(2, 1), ratio(-1, 1)], vec![ratio(-1, 1), ratio(1, 1)]])?;
/// let solved = game.solve();
/// assert_eq!(solved.value, ratio(1, 5));
/// assert_eq!(solved.row, [ratio(2, 5), ratio(3, 5)]);
/// assert!(game.proves(&solved));
/// assert_eq!(game.saddles(), []);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    cells: Vec<Vec<Fraction>>,
}

/// The value of a game and an optimal strategy of each player: together they prove each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The least that the row player gets, and the most that the column player pays.
    pub value: Fraction,
    /// The probability of each row.
    pub row: Vec<Fraction>,
    /// The probability of each column.
    pub column: Vec<Fraction>,
}

impl Matrix {
    /// Returns the game with these rows.
    ///
    /// # Errors
    /// There is no row or no column, the rows are not equally long, there are more than [`MOST`], or the payoffs' common
    /// denominator is very long.
    pub fn new(cells: Vec<Vec<Fraction>>) -> Result<Matrix, String> {
        let width = cells.first().map_or(0, Vec::len);
        if width == 0 {
            return Err("no payoffs: expected at least one row and one column".to_string());
        }
        if let Some(row) = cells.iter().position(|row| row.len() != width) {
            let (count, row) = (cells[row].len(), row + 1);
            return Err(format!("row {row} has {count} payoffs: expected {width} as in row 1"));
        }
        if cells.len() > MOST || width > MOST {
            return Err(format!("{} x {width} payoffs: expected at most {MOST} x {MOST}", cells.len()));
        }
        let each = MOST_BITS / (cells.len() * width) as u64;
        if !share_denominator(cells.iter().flatten(), each) {
            let wish = "expected shorter fractions or fewer of them";
            return Err(format!("the payoffs have a common denominator of more than {each} bits: {wish}"));
        }
        Ok(Matrix { cells })
    }

    /// Returns the payoffs, row by row.
    pub fn cells(&self) -> &[Vec<Fraction>] {
        &self.cells
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.cells[0].len()
    }

    /// Returns the same game seen by the other player: rows and columns exchanged, payoffs negated.
    pub fn turned(&self) -> Matrix {
        let column = |j: usize| self.cells.iter().map(|row| -row[j].clone()).collect();
        Matrix { cells: (0..self.width()).map(column).collect() }
    }

    /// Returns the value and one optimal strategy each: of the first saddle point if there is one, else of a vertex.
    pub fn solve(&self) -> Optimum {
        if let Some(&(i, j)) = self.saddles().first() {
            let pure = |size: usize, at: usize| {
                (0..size).map(|k| Fraction::from_integer(u8::from(k == at).into())).collect()
            };
            let value = self.cells[i][j].clone();
            return Optimum { value, row: pure(self.height(), i), column: pure(self.width(), j) };
        }
        self.solve_by(|program| program.solve_by_guess().or_else(|| simplex::solve(program).ok()))
    }

    /// Solves the game by pivots on integers alone: a second method.
    pub fn solve_by_integers(&self) -> Optimum {
        self.solve_by(|program| simplex::solve(program).ok())
    }

    fn solve_by(&self, solver: impl FnOnce(&Program) -> Option<Solution>) -> Optimum {
        let scale = common_denominator(self.cells.iter().flatten());
        let cells: Vec<Vec<BigInt>> =
            self.cells.iter().map(|row| row.iter().map(|x| scaled(x, &scale)).collect()).collect();
        // Shifted so that all payoffs are positive, the column player maximises the sum of weights that keep every
        // row's payoff at 1 or less.
        let least = cells.iter().flatten().min().cloned().unwrap_or_default();
        let shift = BigInt::one() - least;
        let mut program = Program::new(vec![BigInt::one(); self.width()]);
        for row in &cells {
            program.limit(row.iter().map(|x| x + &shift).enumerate().collect(), BigInt::one());
        }
        let solution = solver(&program).expect("weights are limited by positive payoffs");
        let value = (solution.value.recip() - &shift) / &scale;
        let spread = |weights: Vec<Fraction>| weights.into_iter().map(|x| x / &solution.value).collect();
        let optimum = Optimum { value, row: spread(solution.dual), column: spread(solution.primal) };
        debug_assert!(self.proves(&optimum));
        optimum
    }

    /// Reports whether two strategies prove the value: no column gives the row player less, no row more. Multiplies and
    /// adds only.
    pub fn proves(&self, optimum: &Optimum) -> bool {
        let Optimum { value, row, column } = optimum;
        if row.len() != self.height() || column.len() != self.width() || !is_mixed(row) || !is_mixed(column) {
            return false;
        }
        let scale = common_denominator(self.cells.iter().flatten());
        let guarantees =
            |strategy: &[Fraction], at: &dyn Fn(usize) -> Vec<BigInt>, others: usize, sign: i8| {
                let share = common_denominator(strategy);
                let strategy: Vec<BigInt> = strategy.iter().map(|p| scaled(p, &share)).collect();
                (0..others).all(|other| {
                    let pairs = at(other).into_iter().zip(&strategy).filter(|(_, p)| !p.is_zero());
                    let sum: BigInt = pairs.map(|(x, p)| x * p).sum();
                    // Compares sum / (share * scale) with value, without a division.
                    let rest = sum * value.denom() - value.numer() * &share * &scale;
                    if sign > 0 { !rest.is_negative() } else { !rest.is_positive() }
                })
            };
        let column_at = |j: usize| self.cells.iter().map(|row| scaled(&row[j], &scale)).collect();
        let row_at = |i: usize| self.cells[i].iter().map(|x| scaled(x, &scale)).collect();
        guarantees(row, &column_at, self.width(), 1) && guarantees(column, &row_at, self.height(), -1)
    }

    /// Returns the saddle points: payoffs that are the least of their row and the greatest of their column, counted
    /// from 0.
    pub fn saddles(&self) -> Vec<(usize, usize)> {
        let least: Vec<&Fraction> = self.cells.iter().filter_map(|row| row.iter().min()).collect();
        let greatest: Vec<&Fraction> =
            (0..self.width()).filter_map(|j| self.cells.iter().map(|row| &row[j]).max()).collect();
        let mut saddles = Vec::new();
        for (i, row) in self.cells.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                if x == least[i] && x == greatest[j] {
                    saddles.push((i, j));
                }
            }
        }
        saddles
    }

    /// Returns all extreme optimal strategies of the row player and of the column player, in lexicographic order. Every
    /// optimal strategy is a mixture of them.
    ///
    /// # Errors
    /// There are too many.
    pub fn extreme(&self) -> Result<(Strategies, Strategies), TooMany> {
        let optimum = self.solve_by(|program| program.solve().ok());
        let turned = Optimum {
            value: -optimum.value.clone(),
            row: optimum.column.clone(),
            column: optimum.row.clone(),
        };
        Ok((self.extreme_rows(&optimum)?, self.turned().extreme_rows(&turned)?))
    }

    /// Returns the extreme optimal strategies of the row player. By complementary slackness, the known optimal strategy
    /// of the other player turns inequalities into equations, which leaves few dimensions.
    fn extreme_rows(&self, optimum: &Optimum) -> Result<Vec<Vec<Fraction>>, TooMany> {
        let height = self.height();
        let unit = |i: usize| (0..height).map(|k| Fraction::from_integer(u8::from(k == i).into())).collect();
        let mut polytope = Polytope::default();
        polytope.zero.push((vec![Fraction::one(); height], -Fraction::one()));
        for i in 0..height {
            let form: (Vec<Fraction>, _) = (unit(i), Fraction::zero());
            if dot(&self.cells[i], &optimum.column) < optimum.value {
                polytope.zero.push(form);
            } else {
                polytope.at_least_zero.push(form);
            }
        }
        for j in 0..self.width() {
            let form = (self.cells.iter().map(|row| row[j].clone()).collect(), -optimum.value.clone());
            if optimum.column[j].is_zero() {
                polytope.at_least_zero.push(form);
            } else {
                polytope.zero.push(form);
            }
        }
        polytope.vertices()
    }
}
