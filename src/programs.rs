//! The programs `grundy` and `referee`: their command lines over the catalog of all games.

use std::process::ExitCode;

use grundy_engine::Extra;
use grundy_session::Row;

use crate::catalog::CATALOG;

/// Subcommands of `grundy` besides those of the engine, by the crates that supply them.
const EXTRAS: &[&[Extra]] = &[
    #[cfg(feature = "games")]
    &[
        crate::check_rules::CHECK_RULES,
        crate::sequence::SEQUENCE,
        crate::atlas::ATLAS,
        crate::mcp::MCP,
        crate::puzzles::PUZZLES,
    ],
    &[crate::graph::GRAPH, LEARN, REVIEW],
    #[cfg(feature = "games")]
    grundy_information::command::GRUNDY,
];

/// The subcommand `learn`.
const LEARN: Extra =
    Extra { under: None, command: grundy_learn::command::command, run: grundy_learn::command::run };

/// The subcommand `review`.
const REVIEW: Extra =
    Extra { under: None, command: grundy_referee::review::command, run: grundy_referee::review::run };

/// Runs the command line of the engine, with your own games (`rows`) before those of grundy; returns the exit code.
///
/// ```no_run
/// use grundy::session::Row;
/// use std::process::ExitCode;
///
/// const ROW: Row = Row::new("mine", "mine:3,5", |spec| Err(format!("{}: no rules yet", spec.full())));
///
/// fn main() -> ExitCode {
///     grundy::main(&[ROW])
/// }
/// ```
///
/// `examples/own_game.rs` has the rules, too.
pub fn main(rows: &'static [Row]) -> ExitCode {
    grundy_engine::main(&CATALOG.with(rows), &EXTRAS.concat())
}

/// Returns the description of the engine's command line, for manual pages and completions.
pub fn command() -> clap::Command {
    grundy_engine::command(&EXTRAS.concat())
}

/// The command line of the referee.
pub mod referee {
    #[doc(hidden)]
    pub use grundy_referee::readers;
    use grundy_referee::{Judges, Verifier};

    use super::{CATALOG, ExitCode, Extra, Row};

    /// Subcommands of `referee` besides its own, by the crates that supply them.
    const EXTRAS: &[&[Extra]] = &[
        #[cfg(feature = "games")]
        grundy_information::command::REFEREE,
    ];
    /// Verifiers of `referee check` for other certificates than those of an audit.
    const VERIFIERS: &[Verifier] = &[
        #[cfg(feature = "games")]
        Verifier {
            magic: grundy_information::certificate::MAGIC,
            verify: grundy_information::certificate::verify,
        },
    ];

    /// The second interpreter of rules files, for `referee check --rules-witness`.
    const WITNESSES: &[&[Row]] = &[
        #[cfg(feature = "games")]
        &grundy_rules::WITNESSES,
    ];

    /// Runs the referee, with your own games (`rows`) before those of grundy; returns the exit code.
    ///
    /// ```no_run
    /// # use grundy::session::Row;
    /// # use std::process::ExitCode;
    /// # const ROW: Row = Row::new("mine", "mine:3,5", |spec| Err(format!("{}: no rules yet", spec.full())));
    /// fn main() -> ExitCode {
    ///     grundy::referee::main(&[ROW])
    /// }
    /// ```
    pub fn main(rows: &'static [Row]) -> ExitCode {
        let witnesses = WITNESSES.first().copied().unwrap_or_default();
        let judges = Judges { verifiers: VERIFIERS, witnesses };
        grundy_referee::main(&CATALOG.with(rows), &EXTRAS.concat(), judges)
    }

    /// Returns the description of the referee's command line, for manual pages and completions.
    pub fn command() -> clap::Command {
        grundy_referee::command(&EXTRAS.concat())
    }
}
