//! What a game must know for this method.

use grundy_core::game::Scored;

/// A game for points whose positions can be reduced to a *core*: what is left after the moves that are certainly best,
/// and without the parts that are settled. A core has no players and no score.
///
/// An implementation proves, in its documentation, that the reduction keeps values.
pub trait Reduced: Scored {
    /// A reduced position: plain data, cheap to make.
    type Core: Copy + Send + Sync;

    /// The core of an unfinished position, as it is offered to the player to move.
    fn reduce(&self, position: &Self::Position) -> Offer<Self::Core>;

    /// Visits the moves of a player who must move in a core, each as the offer that it makes to the other player, the
    /// most promising first. Moves that are seen to be worth less than `beta` may be left out; the result is an upper
    /// bound of their worth. No other move is left out that is better than all that are visited. Not called where the
    /// value is [`Reduced::known`].
    fn offers(&self, core: &Self::Core, beta: i32, visit: &mut impl FnMut(Offer<Self::Core>)) -> i32;

    /// The value of a core for the player who must move in it, where a formula knows it; always where nothing is
    /// left to decide.
    fn known(&self, core: &Self::Core) -> Option<i32>;

    /// The least and the largest value that a core may have, found quickly. Both are reached by steps of
    /// [`Reduced::step`] from each other.
    fn bounds(&self, core: &Self::Core) -> (i32, i32);

    /// All values that a core may have, whatever its moves, differ by multiples of this number, which is at least 1.
    fn step(&self) -> i32 {
        1
    }

    /// Adds the keys of the offered cores, whose values are not [`Reduced::known`]. Cores that share a key have the
    /// same value. A key is a hash of 128 bits.
    fn keys(&self, offers: &[Offer<Self::Core>], keys: &mut Vec<[u64; 2]>);

    /// The key of one core.
    fn key(&self, core: &Self::Core) -> [u64; 2] {
        let mut keys = Vec::with_capacity(1);
        self.keys(&[Offer { core: *core, gain: 0, price: None }], &mut keys);
        keys.first().copied().unwrap_or_default()
    }
}

/// What a move offers the other player: points, and then a core. He moves in the core himself or, where there is a
/// price, pays it to have the first player move there.
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
