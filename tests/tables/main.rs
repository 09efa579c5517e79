//! Tables that last: damaged files are refused, failing disks leave nothing half done, killed work goes on.
// The helpers of tests are tests, too.
#![allow(clippy::unwrap_used)]

mod damage;
mod discovered;
mod disk;
mod forged;
mod kills;
mod openings;
mod parts;
mod resume;
mod tiers;
mod tools;
