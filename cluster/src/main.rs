//! Solves grundy's own games on many threads, processes and machines.

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy_cluster::main(&[])
}
