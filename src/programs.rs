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

    use super::{CATALOG, ExitCode, Row};

    /// Nobody to judge by but the game itself.
    #[cfg(not(feature = "games"))]
    const KNOWING: (&[super::Extra], Judges) = (&[], Judges { verifiers: &[], witnesses: &[] });
    /// Subcommands of `referee` besides its own, what `referee check` verifies besides the certificates of an audit, and
    /// who else reads rules files.
    #[cfg(feature = "games")]
    const KNOWING: (&[super::Extra], Judges) = {
        use grundy_information::certificate::{MAGIC, verify};
        let verifiers = &[grundy_referee::Verifier { magic: MAGIC, verify }];
        (grundy_information::command::REFEREE, Judges { verifiers, witnesses: &grundy_rules::WITNESSES })
    };

    /// Runs it with games of one's own in front of those of grundy; gives the exit code.
    pub fn main(rows: &'static [Row]) -> ExitCode {
        let (extras, judges) = KNOWING;
        grundy_referee::main(&CATALOG.with(rows), extras, judges)
    }
}
