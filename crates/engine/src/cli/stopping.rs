//! The end of a long command before its work is done: a time limit, or Ctrl-C.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use grundy_core::table::Scratch;
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use signal_hook::low_level::{emulate_default_handler, unregister};

use super::progress;
use super::shared::log_line;

/// Interval at which the watch looks at the keyboard and the clock.
const LOOK: Duration = Duration::from_millis(20);
/// Time that the work has for a last checkpoint.
const GRACE: Duration = Duration::from_secs(10);

/// Exit code of work that Ctrl-C ended.
pub const INTERRUPTED: u8 = 130;

/// Calls `last` at the first Ctrl-C and then ends the process as the system does; a second Ctrl-C ends it at once. For
/// programs that wait for lines.
///
/// # Errors
/// The system grants no thread or no signals.
pub fn at_interrupt(last: impl FnOnce() + Send + 'static) -> Result<()> {
    let pressed = Arc::new(AtomicBool::new(false));
    for watched in
        [flag::register_conditional_default(SIGINT, pressed.clone()), flag::register(SIGINT, pressed.clone())]
    {
        watched.context("Ctrl-C cannot be watched")?;
    }
    let watch = move || {
        while !pressed.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
        last();
        let _ = emulate_default_handler(SIGINT);
    };
    thread::Builder::new().spawn(watch).context("no thread to watch for Ctrl-C")?;
    Ok(())
}

/// A watch over one piece of work, until it is dropped.
pub struct Stopper {
    stop: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
    /// Ends the thread when it is dropped.
    _alive: Sender<()>,
}

impl Stopper {
    /// Stops work after this time, if there is a limit, and at the first Ctrl-C, which is acknowledged on stderr; a
    /// second one ends the process. Before it is stopped, work that writes checkpoints to `scratch` writes one.
    ///
    /// # Errors
    /// The system grants no thread or no signals.
    pub fn new(seconds: Option<f64>, scratch: Option<Scratch>) -> Result<Stopper> {
        let (stop, interrupted) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (alive, ended) = channel();
        let limit = seconds.map(Duration::from_secs_f64);
        let mut end = limit.and_then(|limit| Instant::now().checked_add(limit));
        let pressed = Arc::new(AtomicBool::new(false));
        let watched = flag::register(SIGINT, pressed.clone()).context("Ctrl-C cannot be watched")?;
        let (sets, tells) = (stop.clone(), interrupted.clone());
        let watch = move || {
            let mut presses = 0;
            let mut grace = None;
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                presses += u32::from(pressed.swap(false, Ordering::Relaxed));
                let now = Instant::now();
                if presses > 0 && !tells.swap(true, Ordering::Relaxed) {
                    let saves = scratch.as_ref().is_some_and(|scratch| {
                        scratch.ask();
                        scratch.is_awaited()
                    });
                    let saving = if saves { "a checkpoint is being written, " } else { "" };
                    log_line(&format!("stopping; {saving}Ctrl-C again to quit at once"));
                    end = Some(now);
                }
                if presses > 1 {
                    progress::clear();
                    let _ = emulate_default_handler(SIGINT);
                }
                if end.is_some_and(|end| now >= end) {
                    let begun = *grace.get_or_insert_with(|| {
                        scratch.iter().for_each(Scratch::ask);
                        now
                    });
                    let awaited = scratch.as_ref().is_some_and(Scratch::is_awaited);
                    if !awaited || now >= begun + GRACE {
                        sets.store(true, Ordering::Relaxed);
                    }
                }
            }
            unregister(watched);
        };
        thread::Builder::new().spawn(watch).context("no thread to watch the time")?;
        Ok(Stopper { stop, interrupted, _alive: alive })
    }

    /// Returns the flag that ends the work.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Returns the exit code of work that Ctrl-C ended; `None` if it was not pressed.
    pub fn code(&self) -> Option<ExitCode> {
        self.interrupted.load(Ordering::Relaxed).then(|| ExitCode::from(INTERRUPTED))
    }
}
