//! The key that ends a match after the running games, if the referee runs in the foreground of a terminal.

use std::io;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, Termios, isatty, tcgetattr, tcgetpgrp, tcsetattr};

/// The key.
const KEY: u8 = b'q';
/// The interval between polls for a key, in nanoseconds.
const WAIT: i64 = 200_000_000;

/// The terminal's settings before [`watch`].
static BEFORE: OnceLock<Termios> = OnceLock::new();

/// Sets `pressed` when the key is pressed. Returns false without a terminal in the foreground. Turns off line editing
/// until [`restore`].
pub fn watch(pressed: &'static AtomicBool) -> bool {
    let stdin = io::stdin();
    if !isatty(&stdin) || !in_front() {
        return false;
    }
    let Ok(before) = tcgetattr(&stdin) else { return false };
    let mut single = before.clone();
    single.local_modes.remove(LocalModes::ICANON);
    let _ = BEFORE.set(before);
    if tcsetattr(&stdin, OptionalActions::Now, &single).is_err() {
        return false;
    }
    std::thread::spawn(move || {
        let stdin = io::stdin();
        let mut byte = [0];
        loop {
            let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
            let waited = poll(&mut ready, Some(&Timespec { tv_sec: 0, tv_nsec: WAIT }));
            let pressed_now = ready[0].revents().contains(PollFlags::IN);
            // A background job that reads would be stopped.
            match waited {
                Ok(count) if count > 0 && !pressed_now => return,
                Ok(count) if count > 0 && in_front() => match rustix::io::read(stdin.as_fd(), &mut byte) {
                    Ok(1) if byte[0] == KEY => pressed.store(true, Ordering::SeqCst),
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                },
                Ok(0) => {}
                Ok(_) => std::thread::sleep(std::time::Duration::from_millis(200)),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
        }
    });
    true
}

/// Restores the terminal's settings.
pub fn restore() {
    if let Some(before) = BEFORE.get()
        && in_front()
    {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
    }
}

/// Reports whether this process is in the terminal's foreground.
fn in_front() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}
