//! The vertices of a bounded polytope, by the double description method (T. S. Motzkin and others, 1953; K. Fukuda and
//! A. Prodon, "Double description method revisited", 1996), in exact integers.

use std::collections::HashSet;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, common_denominator, scaled};

/// The most vertices that are held at once.
pub const MOST: usize = 100_000;

/// A polytope in as many dimensions as its forms have factors.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    /// Forms that are 0 on it: factors, then the constant.
    pub zero: Vec<(Vec<Fraction>, Fraction)>,
    /// Forms that are at least 0 on it.
    pub at_least_zero: Vec<(Vec<Fraction>, Fraction)>,
}

/// There are more vertices than [`MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "more than {MOST} vertices: too many to list")
    }
}

impl std::error::Error for TooMany {}

struct Ray {
    at: Vec<BigInt>,
    /// On which of the forms handled so far it is 0, a bit each.
    zeros: Vec<u64>,
}

impl Polytope {
    /// Its vertices in lexicographic order; none where it is empty. It must be bounded.
    ///
    /// # Errors
    /// There are too many.
    ///
    /// ```
    /// use grundy_information::{fraction::ratio, polytope::Polytope};
    /// let one = || ratio(1, 1);
    /// let zero = || ratio(0, 1);
    /// // The triangle x, y >= 0, x + y <= 1.
    /// let triangle = Polytope {
    ///     zero: vec![],
    ///     at_least_zero: vec![
    ///         (vec![one(), zero()], zero()),
    ///         (vec![zero(), one()], zero()),
    ///         (vec![-one(), -one()], one()),
    ///     ],
    /// };
    /// assert_eq!(triangle.vertices()?, [[zero(), zero()], [zero(), one()], [one(), zero()]]);
    /// # Ok::<(), grundy_information::polytope::TooMany>(())
    /// ```
    pub fn vertices(&self) -> Result<Vec<Vec<Fraction>>, TooMany> {
        let Some((factors, _)) = self.zero.iter().chain(&self.at_least_zero).next() else {
            return Ok(Vec::new());
        };
        let size = factors.len() + 1;
        let equations: Vec<Vec<Fraction>> = self.zero.iter().map(joined).collect();
        let basis = null_space(equations, size);
        let infinity = {
            let mut last = vec![BigInt::zero(); size];
            last[size - 1] = BigInt::one();
            last
        };
        let mut seen = HashSet::new();
        let forms: Vec<Vec<BigInt>> = std::iter::once(infinity)
            .chain(self.at_least_zero.iter().map(|form| integers(&joined(form))))
            .map(|form| primitive(basis.iter().map(|b| product(&form, b)).collect()))
            .filter(|form| form.iter().any(|x| !x.is_zero()) && seen.insert(form.clone()))
            .collect();
        let rays = extreme_rays(&forms, basis.len())?;
        let mut vertices: Vec<Vec<Fraction>> = rays
            .iter()
            .filter_map(|ray| {
                let mut point = vec![BigInt::zero(); size];
                for (direction, factor) in basis.iter().zip(&ray.at) {
                    point.iter_mut().zip(direction).for_each(|(x, d)| *x += d * factor);
                }
                let scale = point.pop().filter(|scale| !scale.is_zero())?;
                Some(point.into_iter().map(|x| Fraction::new(x, scale.clone())).collect())
            })
            .collect();
        vertices.sort();
        Ok(vertices)
    }
}

fn joined(form: &(Vec<Fraction>, Fraction)) -> Vec<Fraction> {
    form.0.iter().chain([&form.1]).cloned().collect()
}

fn integers(form: &[Fraction]) -> Vec<BigInt> {
    let scale = common_denominator(form);
    form.iter().map(|x| scaled(x, &scale)).collect()
}

fn primitive(mut form: Vec<BigInt>) -> Vec<BigInt> {
    let common = form.iter().fold(BigInt::zero(), |all, x| all.gcd(x));
    if common > BigInt::one() {
        form.iter_mut().for_each(|x| *x = &*x / &common);
    }
    form
}

fn product(one: &[BigInt], two: &[BigInt]) -> BigInt {
    one.iter().zip(two).filter(|(a, b)| !a.is_zero() && !b.is_zero()).map(|(a, b)| a * b).sum()
}

/// Brings rows into reduced echelon form; gives the column of each row's leading 1. Rows of zeros are dropped.
fn reduce(rows: &mut Vec<Vec<Fraction>>, columns: usize) -> Vec<usize> {
    let mut leading = Vec::new();
    for column in 0..columns {
        let at = leading.len();
        let Some(found) = (at..rows.len()).find(|&i| !rows[i][column].is_zero()) else { continue };
        rows.swap(at, found);
        let scale = rows[at][column].clone();
        rows[at].iter_mut().for_each(|x| *x /= &scale);
        let row = rows[at].clone();
        for (i, other) in rows.iter_mut().enumerate() {
            if i != at && !other[column].is_zero() {
                let factor = other[column].clone();
                other.iter_mut().zip(&row).filter(|(_, y)| !y.is_zero()).for_each(|(x, y)| *x -= &factor * y);
            }
        }
        leading.push(column);
    }
    rows.truncate(leading.len());
    leading
}

