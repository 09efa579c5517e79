//! Differences of the systems: how a process of `launch` gets its listening socket and ends with its parent, and the limits
//! on its memory.

use std::io;
use std::net::TcpListener;
use std::process::Command;

use anyhow::Result;

/// Hands a listening socket to a process that will be started, as its standard input: nobody else can take its port.
#[cfg(unix)]
pub fn give(command: &mut Command, listener: TcpListener) {
    command.stdin(std::os::fd::OwnedFd::from(listener));
}

/// Frees the socket: Windows cannot hand it over, so the process opens its port itself. A pipe ends with this process.
#[cfg(windows)]
pub fn give(command: &mut Command, listener: TcpListener) {
    drop(listener);
    command.stdin(std::process::Stdio::piped());
}

/// Returns the socket that [`give`] has handed to this process; `None` on Windows.
///
/// # Errors
/// The descriptor cannot be duplicated.
pub fn given() -> io::Result<Option<TcpListener>> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        io::stdin().as_fd().try_clone_to_owned().map(|socket| Some(TcpListener::from(socket)))
    }
    #[cfg(windows)]
    Ok(None)
}

/// Makes this process end when `parent` does, which has started it by [`give`].
///
/// # Errors
/// The system refuses it, or `parent` has ended already.
#[cfg(target_os = "linux")]
pub fn end_with(parent: u32) -> Result<()> {
    use anyhow::Context as _;
    use rustix::process::{Signal, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL)).context("cannot end with the parent")?;
    refuse_orphan(parent)
}

/// Makes this process end when `parent` does, which has started it by [`give`].
///
/// # Errors
/// The system grants no thread, or `parent` has ended already.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn end_with(parent: u32) -> Result<()> {
    refuse_orphan(parent)?;
    std::thread::Builder::new().spawn(move || {
        while refuse_orphan(parent).is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        std::process::exit(crate::cli::LOST.into());
    })?;
    Ok(())
}

/// Fails if `parent` is no longer the parent of this process.
#[cfg(unix)]
fn refuse_orphan(parent: u32) -> Result<()> {
    let now = rustix::process::getppid().map(|parent| parent.as_raw_nonzero().get());
    anyhow::ensure!(now == i32::try_from(parent).ok(), "the process that started this one has ended");
    Ok(())
}

/// Makes this process end when its parent does, which has started it by [`give`].
///
/// # Errors
/// The system grants no thread.
#[cfg(windows)]
pub fn end_with(_parent: u32) -> Result<()> {
    std::thread::Builder::new().spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        std::process::exit(crate::cli::LOST.into());
    })?;
    Ok(())
}

/// Returns the limits on the address space and the data of this process, in bytes.
pub fn memory_limits() -> [Option<u64>; 2] {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current)
    }
    #[cfg(windows)]
    [None, None]
}
