//! Sets of cells, lines or boxes as one machine word of 32, 64 or 128 bits, chosen at compile time by the board's size.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A machine word used as a set of places: bit `n` says whether place `n` is in the set.
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
    /// How many places fit.
    const WIDTH: u32;
    /// The empty set.
    const NONE: Self;
    /// The set of place 0 alone.
    const ONE: Self;

    /// How many places are in the set.
    fn count(self) -> u32;

    /// The lowest place of a set that is not empty.
    fn lowest(self) -> u32;

    /// The set of the lowest place alone; empty where the set is empty.
    fn lowest_set(self) -> Self;

    /// The low 64 places.
    fn low(self) -> u64;

    /// The set with these low 64 places, as far as they fit.
    fn of(low: u64) -> Self;

    /// The set as two words, the low 64 places first.
    fn words(self) -> [u64; 2];

    /// Whether the set is empty.
    #[inline]
    fn none(self) -> bool {
        self == Self::NONE
    }

    /// Whether the sets share a place.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).none()
    }

    /// The places of this set that are not in the other.
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

/// The places of a set, lowest first.
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