/// A basis of what all these forms take to 0.
fn null_space(mut rows: Vec<Vec<Fraction>>, size: usize) -> Vec<Vec<BigInt>> {
    let leading = reduce(&mut rows, size);
    let free = (0..size).filter(|column| !leading.contains(column));
    free.map(|column| {
        let mut direction = vec![Fraction::zero(); size];
        direction[column] = Fraction::one();
        rows.iter().zip(&leading).for_each(|(row, &lead)| direction[lead] = -row[column].clone());
        primitive(integers(&direction))
    })
    .collect()
}

/// The extreme rays of the cone on which all forms are at least 0; it must have a vertex.
fn extreme_rays(forms: &[Vec<BigInt>], dimension: usize) -> Result<Vec<Ray>, TooMany> {
    let words = forms.len().div_ceil(64);
    // Forms that are independent, and the rays dual to them.
    let mut columns: Vec<Vec<Fraction>> = (0..dimension)
        .map(|i| forms.iter().map(|form| Fraction::from_integer(form[i].clone())).collect())
        .collect();
    let first = reduce(&mut columns, forms.len());
    if first.len() < dimension || dimension == 0 {
        return Ok(Vec::new());
    }
    let mut square: Vec<Vec<Fraction>> = first
        .iter()
        .enumerate()
        .map(|(i, &form)| {
            let unit = (0..dimension).map(|j| Fraction::from_integer(BigInt::from(u8::from(i == j))));
            forms[form].iter().map(|x| Fraction::from_integer(x.clone())).chain(unit).collect()
        })
        .collect();
    reduce(&mut square, dimension);
    let mut rays: Vec<Ray> = (0..dimension)
        .map(|ray| {
            let at: Vec<Fraction> = square.iter().map(|row| row[dimension + ray].clone()).collect();
            let mut zeros = vec![0; words];
            for (_, &form) in first.iter().enumerate().filter(|(i, _)| *i != ray) {
                zeros[form / 64] |= 1 << (form % 64);
            }
            Ray { at: primitive(integers(&at)), zeros }
        })
        .collect();
    for next in (0..forms.len()).filter(|form| !first.contains(form)) {
        cut(&mut rays, &forms[next], next, dimension)?;
    }
    Ok(rays)
}

/// Cuts the cone by one more form.
fn cut(rays: &mut Vec<Ray>, form: &[BigInt], number: usize, dimension: usize) -> Result<(), TooMany> {
    let values: Vec<BigInt> = rays.iter().map(|ray| product(form, &ray.at)).collect();
    let side = |wanted: fn(&BigInt) -> bool| -> Vec<usize> {
        (0..rays.len()).filter(|&i| wanted(&values[i])).collect()
    };
    let (inside, outside) = (side(|x| x.is_positive()), side(|x| x.is_negative()));
    let mut born = Vec::new();
    for &a in &inside {
        for &b in &outside {
            let common: Vec<u64> = rays[a].zeros.iter().zip(&rays[b].zeros).map(|(x, y)| x & y).collect();
            let count: u32 = common.iter().map(|word| word.count_ones()).sum();
            if (count as usize) + 2 < dimension {
                continue;
            }
            let covers = |ray: &Ray| common.iter().zip(&ray.zeros).all(|(c, z)| c & !z == 0);
            if rays.iter().enumerate().any(|(i, ray)| i != a && i != b && covers(ray)) {
                continue;
            }
            let pairs = rays[b].at.iter().zip(&rays[a].at);
            let at = primitive(pairs.map(|(y, x)| y * &values[a] - x * &values[b]).collect());
            let mut zeros = common;
            zeros[number / 64] |= 1 << (number % 64);
            born.push(Ray { at, zeros });
            if born.len() + inside.len() > MOST {
                return Err(TooMany);
            }
        }
    }
    let mut at = 0;
    rays.retain_mut(|ray| {
        let value = &values[at];
        at += 1;
        if value.is_zero() {
            ray.zeros[number / 64] |= 1 << (number % 64);
        }
        !value.is_negative()
    });
    rays.append(&mut born);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fraction::ratio;

    fn cube(dimension: usize) -> Polytope {
        let unit = |i: usize, sign: i64| (0..dimension).map(|j| ratio(sign * i64::from(i == j), 1)).collect();
        let forms = (0..dimension).flat_map(|i| [(unit(i, 1), ratio(0, 1)), (unit(i, -1), ratio(1, 1))]);
        Polytope { zero: Vec::new(), at_least_zero: forms.collect() }
    }

    #[test]
    fn a_cube_has_all_its_corners() {
        for dimension in 1..=6 {
            assert_eq!(cube(dimension).vertices().expect("few").len(), 1 << dimension);
        }
    }

    #[test]
    fn a_slice_of_a_cube_has_the_corners_of_a_hexagon() {
        let mut slice = cube(3);
        slice.zero.push((vec![ratio(1, 1); 3], ratio(-3, 2)));
        assert_eq!(slice.vertices().expect("few").len(), 6);
        slice.zero.push((vec![ratio(1, 1); 3], ratio(-7, 1)));
        assert!(slice.vertices().expect("few").is_empty());
    }

    #[test]
    fn the_cross_polytope_is_degenerate_and_has_two_corners_a_dimension() {
        let dimension = 4;
        let signs = (0..1u32 << dimension).map(|mask| {
            let factors = (0..dimension).map(|i| ratio(if mask >> i & 1 == 1 { 1 } else { -1 }, 1)).collect();
            (factors, ratio(1, 1))
        });
        let cross = Polytope { zero: Vec::new(), at_least_zero: signs.collect() };
        assert_eq!(cross.vertices().expect("few").len(), 2 * dimension);
    }
}
