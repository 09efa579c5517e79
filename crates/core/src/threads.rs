//! Scoped threads that fall back to the calling thread if the system refuses more.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Runs workers that take their work from a common source: the first in this thread, the others in threads of their
/// own, as far as the system allows. Returns when the first ends; the scope waits for the others.
pub fn share<'scope, W: FnOnce() + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    workers: impl IntoIterator<Item = W>,
) {
    let mut workers = workers.into_iter();
    let own = workers.next();
    let mut refused = 0;
    for worker in workers {
        refused += usize::from(Builder::new().spawn_scoped(scope, worker).is_err());
    }
    if refused > 0 {
        log::warn!("the system has no more threads: {refused} fewer work than were asked for");
    }
    if let Some(own) = own {
        own();
    }
}

/// A piece of work: in a thread of its own, or done.
pub enum Part<'scope, T> {
    /// A thread is running it.
    Running(ScopedJoinHandle<'scope, T>),
    /// It was done in the calling thread.
    Done(T),
}

impl<T> Part<'_, T> {
    /// Waits for the result; `None` if its thread has panicked.
    pub fn join(self) -> Option<T> {
        match self {
            Part::Running(thread) => thread.join().ok(),
            Part::Done(done) => Some(done),
        }
    }
}

/// Starts a piece of work in a thread of its own, or runs it here if the system has no more threads.
///
/// ```
/// use grundy_core::threads;
/// let squares: Vec<u32> = std::thread::scope(|scope| {
///     let parts: Vec<_> = (0..4).map(|n: u32| threads::start(scope, move || n * n)).collect();
///     parts.into_iter().filter_map(threads::Part::join).collect()
/// });
/// assert_eq!(squares, [0, 1, 4, 9]);
/// ```
pub fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Part<'scope, T> {
    // A refused thread does not return its closure, so it is shared.
    let left = Arc::new(Mutex::new(Some(work)));
    let take = |left: &Mutex<Option<_>>| left.lock().unwrap_or_else(PoisonError::into_inner).take();
    let theirs = left.clone();
    let body = move || take(&theirs).expect("only the thread that was started takes it")();
    match Builder::new().spawn_scoped(scope, body) {
        Ok(thread) => Part::Running(thread),
        Err(_) => Part::Done(take(&left).expect("no thread was started that could have taken it")()),
    }
}
