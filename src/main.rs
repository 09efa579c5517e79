//! The engine's command line: `grundy` alone speaks the protocol on stdin, its subcommands do the rest.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
