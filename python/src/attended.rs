//! Runs long work on a thread of its own while the calling thread keeps an eye on Ctrl-C and passes reports to Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pyo3::prelude::*;

/// Interval between looks at pending signals.
const LOOK: Duration = Duration::from_millis(50);

/// Runs `work` with a stop flag and a channel for its reports, and returns its result. `tell` is called with each report,
/// the interpreter's lock held.
///
/// # Errors
/// What `tell` raised, or `KeyboardInterrupt`; the work has ended by then.
pub fn attended<R, T>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool, Sender<R>) -> T + Send,
    mut tell: impl FnMut(Python<'_>, R) -> PyResult<()> + Send,
) -> PyResult<T>
where
    R: Send,
    T: Send,
{
    let stop = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, reports) = channel();
            let flag = &stop;
            let worker = scope.spawn(move || work(flag, sender));
            let mut outcome = Ok(());
            loop {
                let looked = match reports.recv_timeout(LOOK) {
                    Ok(report) => Python::attach(|py| tell(py, report)),
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let (Ok(()), Err(error)) = (&outcome, looked) {
                    stop.store(true, Ordering::Relaxed);
                    outcome = Err(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome.map(|()| result)
        })
    })
}
