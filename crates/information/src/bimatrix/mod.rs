//! Bimatrix games: two players, finitely many strategies each, and each his own payoffs.

pub mod correlated;
pub mod dominance;
pub mod lemke;

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::fraction::{Fraction, common_denominator, dot, is_mixed, scaled};
use crate::matrix::Matrix;
use crate::polytope::{Polytope, TooMany};

/// Payoffs to both players, in two matrices of the same shape.
///
/// ```
/// use grundy_information::{bimatrix::Bimatrix, examples};
/// let game: Bimatrix = examples::bimatrix("battle-of-the-sexes").expect("it is there");
/// assert_eq!(game.pure(), [(0, 0), (1, 1)]);
/// let all = game.equilibria()?;
/// assert_eq!(all.len(), 3);
/// assert!(all.iter().all(|equilibrium| game.proves(equilibrium)));
/// # Ok::<(), grundy_information::polytope::TooMany>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bimatrix {
    row: Matrix,
    column: Matrix,
}

/// A pair of strategies that are best replies to each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Equilibrium {
    /// The probability of each row.
    pub row: Vec<Fraction>,
    /// The probability of each column.
    pub column: Vec<Fraction>,
    /// What the row player and the column player expect.
    pub payoffs: [Fraction; 2],
}

impl Bimatrix {
    /// A game by the payoffs to the row player and to the column player.
    ///
    /// # Errors
    /// The two are not of the same shape.
    pub fn new(row: Matrix, column: Matrix) -> Result<Bimatrix, String> {
        if (row.height(), row.width()) != (column.height(), column.width()) {
            return Err(format!(
                "the column player's payoffs are {} x {}: expected {} x {} as the row player's",
                column.height(),
                column.width(),
                row.height(),
                row.width()
            ));
        }
        Ok(Bimatrix { row, column })
    }

    /// The payoffs to the row player.
    pub fn row(&self) -> &Matrix {
        &self.row
    }

    /// The payoffs to the column player, by the same rows and columns.
    pub fn column(&self) -> &Matrix {
        &self.column
    }

    /// The game as the column player sees it: his strategies are the rows.
    pub fn turned(&self) -> Bimatrix {
        Bimatrix { row: transposed(&self.column), column: transposed(&self.row) }
    }

    /// Equilibria in pure strategies, row and column counted from 0.
    pub fn pure(&self) -> Vec<(usize, usize)> {
        let (rows, columns) = (self.best_rows(), self.best_columns());
        let all = (0..self.row.height()).flat_map(|i| (0..self.row.width()).map(move |j| (i, j)));
        all.filter(|&(i, j)| rows[j].contains(&i) && columns[i].contains(&j)).collect()
    }

    /// For each column the rows that are best against it.
    pub fn best_rows(&self) -> Vec<Vec<usize>> {
        transposed(&self.row).cells().iter().map(|column| greatest(column)).collect()
    }

    /// For each row the columns that are best against it.
    pub fn best_columns(&self) -> Vec<Vec<usize>> {
        self.column.cells().iter().map(|row| greatest(row)).collect()
    }

    /// A pair of strategies with what both expect of it.
    pub fn expected(&self, row: Vec<Fraction>, column: Vec<Fraction>) -> Equilibrium {
        let worth = |payoffs: &Matrix| {
            let against: Vec<Fraction> = payoffs.cells().iter().map(|line| dot(line, &column)).collect();
            dot(&row, &against)
        };
        let payoffs = [worth(&self.row), worth(&self.column)];
        Equilibrium { row, column, payoffs }
    }

    /// Whether two strategies are best replies to each other and the payoffs are right. Multiplies and adds only.
    pub fn proves(&self, equilibrium: &Equilibrium) -> bool {
        let Equilibrium { row, column, payoffs } = equilibrium;
        if row.len() != self.row.height() || column.len() != self.row.width() {
            return false;
        }
        is_mixed(row)
            && is_mixed(column)
            && self.expected(row.clone(), column.clone()).payoffs == *payoffs
            && self.row.cells().iter().all(|line| dot(line, column) <= payoffs[0])
            && transposed(&self.column).cells().iter().all(|line| dot(line, row) <= payoffs[1])
    }

