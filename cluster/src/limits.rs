//! The memory limits of this process, as far as the system tells them.

use std::fs;

use crate::system;

/// Returns the lowest limit on this process in bytes: of its address space, its data, and its control group.
pub fn memory() -> Option<u64> {
    system::memory_limits().into_iter().chain([control_group()]).flatten().min()
}

/// Returns the lowest limit of the control group (version 2) of this process and of those around it.
fn control_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mut least: Option<u64> = None;
    loop {
        let path = format!("/sys/fs/cgroup/{group}/memory.max");
        let most = fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok());
        least = [least, most].into_iter().flatten().min();
        match group.rsplit_once('/') {
            Some((around, _)) => group = around,
            None if group.is_empty() => return least,
            None => group = "",
        }
    }
}
