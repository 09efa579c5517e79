//! Statistics of a match: Elo with its error, likelihood of superiority, and the sequential probability ratio test.
//!
//! The logistic model: an engine stronger by `e` scores `1 / (1 + 10^(-e/400))` on average. The test is the
//! generalised one (Van den Bergh, "The Generalized Sequential Probability Ratio Test", as used by fishtest): the
//! likelihood under a hypothesis is the largest among all distributions with that mean score. Games of a pair share
//! an opening and are not independent, so pairs are counted if there are any (pentanomial), else games (trinomial).

/// The number of times each score occurred, from 0 to 1 in equal steps: three entries for games, five for pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// The counts.
    pub counts: Vec<u64>,
}

/// An estimate of the difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The difference in Elo; infinite if one side won everything.
    pub elo: f64,
    /// Half the width of its interval of 95 %.
    pub error: f64,
    /// The probability that the first is the stronger one.
    pub los: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The hypotheses, in Elo.
    pub elo: [f64; 2],
    /// The bounds at which the test is decided.
    pub bounds: [f64; 2],
}

impl Scores {
    /// Returns empty counts.
    pub fn games() -> Scores {
        Scores { counts: vec![0; 3] }
    }

    /// Returns empty counts.
    pub fn pairs() -> Scores {
        Scores { counts: vec![0; 5] }
    }

    /// Returns the number of counted games or pairs.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Adds the counts of other games or pairs.
    pub fn add(&mut self, other: &Scores) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }

    fn value(&self, i: usize) -> f64 {
        i as f64 / (self.counts.len() - 1) as f64
    }

    /// Returns mean and variance of the score.
    fn moments(&self) -> Option<(f64, f64)> {
        let total = self.total() as f64;
        if total == 0.0 {
            return None;
        }
        let weighted = |f: &dyn Fn(f64) -> f64| {
            self.counts.iter().enumerate().map(|(i, &n)| n as f64 * f(self.value(i))).sum::<f64>() / total
        };
        let mean = weighted(&|s| s);
        Some((mean, weighted(&|s| (s - mean).powi(2))))
    }

    /// Returns the estimated difference in strength; `None` without any count.
    pub fn strength(&self) -> Option<Strength> {
        let (mean, variance) = self.moments()?;
        let deviation = (variance / self.total() as f64).sqrt();
        let low = elo_of((mean - 1.96 * deviation).max(0.0));
        let high = elo_of((mean + 1.96 * deviation).min(1.0));
        let los = if deviation > 0.0 {
            normal_cdf((mean - 0.5) / deviation)
        } else {
            match mean.total_cmp(&0.5) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0,
            }
        };
        Some(Strength { elo: elo_of(mean), error: (high - low) / 2.0, los })
    }

    /// Returns the logarithm of the likelihood of the second hypothesis over that of the first.
    pub fn llr(&self, elo: [f64; 2]) -> f64 {
        if self.total() == 0 {
            return 0.0;
        }
        // A score that never occurred counts as a thousandth of an observation, as in fishtest.
        let counts: Vec<f64> = self.counts.iter().map(|&n| (n as f64).max(1e-3)).collect();
        let total: f64 = counts.iter().sum();
        let observed: Vec<f64> = counts.iter().map(|n| n / total).collect();
        let under = elo.map(|e| self.likeliest(&observed, score_of(e)));
        let ratio: f64 = (0..counts.len()).map(|i| observed[i] * (under[1][i] / under[0][i]).ln()).sum();
        total * ratio
    }

    /// Returns the likeliest distribution with this mean: p/(1 + t(a-s)), with the t at which it sums up (bisection:
    /// the sum falls in t).
    fn likeliest(&self, observed: &[f64], mean: f64) -> Vec<f64> {
        let gap = |i: usize| self.value(i) - mean;
        let last = observed.len() - 1;
        let (mut low, mut high) = (-1.0 / gap(last), -1.0 / gap(0));
        for _ in 0..200 {
            let t = f64::midpoint(low, high);
            let sum: f64 = (0..=last).map(|i| observed[i] * gap(i) / (1.0 + t * gap(i))).sum();
            if sum > 0.0 {
                low = t;
            } else {
                high = t;
            }
        }
        let t = f64::midpoint(low, high);
        (0..=last).map(|i| observed[i] / (1.0 + t * gap(i))).collect()
    }
}

