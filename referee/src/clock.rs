//! The referee's clock, which does not run while the referee itself is stopped or gets no processor.
//!
//! A stop of the referee (`SIGSTOP`, a debugger, a suspended machine, a heavy load) would otherwise be charged to the
//! engine that is to move. A thread reads the monotonic clock every few milliseconds; if it has not run for much
//! longer, the referee was stopped, and that time is charged to nobody.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The interval between readings.
const TICK: Duration = Duration::from_millis(10);
/// A gap from which on the referee counts as stopped; only a heavy load delays a thread that long.
const STOPPED: Duration = Duration::from_millis(250);
/// The longest wait for an overdue reading.
const PATIENCE: Duration = Duration::from_millis(100);

/// The readings so far.
struct Looks {
    last: Instant,
    /// The total time of all stops.
    lost: Duration,
}

impl Looks {
    /// Takes a reading; returns the length of a stop since the last one.
    fn look(&mut self, now: Instant) -> Option<Duration> {
        let gap = now.saturating_duration_since(self.last);
        self.last = now;
        let lost = (gap >= STOPPED).then(|| gap - TICK);
        self.lost += lost.unwrap_or_default();
        lost
    }
}

static LOOKS: OnceLock<Mutex<Looks>> = OnceLock::new();

fn looks() -> Option<MutexGuard<'static, Looks>> {
    Some(LOOKS.get()?.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Starts the thread that detects stops; `say` reports each in one line. Without it the clock is the monotonic one.
pub fn watch(say: fn(&str)) {
    if LOOKS.set(Mutex::new(Looks { last: Instant::now(), lost: Duration::ZERO })).is_err() {
        return;
    }
    // Without a thread stops are not detected.
    let _ = std::thread::Builder::new().name("clock".to_owned()).spawn(move || {
        loop {
            std::thread::sleep(TICK);
            if let Some(lost) = looks().and_then(|mut looks| looks.look(Instant::now())) {
                let seconds = lost.as_secs_f64();
                say(&format!(
                    "the referee was stopped or got no processor for {seconds:.1} s: that time is charged to no \
                     engine"
                ));
            }
        }
    });
}

/// Returns the time without the stops.
pub fn now() -> Instant {
    let begun = Instant::now();
    loop {
        let now = Instant::now();
        let Some(looks) = looks() else { return now };
        let late = now.saturating_duration_since(looks.last) >= STOPPED;
        // After a stop, wait for the thread that measures its length.
        if !late || now.saturating_duration_since(begun) >= PATIENCE {
            return now - looks.lost;
        }
        drop(looks);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns the time since `then` without the stops.
pub fn since(then: Instant) -> Duration {
    now().saturating_duration_since(then)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_stop_is_lost_and_that_of_a_busy_machine_is_not() {
        let begun = Instant::now();
        let mut looks = Looks { last: begun, lost: Duration::ZERO };
        let at = |millis| begun + Duration::from_millis(millis);
        assert_eq!(looks.look(at(10)), None);
        assert_eq!(looks.look(at(200)), None, "a busy machine");
        assert_eq!(looks.look(at(1_410)), Some(Duration::from_millis(1_200)));
        assert_eq!(looks.look(at(1_420)), None);
        assert_eq!(looks.lost, Duration::from_millis(1_200));
    }
}
