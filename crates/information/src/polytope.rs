//! The vertices of a bounded polytope, by the double description method (T. S. Motzkin and others, 1953; K. Fukuda and
//! A. Prodon, "Double description method revisited", 1996), in exact integers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, common_denominator, scaled};
use grundy_core::interner::Interner;
use grundy_core::sorting;

/// Maximum number of vertices that are held at once.
pub const MOST: usize = 100_000;

/// A polytope, given by affine forms of its coordinates.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    /// Forms that are 0 on it: coefficients, then the constant.
    pub zero: Vec<(Vec<Fraction>, Fraction)>,
    /// Forms that are at least 0 on it.
    pub at_least_zero: Vec<(Vec<Fraction>, Fraction)>,
}

/// There are more of some things than are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// More vertices than [`MOST`].
    Vertices,
    /// More equilibria than this.
    Equilibria(usize),
}

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TooMany::Vertices => write!(f, "more than {MOST} vertices: too many to list"),
            TooMany::Equilibria(most) => write!(f, "more than {most} equilibria: too many to list"),
        }
    }
}

impl std::error::Error for TooMany {}

/// A vertex: its coordinates times a positive `scale`.
pub(crate) struct Corner {
    pub at: Vec<BigInt>,
    pub scale: BigInt,
    /// Indices of the forms of `at_least_zero` that are 0 there.
    pub tight: Vec<usize>,
}

struct Ray {
    at: Vec<BigInt>,
    /// The forms processed so far that are 0 on it, a bit each.
    zeros: Vec<u64>,
}

