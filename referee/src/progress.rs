//! How far a run has come: a bar at the foot of a terminal, nothing more than the plain lines elsewhere.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often a bar is drawn anew, so that its clock goes on while a game lasts.
const BLINK: Duration = Duration::from_millis(250);

/// The lines of a run, and its bar on stderr where that is a terminal.
pub struct Progress<'a> {
    out: &'a Mutex<dyn Write + Send>,
    bar: ProgressBar,
}

impl<'a> Progress<'a> {
    /// Nothing done yet; lines go to `out`.
    pub fn new(out: &'a Mutex<dyn Write + Send>) -> Progress<'a> {
        // Hidden where stderr is no terminal.
        let bar = ProgressBar::no_length();
        let style = "{bar:24} {pos} of {len} games  {elapsed}, {eta} to go  {msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Progress { out, bar }
    }

    /// So many of so many games are done, the first of them before this run.
    pub fn begin(&self, done: usize, of: usize) {
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
        self.bar.reset_eta();
        self.bar.enable_steady_tick(BLINK);
    }

    /// Another game is done; how it stands now.
    pub fn step(&self, standing: String) {
        self.bar.inc(1);
        self.bar.set_message(standing);
    }

    /// Writes lines, above the bar where there is one.
    pub fn say(&self, lines: &str) {
        self.bar.suspend(|| {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody need read along: a closed output does not end a tournament.
            let _ = writeln!(out, "{lines}").and_then(|()| out.flush());
        });
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
