//! Numbers of texts, which the caller stores: the index takes about eight bytes for each.

use std::hash::{BuildHasher, RandomState};

use grundy_core::interner;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Numbers by text; the caller gives the text of a number.
#[derive(Debug)]
pub struct HashIndex {
    numbers: interner::HashIndex,
    count: u32,
    /// Random per index, so that no file can be made whose texts all collide.
    seed: u64,
}

impl Default for HashIndex {
    fn default() -> HashIndex {
        let numbers = interner::HashIndex::default();
        HashIndex { numbers, count: 0, seed: RandomState::new().hash_one(0) }
    }
}

impl HashIndex {
    /// Returns the number of a text; `text` gives that of a number.
    pub fn find<'t>(&self, wanted: &str, text: impl Fn(u32) -> &'t str) -> Option<u32> {
        self.numbers.find(hash(wanted, self.seed), &|number| text(number) == wanted)
    }

    /// Inserts a text under the next number, the count of texts so far.
    ///
    /// # Errors
    /// The number that the text has already, or `u32::MAX` if there are no more numbers.
    pub fn insert<'t>(&mut self, new: &str, text: impl Fn(u32) -> &'t str) -> Result<u32, u32> {
        if let Some(number) = self.find(new, &text) {
            return Err(number);
        }
        if self.count == u32::MAX {
            return Err(u32::MAX);
        }
        self.count += 1;
        let seed = self.seed;
        Ok(self.numbers.add(hash(new, seed), &|number| hash(text(number), seed)))
    }
}

fn hash(text: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_keeps_its_number_while_the_index_grows() {
        let texts: Vec<String> = (0..5_000).map(|n| format!("text {}", n * 7)).collect();
        let text = |n: u32| texts[n as usize].as_str();
        let mut index = HashIndex::default();
        for (number, new) in (0..).zip(&texts) {
            assert_eq!(index.find(new, text), None);
            assert_eq!(index.insert(new, text), Ok(number));
            assert_eq!(index.insert(new, text), Err(number));
        }
        assert!((0..).zip(&texts).all(|(number, wanted)| index.find(wanted, text) == Some(number)));
    }
}
