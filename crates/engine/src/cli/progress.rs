//! Progress of long work on stderr: a bar on a terminal, a plain line every few seconds elsewhere, or nothing.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use grundy_session::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use super::shared::log_line;

/// Formats a rate.
pub fn a_second(rate: f64) -> String {
    if rate < 1e5 { format!("{rate:.0} a second") } else { format!("{:.1} million a second", rate / 1e6) }
}

/// Returns the rate of `done` units in `time`; `None` if the time is too short for it to mean anything.
pub fn rate(count: u64, time: Duration) -> Option<String> {
    const LEAST: Duration = Duration::from_millis(50);
    (time >= LEAST).then(|| a_second(count as f64 / time.as_secs_f64()))
}

/// Time between two plain lines.
const EVERY: Duration = Duration::from_secs(3);
/// Time between two looks of a bar.
const BLINK: Duration = Duration::from_millis(100);

/// Shows progress. It may be reported by many threads very often.
pub struct Meter {
    shown: Option<Mutex<Shown>>,
    bar: Option<ProgressBar>,
}

struct Shown {
    what: String,
    began: Instant,
    from: u64,
    next: Instant,
}

impl Meter {
    /// Returns a meter, which shows nothing if `quiet`.
    pub fn new(quiet: bool) -> Meter {
        let terminal = io::stderr().is_terminal();
        let bar = (!quiet && terminal).then(|| {
            let style = "{msg:24} {wide_bar} {human_pos}/{human_len}  {per_sec}  {eta}";
            let style = ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(0).with_style(style)
        });
        let now = Instant::now();
        let next = if terminal { now } else { now + EVERY };
        let shown = Shown { what: String::new(), began: now, from: 0, next };
        Meter { shown: (!quiet).then(|| Mutex::new(shown)), bar }
    }

    /// Takes a report; it is dropped while another thread's report is being shown.
    pub fn show(&self, progress: &Progress) {
        let Some(Ok(mut shown)) = self.shown.as_ref().map(Mutex::try_lock) else { return };
        let now = Instant::now();
        if now < shown.next {
            return;
        }
        if let Some(bar) = &self.bar {
            shown.next = now + BLINK;
            bar.set_length(progress.total);
            bar.set_message(progress.what.to_string());
            bar.set_position(progress.done);
            return;
        }
        shown.next = now + EVERY;
        let what = progress.what.to_string();
        if progress.total == 0 {
            return log_line(&what);
        }
        let kind = what.split(' ').next().unwrap_or("");
        if kind != shown.what {
            shown.what = kind.to_owned();
            (shown.began, shown.from) = (now, progress.done);
        }
        let seconds = (now - shown.began).as_secs_f64();
        let rate = (progress.done - shown.from.min(progress.done)) as f64 / seconds.max(0.001);
        let share = 100.0 * progress.done as f64 / progress.total as f64;
        let mut line = format!("{what}: {} of {} ({share:.0} %)", progress.done, progress.total);
        if rate >= 1.0 && seconds > 0.5 {
            let left = progress.total.saturating_sub(progress.done) as f64 / rate;
            line += &format!(", {}, about {left:.0} s left", a_second(rate));
        }
        log_line(&line);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
