//! The programs `grundy` and `referee`: their command lines over the catalog of all games.

use std::process::ExitCode;

use grundy_engine::Extra;
use grundy_session::Row;

use crate::catalog::CATALOG;

/// Subcommands of `grundy` besides those of the engine.
const EXTRAS: &[Extra] = &{
    use grundy_information::command::GRUNDY;
    let mut all = [crate::check_rules::CHECK_RULES; 1 + GRUNDY.len()];
    let mut at = 0;
    while at < GRUNDY.len() {
        all[at] = GRUNDY[at];
        at += 1;
    }
    all
};

/// The command line of the engine, with games of one's own in front of those of grundy; gives the exit code.
pub fn main(rows: &'static [Row]) -> ExitCode {
    grundy_engine::main(&CATALOG.with(rows), EXTRAS)
}

/// The command line of the referee.
pub mod referee {
    #[doc(hidden)]
    pub use grundy_referee::readers;
    use grundy_referee::{Judges, Verifier};

    use super::{CATALOG, ExitCode, Extra, Row};

    /// Subcommands of `referee` besides its own.
    const EXTRAS: &[Extra] = grundy_information::command::REFEREE;
    /// What `referee check` verifies besides the certificates of an audit.
    const VERIFIERS: &[Verifier] = &[Verifier {
        magic: grundy_information::certificate::MAGIC,
        verify: grundy_information::certificate::verify,
    }];

    /// Runs it with games of one's own in front of those of grundy; gives the exit code.
    pub fn main(rows: &'static [Row]) -> ExitCode {
        let judges = Judges { verifiers: VERIFIERS, witnesses: &grundy_rules::WITNESSES };
        grundy_referee::main(&CATALOG.with(rows), EXTRAS, judges)
    }
}
