//! The programs `grundy` and `referee`: their command lines over the catalog of all games.

use std::process::ExitCode;

use grundy_engine::Extra;
use grundy_session::Row;

use crate::catalog::CATALOG;

/// Subcommands of `grundy` besides those of the engine.
#[cfg(not(feature = "games"))]
const EXTRAS: &[Extra] = &[];
/// Subcommands of `grundy` besides those of the engine.
#[cfg(feature = "games")]
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
    use grundy_referee::Judges;
    #[doc(hidden)]
    pub use grundy_referee::readers;

    use super::{CATALOG, ExitCode, Extra, Row};

    /// Subcommands of `referee` besides its own.
    #[cfg(not(feature = "games"))]
    const EXTRAS: &[Extra] = &[];
    /// Subcommands of `referee` besides its own.
    #[cfg(feature = "games")]
    const EXTRAS: &[Extra] = grundy_information::command::REFEREE;
    /// What `referee check` verifies besides the certificates of an audit, and the second interpreter of rules files.
    #[cfg(not(feature = "games"))]
    const JUDGES: Judges = Judges { verifiers: &[], witnesses: &[] };
    /// What `referee check` verifies besides the certificates of an audit, and the second interpreter of rules files.
    #[cfg(feature = "games")]
    const JUDGES: Judges = Judges {
        verifiers: &[grundy_referee::Verifier {
            magic: grundy_information::certificate::MAGIC,
            verify: grundy_information::certificate::verify,
        }],
        witnesses: &grundy_rules::WITNESSES,
    };

    /// Runs it with games of one's own in front of those of grundy; gives the exit code.
    pub fn main(rows: &'static [Row]) -> ExitCode {
        grundy_referee::main(&CATALOG.with(rows), EXTRAS, JUDGES)
    }
}
