//! Answers that were given not long ago, ready to be sent again: what everybody looks at costs a look-up.

use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use rustc_hash::FxHashMap;

use crate::games::Place;

/// Bytes of one half; what was not asked for while a half filled is forgotten.
const HALF: usize = 16 << 20;
/// What an answer takes besides its own bytes and those of its place.
const BESIDE: usize = 256;

/// Complete answers by their places. What is complete stays true.
#[derive(Default)]
pub struct Recent(Mutex<Halves>);

#[derive(Default)]
struct Halves {
    new: FxHashMap<Place, Bytes>,
    old: FxHashMap<Place, Bytes>,
    /// Bytes of the new half.
    bytes: usize,
}

impl Recent {
    /// The answer for a place, where it was given not long ago.
    pub fn get(&self, place: &Place) -> Option<Bytes> {
        let mut halves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = halves.new.get(place) {
            return Some(answer.clone());
        }
        let (place, answer) = halves.old.remove_entry(place)?;
        halves.put(place, answer.clone());
        Some(answer)
    }

    /// Keeps an answer. What a file says may change, so games from files are left out.
    pub fn put(&self, place: Place, answer: Bytes) {
        if !place.game.contains("file=") {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).put(place, answer);
        }
    }
}

impl Halves {
    fn put(&mut self, place: Place, answer: Bytes) {
        let words: usize = place.moves.iter().map(|word| word.len() + size_of::<String>()).sum();
        let size =
            BESIDE + answer.len() + words + place.game.len() + place.fen.as_ref().map_or(0, String::len);
        if self.bytes + size > HALF {
            self.old = std::mem::take(&mut self.new);
            self.bytes = 0;
        }
        if size <= HALF && self.new.insert(place, answer).is_none() {
            self.bytes += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let recent = Recent::default();
        let place = |number: usize| Place::new(&format!("nim:{number}"), None, None);
        let answer = Bytes::from(vec![0; 1 << 20]);
        for number in 0..100 {
            recent.put(place(number), answer.clone());
            assert!(recent.get(&place(0)).is_some(), "asked for after each of {number}");
        }
        let kept = (0..100).filter(|&number| recent.get(&place(number)).is_some()).count();
        assert!((2..=32).contains(&kept), "{kept} answers of a megabyte");
        recent.put(Place::new("rules:file=a.rbg", None, None), answer);
        assert!(recent.get(&Place::new("rules:file=a.rbg", None, None)).is_none());
    }
}
