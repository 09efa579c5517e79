//! The engine's command line: `grundy` alone speaks the protocol on stdin, its subcommands do the rest.

// The help texts of the command line are doc comments, where `[1]` names a default and no item.
#![allow(rustdoc::broken_intra_doc_links)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