impl Sprt {
    /// Creates a test from `elo0 elo1 alpha beta`.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn new(numbers: &[f64]) -> Result<Sprt, String> {
        let expected = "bad --sprt: expected elo0 < elo1, and alpha and beta between 0 and 0.5";
        let &[elo0, elo1, alpha, beta] = numbers else { return Err(expected.to_string()) };
        let error = |p: f64| p > 0.0 && p < 0.5;
        if !(elo0 < elo1 && elo0.abs() < 2000.0 && elo1.abs() < 2000.0 && error(alpha) && error(beta)) {
            return Err(expected.to_string());
        }
        let bounds = [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()];
        Ok(Sprt { elo: [elo0, elo1], bounds })
    }

    /// Returns the accepted hypothesis, 0 or 1; `None` if the test is undecided.
    pub fn decision(&self, llr: f64) -> Option<usize> {
        match (llr <= self.bounds[0], llr >= self.bounds[1]) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }
}

/// The difference in Elo at which this score is expected.
fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the score expected at this difference in Elo.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the normal distribution function, by the error function of Abramowitz and Stegun 7.1.26 (error below 2e-7).
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592]
        .iter()
        .fold(0.0, |sum, c| sum * t + c);
    let erf = 1.0 - poly * t * (-z * z).exp();
    if x >= 0.0 { f64::midpoint(1.0, erf) } else { f64::midpoint(1.0, -erf) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_its_error_are_those_of_the_logistic_model() {
        let strength = Scores { counts: vec![20, 40, 40] }.strength().unwrap();
        // Score 0.6: 400 log10(1.5); deviation sqrt(0.14/100).
        assert!((strength.elo - 70.436_5).abs() < 1e-3, "{strength:?}");
        assert!(
            (strength.los - 0.996_24).abs() < 1e-4,
            "the normal distribution at 0.1 / 0.037417: {strength:?}"
        );
        assert!(Scores { counts: vec![0, 0, 5] }.strength().unwrap().elo.is_infinite());
        assert!(Scores::games().strength().is_none());
    }

    #[test]
    fn the_test_is_even_for_mirrored_results_and_hypotheses() {
        let up = Scores { counts: vec![10, 30, 80, 40, 16] };
        let down = Scores { counts: vec![16, 40, 80, 30, 10] };
        assert!((up.llr([-2.0, 4.0]) + down.llr([-4.0, 2.0])).abs() < 1e-9);
        assert!(up.llr([0.0, 10.0]) > 0.0 && down.llr([0.0, 10.0]) < 0.0);
    }

    /// Numbers that another program's tests expect of the same formulas: fastchess, `app/tests/sprt_test.cpp` and
    /// `elo_test.cpp` (2026), to a hundredth as there. Its draws and pairs of a win and a loss are our one point.
    #[test]
    fn fastchess_says_the_same() {
        for (counts, elo, llr) in [
            (vec![21_184, 40_708, 21_404], [0.5, 2.5], -1.57),
            (vec![57_030, 106_593, 57_433], [0.0, 2.0], -2.59),
            (vec![223, 9_863, 20_279 + 1_000, 10_037, 246], [0.5, 2.5], -3.07),
            (vec![871, 26_175, 55_003 + 980, 26_678, 821], [0.0, 2.0], -4.98),
        ] {
            let ours = Scores { counts }.llr(elo);
            assert!((ours - llr).abs() < 0.005, "{ours} for {llr}");
        }
        for (counts, elo, error, los) in [
            (vec![96, 111, 136], 40.70, 30.43, 99.60),
            (vec![34, 54, 31 + 32, 64, 75], 55.58, 27.65, 100.00),
            (vec![332, 433, 457 + 41, 333, 334], -8.64, 10.33, 5.05),
            (vec![7_895, 8_757, 5_485 + 200, 568, 9_999], -21.04, 2.95, 0.00),
        ] {
            let ours = Scores { counts }.strength().unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 0.006;
            assert!(
                near(ours.elo, elo) && near(ours.error, error) && near(100.0 * ours.los, los),
                "{ours:?}"
            );
        }
    }

    #[test]
    fn bounds_are_walds() {
        let test = Sprt::new(&[0.0, 5.0, 0.05, 0.05]).unwrap();
        assert!((test.bounds[1] - 2.944_439).abs() < 1e-6 && (test.bounds[0] + 2.944_439).abs() < 1e-6);
        assert_eq!(test.decision(3.0), Some(1));
        assert!(Sprt::new(&[5.0, 0.0, 0.05, 0.05]).is_err() && Sprt::new(&[f64::NAN; 4]).is_err());
    }

    #[test]
    fn the_normal_distribution_is_right_at_known_points() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_344_75), (-1.96, 0.024_997_9), (3.0, 0.998_650_1)] {
            assert!((normal_cdf(x) - p).abs() < 1e-6, "{x}");
        }
    }
}
