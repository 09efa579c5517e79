//! The subcommands that this crate adds to the command lines of the engine and the referee.

mod answer;
mod equilibrium;
mod kuhn;
mod repeated;
mod roshambo;
mod show;
mod table;

use grundy_engine::Extra;

use crate::examples;

/// Subcommands of `grundy`.
pub const GRUNDY: &[Extra] = &[equilibrium::EXTRA, kuhn::EXTRA, roshambo::EXTRA];
/// Returns one line about a game without perfect information: the commands that solve it and play it. `None` for other
/// names.
pub fn elsewhere(name: &str) -> Option<String> {
    let solved = examples::has(name).then(|| format!("grundy equilibrium --example {name} solves it"));
    let plays = [kuhn::EXTRA, roshambo::EXTRA].iter().any(|extra| (extra.command)().get_name() == name);
    let played = plays.then(|| format!("grundy play {name} plays it"));
    let commands: Vec<String> = solved.into_iter().chain(played).collect();
    (!commands.is_empty())
        .then(|| format!("{name} is no game of perfect information: {}", commands.join(", ")))
}

/// Subcommands of `referee`.
pub const REFEREE: &[Extra] = &[repeated::EXTRA];
