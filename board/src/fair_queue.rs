//! A bounded queue that serves clients round-robin, so that heavy clients do not starve light ones.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// A queue of at most `capacity` items, of which one client may have half.
pub struct FairQueue<T> {
    items: Mutex<Items<T>>,
    pushed: Condvar,
    capacity: usize,
}

struct Items<T> {
    /// The clients that have items, in the order in which they are served.
    clients: VecDeque<IpAddr>,
    of: FxHashMap<IpAddr, VecDeque<T>>,
    len: usize,
}

impl<T> FairQueue<T> {
    /// Makes an empty queue.
    pub fn new(capacity: usize) -> FairQueue<T> {
        let items = Items { clients: VecDeque::new(), of: FxHashMap::default(), len: 0 };
        FairQueue { items: Mutex::new(items), pushed: Condvar::new(), capacity }
    }

    fn lock(&self) -> MutexGuard<'_, Items<T>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.lock().len
    }

    /// Adds an item of a client; false if the queue is full, or half full of items of this client.
    pub fn push(&self, client: IpAddr, item: T) -> bool {
        let mut items = self.lock();
        let own = items.of.get(&client).map_or(0, VecDeque::len);
        if items.len >= self.capacity || own >= self.capacity.div_ceil(2) {
            return false;
        }
        if own == 0 {
            items.clients.push_back(client);
        }
        items.of.entry(client).or_default().push_back(item);
        items.len += 1;
        drop(items);
        self.pushed.notify_one();
        true
    }

    /// Removes the next item; waits for one.
    pub fn pop(&self) -> T {
        let mut items = self.lock();
        loop {
            if let Some(item) = items.pop() {
                return item;
            }
            items = self.pushed.wait(items).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Items<T> {
    fn pop(&mut self) -> Option<T> {
        let client = self.clients.pop_front()?;
        let own = self.of.get_mut(&client)?;
        let item = own.pop_front();
        if own.is_empty() {
            self.of.remove(&client);
        } else {
            self.clients.push_back(client);
        }
        self.len -= usize::from(item.is_some());
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_served_in_turn_and_none_fills_the_queue() {
        let queue = FairQueue::new(8);
        let client = |last: u8| IpAddr::from([10, 0, 0, last]);
        let pushed = (0..8).filter(|&number| queue.push(client(1), (1, number))).count();
        assert_eq!(pushed, 4, "half of the capacity");
        assert!(queue.push(client(2), (2, 0)) && queue.push(client(3), (3, 0)));
        let popped: Vec<_> = (0..6).map(|_| queue.pop()).collect();
        assert_eq!(popped, [(1, 0), (2, 0), (3, 0), (1, 1), (1, 2), (1, 3)]);
        assert_eq!(queue.len(), 0);
        let others = (0..20).filter(|&last| queue.push(client(last), (0, 0))).count();
        assert_eq!(others, 8, "the whole capacity");
    }
}
