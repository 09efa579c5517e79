//! What systems do differently: pipes, signals, the identity of files. The supervision of engines is in `supervision.rs`.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

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
