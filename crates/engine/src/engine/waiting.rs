//! Lines that wait until the work before them is done, in their order and in bounded memory.

use std::collections::VecDeque;
use std::time::Instant;

/// The most lines that wait.
const LINES: usize = 10_000;
/// The most bytes that wait.
const BYTES: usize = 64 << 20;

/// The queue of lines that came while a search, a table or a question was under way.
#[derive(Default)]
pub(super) struct Waiting {
    lines: VecDeque<(String, Option<Instant>)>,
    bytes: usize,
    /// Lines taken out so far: the number of the first line that waits.
    taken: u64,
    /// A `stop` came when the lines below this number waited.
    stopped: u64,
    /// A `ponderhit` came when the lines below this number waited.
    hit: u64,
}

/// A line whose turn it is.
pub(super) struct Turn {
    pub line: String,
    /// When it came, where it waited only until the session was home: the clock of a `go` runs from then.
    pub since: Option<Instant>,
    /// A `stop` came after it: a search that it asks for ends as soon as it begins.
    pub stopped: bool,
    /// A `ponderhit` came after it: a search that it asks for is no longer one on the opponent's time.
    pub hit: bool,
}

impl Waiting {
    /// Appends a line; `since` is when it came, where it waits only until the session is home.
    pub fn push(&mut self, line: String, since: Option<Instant>) {
        self.bytes += line.len();
        self.lines.push_back((line, since));
    }

    /// Takes the first line.
    pub fn pop(&mut self) -> Option<Turn> {
        let (line, since) = self.lines.pop_front()?;
        self.bytes -= line.len();
        let number = self.taken;
        self.taken += 1;
        Some(Turn { line, since, stopped: number < self.stopped, hit: number < self.hit })
    }

    /// Whether all that wait do so only until the session is home, after `bestmove` was said.
    pub fn is_for_the_session(&self) -> bool {
        self.lines.iter().all(|(_, since)| since.is_some())
    }

    /// Whether no further line should be taken in.
    pub fn is_full(&self) -> bool {
        self.lines.len() >= LINES || self.bytes >= BYTES
    }

    /// All searches that wait are to end as soon as they begin.
    pub fn stop(&mut self) {
        self.stopped = self.end();
    }

    /// All searches that wait are no longer on the opponent's time.
    pub fn hit(&mut self) {
        self.hit = self.end();
    }

    fn end(&self) -> u64 {
        self.taken + self.lines.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_for_the_lines_that_waited_when_it_came() {
        let mut waiting = Waiting::default();
        waiting.push("go infinite".to_owned(), None);
        waiting.stop();
        waiting.push("go infinite".to_owned(), None);
        let stopped = |waiting: &mut Waiting| waiting.pop().map(|turn| turn.stopped);
        assert_eq!(stopped(&mut waiting), Some(true));
        assert_eq!(stopped(&mut waiting), Some(false));
        assert_eq!(stopped(&mut waiting), None);
    }

    #[test]
    fn it_is_full_by_lines_and_by_bytes() {
        let mut waiting = Waiting::default();
        (0..LINES).for_each(|_| waiting.push(String::new(), None));
        assert!(waiting.is_full());
        waiting.pop();
        assert!(!waiting.is_full());
        waiting.push("x".repeat(BYTES), None);
        assert!(waiting.is_full());
    }
}
