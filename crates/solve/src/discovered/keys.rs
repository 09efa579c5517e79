//! Packed positions, sorted: the place of each is its number.

use grundy_core::random::{fibonacci, mix};

/// The sorted positions of a game, in the room that they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Eight bytes each.
    Small(Vec<u64>),
    /// Sixteen bytes each.
    Large(Vec<u128>),
}

impl Keys {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Keys::Small(keys) => keys.len(),
            Keys::Large(keys) => keys.len(),
        }
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        match self {
            Keys::Small(keys) => size_of_val(&keys[..]) as u64,
            Keys::Large(keys) => size_of_val(&keys[..]) as u64,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position with this number, which must be one.
    #[inline]
    pub fn get(&self, number: usize) -> u128 {
        match self {
            Keys::Small(keys) => u128::from(keys[number]),
            Keys::Large(keys) => keys[number],
        }
    }

    /// The number of a position.
    pub fn find(&self, key: u128) -> Option<usize> {
        match self {
            Keys::Small(keys) => keys.binary_search(&u64::try_from(key).ok()?).ok(),
            Keys::Large(keys) => keys.binary_search(&key).ok(),
        }
    }
}

/// The numbers of positions by their hash: one look or two instead of a search.
pub(super) struct Places {
    /// A number, or [`FREE`].
    places: Vec<u32>,
    shift: u32,
}

const FREE: u32 = u32::MAX;

/// The hash of a packed position: all its bits count in each of the result's.
#[inline]
pub(super) fn scattered(key: u128) -> u64 {
    mix(key as u64 ^ fibonacci((key >> 64) as u64))
}

/// Bytes of the places of so many positions.
pub(super) fn places_bytes(count: u64) -> u64 {
    (count * 4 / 3 + 2).next_power_of_two() * 4
}

impl Places {
    pub(super) fn new(keys: &Keys) -> Places {
        let room = (keys.len() * 4 / 3 + 2).next_power_of_two();
        let shift = u64::BITS - room.trailing_zeros();
        let mut places = vec![FREE; room];
        for number in 0..keys.len() {
            let mut at = (scattered(keys.get(number)) >> shift) as usize;
            while places[at] != FREE {
                at = (at + 1) & (room - 1);
            }
            places[at] = number as u32;
        }
        Places { places, shift }
    }

    /// The number of a position among the keys that these places are of.
    #[inline]
    pub(super) fn find(&self, keys: &Keys, key: u128) -> Option<usize> {
        let mut at = (scattered(key) >> self.shift) as usize;
        loop {
            let number = self.places[at];
            if number == FREE {
                return None;
            }
            if keys.get(number as usize) == key {
                return Some(number as usize);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }
}
