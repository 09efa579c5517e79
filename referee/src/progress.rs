//! The progress of a run: a bar at the bottom of a terminal, plain lines elsewhere.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use grundy_engine::output::is_terminal;
use indicatif::{ProgressBar, ProgressStyle};

/// The interval at which the bar is redrawn, so that its clock runs during a game.
const BLINK: Duration = Duration::from_millis(250);

/// The lines of a run, and its bar if stderr is a terminal.
pub struct Progress<'a> {
    out: &'a Mutex<dyn Write + Send>,
    bar: ProgressBar,
}

impl<'a> Progress<'a> {
    /// Returns a hidden bar; lines go to `out`.
    pub fn new(out: &'a Mutex<dyn Write + Send>) -> Progress<'a> {
        // Hidden unless stderr is a terminal.
        let bar = ProgressBar::no_length();
        Progress { out, bar }
    }

    /// Shows the bar with `done` of `of` games, all of them before this run; `of` is `None` if their number is not known.
    pub fn begin(&self, done: usize, of: Option<usize>) {
        self.style(match of {
            Some(_) => "{bar:24} {pos} of {len} games  {elapsed}",
            None => "{spinner} {pos} games  {elapsed}  {msg}",
        });
        if let Some(of) = of {
            self.bar.set_length(of as u64);
        }
        self.bar.set_position(done as u64);
        self.bar.reset_eta();
        self.bar.enable_steady_tick(BLINK);
    }

    /// Counts another game; `score` is shown beside the bar.
    pub fn step(&self, score: String) {
        // The first game gives an estimate of the rest.
        if self.bar.length().is_some() {
            self.style("{bar:24} {pos} of {len} games  {elapsed}, {eta} to go  {msg}");
        }
        self.bar.inc(1);
        self.bar.set_message(score);
    }

    /// Sets the bar's parts, as the templates of [`ProgressStyle`] name them.
    fn style(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }

    /// Reports whether the output is a terminal that shows the bar, and so the score.
    pub fn is_shown(&self) -> bool {
        !self.bar.is_hidden() && is_terminal()
    }

    /// Writes lines, above the bar where there is one.
    pub fn say(&self, lines: &str) {
        self.bar.suspend(|| {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            // A closed output does not end a tournament.
            let _ = writeln!(out, "{lines}").and_then(|()| out.flush());
        });
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
