//! Namespaces that isolate engines, if the system allows them: a user namespace, in which an engine has no rights
//! over outside processes, and a PID namespace, in which those have no numbers. `man 7 user_namespaces`, `man 7
//! pid_namespaces`.
//!
//! The user's number and files stay the same. Root stays root, without a user namespace: in one it could not open the
//! files of other users.

use std::fs;
use std::io;

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{getegid, geteuid};
use rustix::thread::{
    CapabilitySet, UnshareFlags, capabilities, clear_ambient_capability_set,
    configure_capability_in_ambient_set, set_capabilities,
};

/// Puts processes that this one starts from now on into a PID namespace, and all of them into a user namespace. The
/// process must have a single thread, and cannot start threads afterwards.
///
/// # Errors
/// The system does not allow it.
pub fn enter_for_children() -> io::Result<()> {
    let (user, group) = (geteuid(), getegid());
    if user.is_root() {
        return unshare(UnshareFlags::NEWPID);
    }
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
    fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))?;
    // Kept until the engine is executed, so that it can get its own `/proc`.
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?;
    Ok(())
}

/// Hides the processes of other namespaces from this one and the program it executes, and gives up the right to do
/// so.
///
/// # Errors
/// The system does not allow it.
pub fn hide_other_processes() -> io::Result<()> {
    let hidden = unshare(UnshareFlags::NEWNS).and_then(|()| {
        // Mounts here must not propagate.
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None)?;
        Ok(())
    });
    clear_ambient_capability_set()?;
    hidden
}

fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // Deprecated for tables of open files, which are not among these flags.
    #[expect(deprecated)]
    Ok(rustix::thread::unshare(flags)?)
}
