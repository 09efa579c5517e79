//! The trait of games of strings and coins.

use grundy_core::game::Scored;

/// The board of a game of strings and coins: every move cuts a string; whoever cuts the last string of a coin gains a
/// point and moves again (E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapter 16).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coins {
    /// Number of strings at the start.
    pub strings: u32,
    /// The strings of each coin, as bits; a string holds one coin or two.
    pub coins: Vec<u64>,
    /// Permutations of the strings that map coins to coins, as lists of images: a group, the identity first.
    pub symmetries: Vec<Vec<u8>>,
    /// The points that cutting the last string costs.
    pub fine: i32,
}

/// A game of strings and coins: values depend on the strings that are left, and on nothing else.
pub trait StringsAndCoins: Scored {
    /// Returns the board; `None` if it has more than 64 strings.
    fn coins(&self) -> Option<Coins>;

    /// Returns the strings that are left, as bits. Not called for boards of more than 64 strings.
    fn strings_left(&self, position: &Self::Position) -> u64;

    /// Returns a position with these strings left.
    fn with_strings(&self, left: u64) -> Self::Position;
}
