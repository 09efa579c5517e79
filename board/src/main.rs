//! The web board of grundy's own games.

use std::process::ExitCode;

fn main() -> ExitCode {
    grundy_board::main(&[])
}
