//! Proved bounds of a core's value, and of an offer of the core.

use super::ability::{Offer, Reduced};

/// Proved bounds of a core's value.
pub(super) struct CoreBounds {
    pub lo: i32,
    pub hi: i32,
}

impl CoreBounds {
    /// Returns the bounds known by the game itself.
    #[inline]
    pub fn of<G: Reduced>(game: &G, core: &G::Core) -> CoreBounds {
        let (lo, hi) = game.known(core).map_or_else(|| game.bounds(core), |value| (value, value));
        CoreBounds { lo, hi }
    }

    /// Intersects with the table's bounds.
    #[inline]
    pub fn learn(&mut self, proved: Option<(i32, i32)>) {
        if let Some((lo, hi)) = proved {
            (self.lo, self.hi) = (self.lo.max(lo), self.hi.min(hi));
        }
    }

    /// Returns the bounds of the offer's value for the player who gets it.
    #[inline]
    pub fn worth<G: Reduced>(&self, game: &G, offer: &Offer<G::Core>) -> (i32, i32) {
        let &CoreBounds { lo, hi } = self;
        let (a, b) = (offer.worth(lo), offer.worth(hi));
        let mut least = a.min(b);
        if let Some(price) = offer.price {
            // The worth is least where both choices are worth the same: at values about -price / 2.
            let turn = -price.div_euclid(2);
            if lo < turn && turn < hi {
                let step = game.step().max(1);
                let below = lo + (turn - lo).div_euclid(step) * step;
                least = least.min(offer.worth(below)).min(offer.worth((below + step).min(hi)));
            }
        }
        (least, a.max(b))
    }
}
