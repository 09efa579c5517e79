//! The state behind a process's heartbeat: whether a worker is busy or has received messages, or all are waiting for others.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Counts the busy workers of a process; see [`Heartbeat::is_active`].
#[derive(Debug, Default)]
pub struct Heartbeat {
    /// Workers that do work of their own.
    busy: AtomicU32,
    /// True if a message has arrived since the last check.
    moved: AtomicBool,
}

impl Heartbeat {
    /// Counts a worker as busy until the guard is dropped.
    pub fn working(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Ordering::AcqRel);
        Busy(self)
    }

    /// Counts a busy worker as idle until the guard is dropped.
    pub fn waiting(&self) -> Idle<'_> {
        self.note();
        self.busy.fetch_sub(1, Ordering::AcqRel);
        Idle(self)
    }

    /// Records that a message has arrived.
    pub fn note(&self) {
        self.moved.store(true, Ordering::Release);
    }

    /// Reports whether a worker is busy, or a message has arrived since the last call.
    pub fn is_active(&self) -> bool {
        self.moved.swap(false, Ordering::AcqRel) || self.busy.load(Ordering::Acquire) > 0
    }
}

/// See [`Heartbeat::working`].
pub struct Busy<'a>(&'a Heartbeat);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}

/// See [`Heartbeat::waiting`].
pub struct Idle<'a>(&'a Heartbeat);

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_add(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_idle_when_all_its_workers_wait_and_nothing_comes() {
        let heartbeat = Heartbeat::default();
        assert!(!heartbeat.is_active());
        let first = heartbeat.working();
        let second = heartbeat.working();
        assert!(heartbeat.is_active());
        let waiting = [heartbeat.waiting(), heartbeat.waiting()];
        assert!(heartbeat.is_active(), "it has just begun to wait");
        assert!(!heartbeat.is_active());
        heartbeat.note();
        assert!(heartbeat.is_active());
        assert!(!heartbeat.is_active());
        drop(waiting);
        assert!(heartbeat.is_active());
        drop((first, second));
        assert!(!heartbeat.is_active());
    }
}