impl Polytope {
    /// Returns its vertices in lexicographic order; empty if the polytope is. It must be bounded.
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
        let fractions = |corner: Corner| -> Vec<Fraction> {
            let Corner { at, scale, .. } = corner;
            at.into_iter().map(|x| Fraction::new(x, scale.clone())).collect()
        };
        let mut vertices: Vec<Vec<Fraction>> = self.corners()?.into_iter().map(fractions).collect();
        sorting::sort(&mut vertices);
        Ok(vertices)
    }

    /// Returns its vertices as integers in no particular order.
    pub(crate) fn corners(&self) -> Result<Vec<Corner>, TooMany> {
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
        // Equal forms are processed once; forms that are 0 everywhere have no index.
        let mut forms: Interner<Vec<BigInt>> = Interner::default();
        let given = self.at_least_zero.iter().map(|form| integers(&joined(form)));
        let numbers: Vec<Option<usize>> = std::iter::once(infinity)
            .chain(given)
            .map(|form| {
                let form = primitive(basis.iter().map(|b| product(&form, b)).collect());
                let any = form.iter().any(|x| !x.is_zero());
                any.then(|| forms.insert(form).0 as usize)
            })
            .collect();
        let rays = extreme_rays(forms.list(), basis.len())?;
        let corner = |ray: Ray| {
            let mut at = vec![BigInt::zero(); size];
            for (direction, factor) in basis.iter().zip(&ray.at) {
                at.iter_mut()
                    .zip(direction)
                    .filter(|(_, d)| !d.is_zero())
                    .for_each(|(x, d)| *x += d * factor);
            }
            let scale = at.pop().filter(|scale| !scale.is_zero())?;
            let zero = |number: &Option<usize>| number.is_none_or(|k| ray.zeros[k / 64] >> (k % 64) & 1 == 1);
            let tight = (0..self.at_least_zero.len()).filter(|&form| zero(&numbers[form + 1])).collect();
            Some(Corner { at, scale, tight })
        };
        Ok(rays.into_iter().filter_map(corner).collect())
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

fn ones(words: impl Iterator<Item = u64>) -> usize {
    words.map(|word| word.count_ones() as usize).sum()
}

fn product(one: &[BigInt], two: &[BigInt]) -> BigInt {
    one.iter().zip(two).filter(|(a, b)| !a.is_zero() && !b.is_zero()).map(|(a, b)| a * b).sum()
}

/// Brings rows into reduced echelon form; returns the column of each row's leading 1. Rows of zeros are dropped.
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

/// Returns a basis of the common null space of these forms.
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

/// Returns the extreme rays of the cone on which all forms are nonnegative; it must have a vertex.
fn extreme_rays(forms: &[Vec<BigInt>], dimension: usize) -> Result<Vec<Ray>, TooMany> {
    let words = forms.len().div_ceil(64);
    // Independent forms, and the rays dual to them.
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

/// Intersects the cone with one more half-space. A new ray lies between each two neighbours on different sides of it:
/// two rays whose common zeros leave a plane, so that no third ray has them all.
fn cut(rays: &mut Vec<Ray>, form: &[BigInt], number: usize, dimension: usize) -> Result<(), TooMany> {
    let words = rays.first().map_or(0, |ray| ray.zeros.len());
    let values: Vec<BigInt> = rays.iter().map(|ray| product(form, &ray.at)).collect();
    let side = |wanted: fn(&BigInt) -> bool| -> Vec<usize> {
        (0..rays.len()).filter(|&i| wanted(&values[i])).collect()
    };
    let (inside, outside) = (side(|x| x.is_positive()), side(|x| x.is_negative()));
    let outside_zeros: Vec<u64> = outside.iter().flat_map(|&b| rays[b].zeros.iter().copied()).collect();
    // With no more zeros than a ray needs they are independent, and so are those in common with another.
    let simple: Vec<bool> = rays.iter().map(|ray| ones(ray.zeros.iter().copied()) + 1 == dimension).collect();
    let mut born = Vec::new();
    for &a in &inside {
        let mine = &rays[a].zeros;
        for (&b, theirs) in outside.iter().zip(outside_zeros.chunks_exact(words)) {
            let common = || mine.iter().zip(theirs).map(|(x, y)| x & y);
            if ones(common()) + 2 < dimension {
                continue;
            }
            let covers = |ray: &Ray| common().zip(&ray.zeros).all(|(c, z)| c & !z == 0);
            if !simple[a]
                && !simple[b]
                && rays.iter().enumerate().any(|(i, ray)| i != a && i != b && covers(ray))
            {
                continue;
            }
            let pairs = rays[b].at.iter().zip(&rays[a].at);
            let at = primitive(pairs.map(|(y, x)| y * &values[a] - x * &values[b]).collect());
            let mut zeros: Vec<u64> = common().collect();
            zeros[number / 64] |= 1 << (number % 64);
            born.push(Ray { at, zeros });
            if born.len() + inside.len() > MOST {
                return Err(TooMany::Vertices);
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

    /// Returns the vertices by solving every choice of as many forms as there are dimensions.
    fn by_choices(polytope: &Polytope, dimension: usize) -> Vec<Vec<Fraction>> {
        let forms = &polytope.at_least_zero;
        let value = |(factors, constant): &(Vec<Fraction>, Fraction), at: &[Fraction]| -> Fraction {
            factors.iter().zip(at).map(|(a, x)| a * x).sum::<Fraction>() + constant
        };
        let mut found = std::collections::BTreeSet::new();
        for mask in (0..1u32 << forms.len()).filter(|mask| mask.count_ones() as usize == dimension) {
            let mut rows: Vec<Vec<Fraction>> =
                (0..forms.len()).filter(|i| mask >> i & 1 == 1).map(|i| joined(&forms[i])).collect();
            if reduce(&mut rows, dimension).len() < dimension {
                continue;
            }
            let at: Vec<Fraction> = rows.iter().map(|row| -row[dimension].clone()).collect();
            if forms.iter().all(|form| !value(form, &at).is_negative()) {
                found.insert(at);
            }
        }
        found.into_iter().collect()
    }

    #[test]
    fn random_polytopes_with_many_ties_have_the_vertices_of_all_choices_of_forms() {
        let mut numbers = grundy_core::random::SplitMix64(31);
        for round in 0..150 {
            let dimension = 2 + round % 3;
            let mut polytope = cube(dimension);
            for _ in 0..numbers.below(5) {
                let factors = (0..dimension).map(|_| ratio(numbers.below(5) as i64 - 2, 1)).collect();
                polytope.at_least_zero.push((factors, ratio(numbers.below(4) as i64, 1)));
            }
            let vertices = polytope.vertices().expect("few");
            assert_eq!(vertices, by_choices(&polytope, dimension), "round {round}");
            for corner in polytope.corners().expect("few") {
                let at: Vec<Fraction> =
                    corner.at.iter().map(|x| Fraction::new(x.clone(), corner.scale.clone())).collect();
                let zero = |(factors, constant): &(Vec<Fraction>, Fraction)| {
                    (crate::fraction::dot(factors, &at) + constant).is_zero()
                };
                let tight: Vec<usize> = (0..polytope.at_least_zero.len())
                    .filter(|&form| zero(&polytope.at_least_zero[form]))
                    .collect();
                assert_eq!(corner.tight, tight, "round {round}");
            }
        }
    }
}
