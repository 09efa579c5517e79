//! The engine: `grundy` alone speaks the protocol on stdin, its subcommands do the rest.

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy::main(&[])
}
