//! Solving on many threads, processes and machines: grundy's own games.

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy_cluster::main(&[])
}
