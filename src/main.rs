//! The engine: `grundy` without a subcommand speaks the protocol on stdin.

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy::main(&[])
}
