//! A shorter reaction time for a thread that mostly waits, while searches keep every processor busy. One of the few places
//! with unsafe code: no library has this system call.
//!
//! On Linux a thread that wakes up waits some milliseconds for the end of the running thread's slice, unless it has
//! asked for a shorter slice of its own (kernel 6.12 and later: `sched_runtime` in sched_setattr(2), and
//! Documentation/scheduler/sched-eevdf.rst). It gets no more of the processor for that, only sooner.
#![allow(unsafe_code)]

/// The shortest slice that can be asked for, in nanoseconds.
#[cfg(target_os = "linux")]
const SHORTEST: u64 = 100_000;

/// Asks that this thread run soon after it wakes up. Threads that it starts later inherit that. Does nothing on systems
/// that cannot do it.
pub(super) fn prompt() {
    #[cfg(target_os = "linux")]
    {
        let mut attributes = libc::sched_attr {
            size: size_of::<libc::sched_attr>() as u32,
            sched_policy: 0,
            sched_flags: 0,
            sched_nice: 0,
            sched_priority: 0,
            sched_runtime: 0,
            sched_deadline: 0,
            sched_period: 0,
        };
        // SAFETY: the kernel writes at most `size` bytes to the structure, whose fields may have any value.
        let got =
            unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, attributes.size, 0) };
        let fair = [libc::SCHED_OTHER, libc::SCHED_BATCH].map(|policy| policy as u32);
        if got != 0 || !fair.contains(&attributes.sched_policy) {
            return;
        }
        attributes.sched_runtime = SHORTEST;
        // SAFETY: the kernel reads `size` bytes of the structure and changes nothing of this process but the thread's
        // slice: all else is what it was.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}
