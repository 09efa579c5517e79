//! Bimatrix games: two players with finitely many strategies, each with payoffs of his own.

pub mod correlated;
pub mod dominance;
pub mod lemke;

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::fraction::{Fraction, common_denominator, dot, is_mixed, scaled};
use crate::matrix::Matrix;
use crate::polytope::{Polytope, TooMany};
use grundy_core::sorting;

/// Maximum number of extreme equilibria that are listed.
const MOST: usize = 10_000;

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
    /// Expected payoffs of the row player and the column player.
    pub payoffs: [Fraction; 2],
}

impl Bimatrix {
    /// Returns the game with these payoffs to the row player and to the column player.
    ///
    /// # Errors
    /// The two have different shapes.
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

    /// Returns the payoffs to the row player.
    pub fn row(&self) -> &Matrix {
        &self.row
    }

    /// Returns the payoffs to the column player, by the same rows and columns.
    pub fn column(&self) -> &Matrix {
        &self.column
    }

    /// Returns the game as the column player sees it: his strategies are the rows.
    pub fn turned(&self) -> Bimatrix {
        Bimatrix { row: transposed(&self.column), column: transposed(&self.row) }
    }

    /// Returns the equilibria in pure strategies, row and column counted from 0.
    pub fn pure(&self) -> Vec<(usize, usize)> {
        let (rows, columns) = (self.best_rows(), self.best_columns());
        let all = (0..self.row.height()).flat_map(|i| (0..self.row.width()).map(move |j| (i, j)));
        all.filter(|&(i, j)| rows[j].contains(&i) && columns[i].contains(&j)).collect()
    }

    /// Returns, for each column, the rows that are best replies to it.
    pub fn best_rows(&self) -> Vec<Vec<usize>> {
        transposed(&self.row).cells().iter().map(|column| greatest(column)).collect()
    }

    /// Returns, for each row, the columns that are best replies to it.
    pub fn best_columns(&self) -> Vec<Vec<usize>> {
        self.column.cells().iter().map(|row| greatest(row)).collect()
    }

    /// Returns a pair of strategies with the expected payoffs of both.
    pub fn expected(&self, row: Vec<Fraction>, column: Vec<Fraction>) -> Equilibrium {
        let worth = |payoffs: &Matrix| {
            let against: Vec<Fraction> = payoffs.cells().iter().map(|line| dot(line, &column)).collect();
            dot(&row, &against)
        };
        let payoffs = [worth(&self.row), worth(&self.column)];
        Equilibrium { row, column, payoffs }
    }

    /// Reports whether two strategies are best replies to each other and the payoffs are right. Multiplies and adds
    /// only.
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

    /// Returns all extreme equilibria in lexicographic order: the pairs of vertices of the best-reply polytopes that
    /// are best replies to each other. Every equilibrium is a mixture of interchangeable ones among them.
    ///
    /// # Errors
    /// A polytope has too many vertices, or there are more than 10,000 equilibria.
    pub fn equilibria(&self) -> Result<Vec<Equilibrium>, TooMany> {
        let (height, width) = (self.row.height(), self.row.width());
        // Labels: a row that is unplayed or a best reply, and after them columns likewise. A pair with all labels is an
        // equilibrium.
        let rows = best_reply_vertices(&transposed(&self.column), 0, height)?;
        let columns = best_reply_vertices(&self.row, height, 0)?;
        let mut by_labels: HashMap<&[u64], Vec<&Vertex>> = HashMap::new();
        rows.iter().for_each(|row| by_labels.entry(&row.labels).or_default().push(row));
        // Without ties a vertex has as many labels as it has weights, and its partner has exactly the others.
        let all: Vec<&Vertex> = rows.iter().collect();
        let tied: Vec<&Vertex> = rows.iter().filter(|row| row.count() > height).collect();
        let mut full = Vertex::at(Vec::new(), height + width);
        (0..height + width).for_each(|label| full.label(label));
        let mut found = Vec::new();
        for column in &columns {
            let missing: Vec<u64> =
                full.labels.iter().zip(&column.labels).map(|(all, mine)| all & !mine).collect();
            let exact = by_labels.get(missing.as_slice()).map_or(&[][..], Vec::as_slice);
            let (exact, others) = if column.count() > width { (&[][..], &all) } else { (exact, &tied) };
            let fits = |row: &&&Vertex| row.labels.iter().zip(&missing).all(|(theirs, m)| m & !theirs == 0);
            for row in exact.iter().chain(others.iter().filter(fits)) {
                if found.len() == MOST {
                    return Err(TooMany::Equilibria(MOST));
                }
                found.push(self.expected(row.strategy(), column.strategy()));
            }
        }
        sorting::sort(&mut found);
        Ok(found)
    }

