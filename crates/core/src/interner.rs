//! Interning: each distinct value once, indexed from 0 in order of insertion.

use std::hash::Hash;

use hashbrown::HashTable;

use crate::game::hash_of;

/// A list of distinct values, found by their hashes. The hash table is compiled once for all types.
///
/// ```
/// use grundy_core::interner::Interner;
///
/// let mut words = Interner::default();
/// assert_eq!(words.insert("nim"), (0, true));
/// assert_eq!(words.insert("dots"), (1, true));
/// assert_eq!(words.insert("nim"), (0, false));
/// assert_eq!((words.number(&"dots"), words.number(&"hex")), (Some(1), None));
/// assert_eq!(words.list(), ["nim", "dots"]);
/// ```
#[derive(Clone, Debug)]
pub struct Interner<T> {
    list: Vec<T>,
    numbers: HashIndex,
}

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner { list: Vec::new(), numbers: HashIndex::default() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// Inserts a value. Returns its index, and whether it is new.
    ///
    /// # Panics
    /// There are already 2^32 values.
    pub fn insert(&mut self, thing: T) -> (u32, bool) {
        let hash = hash_of(&thing);
        if let Some(number) = self.numbers.find(hash, &|number| self.list[number as usize] == thing) {
            return (number, false);
        }
        let number = self.numbers.add(hash, &|number| hash_of(&self.list[number as usize]));
        self.list.push(thing);
        (number, true)
    }

    /// Returns the index of a value; `None` if it was never inserted.
    pub fn number(&self, thing: &T) -> Option<u32> {
        self.numbers.find(hash_of(thing), &|number| self.list[number as usize] == *thing)
    }

    /// Returns all values, each at its index.
    pub fn list(&self) -> &[T] {
        &self.list
    }

    /// Returns all values without their indices.
    pub fn into_list(self) -> Vec<T> {
        self.list
    }

    /// Removes all values and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.numbers.0.clear();
    }

    /// Returns about how many bytes this takes, without what the values own.
    pub fn bytes(&self) -> u64 {
        (self.list.capacity() * size_of::<T>() + self.numbers.0.allocation_size()) as u64
    }
}

/// Indices by the hashes of their values, which are recomputed when the table grows; the caller has the values.
#[derive(Clone, Debug, Default)]
pub struct HashIndex(HashTable<u32>);

impl HashIndex {
    /// Returns the index with this hash for which `is` holds.
    pub fn find(&self, hash: u64, is: &dyn Fn(u32) -> bool) -> Option<u32> {
        self.0.find(hash, |&number| is(number)).copied()
    }

    /// Appends the next index; `hash_at` computes the hashes of earlier ones.
    ///
    /// # Panics
    /// There are already 2^32 indices.
    pub fn add(&mut self, hash: u64, hash_at: &dyn Fn(u32) -> u64) -> u32 {
        let number = u32::try_from(self.0.len()).expect("memory ends before numbers do");
        self.0.insert_unique(hash, number, |&number| hash_at(number));
        number
    }
}
