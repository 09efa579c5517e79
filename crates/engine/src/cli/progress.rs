//! Progress of long work on stderr: a bar on a terminal, a plain line every few seconds elsewhere, or nothing.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use grundy_core::text::{brief, grouped, visible_lines, with_blanks, wrapped};
use grundy_session::Progress;

use super::numbers::{a_second, time};

/// Time between two plain lines.
const EVERY: Duration = Duration::from_secs(3);
/// Time between two looks of a bar.
const BLINK: Duration = Duration::from_millis(100);
/// Width of a terminal that does not tell its own.
const USUAL_WIDTH: usize = 80;

/// The line of progress on the terminal, above which other lines are written; `None` if there is none.
static SHOWN: Mutex<Option<String>> = Mutex::new(None);
/// Returns to the beginning of the line and erases it.
const ERASE: &str = "\r\x1b[K";

/// Shows a line of progress in place of the last one. A terminal that is gone is nobody to tell.
fn put(line: String) {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = write!(io::stderr(), "{ERASE}{line}");
    *shown = Some(line);
}

/// Writes to stderr while the line of progress is out of the way.
pub fn above<T>(write: impl FnOnce() -> T) -> T {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(line) = &*shown else { return write() };
    let _ = write!(io::stderr(), "{ERASE}");
    let done = write();
    let _ = write!(io::stderr(), "{line}");
    done
}

/// Writes one sanitised line to stderr, broken to fit where that is a terminal, commands that are
/// [`unbroken`](grundy_core::text::unbroken) as they are copied; ignores a closed stderr.
pub fn log_line(text: &str) {
    let line = shown(text, io::stderr().is_terminal());
    let _ = above(|| writeln!(io::stderr(), "{line}"));
}

/// Returns a text as a terminal or a log has it.
fn shown(text: &str, terminal: bool) -> String {
    // The blanks of commands are signs that would be escaped.
    let lines = if terminal { wrapped("", text, 2) } else { with_blanks(text) };
    brief(&visible_lines(&lines)).into_owned()
}

/// Shows a line of progress on a terminal, until [`clear`].
pub fn tell(text: &str) {
    if io::stderr().is_terminal() {
        put(text.chars().take(terminal_width().saturating_sub(3)).collect());
    }
}

/// Removes the line of progress, if there is one.
pub fn clear() {
    if SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take().is_some() {
        let _ = write!(io::stderr(), "{ERASE}");
    }
}

/// Stderr for lines that are written above the bar.
pub struct AboveBar;

