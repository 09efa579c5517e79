//! Correlated equilibria: a device recommends a strategy to each player, and nobody gains by not following it.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::{Bimatrix, positive, transposed};
use crate::fraction::{Fraction, dot};
use crate::matrix::Matrix;
use crate::program::Program;

/// The probability of each pair of recommendations, and the expected payoffs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correlated {
    /// The probability of each row and column.
    pub cells: Vec<Vec<Fraction>>,
    /// Expected payoffs of the row player and the column player.
    pub payoffs: [Fraction; 2],
}

/// Maximum number of pairs of strategies.
pub const MOST: usize = 2500;

/// Returns a correlated equilibrium with the greatest sum of expected payoffs.
///
/// # Errors
/// There are more than [`MOST`] pairs of strategies.
pub fn best(game: &Bimatrix) -> Result<Correlated, String> {
    let (height, width) = (game.row().height(), game.row().width());
    if height * width > MOST {
        return Err(format!("{height} x {width} pairs of strategies: expected at most {MOST}"));
    }
    let sums = game.row().cells().iter().zip(game.column().cells());
    let sums = sums.map(|(row, column)| row.iter().zip(column).map(|(x, y)| x + y).collect());
    let sums = Matrix::new(sums.collect())?;
    // With positive sums as much probability as possible is used, so the total may be bounded instead of fixed.
    let mut program = Program::new(positive(&sums).into_iter().flatten().collect());
    program.limit((0..height * width).map(|at| (at, BigInt::one())).collect(), BigInt::one());
    let (rows, columns) = (positive(game.row()), positive(&transposed(game.column())));
    let mut follow = |payoffs: &[Vec<BigInt>], place: &dyn Fn(usize, usize) -> usize| {
        for (told, line) in payoffs.iter().enumerate() {
            for (_, other) in payoffs.iter().enumerate().filter(|(taken, _)| *taken != told) {
                let gains = other.iter().zip(line).map(|(x, y)| x - y).enumerate();
                let gains = gains.filter(|(_, gain)| !gain.is_zero());
                program.limit(gains.map(|(k, gain)| (place(told, k), gain)).collect(), BigInt::zero());
            }
        }
    };
    follow(&rows, &|i, j| i * width + j);
    follow(&columns, &|j, i| i * width + j);
    let solution = program.solve().map_err(|error| error.to_string())?;
    let cells: Vec<Vec<Fraction>> = solution.primal.chunks(width).map(<[Fraction]>::to_vec).collect();
    let worth = |payoffs: &Matrix| cells.iter().zip(payoffs.cells()).map(|(p, x)| dot(p, x)).sum();
    let payoffs = [worth(game.row()), worth(game.column())];
    Ok(Correlated { cells, payoffs })
}

/// Reports whether nobody gains by deviating from the recommendations. Multiplies and adds only.
pub fn proves(game: &Bimatrix, correlated: &Correlated) -> bool {
    let cells = &correlated.cells;
    let turned: Vec<Vec<Fraction>> =
        (0..game.row().width()).map(|j| cells.iter().map(|row| row[j].clone()).collect()).collect();
    let followed = |cells: &[Vec<Fraction>], payoffs: &Matrix| {
        cells.iter().zip(payoffs.cells()).all(|(told, line)| {
            let kept = dot(told, line);
            payoffs.cells().iter().all(|other| dot(told, other) <= kept)
        })
    };
    cells.iter().flatten().all(|p| !p.is_negative())
        && cells.iter().flatten().sum::<Fraction>().is_one()
        && followed(cells, game.row())
        && followed(&turned, &transposed(game.column()))
}
