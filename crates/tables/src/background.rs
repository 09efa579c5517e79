//! A background thread that builds or reads tables beside a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use grundy_session::{Progress, SolveError, Work, quiet_work};

/// Interval between progress reports to a waiting caller.
const TELL: Duration = Duration::from_millis(1);

/// Runs one job at a time on a thread of its own. Dropping it stops the job.
#[derive(Debug, Default)]
pub struct Background {
    stop: Arc<AtomicBool>,
    /// The job that was started last.
    last: Mutex<Option<Arc<Job>>>,
}

/// A job that is running, or has ended.
#[derive(Debug)]
pub struct Job {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug)]
struct State {
    progress: Progress,
    /// The result, once the job has ended.
    result: Option<Result<(), SolveError>>,
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Background {
    /// Starts `run` on `threads` threads, unless another job is running. Returns the running job, and whether it is the new
    /// one. Without threads (WebAssembly) the job runs at once; if the system has no thread for it, it fails.
    pub fn start(
        &self,
        name: &'static str,
        threads: usize,
        run: impl FnOnce(&Work<'_>) -> Result<(), SolveError> + Send + 'static,
    ) -> (Arc<Job>, bool) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = last.as_ref().filter(|job| job.state().result.is_none()) {
            return (running.clone(), false);
        }
        let state = State { progress: Progress { what: name.into(), done: 0, total: 1 }, result: None };
        let job = Arc::new(Job { state: Mutex::new(state), ended: Condvar::new() });
        *last = Some(job.clone());
        drop(last);
        let died = Err(SolveError::Broken("a thread died".into()));
        let mut end = End { job: job.clone(), result: died };
        let stop = self.stop.clone();
        let run = move || {
            let job = end.job.clone();
            let report = |progress: &Progress| job.state().progress = progress.clone();
            end.set(run(&Work { stop: &stop, threads, report: &report, ..quiet_work() }));
        };
        if cfg!(target_family = "wasm") {
            run();
        } else {
            // If there is no thread, `end` is dropped with the closure, and that ends the job.
            let _ = thread::Builder::new().name(name.into()).spawn(run);
        }
        (job, true)
    }

    /// Waits for the end of the job that was started last, or of `work`.
    pub fn finish(&self, work: &Work<'_>) {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        last.and_then(|job| job.wait(work, &|| false));
    }

    /// Reports whether the last job has failed.
    pub(crate) fn has_failed(&self) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().is_some_and(|job| matches!(job.state().result, Some(Err(_))))
    }
}

impl Job {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end of the job and returns its result, passing its progress on to `work`. `None` if `work` is stopped
    /// or `enough` holds before.
    pub(crate) fn wait(&self, work: &Work<'_>, enough: &dyn Fn() -> bool) -> Option<Result<(), SolveError>> {
        let mut state = self.state();
        loop {
            if state.result.is_some() {
                return state.result.clone();
            }
            (work.report)(&state.progress);
            if work.stopped() || enough() {
                return None;
            }
            let wait = self.ended.wait_timeout(state, TELL).unwrap_or_else(PoisonError::into_inner);
            state = wait.0;
        }
    }
}

/// Ends a job when it is dropped, also if the job panicked.
struct End {
    job: Arc<Job>,
    result: Result<(), SolveError>,
}

impl End {
    fn set(&mut self, result: Result<(), SolveError>) {
        self.result = result;
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.job.state().result = Some(self.result.clone());
        self.job.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn one_job_runs_at_a_time_and_a_panic_is_a_failure() {
        let background = Background::default();
        let (go, wait) = channel::<()>();
        let (first, own) = background.start("test", 1, move |_| wait.recv().map_err(|_| SolveError::Stopped));
        assert!(own && !background.start("test", 1, |_| Ok(())).1);
        assert_eq!(first.wait(&quiet_work(), &|| true), None);
        go.send(()).unwrap();
        assert_eq!(first.wait(&quiet_work(), &|| false), Some(Ok(())));
        let (second, own) = background.start("test", 1, |_| panic!("on purpose"));
        assert!(own && matches!(second.wait(&quiet_work(), &|| false), Some(Err(SolveError::Broken(_)))));
        assert!(background.has_failed());
    }

    #[test]
    fn dropping_it_stops_the_job() {
        let background = Background::default();
        let (job, _) = background.start("test", 1, |work| {
            while !work.stopped() {
                thread::yield_now();
            }
            Err(SolveError::Stopped)
        });
        drop(background);
        assert_eq!(job.wait(&quiet_work(), &|| false), Some(Err(SolveError::Stopped)));
    }
}
