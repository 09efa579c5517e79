//! The subcommands that this crate adds to the command lines of the engine and the referee.

mod answer;
mod equilibrium;
mod kuhn;
mod repeated;
mod roshambo;
mod show;
mod table;

use grundy_engine::Extra;

/// Subcommands of `grundy`.
pub const GRUNDY: &[Extra] = &[equilibrium::EXTRA, kuhn::EXTRA, roshambo::EXTRA];
/// Subcommands of `referee`.
pub const REFEREE: &[Extra] = &[repeated::EXTRA];
