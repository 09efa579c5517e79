//! Requests to end a match.

/// A request to end a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The end of the process.
    Terminate,
    /// SIGUSR1: the end after the running games. Windows has no such signal.
    Rest,
}
