//! A set of packed positions that only grows.

use super::keys::scattered;

/// A packed position in eight or sixteen bytes.
pub(super) trait Key: Copy + Ord + Send + Sync + 'static {
    /// A key that no position has.
    const NONE: Self;
    fn from_wide(key: u128) -> Self;
    fn wide(self) -> u128;
}

impl Key for u64 {
    const NONE: u64 = u64::MAX;
    #[inline]
    fn from_wide(key: u128) -> u64 {
        key as u64
    }
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
}

impl Key for u128 {
    const NONE: u128 = u128::MAX;
    #[inline]
    fn from_wide(key: u128) -> u128 {
        key
    }
    #[inline]
    fn wide(self) -> u128 {
        self
    }
}

/// Positions in a hash table with linear probing.
pub(super) struct Set<K> {
    slots: Vec<K>,
    len: usize,
}

impl<K: Key> Set<K> {
    pub(super) fn new() -> Set<K> {
        Set { slots: vec![K::NONE; 64], len: 0 }
    }

    /// Returns the bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<K>()) as u64
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn place(&self, key: K) -> usize {
        // The highest bits select the shard.
        (scattered(key.wide()) << 8 >> (u64::BITS - self.slots.len().trailing_zeros())) as usize
    }

    /// Inserts a position; returns false if it was in already.
    #[inline]
    pub(super) fn insert(&mut self, key: K) -> bool {
        if self.len * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mut at = self.place(key);
        loop {
            let slot = self.slots[at];
            if slot == key {
                return false;
            }
            if slot == K::NONE {
                self.slots[at] = key;
                self.len += 1;
                return true;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let room = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![K::NONE; room]);
        for key in old.into_iter().filter(|key| *key != K::NONE) {
            let mut at = self.place(key);
            while self.slots[at] != K::NONE {
                at = (at + 1) & (room - 1);
            }
            self.slots[at] = key;
        }
    }

    /// Returns all positions, in no particular order.
    pub(super) fn into_keys(self) -> impl Iterator<Item = K> {
        self.slots.into_iter().filter(|key| *key != K::NONE)
    }
}
