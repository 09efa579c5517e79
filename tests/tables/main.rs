//! Tables that last: damaged files are refused, failing disks leave nothing half done, killed work goes on.

mod damage;
mod disk;
mod kills;
mod resume;
mod tools;
