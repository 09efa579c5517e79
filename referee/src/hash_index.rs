//! A hash index from text to number. The caller stores the texts; the index takes at most sixteen bytes for each.

use std::hash::{BuildHasher, RandomState};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Numbers by text; the caller gives the text of a number.
#[derive(Debug)]
pub struct HashIndex {
    /// A number plus one, or 0 in a free slot; more than half of the slots are free.
    slots: Vec<u32>,
    count: usize,
    /// Random per index, so that no file can be made whose texts all collide.
    seed: u64,
}

impl Default for HashIndex {
    fn default() -> HashIndex {
        HashIndex { slots: vec![0; 16], count: 0, seed: RandomState::new().hash_one(0) }
    }
}

impl HashIndex {
    /// Returns the number of a text; `text` gives that of a number.
    pub fn find<'t>(&self, wanted: &str, text: impl Fn(u32) -> &'t str) -> Option<u32> {
        self.slots[self.slot(wanted, text)].checked_sub(1)
    }

    /// Inserts a text under the next number, the count of texts so far.
    ///
    /// # Errors
    /// The number that the text has already, or `u32::MAX` if there are no more numbers.
    pub fn insert<'t>(&mut self, new: &str, text: impl Fn(u32) -> &'t str) -> Result<u32, u32> {
        let slot = self.slot(new, &text);
        if let Some(number) = self.slots[slot].checked_sub(1) {
            return Err(number);
        }
        let number = u32::try_from(self.count).ok().filter(|&n| n < u32::MAX - 1).ok_or(u32::MAX)?;
        self.slots[slot] = number + 1;
        self.count += 1;
        if self.count * 2 > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; old.len() * 2];
            for entry in old.into_iter().filter(|&entry| entry > 0) {
                // `text` does not know the new text yet.
                let known = if entry - 1 == number { new } else { text(entry - 1) };
                let mut slot = self.first(known);
                while self.slots[slot] != 0 {
                    slot = (slot + 1) & (self.slots.len() - 1);
                }
                self.slots[slot] = entry;
            }
        }
        Ok(number)
    }

    /// Returns the slot of a text, or the free slot for it.
    fn slot<'t>(&self, wanted: &str, text: impl Fn(u32) -> &'t str) -> usize {
        let mut slot = self.first(wanted);
        loop {
            match self.slots[slot].checked_sub(1) {
                Some(number) if text(number) != wanted => slot = (slot + 1) & (self.slots.len() - 1),
                _ => return slot,
            }
        }
    }

    fn first(&self, text: &str) -> usize {
        xxh3_64_with_seed(text.as_bytes(), self.seed) as usize & (self.slots.len() - 1)
    }
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
        assert!(index.slots.len() < 4 * texts.len());
    }
}
