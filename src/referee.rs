//! The referee: matches between engines, every move audited.

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy::referee::main(&[])
}
