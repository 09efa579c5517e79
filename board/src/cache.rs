//! Recent answers, ready to be sent again: a popular position costs a lookup.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::HeaderMap;
use rustc_hash::FxHashMap;

/// Bytes of one generation. Entries that are not used while a generation fills are dropped.
const GENERATION: usize = 16 << 20;
/// Bytes that an entry takes besides its key and body.
const ENTRY: usize = 1_024;

/// Marks a response that may be sent again.
#[derive(Clone, Copy)]
pub enum Lifetime {
    /// As long as the program runs.
    Forever,
    /// For this time: values that it leaves open may be found meanwhile.
    For(Duration),
}

/// An answer as it was sent.
#[derive(Clone)]
pub struct CachedResponse {
    pub headers: HeaderMap,
    pub body: Bytes,
    /// When it expires.
    until: Option<Instant>,
}

impl CachedResponse {
    /// Makes an entry that expires after `lifetime`.
    pub fn new(headers: HeaderMap, body: Bytes, lifetime: Lifetime) -> CachedResponse {
        let until = match lifetime {
            Lifetime::Forever => None,
            Lifetime::For(time) => Some(Instant::now() + time),
        };
        CachedResponse { headers, body, until }
    }

    fn is_fresh(&self) -> bool {
        self.until.is_none_or(|until| Instant::now() < until)
    }
}

/// Answers by their request, in two generations.
#[derive(Default)]
pub struct ResponseCache(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    new: FxHashMap<String, CachedResponse>,
    old: FxHashMap<String, CachedResponse>,
    /// Bytes of the new generation.
    bytes: usize,
}

impl ResponseCache {
    /// Returns the answer to a request; `None` if it is not cached or has expired.
    pub fn get(&self, key: &str) -> Option<CachedResponse> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(response) = generations.new.get(key) {
            return response.is_fresh().then(|| response.clone());
        }
        let (key, response) =
            generations.old.remove_entry(key).filter(|(_, response)| response.is_fresh())?;
        generations.put(key, response.clone());
        Some(response)
    }

    /// Adds an answer.
    pub fn put(&self, key: String, response: CachedResponse) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(key, response);
    }
}

impl Generations {
    fn put(&mut self, key: String, response: CachedResponse) {
        let size = ENTRY + key.len() + response.body.len();
        if self.bytes + size > GENERATION {
            self.old = std::mem::take(&mut self.new);
            self.bytes = 0;
        }
        if size <= GENERATION {
            self.bytes += size;
            self.new.insert(key, response);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let cache = ResponseCache::default();
        let key = |number: usize| format!("/api/nim:{number}/position");
        let response =
            CachedResponse::new(HeaderMap::new(), Bytes::from(vec![0; 1 << 20]), Lifetime::Forever);
        for number in 0..100 {
            cache.put(key(number), response.clone());
            assert!(cache.get(&key(0)).is_some(), "asked for after each of {number}");
        }
        let cached = (0..100).filter(|&number| cache.get(&key(number)).is_some()).count();
        assert!((2..=32).contains(&cached), "{cached} answers of a megabyte");
        cache.put(key(0), CachedResponse::new(HeaderMap::new(), Bytes::new(), Lifetime::For(Duration::ZERO)));
        assert!(cache.get(&key(0)).is_none(), "cached for no time");
    }
}
