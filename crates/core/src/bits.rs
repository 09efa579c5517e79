//! Sets of cells, lines or boxes as one machine word of 32, 64 or 128 bits, chosen at compile time by the board's size.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A set of elements `0..WIDTH` in one machine word: bit `n` is 1 if element `n` is in the set. Elements are cells,
/// lines or boxes of a board.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Number of elements that fit.
    const WIDTH: u32;
    /// The empty set.
    const NONE: Self;
    /// The set of element 0 alone.
    const ONE: Self;

    /// Returns the number of elements in the set.
    fn count(self) -> u32;

    /// Returns the lowest element; the set must not be empty.
    fn lowest(self) -> u32;

    /// Returns the set of the lowest element alone; empty if the set is empty.
    fn lowest_set(self) -> Self;

    /// Returns elements 0 to 63 as a bit mask.
    fn low(self) -> u64;

    /// Returns the set whose elements 0 to 63 are these bits, truncated to the word.
    fn of(low: u64) -> Self;

    /// Returns the set as two words, elements 0 to 63 first.
    fn words(self) -> [u64; 2];

    /// Reports whether the set is empty.
    #[inline]
    fn none(self) -> bool {
        self == Self::NONE
    }

    /// Reports whether the sets intersect.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).none()
    }

    /// Returns the elements of this set that are not in `other`.
    #[inline]
    fn without(self, other: Self) -> Self {
        self & !other
    }
}

macro_rules! bits {
    ($($word:ty),*) => {$(
        impl Bits for $word {
            const WIDTH: u32 = <$word>::BITS;
            const NONE: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn lowest_set(self) -> Self {
                self & self.wrapping_neg()
            }

            #[inline]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline]
            fn of(low: u64) -> Self {
                low as Self
            }

            #[inline]
            fn words(self) -> [u64; 2] {
                let wide = self as u128;
                [wide as u64, (wide >> 64) as u64]
            }
        }
    )*};
}

bits!(u32, u64, u128);

/// Returns the elements of a set in rising order.
#[inline]
pub fn places<B: Bits>(mut set: B) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set.none() {
            return None;
        }
        let place = set.lowest();
        set = set.without(set.lowest_set());
        Some(place)
    })
}

/// Returns the elements of a set in rising order, as indices.
#[inline]
pub fn indices<B: Bits>(set: B) -> impl Iterator<Item = usize> {
    places(set).map(|place| place as usize)
}
