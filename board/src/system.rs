//! Differences of the systems: priorities, limits of open files, the signal to end, and the user's browser.

/// Lowers the priority of this thread by `niceness`, if the system can. Threads that it starts inherit this.
pub fn lower_priority(niceness: i32) {
    // On Linux this applies to the calling thread alone; elsewhere it would slow the whole process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(niceness);
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}

/// Raises the limit of open files to `wanted`, or as far as possible; returns how many may be open.
#[cfg(unix)]
pub fn allow_files(wanted: u64) -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let (Some(now), most) = (limit.current, limit.maximum.unwrap_or(wanted)) else { return wanted };
    let files = now.max(wanted.min(most));
    match files > now && setrlimit(Resource::Nofile, Rlimit { current: Some(files), ..limit }).is_err() {
        true => now,
        false => files,
    }
}

/// Returns `wanted`: Windows does not limit open files.
#[cfg(windows)]
pub fn allow_files(wanted: u64) -> u64 {
    wanted
}

/// Waits until the process is told to end.
#[cfg(unix)]
pub async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

/// Waits until the console is closed or the session ends.
#[cfg(windows)]
pub async fn terminated() {
    use tokio::signal::windows::{ctrl_close, ctrl_shutdown};
    match (ctrl_close(), ctrl_shutdown()) {
        (Ok(mut close), Ok(mut shutdown)) => tokio::select! {
            _ = close.recv() => {}
            _ = shutdown.recv() => {}
        },
        _ => std::future::pending().await,
    }
}

/// The program that opens an address in the user's browser.
pub const OPENER: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};
