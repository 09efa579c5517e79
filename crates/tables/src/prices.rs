//! The time of a large solve, extrapolated from the times of smaller ones on this machine.

use grundy_core::sorting;

/// A piece of work that was timed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timed {
    /// Its size in moves or states.
    pub(crate) size: f64,
    /// Its time in seconds.
    pub(crate) seconds: f64,
}

impl Timed {
    fn price(self) -> f64 {
        self.seconds / self.size.max(1.0)
    }
}

/// Seconds per move or state, by the size of the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// The typical size of the largest pieces.
    size: f64,
    /// Their seconds per move or state.
    price: f64,
    /// The price grows as this power of the size.
    growth: f64,
}

/// Extrapolated seconds per move or state grow at most by this factor: values of a small piece of work lie in the processor's
/// caches, those of a large one in memory.
const DEARER: f64 = 2.0;

impl Prices {
    /// Derives the price from the largest third of the pieces, and its growth from the third before it. `None` if nothing was
    /// timed.
    pub(crate) fn new(mut timed: Vec<Timed>) -> Option<Prices> {
        timed.retain(|timed| timed.size > 0.0);
        sorting::sort_by(&mut timed, |a, b| a.size.total_cmp(&b.size));
        let third = timed.len().div_ceil(3);
        let (smaller, largest) = timed.split_at(timed.len() - third);
        let large = typical(largest)?;
        let growth = typical(&smaller[smaller.len().saturating_sub(third)..])
            .filter(|small| small.size < large.size)
            .map_or(0.0, |small| (large.price() / small.price()).ln() / (large.size / small.size).ln());
        let growth = if growth.is_finite() { growth.max(0.0) } else { 0.0 };
        Some(Prices { size: large.size, price: large.price(), growth })
    }

    /// Returns the seconds that work of this size takes.
    pub(crate) fn seconds(&self, size: f64) -> f64 {
        let dearer = (size / self.size).powf(self.growth).clamp(1.0, DEARER);
        size * self.price * dearer
    }
}

/// Returns the mean of some pieces; `None` if there are none.
fn typical(timed: &[Timed]) -> Option<Timed> {
    let pieces = timed.len() as f64;
    let (size, seconds) = timed.iter().fold((0.0, 0.0), |all, one| (all.0 + one.size, all.1 + one.seconds));
    (!timed.is_empty()).then_some(Timed { size: size / pieces, seconds: seconds / pieces })
}

#[cfg(test)]
mod tests {
    use super::{Prices, Timed};

    fn priced(pieces: &[(f64, f64)]) -> Option<Prices> {
        Prices::new(pieces.iter().map(|&(size, seconds)| Timed { size, seconds }).collect())
    }

    #[test]
    fn an_even_price_stays_what_it_is() {
        let prices = priced(&[(4e6, 4.0), (1e6, 1.0), (2e6, 2.0)]).unwrap();
        assert!((prices.seconds(1e9) - 1_000.0).abs() < 1e-6);
        assert!((prices.seconds(1e3) - 1e-3).abs() < 1e-9);
        let single = priced(&[(1e6, 2.0)]).unwrap();
        assert!((single.seconds(3e6) - 6.0).abs() < 1e-9);
    }

    #[test]
    fn a_growing_price_goes_on_growing_to_twice_at_most() {
        // Ten times the size costs 10^0.1 times as much each.
        let prices = priced(&[(1e6, 1.0), (1e7, 10.0 * 10f64.powf(0.1))]).unwrap();
        let expected = 100.0 * 10f64.powf(0.2);
        assert!((prices.seconds(1e8) - expected).abs() < 1e-6 * expected);
        let most = 1e15 * 1e-6 * 10f64.powf(0.1) * 2.0;
        assert!((prices.seconds(1e15) - most).abs() < 1e-6 * most);
        // Smaller work is not taken to be cheaper than what was timed last.
        assert!(prices.seconds(1e6) >= 1.0);
    }

    #[test]
    fn nothing_timed_has_no_price() {
        assert!(priced(&[]).is_none());
        assert!(priced(&[(0.0, 1.0)]).is_none());
        // A clock too coarse for the small pieces says nothing of growth.
        assert!(priced(&[(1e3, 0.0), (1e6, 1.0)]).unwrap().seconds(1e9).is_finite());
    }
}
