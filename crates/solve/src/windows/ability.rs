//! What a game must know for this method.

use grundy_core::game::Scored;

/// A position boiled down to what is still to be decided, for searches by windows: the moves that are certainly
/// right are made, settled parts are only counted. Cores know neither players nor scores.
///
/// Values are points. Whoever implements this proves, where it is implemented, that cores keep values.
pub trait Reduced: Scored {
    /// What is left to decide, of one kind of position only; plain data, quickly made.
    type Core: Copy + Send + Sync;

    /// What the player to move of an unfinished position makes of it.
    fn reduce(&self, position: &Self::Position) -> Offer<Self::Core>;

    /// Visits what a player who must move in a core may offer the other, the most promising first; nothing that
    /// is better than all that is visited is left out, but for offers that are quickly seen to be worth less than
    /// `beta` to him: the answer is a bound on the worth of all of these. Not called where the value is
    /// [`Reduced::known`].
    fn offers(&self, core: &Self::Core, beta: i32, visit: &mut impl FnMut(Offer<Self::Core>)) -> i32;

    /// The value of a core for the player who must move in it, where a formula knows it; always where nothing is
    /// left to decide.
    fn known(&self, core: &Self::Core) -> Option<i32>;

    /// The least and the largest value that a core may have, found quickly. Both are reached by steps of
    /// [`Reduced::step`] from each other.
    fn bounds(&self, core: &Self::Core) -> (i32, i32);

    /// Whether offers rest on something that is not proved, so that no value found by them may be called exact.
    fn assumes(&self) -> bool {
        false
    }

    /// The values of one core differ by multiples of this, at least 1.
    fn step(&self) -> i32 {
        1
    }

    /// Adds the keys of the cores that are offered, whose values are not [`Reduced::known`]: two cores of one key have
    /// one value. A hash of 128 bits.
    fn keys(&self, offers: &[Offer<Self::Core>], keys: &mut Vec<[u64; 2]>);

    /// The key of one core.
    fn key(&self, core: &Self::Core) -> [u64; 2] {
        let mut keys = Vec::with_capacity(1);
        self.keys(&[Offer { core: *core, gain: 0, price: None }], &mut keys);
        keys.first().copied().unwrap_or_default()
    }
}

/// What a player is offered: points, and then the choice between moving in a core or, where there is a price,
/// paying it to make the other player move in the core instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer<C> {
    /// What is left to decide.
    pub core: C,
    /// The points that the player gains before the choice.
    pub gain: i32,
    /// The net of points that it costs to make the other player move; `None` where there is no choice.
    pub price: Option<i32>,
}

impl<C> Offer<C> {
    /// The worth of the offer to the player who gets it, if the core is worth `value` to who moves in it.
    #[inline]
    pub fn worth(&self, value: i32) -> i32 {
        self.gain + self.price.map_or(value, |price| value.max(-price - value))
    }
}
