//! The queue of commands that wait for the work before them, in bounded memory.

use std::collections::VecDeque;
use std::time::Instant;

use crate::protocol::Command;

/// Maximum number of waiting commands.
const COMMANDS: usize = 10_000;
/// Maximum size of their lines, in bytes.
const BYTES: usize = 64 << 20;

/// The queue of commands received during a search, a table or a query.
#[derive(Default)]
pub(super) struct Waiting {
    commands: VecDeque<Waiter>,
    /// Bytes of their lines.
    bytes: usize,
    /// Number of commands taken out so far, which is the number of the first waiting one.
    taken: u64,
    /// The last `stop` applies to commands below this number.
    stopped: u64,
    /// The last `ponderhit` applies to commands below this number.
    hit: u64,
}

/// A waiting command, the length of its line, and the instant of its arrival if it waits only for the session to return.
type Waiter = (Command, usize, Option<Instant>);

/// A command taken from the queue.
pub(super) struct Turn {
    pub command: Command,
    /// The instant of its arrival, if it waited only for the session to return: the clock of a `go` runs from then.
    pub since: Option<Instant>,
    /// True if a `stop` came after it: its search ends as soon as it begins.
    pub stopped: bool,
    /// True if a `ponderhit` came after it: its search is no longer on the opponent's time.
    pub hit: bool,
}

impl Waiting {
    /// Appends a command from a line of `bytes` bytes; `since` is the instant of its arrival if it waits only for the session
    /// to return.
    pub fn push(&mut self, command: Command, bytes: usize, since: Option<Instant>) {
        self.bytes += bytes;
        self.commands.push_back((command, bytes, since));
    }

    /// Takes the first command.
    pub fn pop(&mut self) -> Option<Turn> {
        let (command, bytes, since) = self.commands.pop_front()?;
        self.bytes -= bytes;
        let number = self.taken;
        self.taken += 1;
        Some(Turn { command, since, stopped: number < self.stopped, hit: number < self.hit })
    }

    /// Reports whether all commands wait only for the session to return, after `bestmove` was written.
    pub fn is_for_the_session(&self) -> bool {
        self.commands.iter().all(|(.., since)| since.is_some())
    }

    /// Reports whether no command waits.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Reports whether no further command should be accepted.
    pub fn is_full(&self) -> bool {
        self.commands.len() >= COMMANDS || self.bytes >= BYTES
    }

    /// Ends all waiting searches as soon as they begin.
    pub fn stop(&mut self) {
        self.stopped = self.end();
    }

    /// Puts all waiting searches on the engine's own time.
    pub fn hit(&mut self) {
        self.hit = self.end();
    }

    fn end(&self) -> u64 {
        self.taken + self.commands.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_for_the_lines_that_waited_when_it_came() {
        let mut waiting = Waiting::default();
        waiting.push(Command::Help, 4, None);
        waiting.stop();
        waiting.push(Command::Help, 4, None);
        let stopped = |waiting: &mut Waiting| waiting.pop().map(|turn| turn.stopped);
        assert_eq!(stopped(&mut waiting), Some(true));
        assert_eq!(stopped(&mut waiting), Some(false));
        assert_eq!(stopped(&mut waiting), None);
    }

    #[test]
    fn it_is_full_by_lines_and_by_bytes() {
        let mut waiting = Waiting::default();
        (0..COMMANDS).for_each(|_| waiting.push(Command::Help, 4, None));
        assert!(waiting.is_full());
        waiting.pop();
        assert!(!waiting.is_full());
        waiting.push(Command::Help, BYTES, None);
        assert!(waiting.is_full());
    }
}
