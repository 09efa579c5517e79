//! How much memory this process may use, as far as the system says so.

use std::fs;

use rustix::process::{Resource, getrlimit};

/// The least of the limits on this process in bytes: of its addresses, of its data, and of its control group.
pub fn limit() -> Option<u64> {
    let limits = [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current);
    limits.into_iter().chain([control_group()]).flatten().min()
}

/// The limit of the control group (version 2) that this process is in, or of the nearest one around it.
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
