//! Answers that were given not long ago, ready to be sent again: what everybody looks at costs a look-up.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::HeaderMap;
use rustc_hash::FxHashMap;

/// Bytes of one half; what was not asked for while a half filled is forgotten.
const HALF: usize = 16 << 20;
/// What an answer takes besides its body and what was asked.
const BESIDE: usize = 1_024;

/// Marks a response that may be sent again.
#[derive(Clone, Copy)]
pub enum Lasting {
    /// As long as the program runs.
    Ever,
    /// For so long: what is open in it may be found meanwhile.
    For(Duration),
}

/// An answer as it was sent.
#[derive(Clone)]
pub struct Sent {
    pub headers: HeaderMap,
    pub body: Bytes,
    /// When it is no longer to be sent.
    until: Option<Instant>,
}

impl Sent {
    /// An answer that is to be kept so long from now.
    pub fn new(headers: HeaderMap, body: Bytes, lasting: Lasting) -> Sent {
        let until = match lasting {
            Lasting::Ever => None,
            Lasting::For(time) => Some(Instant::now() + time),
        };
        Sent { headers, body, until }
    }

    fn lasts(&self) -> bool {
        self.until.is_none_or(|until| Instant::now() < until)
    }
}

/// Answers that stay true, by what was asked.
#[derive(Default)]
pub struct Recent(Mutex<Halves>);

#[derive(Default)]
struct Halves {
    new: FxHashMap<String, Sent>,
    old: FxHashMap<String, Sent>,
    /// Bytes of the new half.
    bytes: usize,
}

impl Recent {
    /// The answer to what is asked, where it was given not long ago.
    pub fn get(&self, asked: &str) -> Option<Sent> {
        let mut halves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sent) = halves.new.get(asked) {
            return sent.lasts().then(|| sent.clone());
        }
        let (asked, sent) = halves.old.remove_entry(asked).filter(|(_, sent)| sent.lasts())?;
        halves.put(asked, sent.clone());
        Some(sent)
    }

    /// Keeps an answer.
    pub fn put(&self, asked: String, sent: Sent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(asked, sent);
    }
}

impl Halves {
    fn put(&mut self, asked: String, sent: Sent) {
        let size = BESIDE + asked.len() + sent.body.len();
        if self.bytes + size > HALF {
            self.old = std::mem::take(&mut self.new);
            self.bytes = 0;
        }
        if size <= HALF {
            self.bytes += size;
            self.new.insert(asked, sent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let recent = Recent::default();
        let asked = |number: usize| format!("/api/nim:{number}/position");
        let sent = Sent::new(HeaderMap::new(), Bytes::from(vec![0; 1 << 20]), Lasting::Ever);
        for number in 0..100 {
            recent.put(asked(number), sent.clone());
            assert!(recent.get(&asked(0)).is_some(), "asked for after each of {number}");
        }
        let kept = (0..100).filter(|&number| recent.get(&asked(number)).is_some()).count();
        assert!((2..=32).contains(&kept), "{kept} answers of a megabyte");
        recent.put(asked(0), Sent::new(HeaderMap::new(), Bytes::new(), Lasting::For(Duration::ZERO)));
        assert!(recent.get(&asked(0)).is_none(), "kept for no time");
    }
}