    /// All extreme equilibria in lexicographic order: the pairs of vertices of the best-reply polytopes that are best
    /// replies to each other. Every equilibrium is a mixture of interchangeable ones among them.
    ///
    /// # Errors
    /// A polytope has too many vertices.
    pub fn equilibria(&self) -> Result<Vec<Equilibrium>, TooMany> {
        let columns = best_reply_vertices(&self.row)?;
        let rows = best_reply_vertices(&transposed(&self.column))?;
        let (height, width) = (self.row.height(), self.row.width());
        // A pair is an equilibrium if each row is unplayed or a best reply, and each column likewise.
        let words = (height + width).div_ceil(64);
        let bits = |labels: &mut dyn Iterator<Item = usize>| {
            let mut mask = vec![0u64; words];
            labels.for_each(|label| mask[label / 64] |= 1 << (label % 64));
            mask
        };
        let full = bits(&mut (0..height + width));
        let mut by_labels: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
        for (at, (row, tight)) in rows.iter().enumerate() {
            let unplayed = (0..height).filter(|&i| row[i].is_zero());
            let labels = bits(&mut unplayed.chain(tight.iter().map(|j| height + j)));
            by_labels.entry(labels).or_default().push(at);
        }
        let mut found = Vec::new();
        for (column, tight) in &columns {
            let unplayed = (0..width).filter(|&j| column[j].is_zero()).map(|j| height + j);
            let labels = bits(&mut unplayed.chain(tight.iter().copied()));
            for (_, group) in by_labels
                .iter()
                .filter(|(other, _)| other.iter().zip(&labels).zip(&full).all(|((a, b), all)| a | b == *all))
            {
                for &at in group {
                    found.push(self.expected(rows[at].0.clone(), column.clone()));
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Outcomes in pure strategies where no other gives one player more and none less; row and column from 0.
    pub fn pareto(&self) -> Vec<(usize, usize)> {
        let payoffs = |i: usize, j: usize| (&self.row.cells()[i][j], &self.column.cells()[i][j]);
        let all: Vec<(usize, usize)> =
            (0..self.row.height()).flat_map(|i| (0..self.row.width()).map(move |j| (i, j))).collect();
        // Best first for the row player, then one sweep: whoever gives the column player more than all before stays.
        let mut sorted = all.clone();
        sorted.sort_by(|&(i, j), &(k, l)| payoffs(k, l).cmp(&payoffs(i, j)));
        let mut front: Vec<(usize, usize)> = Vec::new();
        for (i, j) in sorted {
            let stays = front
                .last()
                .is_none_or(|&(k, l)| payoffs(i, j).1 > payoffs(k, l).1 || payoffs(i, j) == payoffs(k, l));
            if stays {
                front.push((i, j));
            }
        }
        front.sort_unstable();
        front
    }

    /// What each player can be sure of with a mixed strategy.
    pub fn security(&self) -> [Fraction; 2] {
        [self.row.solve().value, transposed(&self.column).solve().value]
    }
}

/// The same payoffs with rows and columns exchanged.
pub(crate) fn transposed(matrix: &Matrix) -> Matrix {
    let column = |j: usize| matrix.cells().iter().map(|row| row[j].clone()).collect();
    Matrix::new((0..matrix.width()).map(column).collect()).expect("a rectangle turned is a rectangle")
}

fn greatest(numbers: &[Fraction]) -> Vec<usize> {
    let most = numbers.iter().max();
    (0..numbers.len()).filter(|&i| Some(&numbers[i]) == most).collect()
}

/// The payoffs as positive integers; best replies stay what they are.
pub(crate) fn positive(matrix: &Matrix) -> Vec<Vec<BigInt>> {
    let scale = common_denominator(matrix.cells().iter().flatten());
    let least = matrix.cells().iter().flatten().min().map(|x| scaled(x, &scale)).unwrap_or_default();
    let shift = BigInt::one() - least;
    matrix.cells().iter().map(|row| row.iter().map(|x| scaled(x, &scale) + &shift).collect()).collect()
}

/// A strategy and the other player's pure strategies that are best against it.
type Vertex = (Vec<Fraction>, Vec<usize>);

/// The vertices of `x >= 0, payoffs x <= 1` without 0, each made a strategy, with the rows that are best against it.
fn best_reply_vertices(payoffs: &Matrix) -> Result<Vec<Vertex>, TooMany> {
    let payoffs = positive(payoffs);
    let width = payoffs[0].len();
    let mut polytope = Polytope::default();
    for j in 0..width {
        let unit = (0..width).map(|k| Fraction::from_integer(u8::from(j == k).into())).collect();
        polytope.at_least_zero.push((unit, Fraction::zero()));
    }
    for row in &payoffs {
        let form = row.iter().map(|x| Fraction::from_integer(-x)).collect();
        polytope.at_least_zero.push((form, Fraction::one()));
    }
    let mut vertices = Vec::new();
    for point in polytope.vertices()? {
        let sum: Fraction = point.iter().sum();
        if sum.is_zero() {
            continue;
        }
        let worth = |row: &Vec<BigInt>| -> Fraction {
            row.iter().zip(&point).filter(|(_, p)| !p.is_zero()).map(|(x, p)| p * x).sum()
        };
        let tight = (0..payoffs.len()).filter(|&i| worth(&payoffs[i]).is_one()).collect();
        vertices.push((point.iter().map(|p| p / &sum).collect(), tight));
    }
    Ok(vertices)
}

#[cfg(test)]
mod tests;
