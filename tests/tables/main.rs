//! Durable tables: damaged files are refused, failing disks leave nothing half done, killed work resumes.
// The helpers of tests count as tests.
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
