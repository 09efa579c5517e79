//! The simplex method in floating point: a quick guess at an optimal basis, which is then checked exactly.

use grundy_core::random::SplitMix64;
use grundy_core::sorting;

/// Numbers of at most this absolute value count as zero.
const TINY: f64 = 1e-9;
/// Tolerance by which a row may be violated for the sake of a larger pivot (P. M. J. Harris).
const SLACK: f64 = 1e-9;
/// A row is processed entry by entry if fewer than one in this many of its cells is filled.
const SPARSE: usize = 4;

/// A basis: the basic variables of the program, and the tight constraints. Both lists are equally long.
pub struct Basis {
    /// Variables, in increasing order.
    pub variables: Vec<usize>,
    /// Constraints, in increasing order.
    pub tight: Vec<usize>,
}

/// A dense tableau: `rows` constraints and the objective below, two right-hand sides after the columns.
struct Tableau {
    cells: Vec<f64>,
    width: usize,
    height: usize,
    basic: Vec<usize>,
    others: Vec<usize>,
}

/// Guesses the optimal basis of `max objective x, rows x <= limits, x >= 0`. The limits are perturbed by numbers of the
/// size of `shift` so that few pivots are degenerate, and then restored.
pub fn basis(rows: &[Vec<(usize, f64)>], limits: &[f64], objective: &[f64], shift: f64) -> Option<Basis> {
    let (width, height) = (objective.len(), rows.len());
    let stride = width + 2;
    let mut random = SplitMix64(11);
    let mut cells = vec![0.0; (height + 1) * stride];
    for (i, (row, &limit)) in rows.iter().zip(limits).enumerate() {
        let largest = row.iter().map(|(_, entry)| entry.abs()).fold(limit.abs(), f64::max).max(1e-300);
        for &(j, entry) in row {
            cells[i * stride + j] += entry / largest;
        }
        let noise = shift * (0.5 + random.below(1 << 20) as f64 / f64::from(1 << 20));
        cells[i * stride + width] = limit / largest + noise;
        cells[i * stride + width + 1] = limit / largest;
    }
    let largest = objective.iter().fold(1e-300, |most: f64, gain| most.max(gain.abs()));
    for (j, &gain) in objective.iter().enumerate() {
        cells[height * stride + j] = -gain / largest;
    }
    let (basic, others) = ((width..width + height).collect(), (0..width).collect());
    let mut table = Tableau { cells, width, height, basic, others };
    let most = 50 * (width + height) + 1000;
    table.primal(most)?;
    table.dual(most)?;
    let mut variables: Vec<usize> = table.basic.iter().copied().filter(|&v| v < width).collect();
    let mut tight: Vec<usize> = table.others.iter().filter(|&&v| v >= width).map(|v| v - width).collect();
    sorting::sort(&mut variables);
    sorting::sort(&mut tight);
    Some(Basis { variables, tight })
}

impl Tableau {
    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * (self.width + 2) + column]
    }

    /// Pivots until no column improves, by the perturbed right-hand side. The entering column is chosen by its gain
    /// relative to its length, estimated as in P. M. J. Harris, "Pivot selection methods of the Devex LP code", 1973.
    fn primal(&mut self, most: usize) -> Option<()> {
        let mut lengths = vec![1.0; self.width];
        for _ in 0..most {
            let gain = |j: usize| self.at(self.height, j);
            let steep = |j: usize| gain(j) * gain(j) / lengths[j];
            let column =
                (0..self.width).filter(|&j| gain(j) < -TINY).max_by(|&a, &b| steep(a).total_cmp(&steep(b)));
            let Some(column) = column else { return Some(()) };
            let able: Vec<(usize, f64)> = (0..self.height)
                .map(|i| (i, self.at(i, column)))
                .filter(|(_, entry)| *entry > TINY)
                .collect();
            let room = |i: usize| self.at(i, self.width).max(0.0);
            let least = able.iter().map(|&(i, entry)| (room(i) + SLACK) / entry).min_by(f64::total_cmp)?;
            // Among those that are nearly first the largest pivot is the most accurate.
            let near = able.into_iter().filter(|&(i, entry)| room(i) / entry <= least);
            let (row, _) = near.max_by(|a, b| a.1.total_cmp(&b.1))?;
            self.lengthen(&mut lengths, row, column);
            self.pivot(row, column);
        }
        None
    }

    /// Updates the estimated lengths of the columns after a pivot.
    fn lengthen(&self, lengths: &mut [f64], row: usize, column: usize) {
        let (pivot, length) = (self.at(row, column), lengths[column]);
        let start = row * (self.width + 2);
        for (other, &entry) in lengths.iter_mut().zip(&self.cells[start..start + self.width]) {
            let share = entry / pivot;
            *other = other.max(share * share * length);
        }
        lengths[column] = (length / (pivot * pivot)).max(1.0);
    }

    /// Pivots until the original right-hand side is nonnegative.
    fn dual(&mut self, most: usize) -> Option<()> {
        let right = self.width + 1;
        for _ in 0..most {
            let row = (0..self.height)
                .filter(|&i| self.at(i, right) < -TINY)
                .min_by(|&a, &b| self.at(a, right).total_cmp(&self.at(b, right)));
            let Some(row) = row else { return Some(()) };
            let able: Vec<(usize, f64)> =
                (0..self.width).map(|j| (j, -self.at(row, j))).filter(|(_, entry)| *entry > TINY).collect();
            let room = |j: usize| self.at(self.height, j).max(0.0);
            let least = able.iter().map(|&(j, entry)| (room(j) + SLACK) / entry).min_by(f64::total_cmp)?;
            let near = able.into_iter().filter(|&(j, entry)| room(j) / entry <= least);
            let (column, _) = near.max_by(|a, b| a.1.total_cmp(&b.1))?;
            self.pivot(row, column);
        }
        None
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let stride = self.width + 2;
        let pivot = self.at(row, column);
        let mut line: Vec<f64> = self.cells[row * stride..(row + 1) * stride].to_vec();
        line.iter_mut().for_each(|x| *x /= pivot);
        line[column] = 1.0 / pivot;
        let filled: Vec<usize> = (0..stride).filter(|&j| line[j] != 0.0).collect();
        let sparse = filled.len() * SPARSE < stride;
        for (i, other) in self.cells.chunks_exact_mut(stride).enumerate() {
            let factor = other[column];
            if i == row || factor == 0.0 {
                continue;
            }
            other[column] = 0.0;
            if sparse {
                filled.iter().for_each(|&j| other[j] -= factor * line[j]);
            } else {
                other.iter_mut().zip(&line).for_each(|(x, y)| *x -= factor * y);
            }
        }
        self.cells[row * stride..(row + 1) * stride].copy_from_slice(&line);
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }
}
