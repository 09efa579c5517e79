//! The referee's clock: it stands still while the referee itself is stopped.
//!
//! Whoever stops the referee (`SIGSTOP`, a debugger, a paused machine) would otherwise have all that time charged to the
//! engine that is to move. A thread looks at the monotonic clock every few milliseconds; where it has not come to do so for
//! much longer, the referee was stopped, and the time between counts for nobody.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks.
const TICK: Duration = Duration::from_millis(10);
/// A look that comes so much later shows that the referee was stopped: no busy machine keeps a thread waiting so long.
const STOPPED: Duration = Duration::from_millis(250);
/// How long the next look is waited for, where it is late.
const PATIENCE: Duration = Duration::from_millis(100);

/// What was seen so far.
struct Looks {
    last: Instant,
    /// The time that was lost to stops.
    lost: Duration,
}

impl Looks {
    /// Looks at the clock; the time that was lost since the last look, if the referee was stopped.
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

/// Begins to look; `say` is told of each stop in one line. Without this the clock is the monotonic one.
pub fn watch(say: fn(&str)) {
    if LOOKS.set(Mutex::new(Looks { last: Instant::now(), lost: Duration::ZERO })).is_err() {
        return;
    }
    // Where there is no thread for it nothing is noticed, and nobody may wait for it.
    let _ = std::thread::Builder::new().name("clock".to_owned()).spawn(move || {
        loop {
            std::thread::sleep(TICK);
            if let Some(lost) = looks().and_then(|mut looks| looks.look(Instant::now())) {
                let seconds = lost.as_secs_f64();
                say(&format!(
                    "the referee was stopped for {seconds:.1} s: that time is charged to no engine"
                ));
            }
        }
    });
}

/// The time without the stops.
pub fn now() -> Instant {
    let begun = Instant::now();
    loop {
        let now = Instant::now();
        let Some(looks) = looks() else { return now };
        let late = now.saturating_duration_since(looks.last) >= STOPPED;
        // Whoever runs again before the thread that looks waits for it: only then is it known what was lost.
        if !late || now.saturating_duration_since(begun) >= PATIENCE {
            return now - looks.lost;
        }
        drop(looks);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The time since `then`, without the stops.
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
