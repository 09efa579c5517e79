//! What a game must know for this method.

use grundy_core::game::Scored;

/// The board of a game of strings and coins: every move cuts a string; who cuts the last string of a coin gains a
/// point and moves again (E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapter 16).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coins {
    /// How many strings there are at the start.
    pub strings: u32,
    /// The strings of each coin, as bits; a string holds one coin or two.
    pub coins: Vec<u64>,
    /// Permutations of the strings that carry coins to coins, as lists of where each string goes: a group, the
    /// permutation that changes nothing first.
    pub symmetries: Vec<Vec<u8>>,
    /// The points that it costs to cut the last string.
    pub fine: i32,
}

/// A game of strings and coins: values depend on the strings that are left, and on nothing else.
pub trait StringsAndCoins: Scored {
    /// The board; `None` where it has more than 64 strings.
    fn coins(&self) -> Option<Coins>;

    /// The strings that are left, as bits. Not called where there are more than 64.
    fn strings_left(&self, position: &Self::Position) -> u64;

    /// A position with these strings left.
    fn with_strings(&self, left: u64) -> Self::Position;
}
