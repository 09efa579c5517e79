//! The factorization of a sparse square matrix modulo a prime into triangular matrices, by Gaussian elimination.
//!
//! The next pivot is in a row with the fewest entries, there in the column with the fewest (after H. M. Markowitz, "The
//! elimination form of the inverse", 1957), so that few new entries appear.

use std::collections::BTreeSet;

use crate::prime::{inverse, minus, times};

/// Entries of a row, by increasing columns.
type Row = Vec<(usize, u64)>;

/// One elimination step: a multiple of the pivot's row was subtracted from a row.
struct Step {
    row: usize,
    pivot: usize,
    factor: u64,
}

/// A pivot: its row and column, the inverse of its entry, and the other entries of its row.
struct Pivot {
    row: usize,
    column: usize,
    inverse: u64,
    others: Row,
}

/// The factors.
pub struct Factors {
    steps: Vec<Step>,
    pivots: Vec<Pivot>,
}

impl Factors {
    /// Factorizes a matrix given by its rows; `None` if it is singular.
    pub fn new(mut rows: Vec<Row>) -> Option<Factors> {
        let size = rows.len();
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|(column, _)| *column));
        let mut counts = vec![0usize; size];
        // For each column the rows that may have an entry there.
        let mut holders: Vec<Vec<usize>> = vec![Vec::new(); size];
        for (i, row) in rows.iter().enumerate() {
            for &(column, _) in row {
                counts[column] += 1;
                holders[column].push(i);
            }
        }
        let mut waiting: BTreeSet<(usize, usize)> =
            rows.iter().enumerate().map(|(i, row)| (row.len(), i)).collect();
        let (mut steps, mut pivots) = (Vec::new(), Vec::with_capacity(size));
        while let Some((_, at)) = waiting.pop_first() {
            let mut others = std::mem::take(&mut rows[at]);
            let place = (0..others.len()).min_by_key(|&k| counts[others[k].0])?;
            others.iter().for_each(|(column, _)| counts[*column] -= 1);
            let (column, entry) = others.remove(place);
            let inverse = inverse(entry);
            for i in std::mem::take(&mut holders[column]) {
                let Ok(found) = rows[i].binary_search_by_key(&column, |(column, _)| *column) else {
                    continue;
                };
                let factor = times(rows[i].remove(found).1, inverse);
                waiting.remove(&(rows[i].len() + 1, i));
                let reduced = reduced(&rows[i], &others, factor, |column, appears| {
                    if appears {
                        counts[column] += 1;
                        holders[column].push(i);
                    } else {
                        counts[column] -= 1;
                    }
                });
                rows[i] = reduced;
                waiting.insert((rows[i].len(), i));
                steps.push(Step { row: i, pivot: at, factor });
            }
            pivots.push(Pivot { row: at, column, inverse, others });
        }
        Some(Factors { steps, pivots })
    }

    /// Returns the solution x of `matrix x = right`.
    pub fn solve(&self, mut right: Vec<u64>) -> Vec<u64> {
        for step in &self.steps {
            if right[step.pivot] != 0 {
                right[step.row] = minus(right[step.row], times(step.factor, right[step.pivot]));
            }
        }
        let mut solution = vec![0; right.len()];
        for pivot in self.pivots.iter().rev() {
            let known = pivot.others.iter().filter(|(column, _)| solution[*column] != 0);
            let rest = known
                .fold(right[pivot.row], |rest, &(column, entry)| minus(rest, times(entry, solution[column])));
            solution[pivot.column] = times(rest, pivot.inverse);
        }
        solution
    }

    /// Returns the solution y of `y matrix = right`.
    pub fn solve_left(&self, mut right: Vec<u64>) -> Vec<u64> {
        let mut solution = vec![0; right.len()];
        for pivot in &self.pivots {
            let found = times(right[pivot.column], pivot.inverse);
            if found != 0 {
                for &(column, entry) in &pivot.others {
                    right[column] = minus(right[column], times(entry, found));
                }
            }
            solution[pivot.row] = found;
        }
        for step in self.steps.iter().rev() {
            if solution[step.row] != 0 {
                solution[step.pivot] = minus(solution[step.pivot], times(step.factor, solution[step.row]));
            }
        }
        solution
    }
}

/// Returns `row - factor * other`; `tell` receives the columns where an entry appears or vanishes.
fn reduced(row: &Row, other: &Row, factor: u64, mut tell: impl FnMut(usize, bool)) -> Row {
    let mut result = Vec::with_capacity(row.len() + other.len());
    let (mut mine, mut theirs) = (row.iter().peekable(), other.iter().peekable());
    loop {
        match (mine.peek(), theirs.peek()) {
            (Some(&&(i, a)), Some(&&(j, b))) if i == j => {
                match minus(a, times(factor, b)) {
                    0 => tell(i, false),
                    rest => result.push((i, rest)),
                }
                mine.next();
                theirs.next();
            }
            (Some(&&(i, a)), next) if next.is_none_or(|&&(j, _)| i < j) => {
                result.push((i, a));
                mine.next();
            }
            (_, Some(&&(j, b))) => {
                result.push((j, minus(0, times(factor, b))));
                tell(j, true);
                theirs.next();
            }
            (_, None) => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prime::PRIME;
    use grundy_core::random::SplitMix64;

    fn plus(a: u64, b: u64) -> u64 {
        minus(a, minus(0, b))
    }

    #[test]
    fn both_systems_of_random_sparse_matrices_are_solved() {
        let mut random = SplitMix64(3);
        let mut regular = 0;
        for round in 0..200 {
            let size = 1 + random.below(12);
            let mut rows = vec![Row::new(); size];
            for row in &mut rows {
                for column in 0..size {
                    if random.below(1 + round % 4) == 0 {
                        row.push((column, 1 + random.bits() % 3));
                    }
                }
            }
            let Some(factors) = Factors::new(rows.clone()) else { continue };
            regular += 1;
            let right: Vec<u64> = (0..size).map(|_| random.bits() % PRIME).collect();
            let x = factors.solve(right.clone());
            let product = |row: &Row| row.iter().fold(0, |sum, &(j, a)| plus(sum, times(a, x[j])));
            assert_eq!(rows.iter().map(product).collect::<Vec<_>>(), right);
            let y = factors.solve_left(right.clone());
            let mut product = vec![0; size];
            for (row, &y) in rows.iter().zip(&y) {
                row.iter().for_each(|&(j, a)| product[j] = plus(product[j], times(a, y)));
            }
            assert_eq!(product, right);
        }
        assert!(regular > 50, "only {regular} of 200 were regular");
    }

    #[test]
    fn singular_matrices_have_no_factors() {
        assert!(Factors::new(vec![vec![(0, 1), (1, 2)], vec![(0, 2), (1, 4)]]).is_none());
        assert!(Factors::new(vec![vec![], vec![(0, 1)]]).is_none());
    }
}