    /// Returns the Pareto-optimal outcomes in pure strategies; row and column counted from 0.
    pub fn pareto(&self) -> Vec<(usize, usize)> {
        let payoffs = |i: usize, j: usize| (&self.row.cells()[i][j], &self.column.cells()[i][j]);
        let all: Vec<(usize, usize)> =
            (0..self.row.height()).flat_map(|i| (0..self.row.width()).map(move |j| (i, j))).collect();
        // Best first for the row player, then one sweep: an outcome stays if it gives the column player more than all
        // before.
        let mut sorted = all.clone();
        sorting::sort_by(&mut sorted, |&(i, j), &(k, l)| payoffs(k, l).cmp(&payoffs(i, j)));
        let mut front: Vec<(usize, usize)> = Vec::new();
        for (i, j) in sorted {
            let stays = front
                .last()
                .is_none_or(|&(k, l)| payoffs(i, j).1 > payoffs(k, l).1 || payoffs(i, j) == payoffs(k, l));
            if stays {
                front.push((i, j));
            }
        }
        sorting::sort(&mut front);
        front
    }

    /// Returns the security level of each player: the payoff he can guarantee with a mixed strategy.
    pub fn security(&self) -> [Fraction; 2] {
        [self.row.solve().value, transposed(&self.column).solve().value]
    }
}

/// Returns the same payoffs with rows and columns exchanged.
pub(crate) fn transposed(matrix: &Matrix) -> Matrix {
    let column = |j: usize| matrix.cells().iter().map(|row| row[j].clone()).collect();
    Matrix::new((0..matrix.width()).map(column).collect()).expect("a rectangle turned is a rectangle")
}

fn greatest(numbers: &[Fraction]) -> Vec<usize> {
    let most = numbers.iter().max();
    (0..numbers.len()).filter(|&i| Some(&numbers[i]) == most).collect()
}

/// Returns the payoffs shifted and scaled to positive integers, which preserves best replies.
pub(crate) fn positive(matrix: &Matrix) -> Vec<Vec<BigInt>> {
    let scale = common_denominator(matrix.cells().iter().flatten());
    let least = matrix.cells().iter().flatten().min().map(|x| scaled(x, &scale)).unwrap_or_default();
    let shift = BigInt::one() - least;
    matrix.cells().iter().map(|row| row.iter().map(|x| scaled(x, &scale) + &shift).collect()).collect()
}

/// A vertex of a best-reply polytope: a strategy times a positive number, and its labels, a bit each.
struct Vertex {
    weights: Vec<BigInt>,
    labels: Vec<u64>,
}

impl Vertex {
    /// Returns a vertex without labels, with room for `labels` of them.
    fn at(weights: Vec<BigInt>, labels: usize) -> Vertex {
        Vertex { weights, labels: vec![0; labels.div_ceil(64)] }
    }

    fn label(&mut self, label: usize) {
        self.labels[label / 64] |= 1 << (label % 64);
    }

    /// Returns the number of its labels.
    fn count(&self) -> usize {
        self.labels.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn strategy(&self) -> Vec<Fraction> {
        let sum: BigInt = self.weights.iter().sum();
        self.weights.iter().map(|weight| Fraction::new(weight.clone(), sum.clone())).collect()
    }
}

/// Returns the vertices of `x >= 0, payoffs x <= 1` except 0. Their labels: weights that are 0, counted from `mine` on,
/// and rows of the payoffs that are best replies, counted from `theirs` on.
fn best_reply_vertices(payoffs: &Matrix, mine: usize, theirs: usize) -> Result<Vec<Vertex>, TooMany> {
    let payoffs = positive(payoffs);
    let (height, width) = (payoffs.len(), payoffs[0].len());
    let mut polytope = Polytope::default();
    for j in 0..width {
        let unit = (0..width).map(|k| Fraction::from_integer(u8::from(j == k).into())).collect();
        polytope.at_least_zero.push((unit, Fraction::zero()));
    }
    for row in &payoffs {
        let form = row.iter().map(|x| Fraction::from_integer(-x)).collect();
        polytope.at_least_zero.push((form, Fraction::one()));
    }
    let corners = polytope.corners()?.into_iter().filter(|corner| corner.at.iter().any(|x| !x.is_zero()));
    let vertices = corners.map(|corner| {
        let mut vertex = Vertex::at(corner.at, height + width);
        for form in corner.tight {
            vertex.label(if form < width { mine + form } else { theirs + form - width });
        }
        vertex
    });
    Ok(vertices.collect())
}
