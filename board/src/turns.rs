//! A queue in which visitors take turns: who asks for much waits for those who ask for little, not they for him.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// What waits, with a bounded number of places.
pub struct Turns<T> {
    waiting: Mutex<Waiting<T>>,
    comes: Condvar,
    places: usize,
}

struct Waiting<T> {
    /// Visitors who have something in the queue, whose turn is next first.
    next: VecDeque<IpAddr>,
    of: FxHashMap<IpAddr, VecDeque<T>>,
    all: usize,
}

impl<T> Turns<T> {
    /// Nothing waits.
    pub fn new(places: usize) -> Turns<T> {
        let waiting = Waiting { next: VecDeque::new(), of: FxHashMap::default(), all: 0 };
        Turns { waiting: Mutex::new(waiting), comes: Condvar::new(), places }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much waits.
    pub fn len(&self) -> usize {
        self.lock().all
    }

    /// Puts something in the queue; false where it is full. One visitor has half of the places at most.
    pub fn put(&self, visitor: IpAddr, what: T) -> bool {
        let mut waiting = self.lock();
        let own = waiting.of.get(&visitor).map_or(0, VecDeque::len);
        if waiting.all >= self.places || own >= self.places.div_ceil(2) {
            return false;
        }
        if own == 0 {
            waiting.next.push_back(visitor);
        }
        waiting.of.entry(visitor).or_default().push_back(what);
        waiting.all += 1;
        drop(waiting);
        self.comes.notify_one();
        true
    }

    /// Waits for what is next.
    pub fn take(&self) -> T {
        let mut waiting = self.lock();
        loop {
            if let Some(what) = waiting.take() {
                return what;
            }
            waiting = self.comes.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Waiting<T> {
    fn take(&mut self) -> Option<T> {
        let visitor = self.next.pop_front()?;
        let own = self.of.get_mut(&visitor)?;
        let what = own.pop_front();
        if own.is_empty() {
            self.of.remove(&visitor);
        } else {
            self.next.push_back(visitor);
        }
        self.all -= usize::from(what.is_some());
        what
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visitors_take_turns_and_none_has_all_places() {
        let turns = Turns::new(8);
        let visitor = |last: u8| IpAddr::from([10, 0, 0, last]);
        let put = (0..8).filter(|&number| turns.put(visitor(1), (1, number))).count();
        assert_eq!(put, 4, "half of the places");
        assert!(turns.put(visitor(2), (2, 0)) && turns.put(visitor(3), (3, 0)));
        let taken: Vec<_> = (0..6).map(|_| turns.take()).collect();
        assert_eq!(taken, [(1, 0), (2, 0), (3, 0), (1, 1), (1, 2), (1, 3)]);
        assert_eq!(turns.len(), 0);
        let strangers = (0..20).filter(|&last| turns.put(visitor(last), (0, 0))).count();
        assert_eq!(strangers, 8, "all places");
    }
}
