//! Signs of life: whether a worker of this process is at work or receives messages, or all of them only wait for others.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What the workers of a process say of themselves; see [`Pulse::beats`].
#[derive(Debug, Default)]
pub struct Pulse {
    /// Workers that do something of their own.
    busy: AtomicU32,
    /// Whether something has arrived since the last look.
    moved: AtomicBool,
}

impl Pulse {
    /// A worker has something to do until the guard is dropped.
    pub fn working(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Ordering::AcqRel);
        Busy(self)
    }

    /// A worker that has something to do waits for others until the guard is dropped.
    pub fn waiting(&self) -> Idle<'_> {
        self.note();
        self.busy.fetch_sub(1, Ordering::AcqRel);
        Idle(self)
    }

    /// Something has arrived.
    pub fn note(&self) {
        self.moved.store(true, Ordering::Release);
    }

    /// Whether some worker does something, or something has arrived since this was asked last.
    pub fn beats(&self) -> bool {
        self.moved.swap(false, Ordering::AcqRel) || self.busy.load(Ordering::Acquire) > 0
    }
}

/// See [`Pulse::working`].
pub struct Busy<'a>(&'a Pulse);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}

/// See [`Pulse::waiting`].
pub struct Idle<'a>(&'a Pulse);

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
        let pulse = Pulse::default();
        assert!(!pulse.beats());
        let first = pulse.working();
        let second = pulse.working();
        assert!(pulse.beats());
        let waiting = [pulse.waiting(), pulse.waiting()];
        assert!(pulse.beats(), "it has just begun to wait");
        assert!(!pulse.beats());
        pulse.note();
        assert!(pulse.beats());
        assert!(!pulse.beats());
        drop(waiting);
        assert!(pulse.beats());
        drop((first, second));
        assert!(!pulse.beats());
    }
}