impl Write for AboveBar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        above(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Shows progress. It may be reported by many threads very often.
pub struct Meter {
    shown: Option<Mutex<Shown>>,
    terminal: bool,
}

struct Shown {
    /// The kind of activity, since `began` and `from` units.
    kind: String,
    began: Instant,
    from: u64,
    next: Instant,
    /// The last line in a log.
    last: String,
}

impl Shown {
    /// Takes note of a report. Returns the units a second of this activity; `None` if it has only begun.
    fn rate(&mut self, what: &str, done: u64, now: Instant) -> Option<f64> {
        let kind = what.split(' ').next().unwrap_or("");
        if kind != self.kind || done < self.from {
            self.kind = kind.to_owned();
            (self.began, self.from) = (now, done);
        }
        let seconds = (now - self.began).as_secs_f64();
        let rate = (done - self.from) as f64 / seconds.max(0.001);
        (rate >= 1.0 && seconds > 0.5).then_some(rate)
    }
}

impl Meter {
    /// Returns a meter, which shows nothing if `quiet`.
    pub fn new(quiet: bool) -> Meter {
        let terminal = io::stderr().is_terminal();
        let now = Instant::now();
        let next = if terminal { now } else { now + EVERY };
        let shown = Shown { kind: String::new(), began: now, from: 0, next, last: String::new() };
        Meter { shown: (!quiet).then(|| Mutex::new(shown)), terminal }
    }

    /// Takes a report; it is dropped while another thread's report is being shown.
    pub fn show(&self, progress: &Progress) {
        let Some(Ok(mut shown)) = self.shown.as_ref().map(Mutex::try_lock) else { return };
        let now = Instant::now();
        if now < shown.next {
            return;
        }
        shown.next = now + if self.terminal { BLINK } else { EVERY };
        let what = progress.what.to_string();
        let rate = shown.rate(&what, progress.done, now);
        let width = if self.terminal { terminal_width() } else { usize::MAX };
        let line = line(&what, progress.done, progress.total, rate, width);
        if self.terminal {
            put(line);
        } else if line != shown.last {
            log_line(&line);
            shown.last = line;
        }
    }

    /// Writes a line above the bar, unless the meter is quiet.
    pub fn note(&self, text: &str) {
        if self.shown.is_some() {
            log_line(text);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        clear();
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Returns the columns of the terminal behind stderr.
pub fn terminal_width() -> usize {
    terminal_size::terminal_size_of(io::stderr()).map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// Returns the progress in one line of at most `width` characters: the activity and the share that is done, then as far
/// as there is room the time left, the rate, the counts and a bar.
fn line(what: &str, done: u64, total: u64, rate: Option<f64>, width: usize) -> String {
    /// Characters of a bar, at least and at most.
    const BAR: [usize; 2] = [10, 40];
    // The echo of Ctrl-C has room, too: a line that is broken would not be erased.
    let room = width.saturating_sub(3);
    let cut = |text: &str| text.chars().take(room).collect::<String>();
    if total == 0 {
        return if done > 0 { cut(&format!("{what}: {}", grouped(done))) } else { cut(what) };
    }
    let share = format!("{:3.0} %", 100.0 * done as f64 / total as f64);
    let mut line = format!("{what}: {}", share.trim_start());
    let left = rate.map(|rate| format!(", {} left", time(total.saturating_sub(done) as f64 / rate)));
    let counts = format!(", {} of {}", grouped(done), grouped(total));
    for more in [left, rate.map(|rate| format!(", {}", a_second(rate))), Some(counts)].into_iter().flatten() {
        if line.chars().count() + more.chars().count() <= room {
            line += &more;
        }
    }
    let free = room.saturating_sub(line.chars().count() + 3);
    if width < usize::MAX && free >= BAR[0] {
        let bar = free.min(BAR[1]);
        let full = (bar as f64 * (done as f64 / total as f64).clamp(0.0, 1.0)) as usize;
        line = format!("[{}{}] {line}", "#".repeat(full), ".".repeat(bar - full));
    }
    cut(&line)
}

#[cfg(test)]
mod tests {
    use grundy_core::text::unbroken;

    use super::*;

    #[test]
    fn a_command_stays_whole_and_what_is_unseen_is_escaped() {
        let command = format!("grundy solve nim{} --seconds 600", ":misere".repeat(10));
        let text = format!("\u{1b}[31m not solved in time: {} takes longer", unbroken(&command));
        assert_eq!(shown(&text, false), format!("\\x1b[31m not solved in time: {command} takes longer"));
        let lines = shown(&text, true);
        assert_eq!(lines.lines().nth(1), Some(&*format!("  {command}")), "{lines}");
        assert!(lines.starts_with("\\x1b[31m ") && !lines.contains("e000"), "{lines}");
    }

    #[test]
    fn a_line_of_progress_fits_every_terminal() {
        let what = "tier 117 of 252, distance 29";
        for width in 40..=200 {
            for (done, total, rate) in [
                (0, 0, None),
                (3, 8, None),
                (1_234_567_890, 27_837_741_912, Some(20_864_035.543_5)),
                (9, 9, Some(5.0)),
            ] {
                let line = line(what, done, total, rate, width);
                assert!(line.chars().count() < width && line.contains(what), "{width}: {line}");
                assert!(total == 0 || line.contains(" %"), "{width}: {line}");
            }
        }
        let wide = line("positions", 5_000, 10_000, Some(2_500.0), 104);
        assert!(wide.ends_with(" positions: 50 %, 2.0 s left, 2,500/s, 5,000 of 10,000"), "{wide}");
        assert!(wide.starts_with("[####################....................] "), "{wide}");
        assert_eq!(line("positions found, ply 3", 1_234, 0, None, 80), "positions found, ply 3: 1,234");
        assert_eq!(line("blocks", 1, 4, None, usize::MAX), "blocks: 25 %, 1 of 4");
    }
}
