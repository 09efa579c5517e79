//! An engine's process on Windows: a job object ends it with everything it started, and limits its memory. One of the few
//! places with unsafe code: these calls of the system have no safe counterpart.
//!
//! A process belongs to the jobs of the process that started it, and cannot leave them. A job ends with the last handle to
//! it, which is the one of the process that made it. So an engine runs below a process of this program that is in a job of
//! its own, and the referee is in another one: whoever is killed takes its engines with it. See
//! <https://learn.microsoft.com/windows/win32/procthread/job-objects>.
#![allow(unsafe_code)]

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::ptr::null;
use std::sync::Once;

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// Starts an engine; the first call puts the referee in a job.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    static JOB: Once = Once::new();
    JOB.call_once(|| {
        if let Err(error) = enter_job(None) {
            log::debug!("no job object: engines would outlive a killed referee: {error}");
        }
    });
    command.spawn()
}

/// Runs the engine in a job of its own and exits with its status; returns only on failure.
pub fn exec_engine(_isolated: bool, megabytes: Option<u64>, words: &[String]) -> io::Error {
    let Some((program, arguments)) = words.split_first() else {
        return io::Error::from(io::ErrorKind::InvalidInput);
    };
    let ended = enter_job(megabytes).and_then(|()| Command::new(program).args(arguments).status());
    match ended {
        Ok(status) => std::process::exit(status.code().unwrap_or(i32::MAX)),
        Err(error) => error,
    }
}

/// Kills an engine with its job; returns its status, that of the kill if it was still running.
pub fn end_group(child: &mut Child) -> Option<ExitStatus> {
    let _ = child.kill();
    child.wait().ok()
}

/// Puts this process into a new job, with all processes that it starts from now on; they end with this one. Each of them may
/// have at most `megabytes` of memory.
///
/// # Errors
/// The system refuses it.
fn enter_job(megabytes: Option<u64>) -> io::Result<()> {
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if let Some(megabytes) = megabytes {
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
        limits.ProcessMemoryLimit = usize::try_from(megabytes.saturating_mul(1 << 20)).unwrap_or(usize::MAX);
    }
    let (at, size) = ((&raw const limits).cast(), size_of_val(&limits) as u32);
    // SAFETY: a job needs neither attributes nor a name. The system reads `size` bytes of `limits`, which is the structure
    // of this class of information. The handle stays open until this process ends.
    let done = unsafe {
        let job = CreateJobObjectW(null(), null());
        !job.is_null()
            && SetInformationJobObject(job, JobObjectExtendedLimitInformation, at, size) != 0
            && AssignProcessToJobObject(job, GetCurrentProcess()) != 0
    };
    if done { Ok(()) } else { Err(io::Error::last_os_error()) }
}
