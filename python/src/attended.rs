//! Runs long work on a thread of its own while the calling thread looks for Ctrl-C and passes reports to Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pyo3::prelude::*;

/// Interval between looks at pending signals.
const LOOK: Duration = Duration::from_millis(50);

/// Runs `work` with a stop flag and a channel for its reports, and returns its result. `tell` is called with each report,
/// the interpreter's lock held; `work` runs without it.
///
/// # Errors
/// The exception that `tell` raised, or `KeyboardInterrupt`. The work was stopped and has ended by then.
pub fn attended<R: Send, T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool, Sender<R>) -> T + Send,
    mut tell: impl FnMut(Python<'_>, R) -> PyResult<()> + Send,
) -> PyResult<T> {
    let stop = &AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, reports) = channel();
            let worker = scope.spawn(move || work(stop, sender));
            let mut outcome = Ok(());
            loop {
                let report = match reports.recv_timeout(LOOK) {
                    Ok(report) => Some(report),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if outcome.is_ok() {
                    outcome = Python::attach(|py| match report {
                        Some(report) => tell(py, report),
                        None => py.check_signals(),
                    });
                    stop.store(outcome.is_err(), Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome.map(|()| result)
        })
    })
}

/// [`attended`] for work that reports nothing.
pub fn quietly<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    // The sender lives until the work ends: its end is what the calling thread waits for.
    attended(py, |stop, _reports: Sender<()>| work(stop), |_, ()| Ok(()))
}
