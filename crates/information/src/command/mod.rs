//! The subcommands that this crate brings to the command lines of the engine and the referee.

mod answer;
mod equilibrium;
mod show;

use grundy_engine::Extra;

/// Subcommands of `grundy`.
pub const GRUNDY: &[Extra] = &[equilibrium::EXTRA];
/// Subcommands of `referee`.
pub const REFEREE: &[Extra] = &[];
