//! Differences of the systems: pipes, signals, the identity of files. The supervision of engines is in `supervision.rs`.

mod signal;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use signal::Signal;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
