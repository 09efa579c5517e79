//! Packed positions, sorted: the place of each is its index.

use grundy_core::random::{fibonacci, mix};

/// The sorted positions of a game, in the least width that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Eight bytes each.
    Small(Vec<u64>),
    /// Sixteen bytes each.
    Large(Vec<u128>),
}

impl Keys {
    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        match self {
            Keys::Small(keys) => keys.len(),
            Keys::Large(keys) => keys.len(),
        }
    }

    /// Returns their size in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Keys::Small(keys) => size_of_val(&keys[..]) as u64,
            Keys::Large(keys) => size_of_val(&keys[..]) as u64,
        }
    }

    /// Reports whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the position with this index, which must be below [`Keys::len`].
    #[inline]
    pub fn get(&self, number: usize) -> u128 {
        match self {
            Keys::Small(keys) => u128::from(keys[number]),
            Keys::Large(keys) => keys[number],
        }
    }

    /// Returns the index of a position; `None` if it is not among them. Takes a binary search.
    pub fn find(&self, key: u128) -> Option<usize> {
        match self {
            Keys::Small(keys) => keys.binary_search(&u64::try_from(key).ok()?).ok(),
            Keys::Large(keys) => keys.binary_search(&key).ok(),
        }
    }
}

/// A hash index of sorted positions: one or two probes instead of a binary search.
pub(super) struct Places {
    /// The index of a position, or [`FREE`].
    places: Vec<u32>,
    shift: u32,
}

const FREE: u32 = u32::MAX;

/// Returns the hash of a packed position: each of its bits affects all bits of the hash.
#[inline]
pub(super) fn scattered(key: u128) -> u64 {
    mix(key as u64 ^ fibonacci((key >> 64) as u64))
}

/// Returns the bytes of a hash index of `count` positions.
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

    /// Returns the index of a position; `keys` must be those of [`Places::new`].
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
