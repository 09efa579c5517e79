//! The trait that a game implements for this method.

use grundy_core::game::Scored;

/// A game for points whose positions can be reduced to a *core*: the rest after moves that are certainly best, without
/// the parts that are settled. A core has no players and no score.
///
/// An implementation proves, in its documentation, that the reduction keeps values.
pub trait Reduced: Scored {
    /// A reduced position: plain data, cheap to make.
    type Core: Copy + Send + Sync;

    /// Returns the core of an unfinished position, as it is offered to the player to move.
    fn reduce(&self, position: &Self::Position) -> Offer<Self::Core>;

    /// Visits the moves of a player who must move in a core, each as an offer to the opponent, most promising first.
    /// Moves worth less than `beta` may be omitted; the result is an upper bound of their values. No other move better
    /// than all visited ones may be omitted. Not called if the value is [`Reduced::known`].
    fn offers(&self, core: &Self::Core, beta: i32, visit: &mut impl FnMut(Offer<Self::Core>)) -> i32;

    /// Returns the value of a core for the player who must move in it, if there is a formula; always if nothing is left
    /// to decide.
    fn known(&self, core: &Self::Core) -> Option<i32>;

    /// Returns quick lower and upper bounds of a core's value, which differ by a multiple of [`Reduced::step`].
    fn bounds(&self, core: &Self::Core) -> (i32, i32);

    /// Returns the step, at least 1: all values that a core may have differ by multiples of it.
    fn step(&self) -> i32 {
        1
    }

    /// Adds the keys of the offered cores, whose values are not [`Reduced::known`]. Cores that share a key must have
    /// the same value. A key is a hash of 128 bits.
    fn keys(&self, offers: &[Offer<Self::Core>], keys: &mut Vec<[u64; 2]>);

    /// Returns the key of one core.
    fn key(&self, core: &Self::Core) -> [u64; 2] {
        let mut keys = Vec::with_capacity(1);
        self.keys(&[Offer { core: *core, gain: 0, price: None }], &mut keys);
        keys.first().copied().unwrap_or_default()
    }
}

/// The offer of a move to the opponent: points, and then a core. The opponent moves in the core or, if there is a
/// price, pays it to make the first player move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer<C> {
    /// The core left to play.
    pub core: C,
    /// The points that the opponent gains before the choice.
    pub gain: i32,
    /// The net cost in points of making the other player move; `None` if there is no choice.
    pub price: Option<i32>,
}

impl<C> Offer<C> {
    /// Returns the value of the offer for the player who gets it, if the core is worth `value` to the player who moves
    /// in it.
    #[inline]
    pub fn worth(&self, value: i32) -> i32 {
        self.gain + self.price.map_or(value, |price| value.max(-price - value))
    }
}
